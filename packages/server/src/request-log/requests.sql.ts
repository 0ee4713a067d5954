/** Locks on these tables delay only other nodes' batches, and only briefly. */
import { REQUEST_RETENTION_DAYS } from '@keyport/contract/accounts/requests';
import { prepareStatement } from '../db/engines/prepared.ts';
import { type List, uuidKey } from '../db/keyset.sql.ts';
import { declareColumns } from '../db/row-columns.ts';
import { allRows, execute, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros, toTimestamp } from '../db/timestamps.ts';
import { type Entry, entryId } from './describe-entry.ts';

const RETENTION = sql.raw(`${REQUEST_RETENTION_DAYS} * interval '1 day'`);
const NIL = '00000000-0000-0000-0000-000000000000';
/** Counts omitted requests. */
export const LEFT_OUT = '';
/** Counts omitted successful reads, which only the sandbox logs. */
export const READS_LEFT_OUT = '(reads)';
/** The sandbox keeps these reads of an account, and older ones are deleted. */
const READS_KEPT = 10_000;
/** The sandbox logs successful reads for the check-up; live mode does not. Index: request_entry_read_ix. */
const IS_READ = sql.raw("(status < 400 AND method IN ('GET', 'HEAD'))");

export type CountRow = {
  readonly accountId: string;
  readonly atMs: number;
  readonly operation: string;
  readonly count: number;
};

const ENTRIES = declareColumns<Entry>({
  account_id: ['uuid', (entry) => entry.accountId],
  id: ['uuid', (entry) => entry.id],
  at_micros: ['bigint', (entry) => entry.atMicros],
  client_id: ['text', (entry) => entry.clientId],
  method: ['text', (entry) => entry.method],
  path: ['text', (entry) => entry.path],
  query: ['text', (entry) => entry.query],
  status: ['integer', (entry) => entry.status],
  code: ['text', (entry) => entry.code],
  trace_id: ['text', (entry) => entry.traceId],
  duration_ms: ['bigint', (entry) => entry.durationMs],
  idempotency_key: ['uuid', (entry) => entry.idempotencyKey],
  order_id: ['bigint', (entry) => entry.orderId],
  address: ['text', (entry) => entry.address],
  user_agent: ['text', (entry) => entry.userAgent],
  token_hash: ['text', (entry) => entry.tokenHash],
  request_body: ['text', (entry) => entry.requestBody],
  response_body: ['text', (entry) => entry.responseBody],
});

const INSERT_ENTRIES = prepareStatement(
  'insert_request_entries',
  `INSERT INTO request_entry (account_id, id, at, client_id, method, path, query, status, code, trace_id, duration_ms,
      idempotency_key, order_id, address, user_agent, token_hash, request_body, response_body)
    SELECT account_id, id, to_timestamp(0) + at_micros * interval '1 microsecond', client_id, method, path, query, status, code,
      trace_id, duration_ms, idempotency_key, order_id, address, user_agent, token_hash, request_body, response_body
    FROM ${ENTRIES.unnest(1, 'entry')}
    ON CONFLICT (account_id, id) DO NOTHING`,
);

export async function insertEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  await INSERT_ENTRIES.execute(tx, ENTRIES.arrays(entries));
}

/** A node replaces its own counts, so that it can repeat a write. */
export async function putCounts(tx: Tx, node: string, rows: readonly CountRow[]): Promise<void> {
  await execute(tx)`
    INSERT INTO request_count (account_id, at, operation, node, count)
    SELECT "accountId", to_timestamp("atMs" / 1000), operation, ${node}::uuid, count
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS row ("accountId" uuid, "atMs" double precision, operation text, count bigint)
    ON CONFLICT (account_id, at, operation, node) DO UPDATE SET count = excluded.count`;
}

export type RequestFilter = {
  readonly fromMicros: number | undefined;
  readonly toMicros: number | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly clientId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly orderId?: string | undefined;
};

function toRange({ fromMicros, toMicros }: Pick<RequestFilter, 'fromMicros' | 'toMicros'>) {
  return [
    // Hides old entries before they are deleted.
    sql`at >= statement_timestamp() - ${RETENTION}`,
    ...(fromMicros === undefined ? [] : [sql`at >= ${toTimestamp(fromMicros)}`]),
    ...(toMicros === undefined ? [] : [sql`at < ${toTimestamp(toMicros)}`]),
  ];
}

/** Newest first. Indexes: request_entry_pk, request_entry_trace_ix, request_entry_order_ix. */
export function requestsList(accountId: string, filter: RequestFilter): List {
  const { status, code, clientId, traceId, orderId } = filter;
  const trace = traceId === undefined ? [] : [sql`trace_id = ${traceId}`];
  const order = orderId === undefined ? [] : [sql`order_id = ${orderId}::bigint`];
  const [indexed, ...rest] = [...trace, ...order];
  return {
    from: sql`request_entry`,
    alias: 'request_entry',
    key: [uuidKey('request_entry.id')],
    isDescending: true,
    scanned: [
      sql`account_id = ${accountId}::uuid`,
      ...(filter.fromMicros === undefined ? [] : [sql`id >= ${entryId(filter.fromMicros, NIL)}::uuid`]),
      ...(filter.toMicros === undefined ? [] : [sql`id < ${entryId(filter.toMicros, NIL)}::uuid`]),
    ],
    filters: [
      sql`NOT ${IS_READ}`,
      ...toRange(filter),
      ...rest,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(code === undefined ? [] : [sql`code = ${code}`]),
      ...(clientId === undefined ? [] : [sql`client_id = ${clientId}`]),
    ],
    // A trace or an order has few requests.
    search: indexed && { condition: indexed },
  };
}

