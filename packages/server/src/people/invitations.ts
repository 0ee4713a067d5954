/** One-time links that sign a person in: for the first one, for those who are invited, and for those who have no other way in. */
import { type KeyObject, randomBytes } from 'node:crypto';
import type { Database } from '../db/engines/database.ts';
import type { Db, Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { findFirstAdmin, insertOperator, lockFirstPerson } from './operators.sql.ts';
import { deleteLinksOf, findLinkEnd, insertLink } from './sessions/sessions.sql.ts';
import { issueToken, tokenOf } from './sessions/tokens.ts';

type LinkDeps = { readonly key: KeyObject; readonly publicUrl: () => string };

export type InvitationDeps = LinkDeps & {
  /** Has the link with this seed mailed; undefined: nothing is mailed. */
  readonly mailLink: ((tx: Tx, operatorId: string, seed: Buffer) => Promise<void>) | undefined;
};

export type SignInLink = { readonly invitationUrl: string; readonly expiresAtMicros: number };

/** In place of the links that the person had. */
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
  return { ...linkOf(deps, text, await insertLink(tx, { mac, operatorId })), seed };
}

/** The link with this seed; undefined when it was used or replaced, or has expired. */
export async function findLink(db: Db, deps: LinkDeps, seed: Buffer): Promise<SignInLink | undefined> {
  const { text, mac } = tokenOf(deps.key, 'link', seed);
  const expiresAtMicros = await findLinkEnd(db, mac);
  return expiresAtMicros === undefined ? undefined : linkOf(deps, text, expiresAtMicros);
}

function linkOf({ publicUrl }: LinkDeps, text: string, expiresAtMicros: number): SignInLink {
  // Behind the #, so that it is in no server's log and in no Referer.
  return { invitationUrl: `${publicUrl()}/console/sign-in#token=${text}`, expiresAtMicros };
}

/** `person_` with 96 random bits. */
export function generateOperatorId(): string {
  return `person_${randomBytes(12).toString('hex')}`;
}

const FIRST_PERSON = { name: 'Administrator', email: 'admin@localhost', role: 'admin' } as const;

/**
 * A link for the first admin, who is added to an empty installation. Undefined if anyone has signed in before, unless
 * `isAlways`: then an invitation by another admin is the way in.
 */
export function inviteFirstAdmin(
  database: Database,
  deps: LinkDeps,
  isAlways: boolean,
): Promise<string | undefined> {
  return runTransaction(database, {}, async (tx) => {
    await lockFirstPerson(tx);
    const { id, hasAnybodySignedIn } = await findFirstAdmin(tx);
    if (hasAnybodySignedIn && !isAlways) return undefined;
    const operatorId = id ?? (await insertOperator(tx, { id: generateOperatorId(), ...FIRST_PERSON })).id;
    // Several nodes may start at once, and each one's link is good.
    return (await addLink(tx, deps, operatorId)).invitationUrl;
  });
}
