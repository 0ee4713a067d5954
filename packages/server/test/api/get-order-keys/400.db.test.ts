/** No rejection reveals a code or is recorded as a read. A43, A45. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { auto, type Reseller, startHarness } from '../../support/harness.ts';
import { importOrders } from '../../support/imported-orders.ts';
import { advanceDays } from '../../support/past.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile, {
  KEYPORT_GATEWAY_TIMEOUT_MS: '20',
  KEYPORT_KEYS_WINDOW_HOURS: '0.5',
});

async function assertRejected(reseller: Reseller, orderId: string, code: string) {
  const response = await reseller.get(`/orders/${orderId}/keys`);
  deepEqual([response.status, response.body.error.code], [400, code]);
  deepEqual(await h.operate('GET', `/audit?orderId=${orderId}&action=keys.read`), []);
  return response.body.error;
}

async function toOrder(account: Record<string, unknown> = {}) {
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const { productId } = await h.seed.listing({ price: '10.00', stock: 2 });
  const response = await reseller.order(auto(productId));
  return { reseller, id: response.body.data?.id ?? response.body.error.data.orderId };
}

test('a held order is not complete, and its rejection is retryable', async () => {
  const { reseller, id } = await toOrder({ holdOrders: true });
  const error = await assertRejected(reseller, id, 'order-not-complete');
  deepEqual(error.data, { status: 'held', retryable: true });
});

test('an order that waits for its payment is not complete', async () => {
  const { reseller, id } = await toOrder({ paymentMethod: 'gateway', gatewayCustomer: 'sim_error' });
  const error = await assertRejected(reseller, id, 'order-not-complete');
  equal(
    error.message,
    'Keys can be read only when the order is complete. The order is pending_payment now; retry later.',
  );
  deepEqual(error.data, { status: 'pending_payment', retryable: true });
});

test('a canceled order will never be complete', async () => {
  const { reseller, id } = await toOrder({ paymentMethod: 'gateway', gatewayCustomer: 'sim_declined' });
  const error = await assertRejected(reseller, id, 'order-not-complete');
  equal(
    error.message,
    'Keys can be read only when the order is complete. The order is canceled and cannot become complete.',
  );
  deepEqual(error.data, { status: 'canceled', retryable: false });
});

test('an order that was closed by a refund is not complete', async () => {
  const { reseller, id } = await toOrder();
  await h.operate('POST', `/orders/${id}/refund`, { reason: 'x' });
  const error = await assertRejected(reseller, id, 'order-not-complete');
  deepEqual(error.data, { status: 'closed', retryable: false });
});

test('keys can be read until the window after completion ends', async () => {
  const { reseller, id } = await toOrder();
  await advanceDays(h, reseller.accountId, 1);
  const completedBefore = (minutes: number) =>
    sql`UPDATE "order" SET completed_at = now() - ${minutes} * interval '1 minute' WHERE id = ${id}::bigint`.execute(
      h.database.db,
    );
  await completedBefore(29);
  equal((await reseller.get(`/orders/${id}/keys`)).status, 200);
  await completedBefore(30);
  const response = await reseller.get(`/orders/${id}/keys`);
  deepEqual([response.status, response.body.error.code], [400, 'order-expired']);
  equal(response.body.error.data.windowHours, 0.5);
  match(response.body.error.data.completedAt, /^\d{4}-\d\d-\d\dT.*\.\d{6}Z$/);
});

test('the window of a held order starts when it is released', async () => {
  const { reseller, id } = await toOrder({ holdOrders: true });
  await advanceDays(h, reseller.accountId, 3);
  await h.operate('POST', `/orders/${id}/release`, { reason: 'checked' });
  equal((await reseller.get(`/orders/${id}/keys`)).status, 200);
});

test('a partial refund does not restart the window', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ stock: 2 });
  const { data } = (await reseller.order(auto(productId, { quantity: 2 }))).body;
  await advanceDays(h, reseller.accountId, 1);
  const items = [{ id: data.transactions[0].items[0].id, quantity: 1 }];
  await h.operate('POST', `/orders/${data.id}/refund`, { reason: 'x', items });
  await assertRejected(reseller, data.id, 'order-expired');
});

test('an imported order has no keys', async () => {
  const reseller = await h.seed.reseller();
  const [id = ''] = await importOrders(h, reseller.accountId, [{ status: 'complete' }]);
  await assertRejected(reseller, id, 'order-not-complete');
});
