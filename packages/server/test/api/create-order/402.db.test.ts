/** R9, R20, A39, A41. scenario/gateway.db.test.ts tests what happens to payments later. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { assertNothingWritten, countRecords, readBooks } from '../../support/books.ts';
import { auto, manual, type Reseller } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function assertReplayed(reseller: Reseller, item: unknown, key: string, error: unknown) {
  const repeat = await reseller.order(item, key);
  equal(repeat.status, 402);
  equal(repeat.headers.get('idempotent-replayed'), 'true');
  deepEqual(repeat.body.error, error);
}

test('a balance one cent too low is insufficient-funds with both amounts, and nothing is charged', async () => {
  const reseller = await h.seed.reseller({ balance: '19.99' });
  const { productId, offerId } = await h.seed.listing({ price: '10.00' });
  const key = randomUUID();
  const item = auto(productId, { quantity: 2 });
  const response = await assertNothingWritten(h, { accountId: reseller.accountId, offerId, records: 1 }, () =>
    reseller.order(item, key),
  );
  equal(response.status, 402);
  equal(response.body.error.code, 'insufficient-funds');
  deepEqual(response.body.error.data, { required: '20.00', available: '19.99' });
  await h.seed.deposit(reseller.accountId, '0.01');
  await assertReplayed(reseller, item, key, response.body.error);
  equal((await reseller.order(item)).status, 201, 'a new key places the order after the deposit');
});

test('an account that never had a deposit has insufficient funds', async () => {
  const reseller = await h.seed.reseller();
  const { productId } = await h.seed.listing({ price: '0.01' });
  equal((await reseller.order(auto(productId))).body.error.code, 'insufficient-funds');
});

test('an account without a payment method cannot buy, regardless of its balance', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { paymentMethod: null } });
  const { offerId } = await h.seed.listing();
  const key = randomUUID();
  const response = await assertNothingWritten(h, { accountId: reseller.accountId, offerId, records: 1 }, () =>
    reseller.order(manual(offerId), key),
  );
  deepEqual([response.status, response.body.error.code], [402, 'payment-not-configured']);
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { paymentMethod: 'balance' });
  await assertReplayed(reseller, manual(offerId), key, response.body.error);
});

test('a gateway account that names no customer has no payment method', async () => {
  const reseller = await h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer: null } });
  const { offerId } = await h.seed.listing();
  const response = await assertNothingWritten(h, { accountId: reseller.accountId, offerId, records: 1 }, () =>
    reseller.order(manual(offerId)),
  );
  deepEqual([response.status, response.body.error.code], [402, 'payment-not-configured']);
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { gatewayCustomer: 'sim_ok' });
  equal((await reseller.order(manual(offerId))).status, 201);
});

test('a declined charge cancels the order, returns its units and is replayed', async () => {
  const account = {
    paymentMethod: 'gateway',
    gatewayCustomer: 'sim_declined',
    limits: { dailySpendMax: '20.00' },
  };
  const reseller = await h.seed.reseller({ account });
  const { productId, offerId } = await h.seed.listing({ price: '10.00', stock: 2 });
  const key = randomUUID();
  const item = auto(productId, { quantity: 2 });
  const response = await reseller.order(item, key);
  deepEqual([response.status, response.body.error.code], [402, 'payment-went-wrong']);
  const { orderId } = response.body.error.data;
  const order = (await reseller.get(`/orders/${orderId}`)).body.data;
  equal(order.status, 'canceled');
  deepEqual(order.transactions[0].items[0].quantity, { ordered: 2, invoiced: 0, shipped: 0, refunded: 0 });
  const books = await readBooks(h, { accountId: reseller.accountId, offerId });
  deepEqual([books.units, books.transfers], [{ available: 2 }, 0]);
  deepEqual([books.daySpendMinor, books.dayUnits], [0, 0], 'the daily limits no longer count it');
  await assertReplayed(reseller, item, key, response.body.error);
  equal(await countRecords(h, reseller.accountId), 1);
});

for (const gatewayCustomer of ['sim_error', 'sim_timeout', 'sim_late']) {
  test(`${gatewayCustomer}: an order without a response waits as pending_payment with its units`, async () => {
    const reseller = await h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer } });
    const { productId, offerId } = await h.seed.listing({ price: '10.00', stock: 2 });
    const key = randomUUID();
    const response = await reseller.order(auto(productId), key);
    deepEqual([response.status, response.body.error.code], [402, 'order-not-paid']);
    const { orderId } = response.body.error.data;
    const { data } = (await reseller.get(`/orders/${orderId}`)).body;
    // The worker may have queried the provider already; sim_late is then paid.
    ok(['pending_payment', 'complete'].includes(data.status), data.status);
    const { units } = await readBooks(h, { accountId: reseller.accountId, offerId });
    deepEqual(units, { available: 1, [data.status === 'complete' ? 'sold' : 'reserved']: 1 });
    await assertReplayed(reseller, auto(productId), key, response.body.error);
  });
}

test('the provider declines an unknown customer', async () => {
  const account = { paymentMethod: 'gateway', gatewayCustomer: 'somebody else' };
  const reseller = await h.seed.reseller({ account });
  const { productId } = await h.seed.listing();
  equal((await reseller.order(auto(productId))).body.error.code, 'payment-went-wrong');
});
