/**
 * Orders while another session holds a snapshot, as a dump of the database does, against the same without: two servers of PostgreSQL
 * side by side. No version of a row can be removed until it ends, and few accounts and offers change with every batch.
 */
import { startPostgres } from '@keyport/server/test/support/postgres';
import { Client } from 'pg';
import { openOrderShop } from './order-shop.ts';
import { alternate, report } from './report.ts';

const SIZE = { resellers: 4, offers: 20, stockEach: 25_000, hotStock: 1 };
const CALLERS = 32;
const HELD_MS = 120_000;
const ROUNDS = 5;
const ROUND_MS = 4000;

export async function benchOrdersHeld(): Promise<void> {
  const servers = [await startPostgres({ durable: true }), await startPostgres({ durable: true })] as const;
  const [free, held] = [
    await openOrderShop({ databaseUrl: servers[0].url }, {}, SIZE),
    await openOrderShop({ databaseUrl: servers[1].url }, {}, SIZE),
  ];
  const holder = new Client({ connectionString: servers[1].url });
  await holder.connect();
  try {
    await free.order(CALLERS, ROUND_MS);
    await held.order(CALLERS, ROUND_MS);
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM account');
    await held.order(CALLERS, HELD_MS);
    const rounds = await alternate(ROUNDS, {
      ours: () => held.order(CALLERS, ROUND_MS),
      baseline: () => free.order(CALLERS, ROUND_MS),
    });
    const names = { baseline: 'no snapshot', ours: `a snapshot held for ${HELD_MS / 1000} s` };
    report(`Orders at ${CALLERS} callers beside an open snapshot`, names, rounds, 0.5);
  } finally {
    await holder.end();
    await free.stop();
    await held.stop();
    for (const server of servers) await server.stop();
  }
}
