/** Reads the audit log. Entries are written by db/audit.sql.ts in the transaction that they describe. */
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { offsetOf, type Paging } from './action.ts';

/** What is left out does not restrict. Times are microseconds since the epoch, both bounds inclusive. */
export type AuditFilter = {
  readonly orderId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly action?: string | undefined;
  readonly fromMicros?: number | undefined;
  readonly toMicros?: number | undefined;
};

/** One page, newest entry first. Indexes: the primary key, or audit_entry_order_ix for one order. */
export function listAuditEntries(db: Kysely<Schema>, filter: AuditFilter, paging: Paging) {
  return matching(db, filter)
    .select([
      'id',
      'client_id as clientId',
      'action',
      'account_id as accountId',
      sql<string | null>`order_id::text`.as('orderId'),
      'trace_id as traceId',
      'data',
      sql<number>`(extract(epoch FROM at) * 1000000)::bigint`.as('atMicros'),
    ])
    .orderBy('id', 'desc')
    .limit(paging.itemsPerPage)
    .offset(offsetOf(paging))
    .execute();
}

export async function countAuditEntries(db: Kysely<Schema>, filter: AuditFilter): Promise<number> {
  const row = await matching(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

function matching(
  db: Kysely<Schema>,
  filter: AuditFilter,
): SelectQueryBuilder<Schema, 'audit_entry', Record<never, never>> {
  const { orderId, clientId, action, fromMicros, toMicros } = filter;
  let query = db.selectFrom('audit_entry');
  if (orderId !== undefined) query = query.where('order_id', '=', orderId);
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  if (action !== undefined) query = query.where('action', '=', action);
  if (fromMicros !== undefined) query = query.where('at', '>=', timestampOf(fromMicros));
  if (toMicros !== undefined) query = query.where('at', '<=', timestampOf(toMicros));
  return query;
}

/** Exact: an interval times a whole number below 2^53 loses no microsecond. */
function timestampOf(epochMicros: number) {
  return sql<string>`timestamptz 'epoch' + ${epochMicros} * interval '1 microsecond'`;
}
