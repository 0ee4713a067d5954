/**
 * Compares create-order requests over real sockets with plain SQL that uses one transaction per order, on the same PostgreSQL
 * with default durability.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toWire } from '@keyport/proof/load/http';
import { toPort } from '@keyport/proof/load/operator';
import { openShop } from '@keyport/proof/load/shop';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { runLoad } from './load.ts';
import { openPlainOrders } from './plain-orders.ts';
import { demandRatio } from './report.ts';
import { startService } from './service.ts';

const ROUNDS = 5;
const ROUND_MS = 3000;
/** More units than a benchmark sells of a random offer. */
const SHOP = { offersEach: 1, stockEach: 200, resellers: 100 };
const PRODUCTS = 2000;
const BASELINE_CONNECTIONS = 16;

export async function benchOrders(products = PRODUCTS): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-bench-'));
  const masterKeyFile = join(folder, 'master.key');
  await writeFile(masterKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const postgres = await startPostgres({ durable: true });
  // The sandbox records requests for a check-up.
  const service = await startService(postgres.url, {
    KEYPORT_MODE: 'live',
    KEYPORT_PUBLIC_URL: 'https://keyport.invalid',
    KEYPORT_MASTER_KEY_FILE: masterKeyFile,
    KEYPORT_GATEWAY: 'none',
    // The periodic check of the invariants would slow down random rounds.
    KEYPORT_VERIFY_INTERVAL_SECONDS: '0',
  });
  try {
    const { offers, buyers } = await openShop(service.url, { ...SHOP, products });
    const nextRequest = () =>
      toWire({
        method: 'POST',
        path: '/export/v1/orders',
        token: buyers[randomInt(buyers.length)]?.token,
        headers: { 'idempotency-key': randomUUID() },
        body: JSON.stringify({
          items: [
            { manual: { offerId: offers[randomInt(offers.length)]?.id, quantity: 1, maxPrice: '100.00' } },
          ],
        }),
      });
    const order = (connectionCount: number) => () =>
      runLoad({ port: toPort(service.url), connectionCount, durationMs: ROUND_MS, status: 201, nextRequest });
    const plain = await openPlainOrders(postgres.url);
    const baseline = () => plain.run(BASELINE_CONNECTIONS, ROUND_MS);
    await order(64)();
    await baseline();
    for (const [callers, atLeast] of [
      [64, 2],
      [256, 2.4],
    ] as const) {
      const name = `orders of ${callers} callers, against plain SQL`;
      await demandRatio(name, atLeast, { rounds: ROUNDS, ours: order(callers), baseline });
    }
  } finally {
    await service.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
