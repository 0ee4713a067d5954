import { computeOffset, type Paging } from '@keyport/http/validation/paging';
import { plainArray } from '../db/engines/prepared.ts';
import { type List, numberKey, timeKey } from '../db/keyset.sql.ts';
import { allRows, onlyValue } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { deriveMicros, toTimestamp } from '../db/timestamps.ts';
import type { ChainEntry } from './chain.sql.ts';

/** Both bounds are inclusive. */
export type AuditFilter = {
  readonly orderId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly action?: string | undefined;
  readonly fromMicros?: number | undefined;
  readonly toMicros?: number | undefined;
};

export type AuditEntry = Omit<ChainEntry, 'data'> & {
  readonly name: string | null;
  readonly data: Record<string, unknown>;
};

const COLUMNS = sql`id, client_id AS "clientId", role, address, action,
  coalesce(
    (SELECT name FROM person WHERE person.id = audit_entry.client_id),
    (SELECT name FROM client WHERE client.id = audit_entry.client_id)) AS name, account_id AS "accountId", order_id::text AS "orderId",
  trace_id AS "traceId", data, ${deriveMicros('at')} AS "atMicros"`;

/** Indexes: audit_entry_at_ix, audit_entry_action_ix; audit_entry_order_ix, audit_entry_trace_ix. */
export function auditList(
  filter: AuditFilter & {
    readonly accountId?: string | undefined;
    readonly traceId?: string | undefined;
    readonly actionsOnly?: boolean;
  },
  isDescending: boolean,
): List {
  const { orderId, clientId, action, fromMicros, toMicros, accountId, traceId, actionsOnly } = filter;
  const searches: Sql[] = [];
  if (traceId !== undefined) searches.push(sql`trace_id = ${traceId}`);
  if (orderId !== undefined) searches.push(sql`order_id = ${orderId}`);
  const [condition, ...others] = searches;
  const scanned: Sql[] = [];
  if (fromMicros !== undefined) scanned.push(sql`at >= ${toTimestamp(fromMicros)}`);
  if (toMicros !== undefined) scanned.push(sql`at <= ${toTimestamp(toMicros)}`);
  const isOther = action !== undefined && action !== READ_OF_KEYS;
  if (actionsOnly === true || isOther) scanned.push(sql`action <> ${sql.constant(READ_OF_KEYS)}`);
  const filters = [...others];
  if (action !== undefined) filters.push(sql`action = ${action}`);
  if (clientId !== undefined) filters.push(sql`client_id = ${clientId}`);
  if (accountId !== undefined) filters.push(sql`account_id = ${accountId}::uuid`);
  return {
    from: sql`audit_entry`,
    alias: 'audit_entry',
    key: [timeKey('audit_entry.at'), numberKey('audit_entry.id')],
    isDescending,
    scanned,
    filters,
    search: condition && { condition },
  };
}

const READ_OF_KEYS = 'keys.read';

export function loadAuditEntries(db: Db, ids: readonly string[]): Promise<AuditEntry[]> {
  return allRows<AuditEntry>(db)`
    SELECT ${COLUMNS} FROM audit_entry WHERE id = ANY (${plainArray(ids)}::bigint[])`;
}

/** Newest first. Indexes: the primary key, or audit_entry_order_ix for one order. */
export function listAuditEntries(db: Db, filter: AuditFilter, paging: Paging): Promise<AuditEntry[]> {
  return allRows<AuditEntry>(db)`
    SELECT ${COLUMNS} FROM audit_entry WHERE ${matching(filter)}
    ORDER BY id DESC LIMIT ${paging.itemsPerPage} OFFSET ${computeOffset(paging)}`;
}

export function countAuditEntries(db: Db, filter: AuditFilter): Promise<number> {
  return onlyValue<{ count: number }>(db)`
    SELECT count(*) AS count FROM audit_entry WHERE ${matching(filter)}`;
}

function matching({ orderId, clientId, action, fromMicros, toMicros }: AuditFilter) {
  const conditions = [sql`true`];
  if (orderId !== undefined) conditions.push(sql`order_id = ${orderId}`);
  if (clientId !== undefined) conditions.push(sql`client_id = ${clientId}`);
  if (action !== undefined) conditions.push(sql`action = ${action}`);
  if (fromMicros !== undefined) conditions.push(sql`at >= ${toTimestamp(fromMicros)}`);
  if (toMicros !== undefined) conditions.push(sql`at <= ${toTimestamp(toMicros)}`);
  return sql.join(conditions, sql` AND `);
}
