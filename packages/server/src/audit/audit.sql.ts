/** Reads the audit log. Entries are written by db/audit.sql.ts in the transaction that they describe. */
import { must } from '@keyport/core/assert';
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import { microsOf } from '../db/timestamps.ts';
import { offsetOf, type Paging } from './action.ts';

/** What is left out does not restrict. Times are microseconds since the epoch, both bounds inclusive. */
export type AuditFilter = {
  readonly orderId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly action?: string | undefined;
  readonly fromMicros?: number | undefined;
  readonly toMicros?: number | undefined;
};

export type AuditEntry = {
  id: number;
  clientId: string;
  /** Of the person or the client, as it is called now. */
  name: string | null;
  role: string | null;
  address: string | null;
  action: string;
  accountId: string | null;
  orderId: string | null;
  traceId: string;
  data: Record<string, unknown>;
  atMicros: number;
};

/** One page, newest entry first. Indexes: the primary key, or audit_entry_order_ix for one order. */
export async function listAuditEntries(db: Db, filter: AuditFilter, paging: Paging): Promise<AuditEntry[]> {
  const { rows } = await sql<AuditEntry>`
    SELECT id, client_id AS "clientId", role, address, action,
      coalesce(
        (SELECT name FROM operator WHERE operator.id = audit_entry.client_id),
        (SELECT name FROM client WHERE client.id = audit_entry.client_id)) AS name, account_id AS "accountId", order_id::text AS "orderId",
      trace_id AS "traceId", data, ${microsOf('at')} AS "atMicros"
    FROM audit_entry WHERE ${matching(filter)}
    ORDER BY id DESC LIMIT ${paging.itemsPerPage} OFFSET ${offsetOf(paging)}`.execute(db);
  return rows;
}

export async function countAuditEntries(db: Db, filter: AuditFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM audit_entry WHERE ${matching(filter)}`.execute(db);
  return must(rows[0], 'a count').count;
}

function matching({ orderId, clientId, action, fromMicros, toMicros }: AuditFilter) {
  const conditions = [sql`true`];
  if (orderId !== undefined) conditions.push(sql`order_id = ${orderId}`);
  if (clientId !== undefined) conditions.push(sql`client_id = ${clientId}`);
  if (action !== undefined) conditions.push(sql`action = ${action}`);
  if (fromMicros !== undefined) conditions.push(sql`at >= ${timestampOf(fromMicros)}`);
  if (toMicros !== undefined) conditions.push(sql`at <= ${timestampOf(toMicros)}`);
  return sql.join(conditions, sql` AND `);
}

/** Exact: an interval times a whole number below 2^53 loses no microsecond. */
function timestampOf(epochMicros: number) {
  return sql<string>`timestamptz 'epoch' + ${epochMicros} * interval '1 microsecond'`;
}
