import { type KeyObject, randomBytes } from 'node:crypto';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import type { Audience, Identity } from './audiences.ts';
import { findFirst, insertPerson, lockFirstPerson } from './people.sql.ts';
import { deleteLinksOf, findLinkEnd, insertLink } from './sessions/sessions.sql.ts';
import { issueToken, toToken } from './sessions/tokens.ts';

type LinkDeps = {
  readonly audience: Audience;
  readonly key: KeyObject;
  readonly publicUrl: () => string;
};

export type InvitationDeps = LinkDeps & {
  /** Undefined if mail is not configured. Members' links are not mailed. */
  readonly mailLink: ((tx: Tx, personId: string, seed: Buffer) => Promise<void>) | undefined;
};

export type SignInLink = { readonly invitationUrl: string; readonly expiresAtMicros: number };

/** Replaces earlier links. */
export async function invite(tx: Tx, deps: InvitationDeps, personId: string): Promise<SignInLink> {
  await deleteLinksOf(tx, personId);
  const { seed, ...link } = await addLink(tx, deps, personId);
  await deps.mailLink?.(tx, personId, seed);
  return link;
}

async function addLink(
  tx: Tx,
  deps: LinkDeps,
  personId: string,
): Promise<SignInLink & { readonly seed: Buffer }> {
  const { id: seed, text, mac } = issueToken(deps.key, 'link');
  return { ...toLink(deps, text, await insertLink(tx, { mac, personId })), seed };
}

/** Undefined if the link was used or replaced, or has expired. */
export async function findLink(db: Db, deps: LinkDeps, seed: Buffer): Promise<SignInLink | undefined> {
  const { text, mac } = toToken(deps.key, 'link', seed);
  const expiresAtMicros = await findLinkEnd(db, mac);
  return expiresAtMicros === undefined ? undefined : toLink(deps, text, expiresAtMicros);
}

function toLink({ audience, publicUrl }: LinkDeps, text: string, expiresAtMicros: number): SignInLink {
  // The token follows the #, so that no log or Referer contains it.
  return { invitationUrl: `${publicUrl()}${audience.path}/sign-in#token=${text}`, expiresAtMicros };
}

/** With 96 random bits. */
export function generatePersonId({ idPrefix }: Audience): string {
  return `${idPrefix}_${randomBytes(12).toString('hex')}`;
}

/** Undefined if anyone has signed in before, unless `isAlways`. */
export function inviteFirst(
  database: Database,
  deps: LinkDeps,
  first: Omit<Identity, 'id'>,
  isAlways: boolean,
): Promise<string | undefined> {
  return runTransaction(database, {}, async (tx) => {
    await lockFirstPerson(tx);
    const { id, hasAnyoneSignedIn } = await findFirst(tx, first);
    if (hasAnyoneSignedIn && !isAlways) return undefined;
    const personId = id ?? (await insertPerson(tx, { id: generatePersonId(deps.audience), ...first })).id;
    // Nodes that start concurrently each get a valid link.
    return (await addLink(tx, deps, personId)).invitationUrl;
  });
}