export type RequestRow = Omit<Entry, 'accountId' | 'tokenHash'>;

/** Index: request_entry_pk. */
export function loadRequests(db: Db, accountId: string, ids: readonly string[]): Promise<RequestRow[]> {
  return allRows<RequestRow>(db)`
    SELECT id::text AS id, ${deriveMicros('at')} AS "atMicros", client_id AS "clientId", method, path, query, status, code,
      trace_id AS "traceId", duration_ms AS "durationMs", idempotency_key::text AS "idempotencyKey",
      order_id::text AS "orderId", address, user_agent AS "userAgent", request_body AS "requestBody",
      response_body AS "responseBody"
    FROM request_entry
    WHERE account_id = ${accountId}::uuid AND id = ANY (${[...ids]}::uuid[])`;
}

/** Index: request_count_pk. */
export function countLeftOut(db: Db, accountId: string, filter: RequestFilter): Promise<number> {
  return onlyValue<{ omitted: number }>(db)`
    SELECT coalesce(sum(count), 0)::bigint AS omitted FROM request_count
    WHERE account_id = ${accountId}::uuid AND operation = ${LEFT_OUT}
      AND ${sql.join(toRange(filter), sql` AND `)}`;
}

/** Index: request_count_pk. */
export function listCounts(
  db: Db,
  accountId: string,
  range: Pick<RequestFilter, 'fromMicros' | 'toMicros'>,
): Promise<{ readonly minuteMicros: number; readonly operation: string; readonly count: number }[]> {
  return allRows<{ minuteMicros: number; operation: string; count: number }>(db)`
    SELECT ${deriveMicros('at')} AS "minuteMicros", operation, sum(count)::bigint AS count FROM request_count
    WHERE account_id = ${accountId}::uuid AND operation NOT IN (${LEFT_OUT}, ${READS_LEFT_OUT})
      AND ${sql.join(toRange(range), sql` AND `)}
    GROUP BY at, operation ORDER BY at, operation`;
}

export type ClientRow = Pick<
  Entry,
  | 'atMicros'
  | 'method'
  | 'path'
  | 'query'
  | 'status'
  | 'code'
  | 'traceId'
  | 'durationMs'
  | 'idempotencyKey'
  | 'tokenHash'
  | 'requestBody'
  | 'responseBody'
>;

/** The client's newest requests, oldest first, with successful reads. Index: request_entry_pk. */
export function listOfClient(
  db: Db,
  accountId: string,
  {
    clientId,
    fromMicros,
    limit,
  }: { readonly clientId: string; readonly fromMicros: number; readonly limit: number },
): Promise<ClientRow[]> {
  return allRows<ClientRow>(db)`
    SELECT ${deriveMicros('at')} AS "atMicros", method, path, query, status, code, trace_id AS "traceId",
      duration_ms AS "durationMs", idempotency_key::text AS "idempotencyKey", token_hash AS "tokenHash",
      request_body AS "requestBody", response_body AS "responseBody"
    FROM (
      SELECT * FROM request_entry
      WHERE account_id = ${accountId}::uuid AND client_id = ${clientId} AND id >= ${entryId(fromMicros, NIL)}::uuid
      ORDER BY id DESC LIMIT ${limit}
    ) AS newest ORDER BY id`;
}

/**
 * Before this time, requests of the account may be missing: it was too busy, or its reads were deleted.
 * Indexes: request_count_pk, request_entry_read_ix.
 */
export function findLastGap(db: Db, accountId: string): Promise<number> {
  return onlyValue<{ gapUntilMicros: number }>(db)`
    SELECT ${deriveMicros('until')} AS "gapUntilMicros" FROM (
      SELECT greatest(
        (SELECT max(at) + interval '1 second' FROM request_count
          WHERE account_id = ${accountId}::uuid AND operation IN (${LEFT_OUT}, ${READS_LEFT_OUT})),
        (SELECT at FROM request_entry WHERE account_id = ${accountId}::uuid AND ${IS_READ}
          ORDER BY id DESC OFFSET ${READS_KEPT - 1} LIMIT 1),
        statement_timestamp() - ${RETENTION}
      ) AS until
    ) AS gap`;
}

/** Keeps the newest reads of each account. Index: request_entry_read_ix. */
export async function deleteOldReads(tx: Tx, accountIds: readonly string[]): Promise<void> {
  await execute(tx)`
    DELETE FROM request_entry USING (
      SELECT account.id AS account_id, (
        SELECT entry.id FROM request_entry AS entry WHERE entry.account_id = account.id AND ${IS_READ}
        ORDER BY entry.id DESC OFFSET ${READS_KEPT} LIMIT 1
      ) AS last_id
      FROM unnest(${[...accountIds]}::uuid[]) AS account (id)
    ) AS old
    WHERE request_entry.account_id = old.account_id AND request_entry.id <= old.last_id AND ${IS_READ}`;
}

/** The primary key of each table of the log. */
const LOG_KEYS = {
  request_entry: sql`account_id, id`,
  request_count: sql`account_id, at, operation, node`,
};

export const LOG_TABLES = ['request_entry', 'request_count'] as const;

/** Returns how many it deleted, at most `limit`. Indexes: request_entry_old_ix, request_count_old_ix. */
export function deleteOld(tx: Tx, table: (typeof LOG_TABLES)[number], limit: number): Promise<number> {
  return execute(tx)`
    DELETE FROM ${sql.identifier(table)} WHERE (${LOG_KEYS[table]}) IN (
      SELECT ${LOG_KEYS[table]} FROM ${sql.identifier(table)}
      WHERE at < statement_timestamp() - ${RETENTION}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
