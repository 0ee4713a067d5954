/** A disabled operator does not count as an assignee. Indexes: assignee_pkey, assignee_person_ix. */
import type { Principal } from '@keyport/http/server/principal';
import { type RawBuilder, sql } from 'kysely';

const SUBJECTS = {
  order: sql`'order:' || "order".id`,
  claim: sql`'claim:' || claim.id`,
  approval: sql`'approval:' || approval.id`,
} as const;

const IS_ACTIVE = sql`EXISTS (SELECT FROM operator WHERE operator.id = person AND disabled_at IS NULL)`;

export const assigneeOf = (kind: keyof typeof SUBJECTS) => sql<string | null>`
  (SELECT person FROM assignee WHERE assignee.subject = ${SUBJECTS[kind]} AND ${IS_ACTIVE})`;

export function personOf(asked: string | undefined, { clientId }: Pick<Principal, 'clientId'>) {
  return asked === 'me' ? clientId : asked;
}

/** `assignee`: an operator's id, or `none`. */
export function assignedTo(kind: keyof typeof SUBJECTS, assignee: string | undefined): RawBuilder<boolean>[] {
  if (assignee === undefined) return [];
  if (assignee === 'none') return [sql`${assigneeOf(kind)} IS NULL`];
  return [sql`${SUBJECTS[kind]} IN (SELECT assignee.subject FROM assignee WHERE person = ${assignee})`];
}
