/** Reads rows of other features. Indexes: primary keys. */
import { requireFound } from '@keyport/http/replies/api-error';
import { firstRow } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';

type Subject = { readonly accountId: string | null; readonly orderId: string | null };

export function findSubject(tx: Tx, subject: string): Promise<Subject | undefined> {
  const [kind, id = ''] = subject.split(':');
  const ifKind = (wanted: string) => (kind === wanted ? id : null);
  return firstRow<Subject>(tx)`
    SELECT account_id AS "accountId", id::text AS "orderId" FROM "order"
    WHERE id = ${ifKind('order')}::bigint
    UNION ALL SELECT id, NULL FROM account WHERE id = ${ifKind('account')}::uuid
    UNION ALL SELECT NULL, NULL FROM seller WHERE id = ${ifKind('seller')}::uuid`;
}

/** Throws not-found. */
export async function requireSubject(tx: Tx, subject: string): Promise<Subject> {
  const [kind = ''] = subject.split(':');
  return requireFound(await findSubject(tx, subject), kind);
}
