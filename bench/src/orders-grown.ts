/** Orders with a million orders in the database, against the same with none: two servers of PostgreSQL side by side. */
import { startPostgres } from '@keyport/server/test/support/postgres';
import { openOrderShop } from './order-shop.ts';
import { seedPastOrders } from './past-orders.ts';
import { alternate, report } from './report.ts';

const PAST_ORDERS = 1_000_000;
const ROUNDS = 5;
const ROUND_MS = 4000;

export async function benchOrdersGrown(): Promise<void> {
  const servers = [await startPostgres({ durable: true }), await startPostgres({ durable: true })] as const;
  const [empty, grown] = [
    await openOrderShop({ databaseUrl: servers[0].url }),
    await openOrderShop({ databaseUrl: servers[1].url }),
  ];
  try {
    await seedPastOrders({
      databaseUrl: servers[1].url,
      accountIds: grown.accountIds,
      count: PAST_ORDERS,
    });
    await empty.order(64, ROUND_MS);
    await grown.order(64, ROUND_MS);
    const rounds = await alternate(ROUNDS, {
      ours: () => grown.order(64, ROUND_MS),
      baseline: () => empty.order(64, ROUND_MS),
    });
    const names = { baseline: 'no orders before', ours: `${PAST_ORDERS.toLocaleString('en')} orders before` };
    report('Orders at 64 callers in a grown database', names, rounds, 0.9);
  } finally {
    await empty.stop();
    await grown.stop();
    for (const server of servers) await server.stop();
  }
}
