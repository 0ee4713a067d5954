/**
 * Orders with a million orders in the database and an event of each, against the same with none: two servers of PostgreSQL side by
 * side. Of the events some are older than they are kept, so that they are being deleted while orders come in.
 */
import { startPostgres } from '@keyport/server/test/support/postgres';
import { Client } from 'pg';
import { openOrderShop } from './order-shop.ts';
import { seedPastOrders } from './past-orders.ts';
import { alternate, report } from './report.ts';

const PAST_ORDERS = 1_000_000;
const ROUNDS = 9;
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
    await seedEvents(servers[1].url);
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

/** As if the orders had come in over the last 31 days, and every worker were done with them. */
async function seedEvents(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO event (id, account_id, type, order_id)
      SELECT (extract(epoch FROM now() - interval '31 days' + n * (interval '31 days' / $1::integer)) * 1000000)::bigint << 10,
        account_id, 'order.complete', id
      FROM (SELECT id, account_id, row_number() OVER (ORDER BY id) AS n FROM "order") AS placed
      ORDER BY n`,
      [PAST_ORDERS],
    );
    await client.query('UPDATE event_position SET forgotten_id = 0');
    await client.query('UPDATE keys_expiring_position SET looked_id = (SELECT max(id) FROM event)');
    await client.query('UPDATE webhook_position SET event_id = (SELECT max(id) FROM event)');
    // Settled: what a server does after a million inserts is over.
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
