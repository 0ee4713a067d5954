/**
 * Measures an order's space in the database: bytes of write-ahead log while it is placed, against one
 * transaction per order with the same statements, and bytes on disk by table. docs/scaling.md computes with
 * them.
 */
import { startPostgres } from '@keyport/server/test/support/postgres';
import { Client } from 'pg';
import type { LoadResult } from './load.ts';
import { connectTo, runOneByOne } from './one-by-one.ts';
import { openOrderShop } from './order-shop.ts';
import { median } from './report.ts';

const ROUNDS = 3;
const ROUND_MS = 5000;

/** Tables with rows for every order. */
const TABLES = ['order', 'ledger_transfer'] as const;

type Sizes = Readonly<Record<string, { readonly table: number; readonly indexes: number }>>;

export async function benchOrderSpace(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const shop = await openOrderShop({ databaseUrl: postgres.url });
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const oneByOne = () =>
      runOneByOne({ connect: connectTo(postgres.url), connections: 16, ...shop }, ROUND_MS);
    const inBatches = () => shop.order(64, ROUND_MS);
    const wal = { ours: [] as number[], baseline: [] as number[], later: [] as number[] };
    let ordersPlaced = 0;
    const before = await readSizes(client);
    for (let round = 0; round < ROUNDS; round += 1) {
      // The log holds a whole page at its first change after a checkpoint: one before each is fair to both.
      await client.query('CHECKPOINT');
      const baseline = await walOf(client, oneByOne);
      await client.query('CHECKPOINT');
      const ours = await walOf(client, inBatches);
      const later = await walOf(client, inBatches);
      wal.baseline.push(baseline.bytesEach);
      wal.ours.push(ours.bytesEach);
      wal.later.push(later.bytesEach);
      ordersPlaced += baseline.orders + ours.orders + later.orders;
    }
    const after = await readSizes(client);
    const ratio = median(wal.ours.map((bytes, round) => bytes / (wal.baseline[round] ?? Number.NaN)));
    console.log('What an order of one unit takes in PostgreSQL\n');
    console.log(`  log, one transaction each   ${Math.round(median(wal.baseline))} bytes an order`);
    console.log(`  log, 64 callers of Keyport  ${Math.round(median(wal.ours))} bytes an order`);
    console.log(`  the same, 5 s later         ${Math.round(median(wal.later))} bytes an order`);
    console.log(`  ratio ${ratio.toFixed(2)}\n`);
    reportSizes(before, after, ordersPlaced);
    await reportUnits(client);
  } finally {
    await client.end();
    await shop.stop();
    await postgres.stop();
  }
}

async function walOf(client: Client, run: () => Promise<LoadResult>) {
  const before = await insertedUpTo(client);
  const result = await run();
  const orders = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  return { orders, bytesEach: ((await insertedUpTo(client)) - before) / orders };
}

async function insertedUpTo(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes`,
  );
  return Number(rows[0]?.bytes);
}

/** Compacted first, so that room which updates left behind does not count. */
async function readSizes(client: Client): Promise<Sizes> {
  await client.query(`VACUUM FULL ${TABLES.map((table) => `"${table}"`).join(', ')}`);
  const { rows } = await client.query<{ name: string; table: number; indexes: number }>(
    `SELECT name, pg_table_size(quote_ident(name))::float8 AS table, pg_indexes_size(quote_ident(name))::float8 AS indexes
    FROM unnest($1::text[]) AS name`,
    [TABLES],
  );
  return Object.fromEntries(rows.map(({ name, table, indexes }) => [name, { table, indexes }]));
}

function reportSizes(before: Sizes, after: Sizes, orders: number): void {
  console.log(`  on disk, of ${orders} orders, compacted:`);
  let sum = 0;
  for (const table of TABLES) {
    const perOrder = (part: 'table' | 'indexes') =>
      ((after[table]?.[part] ?? 0) - (before[table]?.[part] ?? 0)) / orders;
    const [rows, indexes] = [perOrder('table'), perOrder('indexes')];
    sum += rows + indexes;
    console.log(`    ${table.padEnd(20)} ${inBytes(rows)} and ${inBytes(indexes)} of indexes`);
  }
  console.log(`    ${'together'.padEnd(20)} ${inBytes(sum)}\n`);
}

/** The unit that an order delivers was there before it was sold. */
async function reportUnits(client: Client): Promise<void> {
  await client.query('VACUUM FULL stock_key');
  const { rows } = await client.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('stock_key')::float8 / count(*) AS bytes FROM stock_key`,
  );
  console.log(`  a unit in stock, sold or not  ${inBytes(rows[0]?.bytes ?? Number.NaN)}\n`);
}

function inBytes(value: number): string {
  return `${String(Math.round(value)).padStart(5)} bytes`;
}
