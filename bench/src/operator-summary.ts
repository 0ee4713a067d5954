/**
 * What operators see of the business as a whole, over a million orders and a year, over a real socket, one request at a time:
 * how long one takes, and how that compares with reading one order in the same run.
 */
import { must } from '@keyport/core/assert';
import { toWire } from '@keyport/proof/load/http';
import { call, fetchToken, OPERATOR, portOf } from '@keyport/proof/load/operator';
import { openShop } from '@keyport/proof/load/shop';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { Client } from 'pg';
import { waitUntilCounted } from './history.ts';
import { type LoadResult, runLoad } from './load.ts';
import { seedPastOrders } from './past-orders.ts';
import { alternate, median } from './report.ts';
import { startService } from './service.ts';

const SIZE = 1_000_000;
const REJECTIONS = 100_000;
const ROUNDS = 3;
const ROUND_MS = 400;
const GOAL_MS = 50;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const dayAgo = (days: number) => daysAgo(days).slice(0, 10);

/** By what they show. */
const PATHS: Readonly<Record<string, string>> = {
  'summary, 24 hours': '/summary',
  'summary, 31 days by hour': `/summary?from=${daysAgo(30)}`,
  'summary, 30 days': '/summary?bucket=day',
  'summary, 400 days': `/summary?bucket=day&from=${daysAgo(399)}`,
  attention: '/attention',
  system: '/system',
  'books, 30 days': '/books/daily',
  'books, 400 days': `/books/daily?from=${dayAgo(399)}`,
  'sellers, 30 days': '/books/sellers',
  'sellers, 400 days': `/books/sellers?from=${dayAgo(399)}`,
};

export async function benchOperatorSummary(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const service = await startService({ databaseUrl: postgres.url });
  try {
    const shop = await openShop(service.url, { products: 200, offersEach: 1, stockEach: 1, resellers: 50 });
    const accountIds = shop.accounts.map(({ id }) => id);
    await seedPastOrders({ databaseUrl: postgres.url, accountIds, count: SIZE });
    await seedRejections(postgres.url, must(accountIds[0], 'an account'));
    await waitUntilCounted(postgres.url);
    await waitUntilFolded(postgres.url);
    console.log(`Summaries of ${SIZE} orders, PostgreSQL, one request at a time`);
    await measure(service.url);
  } finally {
    await service.stop();
    await postgres.stop();
  }
}

/** Of the last 29 days. */
async function seedRejections(databaseUrl: string, accountId: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(
      `INSERT INTO rejected_order (account_id, idempotency_key, fingerprint, status, body, rejected_at)
      SELECT $1, gen_random_uuid(), 'bench', 400, '{"error":{"code":"bench-' || n % 20 || '","status":400}}',
        now() - n * (interval '29 days' / $2::integer)
      FROM generate_series(1, $2::integer) AS n`,
      [accountId, REJECTIONS],
    ),
  );
}

/** The worker folds the past by itself, as after an upgrade. */
async function waitUntilFolded(databaseUrl: string): Promise<void> {
  const startedAt = performance.now();
  await withClient(databaseUrl, async (client) => {
    for (let isFolded = false; !isFolded; ) {
      await client.query('SELECT pg_sleep(0.2)');
      const { rows } = await client.query(
        `SELECT transfer_id >= (SELECT max(id) FROM ledger_transfer) AND rejection_number >= (SELECT max(number) FROM rejected_order)
          AND NOT EXISTS (SELECT FROM order_sum_change) AS folded FROM sum_position`,
      );
      isFolded = rows[0].folded;
    }
    await client.query('VACUUM (ANALYZE) order_sum, book_sum, seller_sum, rejection_sum');
  });
  console.log(`Everything is in the sums ${Math.round((performance.now() - startedAt) / 1000)} s later.`);
}

async function withClient<Result>(
  databaseUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function measure(url: string): Promise<void> {
  const token = await fetchToken(url, OPERATOR);
  const ask = async (path: string) => {
    const response = await call(url, { path: `/admin/v1${path}`, token });
    if (response.status !== 200) throw new Error(`${path}: ${response.text()}`);
    return response.json();
  };
  const load = (path: string) =>
    runLoad({
      port: portOf(url),
      connectionCount: 1,
      durationMs: ROUND_MS,
      nextRequest: () => toWire({ path: `/admin/v1${path}`, token }),
    });
  const baseline = `/orders/${(await ask('/orders?itemsPerPage=10')).data[0].id}`;
  await load(baseline);
  for (const [name, path] of Object.entries(PATHS)) {
    await ask(path);
    await load(path);
    const rounds = await alternate(ROUNDS, { ours: () => load(path), baseline: () => load(baseline) });
    const ratio = median(rounds.ours.map(({ p50Ms }, index) => p50Ms / (rounds.baseline[index]?.p50Ms ?? 1)));
    const time = (pick: (result: LoadResult) => number) =>
      median(rounds.ours.map(pick)).toFixed(1).padStart(6);
    console.log(
      `  ${name.padEnd(28)} p50 ${time(({ p50Ms }) => p50Ms)} ms  p99 ${time(({ p99Ms }) => p99Ms)} ms (goal: at most ${GOAL_MS})  ${ratio.toFixed(1)} reads of an order`,
    );
  }
}
