/**
 * Order history: the same questions over real sockets, asked for an account with a million orders and for one with a
 * hundred in the same PostgreSQL, with no cache between. One request at a time, because the question is how long one
 * takes; big and small take turns. Pages are compared that hold equally many orders: the small account is asked for a
 * page of its own wherever the big one is asked for a page far down.
 */
import { must } from '@keyport/core/assert';
import { toWire } from '@keyport/proof/load/http';
import { call, fetchToken, OPERATOR, portOf } from '@keyport/proof/load/operator';
import { openShop } from '@keyport/proof/load/shop';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { Client } from 'pg';
import { runLoad } from './load.ts';
import { seedPastOrders } from './past-orders.ts';
import { alternate, reportTimes } from './report.ts';
import { startService } from './service.ts';

const BIG = 1_000_000;
const SMALL = 100;
const ROUNDS = 5;
const ROUND_MS = 400;
const GOAL = 3;

/** Both accounts' orders lie evenly in the 300 days before today. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const DATES = `dateFrom=${daysAgo(210)}&dateTo=${daysAgo(90)}`;

/** What is asked: of the big account, of the small one, and the pages' total that each has to answer, as a share. */
const KINDS: readonly { name: string; query: string; bigPage: number; smallPage?: number }[] = [
  { name: 'first page', query: '', bigPage: 1 },
  { name: 'first page, oldest first', query: 'sort=ASC', bigPage: 1 },
  { name: 'page 10,000, 10 orders', query: 'itemsPerPage=10', bigPage: 10_000, smallPage: 5 },
  { name: 'page 10,000, 100 orders', query: '', bigPage: 10_000, smallPage: 1 },
  { name: 'page 5,000, oldest first', query: 'sort=ASC', bigPage: 5000, smallPage: 1 },
  { name: 'status complete', query: 'status=complete&itemsPerPage=50', bigPage: 1 },
  {
    name: 'status complete, page 9,000',
    query: 'status=complete&itemsPerPage=50',
    bigPage: 9000,
    smallPage: 1,
  },
  { name: 'dates', query: `${DATES}&itemsPerPage=20`, bigPage: 1 },
  { name: 'dates, page 10,000', query: `${DATES}&itemsPerPage=20`, bigPage: 10_000, smallPage: 1 },
  {
    name: 'status and dates, page 3,000',
    query: `status=complete&${DATES}&itemsPerPage=20`,
    bigPage: 3000,
    smallPage: 1,
  },
];

export async function benchHistory(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const service = await startService({ databaseUrl: postgres.url });
  try {
    const { buyers } = await openShop(service.url, {
      products: 200,
      offersEach: 1,
      stockEach: 1,
      resellers: 2,
    });
    const [big, small] = [must(buyers[0], 'a reseller'), must(buyers[1], 'another one')];
    const databaseUrl = postgres.url;
    await seedPastOrders({ databaseUrl, accountIds: [big.account.id], count: BIG });
    await seedPastOrders({ databaseUrl, accountIds: [small.account.id], count: SMALL });
    await waitUntilCounted(databaseUrl);

    const ask = async (path: string, token: string) => {
      const response = await call(service.url, { path, token });
      if (response.status !== 200) throw new Error(`${path}: ${response.text()}`);
      const body = response.json();
      return { orders: body.data.length, total: body.meta.totalResults };
    };
    const load = (path: string, token: string) =>
      runLoad({
        port: portOf(service.url),
        connectionCount: 1,
        durationMs: ROUND_MS,
        nextRequest: () => toWire({ path, token }),
      });
    console.log(`Order history of ${BIG} orders against that of ${SMALL}, PostgreSQL, one request at a time`);
    const compare = async (
      name: string,
      paths: { ours: string; baseline: string },
      tokens = { ours: big.token, baseline: small.token },
    ) => {
      const [ours, baseline] = [
        await ask(paths.ours, tokens.ours),
        await ask(paths.baseline, tokens.baseline),
      ];
      await load(paths.ours, tokens.ours);
      await load(paths.baseline, tokens.baseline);
      const rounds = await alternate(ROUNDS, {
        ours: () => load(paths.ours, tokens.ours),
        baseline: () => load(paths.baseline, tokens.baseline),
      });
      reportTimes(
        `${name} (${ours.orders} of ${ours.total}; ${baseline.orders} of ${baseline.total})`,
        rounds,
        GOAL,
      );
    };
    for (const { name, query, bigPage, smallPage = bigPage } of KINDS) {
      const path = (page: number) => `/export/v1/orders?${query}&page=${page}`;
      await compare(name, { ours: path(bigPage), baseline: path(smallPage) });
    }
    const operatorToken = await fetchToken(service.url, OPERATOR);
    const adminPath = (page: number, filter: string) =>
      `/admin/v1/orders?page=${page}&itemsPerPage=50${filter}`;
    const operator = { ours: operatorToken, baseline: operatorToken };
    const ofSmall = `&accountId=${small.account.id}`;
    await compare(
      'operator, all accounts',
      { ours: adminPath(10_000, ''), baseline: adminPath(1, ofSmall) },
      operator,
    );
    await compare(
      'operator, all accounts, complete',
      { ours: adminPath(10_000, '&status=complete'), baseline: adminPath(1, `${ofSmall}&status=complete`) },
      operator,
    );
  } finally {
    await service.stop();
    await postgres.stop();
  }
}

/** The history worker counts the past by itself, as after an upgrade. */
export async function waitUntilCounted(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const startedAt = performance.now();
  try {
    for (;;) {
      const { rows } = await client.query(
        `SELECT counted_until > now() - interval '1 hour' AND NOT EXISTS (SELECT FROM history_bucket WHERE orders > 1500)
          AS counted FROM history_horizon`,
      );
      if (rows[0].counted) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    console.log(
      `The worker had counted them ${Math.round((performance.now() - startedAt) / 1000)} s after they came in.`,
    );
    await client.query('VACUUM ANALYZE history_bucket');
  } finally {
    await client.end();
  }
}
