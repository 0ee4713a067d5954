/**
 * Compares create-order requests over real sockets, on a PostgreSQL with default durability, with plain SQL
 * that uses one transaction per order on the same server.
 */
import { startPostgres } from '@keyport/server/test/support/postgres';
import { Client } from 'pg';
import type { LoadResult } from '../load.ts';
import { withProcessorTime } from '../processor-time.ts';
import { alternate, report, reportLimit, reportTimes } from '../report.ts';
import { OFFERS, type OrderShop, openOrderShop, RESELLERS } from './order-shop.ts';
import { openPlainOrders } from './plain-orders.ts';

const ROUNDS = 5;
const ROUND_MS = 3000;

export async function benchOrders(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const shop = await openOrderShop({ databaseUrl: postgres.url });
  try {
    const plain = await openPlainOrders(postgres.url);
    const baseline = () => withProcessorTime({ PostgreSQL: postgres.pid() }, () => plain.run(16, ROUND_MS));
    await shop.order(64, ROUND_MS);
    await baseline();
    console.log(
      `Orders over HTTP, ${RESELLERS} resellers, ${OFFERS} offers, PostgreSQL with default durability\n`,
    );
    const names = { baseline: 'plain SQL, 16 connections', ours: 'Keyport, group commit' };
    const ours = (callers: number) => () =>
      withProcessorTime({ PostgreSQL: postgres.pid(), service: shop.node().process.pid }, () =>
        shop.order(callers, ROUND_MS),
      );
    const at64 = await alternate(ROUNDS, { ours: ours(64), baseline });
    report('64 callers', names, at64, 4);
    reportLimit('p99 at 64 callers', at64, (result) => result.p99Ms, 1);
    console.log('  processor time goals: PostgreSQL 70 µs, service 60 µs\n');
    await reportLog(postgres.url, () => shop.order(64, ROUND_MS));
    const at256 = await alternate(ROUNDS, { ours: ours(256), baseline });
    report('256 callers', names, at256, 5);
    const lone = await alternate(ROUNDS, {
      ours: () => shop.order(1, ROUND_MS),
      baseline: () => plain.run(1, ROUND_MS),
    });
    reportTimes('a lone caller, against plain SQL on one connection', lone, 1);
    const usual = { baseline: 'any reseller, any offer', ours: 'the same for all' };
    const hot = await alternate(3, {
      ours: () => shop.order(64, ROUND_MS, { offer: true }),
      baseline: () => shop.order(64, ROUND_MS),
    });
    report('one offer that everyone orders', usual, hot, 0.5);
    const oneReseller = await alternate(3, {
      ours: () => shop.order(64, ROUND_MS, { reseller: true }),
      baseline: () => shop.order(64, ROUND_MS),
    });
    report('one reseller who places all orders', usual, oneReseller, 0.5);
    await reportReads(shop);
  } finally {
    await shop.stop();
    await postgres.stop();
  }
}

/** Prints the WAL per order of a round, without the full-page images that follow a checkpoint. */
async function reportLog(databaseUrl: string, run: () => Promise<LoadResult>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const read = async () => {
    const { rows } = await client.query('SELECT wal_bytes, wal_fpi FROM pg_stat_wal');
    return { bytes: Number(rows[0].wal_bytes), wholePages: Number(rows[0].wal_fpi) };
  };
  await client.query('CHECKPOINT');
  await run();
  const before = await read();
  const { statuses } = await run();
  const after = await read();
  await client.end();
  const bytes = (after.bytes - before.bytes) / (statuses[201] ?? Number.NaN);
  const pages = after.wholePages - before.wholePages;
  console.log(`  WAL per order: ${bytes.toFixed(0)} bytes, ${pages} whole pages in the round (goal: 1500)\n`);
}

/** Measures catalogue reads beside orders at full speed, and the memory in the middle of the run. */
export async function reportReads(shop: OrderShop): Promise<void> {
  let residentMb = 0;
  const besideOrders = async (): Promise<LoadResult> => {
    const orders = shop.order(64, ROUND_MS);
    const reads = await shop.read(ROUND_MS);
    residentMb = Math.max(residentMb, await shop.residentMb());
    await orders;
    return reads;
  };
  const reads = await alternate(3, { ours: besideOrders, baseline: () => shop.read(ROUND_MS) });
  const names = { baseline: 'reads alone', ours: 'reads beside orders at full speed' };
  report('reads of the catalogue', names, reads, 0.5);
  console.log(
    `  resident set of the service in the middle of the run: ${residentMb.toFixed(0)} MB (goal: below 350)\n`,
  );
}
