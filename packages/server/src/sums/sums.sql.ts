/**
 * One engine of sums. A stream is a table whose rows are numbered and stay as they are; `adds` says what each of its
 * rows adds to which sums. A worker adds every row once (`foldStream`), and a read adds the rows that the sums do not
 * have yet (`currentSums`), so that it is exact. Placing an order writes no sum. A361.
 */
import { must } from '@keyport/core/assert';
import { execute, onlyRow, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { microsText, toTimestamp } from '../db/timestamps.ts';
import { positionText } from '../stream-position.sql.ts';

/** Kinds with one key have an empty one. Their buckets and labels are in the definitions of the streams below. */
export type SumKind =
  | 'account-order'
  | 'account-order-total'
  | 'order'
  | 'paid-unit'
  | 'transfer'
  | 'sale'
  | 'account-sale'
  | 'product-sale'
  | 'seller-sale'
  | 'region-sale'
  | 'rejection'
  | 'stock-out';

export type StreamName = 'order' | 'status' | 'transfer' | 'rejection' | 'change';

type Stream = {
  readonly name: StreamName;
  readonly table: Sql;
  /** Grows from row to row, and has an index. */
  readonly column: string;
  /** No value of the column is higher. */
  readonly highest: Sql;
  /** The column's value for a position, which is a number. */
  valueAt(position: Sql): Sql;
  /** The position for a value of the column. */
  positionOf(value: string): Sql;
  readonly kinds: readonly SumKind[];
  /** Columns kind, key, bucket, label, count, units, amount_minor. */
  adds(rows: Sql): Sql;
  /** Rows of one transaction, which takes about 100 ms. */
  readonly foldedMax: number;
};

const toDay = (moment: string) => sql.raw(`date_trunc('day', ${moment}, 'UTC')`);
const toHour = (moment: string) => sql.raw(`date_trunc('hour', ${moment}, 'UTC')`);

/** The code is the first member of the error. */
export const REJECTION_CODE = `coalesce(substring(body FROM '"code":"([a-z0-9-]+)"'), 'unknown')`;

/** Orders are counted by the account and day, and by the hour, of their creation; totals of an account have no time. */
const ORDER_SUMS = sql`CROSS JOIN LATERAL (VALUES
    ('account-order', placed.account_id::text, ${toDay('placed.created_at')}),
    ('account-order-total', placed.account_id::text, timestamptz '-infinity'),
    ('order', '', ${toHour('placed.created_at')})
  ) AS its (kind, key, bucket)`;

const numbered = {
  highest: sql`9223372036854775807`,
  valueAt: (position: Sql) => position,
  positionOf: (value: string) => sql.raw(value),
  foldedMax: 10_000,
};

const STREAMS: readonly Stream[] = [
  {
    ...numbered,
    name: 'order',
    table: sql`"order"`,
    column: 'serial',
    kinds: ['account-order', 'account-order-total', 'order'],
    // The label is the status in which the order was placed or imported.
    adds: (rows) => sql`
      SELECT its.kind, its.key, its.bucket, coalesce(first.status, placed.status) AS label, 1::bigint AS count,
        0::bigint AS units, 0::numeric AS amount_minor
      FROM (${rows}) AS placed
      LEFT JOIN LATERAL (
        SELECT coalesce(from_status, to_status) AS status FROM order_status_log
        WHERE order_id = placed.id ORDER BY order_id, id LIMIT 1
      ) AS first ON true
      ${ORDER_SUMS}`,
  },
  {
    ...numbered,
    name: 'status',
    table: sql`order_status_log`,
    column: 'id',
    kinds: ['account-order', 'account-order-total', 'order'],
    adds: (rows) => sql`
      SELECT its.kind, its.key, its.bucket, moved.status AS label, moved.count::bigint AS count, 0::bigint AS units,
        0::numeric AS amount_minor
      FROM (${rows}) AS change JOIN "order" AS placed ON placed.id = change.order_id
      CROSS JOIN LATERAL (VALUES (from_status, -1), (to_status, 1)) AS moved (status, count)
      ${ORDER_SUMS}
      WHERE from_status IS NOT NULL`,
  },
  {
    ...numbered,
    name: 'transfer',
    table: sql`ledger_transfer`,
    column: 'id',
    kinds: ['transfer', 'paid-unit', 'sale', 'account-sale', 'product-sale', 'seller-sale', 'region-sale'],
    // Transfers by hour, with their kind and those of the ledger accounts as label; paid units by the hour in which
    // their order was created; sales by day, with the kind of the transfer as label. An offer is looked up once,
    // however often it sold.
    adds: (rows) => sql`
      SELECT 'transfer' AS kind, '' AS key, ${toHour('created_at')} AS bucket,
        concat_ws(' ', transfer.kind, source.kind, target.kind) AS label, 1::bigint AS count, 0::bigint AS units,
        amount_minor::numeric AS amount_minor
      FROM (${rows}) AS transfer JOIN ledger_account AS source ON source.id = from_ledger_account_id
      JOIN ledger_account AS target ON target.id = to_ledger_account_id
      UNION ALL
      SELECT 'paid-unit', '', ${toHour('placed.created_at')}, '', 0, quantity_ordered, 0
      FROM (${rows}) AS transfer JOIN "order" AS placed ON placed.id = transfer.order_id
      WHERE transfer.kind = 'charge'
      UNION ALL
      SELECT its.kind, its.key, sold.day, sold.label, sold.count, sold.units, sold.amount_minor
      FROM (
        SELECT ${toDay('transfer.created_at')} AS day, placed.account_id, offer_id, transfer.kind AS label,
          count(*) AS count, sum(CASE transfer.kind WHEN 'charge' THEN quantity_ordered ELSE 0 END) AS units,
          sum(transfer.amount_minor) AS amount_minor
        FROM (${rows}) AS transfer JOIN "order" AS placed ON placed.id = transfer.order_id
        WHERE transfer.kind IN ('charge', 'refund') GROUP BY 1, 2, 3, 4
      ) AS sold
      CROSS JOIN LATERAL (SELECT product_id, seller_id FROM offer WHERE offer.id = offer_id LIMIT 1) AS offer
      JOIN product ON product.id = offer.product_id
      CROSS JOIN LATERAL (VALUES ('sale', ''), ('account-sale', sold.account_id::text),
        ('product-sale', product.id::text), ('seller-sale', seller_id::text),
        ('region-sale', coalesce(details ->> 'region', ''))) AS its (kind, key)`,
  },
  {
    ...numbered,
    name: 'rejection',
    table: sql`rejected_order`,
    column: 'number',
    kinds: ['rejection'],
    adds: (rows) => sql`
      SELECT 'rejection' AS kind, '' AS key, ${toHour('rejected_at')} AS bucket, ${sql.raw(REJECTION_CODE)} AS label,
        1::bigint AS count, 0::bigint AS units, 0::numeric AS amount_minor
      FROM (${rows}) AS rejection`,
  },
  {
    name: 'change',
    table: sql`change_log`,
    column: 'stamp',
    highest: sql`'infinity'`,
    valueAt: (position) => sql`to_timestamp(0) + ${position} * interval '1 microsecond'`,
    positionOf: (value) => sql.raw(microsText(value)),
    foldedMax: 1_000,
    kinds: ['stock-out'],
    // How often an offer sold its last unit.
    adds: (rows) => sql`
      SELECT 'stock-out' AS kind, '' AS key, ${toHour('stamp')} AS bucket, '' AS label,
        cardinality(array_positions(quantities, 0))::bigint AS count, 0::bigint AS units, 0::numeric AS amount_minor
      FROM (${rows}) AS change WHERE 0 = ANY (quantities)`,
  },
];

export const STREAM_NAMES = STREAMS.map(({ name }) => name);

function toStream(name: StreamName): Stream {
  return must(
    STREAMS.find((stream) => stream.name === name),
    name,
  );
}

/** The value of the stream's column up to which its rows are in the sums. */
export function foldedUpTo(name: StreamName): Sql {
  return toStream(name).valueAt(sql.raw(positionText(name)));
}

export type SumFilter = {
  readonly keys?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly fromMicros?: number | undefined;
  readonly beforeMicros?: number | undefined;
};

const SUM_COLUMNS = sql`key, bucket, label, count, units, amount_minor`;

/**
 * A statement for the sums of a kind, in several rows for a bucket. It must run in one snapshot with whatever its
 * result is compared or added to. Indexes: bucket_sum_pk or bucket_sum_bucket_ix, and the one of the stream's column.
 */
export function currentSums(kind: SumKind, { keys, label, fromMicros, beforeMicros }: SumFilter): Sql {
  const conditions = [sql`kind = ${sql.constant(kind)}`];
  if (keys !== undefined) conditions.push(sql`key = ANY (${[...keys]}::text[])`);
  if (label !== undefined) conditions.push(sql`label = ${label}`);
  if (fromMicros !== undefined) conditions.push(sql`bucket >= ${toTimestamp(fromMicros)}`);
  if (beforeMicros !== undefined) conditions.push(sql`bucket < ${toTimestamp(beforeMicros)}`);
  const wanted = sql.join(conditions, sql` AND `);
  const fresh = STREAMS.filter(({ kinds }) => kinds.includes(kind)).map(
    (stream) =>
      sql` UNION ALL SELECT ${SUM_COLUMNS} FROM (${stream.adds(unfoldedRows(stream))}) AS fresh WHERE ${wanted}`,
  );
  return sql`SELECT ${SUM_COLUMNS} FROM bucket_sum WHERE ${wanted} ${sql.join(fresh, sql` `)}`;
}

/** The second bound excludes no row: it makes the planner expect few rows, and so look up their orders by index. */
function unfoldedRows(stream: Stream): Sql {
  const column = sql.raw(stream.column);
  return toRows(stream, sql`${column} > ${foldedUpTo(stream.name)} AND ${column} <= ${stream.highest}`);
}

function toRows({ table }: Stream, condition: Sql): Sql {
  return sql`SELECT * FROM ${table} WHERE ${condition}`;
}

/** The sums of these streams must be equal to this, which the rows up to their positions add. */
export function foldedAdds(names: readonly StreamName[]): Sql {
  const parts = names.map((name) => {
    const stream = toStream(name);
    return sql`SELECT kind, ${SUM_COLUMNS}
      FROM (${stream.adds(toRows(stream, sql`${sql.raw(stream.column)} <= ${foldedUpTo(name)}`))}) AS added`;
  });
  return sql.join(parts, sql` UNION ALL `);
}

/** Compares the highest rows: searching for higher ones would read a table from its start. */
export function hasUnfolded(db: Db): Promise<boolean> {
  const behind = STREAMS.map(
    ({ name, table, column }) =>
      sql`coalesce((SELECT max(${sql.raw(column)}) FROM ${table}) > ${foldedUpTo(name)}, false)`,
  );
  return onlyValue<{ unfolded: boolean }>(db)`SELECT ${sql.join(behind, sql` OR `)} AS unfolded`;
}

/** Rows up to the mark may be folded once the transactions that preceded it have ended. */
export type SumMark = {
  /** By stream, as digits; null for an empty table. */
  readonly positions: Readonly<Record<StreamName, string | null>>;
  readonly transactionId: string;
};

/**
 * Must run outside a transaction, and draws the transaction id last. Each row below the highest is visible, or its
 * transaction has an earlier id: every row of a stream is inserted by a transaction that has locked a row before.
 */
export async function takeMark(db: Db): Promise<SumMark> {
  const highest = STREAMS.map(
    ({ name, table, column, positionOf }) =>
      sql`(SELECT ${positionOf(`max(${column})`)}::text FROM ${table}) AS ${sql.identifier(name)}`,
  );
  const positions = await onlyRow<SumMark['positions']>(db)`SELECT ${sql.join(highest)}`;
  const drawn = await onlyRow<{ transactionId: string }>(db)`
    SELECT pg_current_xact_id()::text AS "transactionId"`;
  return { positions, ...drawn };
}

export function isSettled(db: Db, { transactionId }: SumMark): Promise<boolean> {
  return onlyValue<{ settled: boolean }>(db)`
    SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${transactionId}::xid8 AS settled`;
}

const LOCK = sql`hashtextextended('keyport/sums', 0)`;

/** One transaction changes the sums at a time. Returns false while another one does. */
export function lockSums(tx: Tx): Promise<boolean> {
  return onlyValue<{ locked: boolean }>(tx)`SELECT pg_try_advisory_xact_lock(${LOCK}) AS locked`;
}

/** The rows of a stream that the next call of `foldStream` takes. */
export function nextRows(name: StreamName, mark: SumMark): Sql {
  const stream = toStream(name);
  const column = sql.raw(stream.column);
  const last = stream.valueAt(sql`${mark.positions[name] ?? '0'}::bigint`);
  return sql`
    ${toRows(stream, sql`${column} > ${foldedUpTo(name)} AND ${column} <= ${last}`)}
    ORDER BY ${column} LIMIT ${stream.foldedMax}`;
}

/** Sums and position change together, so every row counts once. Needs `lockSums`. Returns whether more rows follow. */
export async function foldStream(tx: Tx, name: StreamName, mark: SumMark): Promise<boolean> {
  const { adds, positionOf, column, foldedMax } = toStream(name);
  const folded = await onlyValue<{ count: number }>(tx)`
    WITH next AS MATERIALIZED (${nextRows(name, mark)}), added AS (
      ${addToSums(adds(sql`SELECT * FROM next`))}
    ), moved AS (
      UPDATE stream_position SET position = (SELECT ${positionOf(`max(${column})`)} FROM next)
      WHERE stream = ${sql.constant(name)} AND EXISTS (SELECT FROM next)
    )
    SELECT count(*) AS count FROM next`;
  return folded === foldedMax;
}

function addToSums(added: Sql): Sql {
  return sql`
    INSERT INTO bucket_sum (kind, key, bucket, label, count, units, amount_minor)
    SELECT kind, key, bucket, label, sum(count), sum(units), sum(amount_minor)
    FROM (${added}) AS added GROUP BY 1, 2, 3, 4
    ON CONFLICT ON CONSTRAINT bucket_sum_pk DO UPDATE SET count = bucket_sum.count + excluded.count,
      units = bucket_sum.units + excluded.units, amount_minor = bucket_sum.amount_minor + excluded.amount_minor`;
}

/** Columns with the order of a row, of the streams whose rows count at the time of their order. */
const ORDER_COLUMNS = { order: 'id', status: 'order_id', transfer: 'order_id' } as const;

type OrderStreamName = keyof typeof ORDER_COLUMNS;

const ORDER_STREAM_NAMES = Object.keys(ORDER_COLUMNS) as readonly OrderStreamName[];

/** Moves what orders added to the sums with them, when the sandbox moves their times. `ids`: a statement. */
export async function movingOrders<Result>(tx: Tx, ids: Sql, move: () => Promise<Result>): Promise<Result> {
  await execute(tx)`SELECT pg_advisory_xact_lock(${LOCK})`;
  for (const name of ORDER_STREAM_NAMES) await addAgain(tx, name, ids, -1);
  const result = await move();
  for (const name of ORDER_STREAM_NAMES) await addAgain(tx, name, ids, 1);
  return result;
}

async function addAgain(tx: Tx, name: OrderStreamName, ids: Sql, factor: 1 | -1): Promise<void> {
  const stream = toStream(name);
  const isFolded = sql`${sql.raw(stream.column)} <= ${foldedUpTo(name)}`;
  const rows = toRows(stream, sql`${sql.raw(ORDER_COLUMNS[name])} IN (${ids}) AND ${isFolded}`);
  const times = sql`${factor}::integer *`;
  await execute(tx)`
    ${addToSums(sql`
      SELECT kind, key, bucket, label, ${times} count AS count, ${times} units AS units, ${times} amount_minor AS amount_minor
      FROM (${stream.adds(rows)}) AS again`)}`;
}
