/** KEYPORT_TEST_ORDERS sets the number of orders; KEYPORT_TEST_SEED repeats the decisions of the network. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'vitest';
import { startHarness } from '../../server/test/support/harness.ts';
import { startRoughNetwork } from './rough-network.ts';
import { failedChecks, toKeyport } from './support.ts';

const ORDERS = Number(process.env['KEYPORT_TEST_ORDERS'] ?? 200);
const SEED = Number(process.env['KEYPORT_TEST_SEED'] ?? randomInt(2 ** 31));
const CALLERS = 100;
const SHARE = 0.5;

test(`${ORDERS} orders over a rough network are ${ORDERS} orders, and each caller gets its own (seed ${SEED})`, async (t) => {
  // The cool-down is long enough for retries to fall into it.
  const h = await startHarness(t, { KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '300' });
  const { offerId } = await h.seed.listing({ price: '1.00', stock: 0 });
  for (let left = ORDERS; left > 0; left -= 500) await h.seed.keys(offerId, Math.min(left, 500));
  await h.seed.inStep();
  const reseller = await h.seed.reseller({ balance: `${ORDERS}.00` });
  const network = await startRoughNetwork(t, h.url, { seed: SEED, share: SHARE });
  const keyport = toKeyport(h, reseller, { baseUrl: network.url, timeoutMs: 120_000 });

  const ids: string[] = [];
  let left = ORDERS;
  const call = async () => {
    while (left > 0) {
      left -= 1;
      const order = await keyport.orders.create({ manual: { offerId, quantity: 1, maxPrice: '1.00' } });
      equal(order.status, 'complete');
      ids.push(order.id);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));

  const history: string[] = [];
  for await (const { id } of toKeyport(h, reseller).orders.list()) history.push(id);
  deepEqual(history.toSorted(), ids.toSorted());
  equal(new Set(ids).size, ORDERS);
  // The stock and the balance were exactly enough.
  equal((await reseller.get('/account')).body.data.balance, '0.00');
  // This check fails, because the network repeats requests immediately.
  deepEqual(
    (await failedChecks(h, reseller)).filter(({ id }) => id !== 'retry-after'),
    [],
  );
  ok(Object.keys(network.counts).length > 8, JSON.stringify(network.counts));
});
