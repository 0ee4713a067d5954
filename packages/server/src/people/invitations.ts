import { type KeyObject, randomBytes } from 'node:crypto';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { findFirstAdmin, insertOperator, lockFirstPerson } from './operators.sql.ts';
import { deleteLinksOf, findLinkEnd, insertLink } from './sessions/sessions.sql.ts';
import { issueToken, toToken } from './sessions/tokens.ts';

type LinkDeps = { readonly key: KeyObject; readonly publicUrl: () => string };

export type InvitationDeps = LinkDeps & {
  /** Undefined if mail is not configured. */
  readonly mailLink: ((tx: Tx, operatorId: string, seed: Buffer) => Promise<void>) | undefined;
};

export type SignInLink = { readonly invitationUrl: string; readonly expiresAtMicros: number };

/** Replaces earlier links. */
export async function invite(tx: Tx, deps: InvitationDeps, operatorId: string): Promise<SignInLink> {
  await deleteLinksOf(tx, operatorId);
  const { seed, ...link } = await addLink(tx, deps, operatorId);
  await deps.mailLink?.(tx, operatorId, seed);
  return link;
}

async function addLink(
  tx: Tx,
  deps: LinkDeps,
  operatorId: string,
): Promise<SignInLink & { readonly seed: Buffer }> {
  const { id: seed, text, mac } = issueToken(deps.key, 'link');
  return { ...toLink(deps, text, await insertLink(tx, { mac, operatorId })), seed };
}

/** Undefined if the link was used or replaced, or has expired. */
export async function findLink(db: Db, deps: LinkDeps, seed: Buffer): Promise<SignInLink | undefined> {
  const { text, mac } = toToken(deps.key, 'link', seed);
  const expiresAtMicros = await findLinkEnd(db, mac);
  return expiresAtMicros === undefined ? undefined : toLink(deps, text, expiresAtMicros);
}

function toLink({ publicUrl }: LinkDeps, text: string, expiresAtMicros: number): SignInLink {
  // The token follows the #, so that no log or Referer contains it.
  return { invitationUrl: `${publicUrl()}/console/sign-in#token=${text}`, expiresAtMicros };
}

/** With 96 random bits. */
export function generateOperatorId(): string {
  return `person_${randomBytes(12).toString('hex')}`;
}

const FIRST_PERSON = { name: 'Administrator', email: 'admin@localhost', role: 'admin' } as const;

/** Undefined if anyone has signed in before, unless `isAlways`. */
export function inviteFirstAdmin(
  database: Database,
  deps: LinkDeps,
  isAlways: boolean,
): Promise<string | undefined> {
  return runTransaction(database, {}, async (tx) => {
    await lockFirstPerson(tx);
    const { id, hasAnyoneSignedIn } = await findFirstAdmin(tx);
    if (hasAnyoneSignedIn && !isAlways) return undefined;
    const operatorId = id ?? (await insertOperator(tx, { id: generateOperatorId(), ...FIRST_PERSON })).id;
    // Nodes that start concurrently each get a valid link.
    return (await addLink(tx, deps, operatorId)).invitationUrl;
  });
}
