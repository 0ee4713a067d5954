/** A20, A24, A26. */
import { type KeyObject, randomBytes } from 'node:crypto';
import type { Role } from '@keyport/contract/roles';
import { must } from '@keyport/core/assert';
import { type AddressSet, addressSetOf } from '@keyport/http/admission/addresses';
import type { TokenHolder } from '@keyport/http/server/principal';
import type { Tx } from '../../db/schema.ts';
import {
  generateClientSecret,
  hashClientSecret,
  LIVE_SECRET_COUNT_MAX,
  matchesLiveSecret,
} from './client-secrets.ts';
import {
  type ClaimedClient,
  type ClientRole,
  type ClientRow,
  type ClientSettings,
  expireSecrets,
  findClientForUpdate,
  insertClient,
  insertClientSecret,
  listLiveSecretMacs,
  retireOldestSecrets,
  updateClientDisabled,
  updateClientEnabled,
  updateClientSettings,
} from './clients.sql.ts';

export type ClientCredentials = { readonly clientId: string; readonly clientSecret: string };

export type ClientKind =
  | { readonly role: 'reseller'; readonly accountId: string; readonly operatorRole?: undefined }
  | { readonly role: 'operator'; readonly accountId: null; readonly operatorRole: Role };

export type Clients = {
  create(tx: Tx, kind: ClientKind, name: string | null): Promise<ClientCredentials>;
  /** The oldest secret is retired if it would be the third. Undefined: no such client, or disabled. */
  addSecret(tx: Tx, clientId: string): Promise<ClientCredentials | undefined>;
  /**
   * The secret is added to a client that has another one only if `isSecretNeeded`. Throws for a client of
   * another kind.
   */
  ensure(
    tx: Tx,
    kind: ClientKind,
    client: ClientCredentials & { readonly name: string | null; readonly isSecretNeeded: boolean },
  ): Promise<{ hasChanged: boolean; isLive: boolean }>;
  /** False: no such client. */
  disable(tx: Tx, clientId: string): Promise<boolean>;
  /** False: no such client. */
  enable(tx: Tx, clientId: string): Promise<boolean>;
  /** The previous secrets work until `validUntilMicros`. */
  rotateSecret(
    tx: Tx,
    clientId: string,
    overlapHours: number,
  ): Promise<(ClientCredentials & { readonly validUntilMicros: number }) | undefined>;
  change(tx: Tx, clientId: string, settings: ClientSettings): Promise<boolean>;
  /** Undefined unless secret and client are good. Takes equally long for every other. */
  verifySecret(
    find: (clientId: string) => Promise<ClaimedClient | undefined>,
    credentials: ClientCredentials,
  ): Promise<VerifiedClient | undefined>;
};

type VerifiedClient = {
  readonly holder: TokenHolder;
  /** Undefined: everywhere. */
  readonly allowed: AddressSet | undefined;
};

export function createClients(macKey: KeyObject): Clients {
  async function addGivenSecret(tx: Tx, clientId: string, secret: string): Promise<void> {
    await retireOldestSecrets(tx, clientId, LIVE_SECRET_COUNT_MAX - 1);
    await insertClientSecret(tx, { clientId, mac: hashClientSecret(macKey, clientId, secret) });
  }

  async function addSecret(tx: Tx, clientId: string): Promise<ClientCredentials | undefined> {
    const client = await findClientForUpdate(tx, clientId);
    if (client === undefined || client.isDisabled) return undefined;
    const clientSecret = generateClientSecret();
    await addGivenSecret(tx, clientId, clientSecret);
    return { clientId, clientSecret };
  }

  return {
    async create(tx, kind, name) {
      const clientId = generateClientId(kind.role);
      const clientSecret = generateClientSecret();
      await insertClient(tx, { id: clientId, ...kind, name });
      await addGivenSecret(tx, clientId, clientSecret);
      return { clientId, clientSecret };
    },

    addSecret,

    async rotateSecret(tx, clientId, overlapHours) {
      const validUntilMicros = await expireSecrets(tx, clientId, overlapHours);
      const added = await addSecret(tx, clientId);
      return added && { ...added, validUntilMicros };
    },

    async ensure(tx, kind, { clientId, clientSecret, name, isSecretNeeded }) {
      const isNew = await insertClient(tx, { id: clientId, ...kind, name });
      const client = await findClientForUpdate(tx, clientId);
      if (client?.role !== kind.role || client.accountId !== kind.accountId) {
        throw new Error(`the client id ${clientId} belongs to another client already; configure another id`);
      }
      const liveMacs = await listLiveSecretMacs(tx, clientId);
      const hasSecret = matchesLiveSecret(hashClientSecret(macKey, clientId, clientSecret), liveMacs);
      const isAdded = !hasSecret && (liveMacs.length === 0 || isSecretNeeded);
      if (isAdded) await addGivenSecret(tx, clientId, clientSecret);
      return { hasChanged: isNew || isAdded, isLive: hasSecret || isAdded };
    },

    disable: updateClientDisabled,
    enable: updateClientEnabled,
    change: updateClientSettings,

    async verifySecret(find, { clientId, clientSecret }) {
      // PostgreSQL has no text with it.
      if (clientId.includes('\0')) return undefined;
      const mac = hashClientSecret(macKey, clientId, clientSecret);
      const claimed = await find(clientId);
      const isMatch = matchesLiveSecret(mac, claimed?.liveMacs ?? []);
      if (claimed?.mayHaveTokens !== true || !isMatch) return undefined;
      return { holder: holderOf(claimed), allowed: addressSetOf(claimed.allowedAddresses) };
    },
  };
}

/** `operator_…` or `reseller_…` with 96 random bits. */
export function generateClientId(role: ClientRole): string {
  return `${role}_${randomBytes(12).toString('hex')}`;
}

function holderOf({ id, role, accountId }: ClientRow): TokenHolder {
  return role === 'operator'
    ? { role, clientId: id }
    : { role, clientId: id, accountId: must(accountId, 'the account of a reseller') };
}
