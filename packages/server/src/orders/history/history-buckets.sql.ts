/**
 * Buckets count orders by status between two keys (created_at, id), up to the horizon. A worker locks
 * the horizon's row to move the horizon, and to divide or recount buckets. Triggers that count changes to already
 * counted orders lock the row in share mode. I60.
 */
import { must } from '@keyport/core/assert';
import { ORDER_STATUSES, type OrderStatus } from '@keyport/core/orders/order-status';
import { allRows, execute, firstRow, onlyRow, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { timestampOf } from '../../db/timestamps.ts';
import { ORDER_SUM_COLUMNS, SUMMED_ORDERS } from '../../ledger/sums.sql.ts';

/** The id of the history that counts the orders of all accounts, for operators. */
const ALL_ACCOUNTS = '00000000-0000-0000-0000-000000000000';
/** With a million orders, a page adds up a thousand buckets and scans a thousand orders. */
const BUCKET_SIZE = 1000;
const BUCKET_SIZE_MAX = 1500;
/** Per transaction; changes to these orders wait for it (about 50 ms). */
const SLICE_SIZE = 10_000;
/** Keeps the horizon behind orders that are being placed. */
const COUNTED_AFTER_MINUTES = 2;

/** Text from PostgreSQL, because a time can be -infinity. */
type HistoryKey = { readonly at: string; readonly id: string };

/** Undefined members match every order. */
export type BucketFilter = {
  readonly accountId: string | undefined;
  readonly status: OrderStatus | undefined;
  readonly fromMicros: number | undefined;
  readonly toMicros: number | undefined;
};

/**
 * The buckets that lie entirely in the range. `last` is the start of the newest bucket, which is excluded because
 * it may end outside the range.
 */
export type WholeBuckets = { readonly first: HistoryKey; readonly last: HistoryKey; readonly orders: number };

function keyOf(key: HistoryKey): Sql {
  return sql`(${key.at}::timestamptz, ${key.id}::bigint)`;
}

/** `before` is excluded. */
export type HistoryRange = { readonly from?: HistoryKey; readonly before?: HistoryKey };

/** Also compares the times alone, because the planner cannot estimate from a pair how few rows match. */
export function inRange(range: HistoryRange): Sql[] {
  const { from, before } = range;
  const conditions: Sql[] = [];
  if (from !== undefined)
    conditions.push(sql`created_at >= ${from.at}::timestamptz`, sql`(created_at, id) >= ${keyOf(from)}`);
  if (before !== undefined)
    conditions.push(sql`created_at <= ${before.at}::timestamptz`, sql`(created_at, id) < ${keyOf(before)}`);
  return conditions;
}

const keyAs = (at: string, id: string) => sql.raw(`json_build_object('at', ${at}, 'id', ${id}::text)`);

function countOf(status: OrderStatus | undefined): Sql {
  return sql.identifier(status ?? 'orders');
}

/** Each bucket except the newest also ends in the range. */
function beginInRange(filter: BucketFilter): Sql {
  const conditions = [sql`history = ${filter.accountId ?? ALL_ACCOUNTS}::uuid`];
  if (filter.fromMicros !== undefined) conditions.push(sql`begins_at >= ${timestampOf(filter.fromMicros)}`);
  if (filter.toMicros !== undefined) conditions.push(sql`begins_at <= ${timestampOf(filter.toMicros)}`);
  return sql.join(conditions, sql` AND `);
}

/** Undefined if no bucket begins in the range. Index: history_bucket_pk. */
export function findWholeBuckets(db: Tx, filter: BucketFilter): Promise<WholeBuckets | undefined> {
  const buckets = beginInRange(filter);
  const end = (direction: Sql) => sql`
    (SELECT begins_at, begins_with, ${countOf(filter.status)} AS orders FROM history_bucket WHERE ${buckets}
      ORDER BY begins_at ${direction}, begins_with ${direction} LIMIT 1)`;
  return firstRow<WholeBuckets>(db)`
    SELECT ${keyAs('first.begins_at', 'first.begins_with')} AS first, ${keyAs('last.begins_at', 'last.begins_with')} AS last,
      all_in_range.orders - last.orders AS orders
    FROM ${end(sql`ASC`)} AS first, ${end(sql`DESC`)} AS last,
      (SELECT sum(${countOf(filter.status)}) AS orders FROM history_bucket WHERE ${buckets}) AS all_in_range`;
}

/** `orders`: how many it counts. */
export type FoundBucket = {
  readonly from: HistoryKey;
  readonly before: HistoryKey;
  readonly ordersBefore: number;
  readonly orders: number;
};

export async function findBucketOf(
  db: Tx,
  filter: BucketFilter,
  whole: WholeBuckets,
  place: number,
): Promise<FoundBucket> {
  const found = await firstRow<FoundBucket>(db)`
    SELECT ${keyAs('begins_at', 'begins_with')} AS from, ${keyAs('ends_at', 'ends_with')} AS before, orders,
      total - orders AS "ordersBefore"
    FROM (
      SELECT begins_at, begins_with, ${countOf(filter.status)} AS orders,
        lead(begins_at, 1, ${whole.last.at}::timestamptz) OVER oldest_first AS ends_at,
        lead(begins_with, 1, ${whole.last.id}::bigint) OVER oldest_first AS ends_with,
        sum(${countOf(filter.status)}) OVER oldest_first AS total
      FROM history_bucket
      WHERE ${beginInRange(filter)} AND (begins_at, begins_with) < ${keyOf(whole.last)}
      -- ROWS: the default frame searches for equal keys, which do not exist, and takes three times as long.
      WINDOW oldest_first AS (ORDER BY begins_at, begins_with ROWS UNBOUNDED PRECEDING)
    ) AS bucket
    WHERE total > ${place}
    ORDER BY begins_at, begins_with LIMIT 1`;
  return must(found, `a bucket with the order in place ${place}`);
}

/** Orders up to `until` can be counted once every transaction that was writing at the mark has ended. */
export type HistoryMark = { readonly until: string; readonly transactionId: string };

/**
 * Runs outside transactions, so that the id is assigned after `counting_until` is committed. An order from before
 * `until` is in the table, has a transaction with a lower id, or is counted by its trigger.
 */
export async function takeMark(db: Db): Promise<HistoryMark> {
  const moved = await onlyRow<{ until: string }>(db)`
    UPDATE history_horizon SET counting_until
      = greatest(counting_until, statement_timestamp() - ${COUNTED_AFTER_MINUTES} * interval '1 minute')
    RETURNING counting_until AS until`;
  const drawn = await onlyRow<{ transactionId: string }>(db)`
    SELECT pg_current_xact_id()::text AS "transactionId"`;
  return { ...moved, ...drawn };
}

/** True once every transaction that wrote before the mark has ended. */
export function isSettled(db: Db, mark: HistoryMark): Promise<boolean> {
  return onlyValue<{ settled: boolean }>(db)`
    SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${mark.transactionId}::xid8 AS settled`;
}

export function lockHorizon(tx: Tx): Promise<string> {
  return onlyValue<{ counted_until: string }>(tx)`
    SELECT counted_until FROM history_horizon FOR UPDATE`;
}

const COUNTS = sql.join(ORDER_STATUSES.map((status) => sql.identifier(status)));

const COUNTED = sql.join(
  ORDER_STATUSES.map(
    (status) => sql`count(*) FILTER (WHERE status = ${sql.constant(status)}) AS ${sql.identifier(status)}`,
  ),
);

function eachCount(text: (count: Sql) => Sql): Sql {
  return sql.join(ORDER_STATUSES.map((status) => text(sql.identifier(status))));
}

/**
 * Counts at most SLICE_SIZE orders. Needs lockHorizon. Returns whether some remain. Index: order_created_ix.
 */
export async function countSlice(tx: Tx, countedUntil: string, until: string): Promise<boolean> {
  const slice = await onlyRow<{ slice_end: string; has_more: boolean; has_any: boolean }>(tx)`
    SELECT slice_end, slice_end < ${until}::timestamptz AS has_more, slice_end > ${countedUntil}::timestamptz AS has_any
    FROM (SELECT least(${until}::timestamptz, (
      SELECT created_at FROM "order" WHERE created_at > ${countedUntil}::timestamptz
      ORDER BY created_at, id OFFSET ${SLICE_SIZE} LIMIT 1)) AS slice_end) AS slice`;
  // Another node counted these orders.
  if (!slice.has_any) return false;
  await execute(tx)`
    INSERT INTO history_bucket (history, begins_at, begins_with, ${COUNTS})
    SELECT added.history, coalesce(newest.begins_at, '-infinity'), coalesce(newest.begins_with, 0),
      ${eachCount((count) => sql`added.${count}`)}
    FROM (
      SELECT its.history, ${COUNTED}
      FROM "order" CROSS JOIN LATERAL (VALUES (account_id), (${ALL_ACCOUNTS}::uuid)) AS its (history)
      WHERE created_at > ${countedUntil}::timestamptz AND created_at <= ${slice.slice_end}::timestamptz
      GROUP BY its.history
    ) AS added
    LEFT JOIN LATERAL (
      SELECT begins_at, begins_with FROM history_bucket WHERE history = added.history
      ORDER BY begins_at DESC, begins_with DESC LIMIT 1
    ) AS newest ON true
    ON CONFLICT ON CONSTRAINT history_bucket_pk DO UPDATE SET
      ${eachCount((count) => sql`${count} = history_bucket.${count} + excluded.${count}`)}`;
  await execute(tx)`
    INSERT INTO order_sum_change (${sql.raw(ORDER_SUM_COLUMNS)})
    SELECT ${sql.raw(SUMMED_ORDERS)} FROM "order"
    WHERE created_at > ${countedUntil}::timestamptz AND created_at <= ${slice.slice_end}::timestamptz
    GROUP BY 1, 2`;
  await execute(tx)`
    UPDATE history_horizon SET counted_until = ${slice.slice_end}::timestamptz,
      counting_until = greatest(counting_until, ${slice.slice_end}::timestamptz)`;
  return slice.has_more;
}

const NEXT_BUCKET = sql`
  SELECT begins_at, begins_with FROM history_bucket
  WHERE history = bucket.history AND (begins_at, begins_with) > (bucket.begins_at, bucket.begins_with)
  ORDER BY begins_at, begins_with LIMIT 1`;

/** Splits a bucket, or corrects its count. Needs lockHorizon. */
export async function divideBucket(tx: Tx, countedUntil: string): Promise<'divided' | 'corrected' | 'none'> {
  const bucket = await firstRow<{ history: string; begin: HistoryKey; end: HistoryKey }>(tx)`
    SELECT bucket.history, ${keyAs('bucket.begins_at', 'bucket.begins_with')} AS begin,
      ${keyAs(`coalesce(next.begins_at, 'infinity')`, 'coalesce(next.begins_with, 0)')} AS end
    FROM (SELECT * FROM history_bucket WHERE orders > ${BUCKET_SIZE_MAX} LIMIT 1) AS bucket
    LEFT JOIN LATERAL (${NEXT_BUCKET}) AS next ON true`;
  if (bucket === undefined) return 'none';
  const { history, begin, end } = bucket;
  const ordersIn = (range: HistoryRange) => {
    const account = history === ALL_ACCOUNTS ? [] : [sql`account_id = ${history}::uuid`];
    return sql.join([...account, ...inRange(range)], sql` AND `);
  };
  // Indexes: order_history_ix, order_created_ix.
  const border = await firstRow<HistoryKey>(tx)`
    SELECT created_at AS at, id::text FROM "order"
    WHERE ${ordersIn({ from: begin, before: end })} AND created_at <= ${countedUntil}::timestamptz
    ORDER BY created_at, "order".id OFFSET ${BUCKET_SIZE} LIMIT 1`;
  if (border === undefined) {
    await recount(tx, sql`(history, begins_at, begins_with) = ${placeOf({ history, ...begin })}`, 1);
    return 'corrected';
  }
  const itself = sql`history = ${history}::uuid AND (begins_at, begins_with) = ${keyOf(begin)}`;
  await execute(tx)`
    WITH head AS (
      SELECT ${COUNTED} FROM "order" WHERE ${ordersIn({ from: begin, before: border })}
    ), rest AS (
      INSERT INTO history_bucket (history, begins_at, begins_with, ${COUNTS})
      SELECT history, ${border.at}::timestamptz, ${border.id}::bigint,
        ${eachCount((count) => sql`history_bucket.${count} - head.${count}`)}
      FROM history_bucket, head WHERE ${itself}
    )
    UPDATE history_bucket SET ${eachCount((count) => sql`${count} = head.${count}`)} FROM head
    WHERE ${itself}`;
  return 'divided';
}

export type BucketPlace = { readonly history: string; readonly at: string; readonly id: string };

function placeOf({ history, at, id }: BucketPlace): Sql {
  return sql`(${history}::uuid, ${at}::timestamptz, ${id}::bigint)`;
}

/** Adds empty buckets, which a recount fills. */
export async function addMissingBuckets(tx: Tx): Promise<void> {
  await execute(tx)`
    INSERT INTO history_bucket (history, begins_at, begins_with)
    SELECT history.id, '-infinity', 0
    FROM (SELECT id, id AS account_id FROM account UNION ALL SELECT ${ALL_ACCOUNTS}::uuid, NULL) AS history
    CROSS JOIN history_horizon
    WHERE CASE WHEN history.account_id IS NULL
      THEN EXISTS (SELECT FROM "order" WHERE created_at <= counted_until)
      ELSE EXISTS (SELECT FROM "order" WHERE "order".account_id = history.account_id AND created_at <= counted_until) END
    ON CONFLICT DO NOTHING`;
}

/** Needs lockHorizon. `last`: undefined after the last bucket. Indexes: order_history_ix, order_created_ix. */
export function recountBuckets(tx: Tx, after: BucketPlace | undefined, limit: number): Promise<Recounted> {
  const place = after ?? { history: ALL_ACCOUNTS, at: '-infinity', id: '-1' };
  return recount(tx, sql`(history, begins_at, begins_with) > ${placeOf(place)}`, limit);
}

type Recounted = { readonly corrected: number; readonly last: BucketPlace | undefined };

async function recount(tx: Tx, chosen: Sql, limit: number): Promise<Recounted> {
  const ofBucket = sql`(created_at, "order".id) >= (begins_at, begins_with)
    AND (created_at, "order".id) < (ends_at, ends_with) AND created_at <= counted_until`;
  const rows = await allRows<BucketPlace & { corrected: boolean }>(tx)`
    WITH part AS MATERIALIZED (
      SELECT bucket.*, coalesce(next.begins_at, 'infinity') AS ends_at, coalesce(next.begins_with, 0) AS ends_with,
        counted_until
      FROM (
        SELECT * FROM history_bucket WHERE ${chosen}
        ORDER BY history, begins_at, begins_with LIMIT ${limit}
      ) AS bucket
      CROSS JOIN history_horizon
      LEFT JOIN LATERAL (${NEXT_BUCKET}) AS next ON true
    ), counted AS (
      SELECT part.history, begins_at, begins_with, ${eachCount((count) => sql`sum(its.${count})::integer AS ${count}`)}
      FROM part CROSS JOIN LATERAL (
        SELECT ${COUNTED} FROM "order"
        WHERE part.history <> ${ALL_ACCOUNTS}::uuid AND account_id = part.history AND ${ofBucket}
        UNION ALL
        SELECT ${COUNTED} FROM "order" WHERE part.history = ${ALL_ACCOUNTS}::uuid AND ${ofBucket}
      ) AS its
      GROUP BY part.history, begins_at, begins_with
    ), corrected AS (
      UPDATE history_bucket SET ${eachCount((count) => sql`${count} = counted.${count}`)} FROM counted
      WHERE (history_bucket.history, history_bucket.begins_at, history_bucket.begins_with)
          = (counted.history, counted.begins_at, counted.begins_with)
        AND (${eachCount((count) => sql`history_bucket.${count}`)}) <> (${eachCount((count) => sql`counted.${count}`)})
      RETURNING history_bucket.history, history_bucket.begins_at, history_bucket.begins_with
    )
    SELECT part.history, part.begins_at AS at, part.begins_with::text AS id, corrected.history IS NOT NULL AS corrected
    FROM part LEFT JOIN corrected USING (history, begins_at, begins_with)
    ORDER BY part.history, part.begins_at, part.begins_with`;
  return { corrected: rows.filter(({ corrected }) => corrected).length, last: rows.at(-1) };
}
