/** An existing operator gets no configured secret, so that a replaced secret does not become valid again. */
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { runTransaction } from '../../db/transaction.ts';
import { generateClientSecret } from './client-secrets.ts';
import * as sql from './clients.sql.ts';
import { type ClientCredentials, type ClientKind, type Clients, generateClientId } from './clients.ts';
import type { CredentialsFile, StartClient } from './credentials-file.ts';

export type GivenCredentials = {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
};

export type StartCredentials = {
  readonly clientId: string;
  /** Undefined if this start has no valid secret. */
  readonly clientSecret: string | undefined;
  readonly isNew: boolean;
};

type BootstrapDeps = {
  readonly database: Database;
  readonly clients: Pick<Clients, 'ensure' | 'verifySecret'>;
  readonly credentialsFile: CredentialsFile;
  readonly onSecretIgnored: (clientId: string) => void;
};

/** Changes nothing if the operator exists, even if its secret is unknown. */
export function ensureOperator(deps: BootstrapDeps, given: GivenCredentials): Promise<StartCredentials> {
  return ensureClient(deps, {
    client: 'operator',
    kind: { role: 'operator', accountId: null, operatorRole: 'admin' },
    name: 'First operator',
    given,
    isSecretNeeded: false,
  });
}

/** Every start prints the demo client's secret, so a lost one is replaced. */
export function ensureDemoClient(
  deps: BootstrapDeps,
  demo: GivenCredentials & { readonly accountId: string },
): Promise<StartCredentials> {
  return ensureClient(deps, {
    client: 'demo',
    kind: { role: 'reseller', accountId: demo.accountId },
    name: 'Demo reseller',
    given: demo,
    isSecretNeeded: true,
  });
}

type Wanted = {
  readonly client: StartClient;
  readonly kind: ClientKind;
  readonly name: string;
  readonly given: GivenCredentials;
  readonly isSecretNeeded: boolean;
};

async function ensureClient(deps: BootstrapDeps, wanted: Wanted): Promise<StartCredentials> {
  const kept = await deps.credentialsFile.find(wanted.client);
  const ensured = await runTransaction(deps.database, {}, async (tx) => {
    await sql.lockBootstrap(tx);
    return ensureInside(tx, deps.clients, wanted, kept);
  });
  const { clientId, clientSecret, isNew } = ensured;
  if (wanted.given.clientSecret !== undefined && clientSecret === undefined) deps.onSecretIgnored(clientId);
  const isGenerated = clientSecret !== wanted.given.clientSecret && clientSecret !== kept?.clientSecret;
  if (clientSecret !== undefined && isGenerated) {
    await deps.credentialsFile.save(wanted.client, { clientId, clientSecret });
  }
  return { clientId, clientSecret, isNew };
}

async function ensureInside(
  tx: Tx,
  clients: Pick<Clients, 'ensure' | 'verifySecret'>,
  { kind, name, given, isSecretNeeded }: Wanted,
  kept: ClientCredentials | undefined,
): Promise<StartCredentials> {
  const existingId = await sql.findOldestClientId(tx, kind);
  const clientId = given.clientId ?? kept?.clientId ?? existingId ?? generateClientId(kind.role);
  const existing = await sql.findClientForUpdate(tx, clientId);
  let { clientSecret } = given;
  // A retired secret in the file stays retired.
  const find = (id: string) => sql.findClaimedClient(tx, id);
  if (kept?.clientId === clientId && (existing === undefined || (await clients.verifySecret(find, kept)))) {
    clientSecret ??= kept.clientSecret;
  }
  const mayStay = existing !== undefined && (existing.isDisabled || !isSecretNeeded);
  if (clientSecret === undefined && mayStay) return { clientId, clientSecret, isNew: false };
  clientSecret ??= generateClientSecret();
  const wanted = { clientId, clientSecret, name, isSecretNeeded };
  const { hasChanged, isLive } = await clients.ensure(tx, kind, wanted);
  return { clientId, clientSecret: isLive ? clientSecret : undefined, isNew: hasChanged };
}

/** Also false if the client may not have tokens. */
export async function isNewestSecret(
  { database, clients }: Pick<BootstrapDeps, 'database' | 'clients'>,
  credentials: ClientCredentials,
): Promise<boolean> {
  const find = async (id: string) => {
    const client = await sql.findClaimedClient(database.db, id);
    return client && { ...client, liveMacs: client.liveMacs.slice(-1) };
  };
  return (await clients.verifySecret(find, credentials)) !== undefined;
}
