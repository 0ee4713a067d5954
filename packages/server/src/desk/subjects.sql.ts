/** Reads rows of other features. Indexes: primary keys. */
import { requireFound } from '@keyport/http/replies/api-error';
import { allValues, execute, firstRow } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';

type Subject = {
  readonly accountId: string | null;
  readonly orderId: string | null;
  /** Whether the subject waits for an operator. */
  readonly waits: boolean;
};

export function findSubject(tx: Tx, subject: string): Promise<Subject | undefined> {
  const [kind, id = ''] = subject.split(':');
  const ifKind = (wanted: string) => (kind === wanted ? id : null);
  return firstRow<Subject>(tx)`
    SELECT account_id AS "accountId", id::text AS "orderId", status = 'held' AS waits FROM "order"
    WHERE id = ${ifKind('order')}::bigint
    UNION ALL SELECT id, NULL, false FROM account WHERE id = ${ifKind('account')}::uuid
    UNION ALL SELECT NULL, NULL, false FROM seller WHERE id = ${ifKind('seller')}::uuid
    UNION ALL SELECT account_id, order_id::text, status = 'open' FROM claim WHERE id = ${ifKind('claim')}
    UNION ALL SELECT account_id, order_id::text, status = 'pending' FROM approval
    WHERE id = ${ifKind('approval')}::bigint`;
}

/** Throws not-found. */
export async function requireSubject(tx: Tx, subject: string): Promise<Subject & { readonly kind: string }> {
  const [kind = ''] = subject.split(':');
  return { kind, ...requireFound(await findSubject(tx, subject), kind) };
}

export function listActive(tx: Tx, ids: readonly string[]): Promise<string[]> {
  return allValues<{ id: string }>(tx)`
    SELECT id FROM operator WHERE id = ANY (${[...ids]}::text[]) AND disabled_at IS NULL`;
}

/** Index: assignee_pkey. */
export async function writeAssignee(
  tx: Tx,
  subject: string,
  { assignee, by }: { readonly assignee: string | null; readonly by: string },
): Promise<void> {
  if (assignee === null) await execute(tx)`DELETE FROM assignee WHERE subject = ${subject}`;
  else
    await execute(tx)`
      INSERT INTO assignee (subject, person, assigned_by) VALUES (${subject}, ${assignee}, ${by})
      ON CONFLICT ON CONSTRAINT assignee_pkey DO UPDATE
        SET person = excluded.person, assigned_by = excluded.assigned_by,
          assigned_at = excluded.assigned_at`;
}
