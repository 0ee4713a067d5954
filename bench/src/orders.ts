/**
 * Orders: create-order over HTTP with token and validation at 64 callers, 100 resellers, 2,000 offers, on a real
 * PostgreSQL with default durability, against one transaction per order from 16 connections on the same server.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { runLoad } from './load.ts';
import { runOneByOne } from './one-by-one.ts';
import { portOf, startChild } from './processes.ts';
import { alternate, report } from './report.ts';
import { createSeeder, OPERATOR } from './seed.ts';

const RESELLERS = 100;
const OFFERS = 2000;
const STOCK_EACH = 150;
const ROUNDS = 5;
const ROUND_MS = 4000;

export async function benchOrders(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const service = await startChild('./serve.ts', {
    env: {
      KEYPORT_PORT: '0',
      KEYPORT_DATA_DIR: 'memory',
      KEYPORT_DATABASE_URL: postgres.url,
      KEYPORT_DEMO: 'false',
      KEYPORT_LOG_LEVEL: 'warn',
      KEYPORT_OPERATOR_ID: OPERATOR.id,
      KEYPORT_OPERATOR_SECRET: OPERATOR.secret,
    },
  });
  try {
    const seeder = createSeeder(service.url);
    const offers = await seeder.catalogue({ products: OFFERS, offersEach: 1, stockEach: STOCK_EACH });
    const resellers = await Promise.all(Array.from({ length: RESELLERS }, () => seeder.reseller()));
    const requests = (callers: number, durationMs: number) =>
      runLoad({
        port: portOf(service.url),
        connectionCount: callers,
        durationMs,
        nextRequest: () => {
          const reseller = resellers[randomInt(resellers.length)];
          const offer = offers[randomInt(offers.length)];
          const body = JSON.stringify({
            items: [{ manual: { offerId: offer?.id, quantity: 1, maxPrice: '100.00' } }],
          });
          return `POST /export/v1/orders HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${reseller?.token}\r\nidempotency-key: ${randomUUID()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
        },
      });
    const baseline = {
      databaseUrl: postgres.url,
      accountIds: resellers.map((reseller) => reseller.accountId),
      offerIds: offers.map((offer) => offer.id),
    };
    await requests(64, 2000);
    await runOneByOne(baseline, 2000);
    const rounds = await alternate(ROUNDS, {
      ours: () => requests(64, ROUND_MS),
      baseline: () => runOneByOne(baseline, ROUND_MS),
    });
    report(
      `Orders at 64 callers over HTTP, ${RESELLERS} resellers, ${OFFERS} offers, PostgreSQL with default durability`,
      { baseline: 'one transaction each, 16 conn.', ours: 'Keyport, group commit' },
      rounds,
      2.5,
    );
  } finally {
    await service.stop();
    await postgres.stop();
  }
}
