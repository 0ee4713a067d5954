/** One-time links that sign a person in: for the first one, for those who are invited, and for those who have no other way in. */
import { type KeyObject, randomBytes } from 'node:crypto';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { findFirstAdmin, insertOperator, lockFirstPerson } from './operators.sql.ts';
import { deleteLinksOf, insertLink } from './sessions/sessions.sql.ts';
import { issueToken } from './sessions/tokens.ts';

export type InvitationDeps = { readonly key: KeyObject; readonly publicUrl: () => string };

type Invitation = { readonly invitationUrl: string; readonly expiresAtMicros: number };

/** In place of the links that the person had. */
export async function invite(tx: Tx, deps: InvitationDeps, operatorId: string): Promise<Invitation> {
  await deleteLinksOf(tx, operatorId);
  return addLink(tx, deps, operatorId);
}

async function addLink(tx: Tx, { key, publicUrl }: InvitationDeps, operatorId: string): Promise<Invitation> {
  const { text, mac } = issueToken(key, 'link');
  const expiresAtMicros = await insertLink(tx, { mac, operatorId });
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
  deps: InvitationDeps,
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
