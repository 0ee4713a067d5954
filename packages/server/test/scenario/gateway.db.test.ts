/** No order is charged twice, or paid without delivery or refund. R12, R20. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { runTransaction } from '../../src/db/transaction.ts';
import { claimOpenPayments } from '../../src/orders/payments/payments.sql.ts';
import { readBooks } from '../support/books.ts';
import { auto, manual, startHarness } from '../support/harness.ts';
import { moveOrders } from '../support/past.ts';
import { wholeFile } from '../support/vitest.ts';

const h = await startHarness(wholeFile, { KEYPORT_GATEWAY_TIMEOUT_MS: '20' });

async function order(gatewayCustomer: string, account: Record<string, unknown> = {}) {
  const reseller = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer, ...account },
  });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 2 });
  const key = randomUUID();
  const response = await reseller.order(manual(offerId), key);
  const id: string = response.body.data?.id ?? response.body.error.data.orderId;
  return {
    reseller,
    id,
    key,
    response,
    repeat: () => reseller.order(manual(offerId), key),
    status: async (): Promise<string> => (await reseller.get(`/orders/${id}`)).body.data.status,
    books: () => readBooks(h, { accountId: reseller.accountId, offerId }),
    operate: (action: string, body: Record<string, unknown> = {}) =>
      h.operate('POST', `/orders/${id}/${action}`, { reason: 'test', ...body }),
    log: async (): Promise<string[]> =>
      (await h.operate('GET', `/orders/${id}`)).statusLog.map((line: { to: string }) => line.to),
  };
}

/** If `isExpired`, the payment period ends first. */
async function settle(options: { isExpired?: boolean } = {}) {
  await sql`UPDATE gateway_payment SET next_check_at = now(),
    expires_at = CASE WHEN ${options.isExpired ?? false} THEN now() ELSE expires_at END WHERE state = 'open'`.execute(
    h.database.db,
  );
  // The first call may only wait for a round that began earlier.
  await h.service.runOrderWorker();
  await h.service.runOrderWorker();
}

async function setCustomer(orderId: string, customer: string): Promise<void> {
  await sql`UPDATE gateway_payment SET customer = ${customer} WHERE order_id = ${orderId}`.execute(
    h.database.db,
  );
}

async function paymentState(orderId: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    SELECT state FROM gateway_payment WHERE order_id = ${orderId}`.execute(h.database.db);
  return rows[0]?.state;
}

test('sim_late: the provider responds after the deadline, and the worker completes the order and charges once', async () => {
  const late = await order('sim_late');
  equal(late.response.body.error.code, 'order-not-paid');
  await settle();
  equal(await late.status(), 'complete');
  const books = await late.books();
  deepEqual([books.transfers, books.units], [1, { available: 1, sold: 1 }]);
  equal((await late.reseller.get(`/orders/${late.id}/keys`)).body.data[0].keys.length, 1);
  await settle();
  equal((await late.books()).transfers, 1);
  const repeat = await late.repeat();
  deepEqual([repeat.status, repeat.body.error.code], [402, 'order-not-paid'], 'the first response stays');
});

for (const customer of ['sim_error', 'sim_timeout']) {
  test(`${customer}: the order waits with its units until its payment period ends, and is then canceled`, async () => {
    const silent = await order(customer);
    equal(silent.response.body.error.code, 'order-not-paid');
    await settle();
    equal(await silent.status(), 'pending_payment');
    deepEqual((await silent.books()).units, { available: 1, reserved: 1 });
    await settle({ isExpired: true });
    equal(await silent.status(), 'canceled');
    const books = await silent.books();
    deepEqual([books.units, books.transfers, books.dayUnits], [{ available: 2 }, 0, 0]);
    equal((await silent.repeat()).body.error.code, 'order-not-paid');
  });
}

/** Resets the record, as if the process had died before the provider responded. */
async function reopenRecord({ reseller, key }: { reseller: { accountId: string }; key: string }) {
  await sql`UPDATE gateway_payment SET response_status = NULL, response_body = NULL, answered_at = NULL
    FROM "order" WHERE "order".id = order_id AND account_id = ${reseller.accountId}::uuid
      AND idempotency_key = ${key}::uuid`.execute(h.database.db);
}

test('an order whose process died and that an operator then cancels has a response for its key', async () => {
  const silent = await order('sim_timeout');
  await reopenRecord(silent);
  await silent.operate('hold');
  await silent.operate('cancel');
  const response = await silent.repeat();
  deepEqual([response.status, response.body.error.code], [402, 'payment-went-wrong']);
  equal(response.body.error.data.orderId, silent.id);
});

test('an order whose process died before it queried the provider is settled, and its key then replays it', async () => {
  const { reseller, id, key, status, repeat } = await order('sim_late');
  await reopenRecord({ reseller, key });
  equal((await repeat()).status, 409, 'open so far');
  await settle();
  equal(await status(), 'complete');
  const replay = await repeat();
  deepEqual([replay.status, replay.body.data.id], [200, id]);
});

test('an order whose process died while the provider is down is canceled at the end of its payment period', async () => {
  const { reseller, id, key, repeat, status } = await order('sim_error');
  await reopenRecord({ reseller, key });
  await settle();
  equal((await repeat()).status, 409, 'open as long as the outcome is unknown');
  await settle({ isExpired: true });
  const answered = await repeat();
  deepEqual(
    [answered.status, answered.body.error.code, answered.body.error.data.orderId],
    [402, 'payment-went-wrong', id],
  );
  equal(await status(), 'canceled');
});

test('a charge of an order that an operator canceled while it waited is refunded once', async () => {
  const late = await order('sim_late');
  await late.operate('cancel');
  deepEqual((await late.books()).units, { available: 2 });
  await settle();
  equal(await late.status(), 'canceled');
  equal((await late.books()).transfers, 2, 'charge and refund');
  await settle();
  equal((await late.books()).transfers, 2);
});

test('an order that is held while it waits is paid during the hold and completes when it is released', async () => {
  const late = await order('sim_late');
  await late.operate('hold');
  await settle();
  equal(await late.status(), 'held');
  equal((await late.books()).transfers, 1);
  await late.operate('release');
  equal(await late.status(), 'complete');
  deepEqual((await late.books()).units, { available: 1, sold: 1 });
});

test('the payment period does not end during a hold, and restarts at the release', async () => {
  const silent = await order('sim_error');
  await silent.operate('hold');
  await settle({ isExpired: true });
  equal(await silent.status(), 'held');
  deepEqual((await silent.books()).units, { available: 1, reserved: 1 });
  await silent.operate('release');
  await settle();
  equal(await silent.status(), 'pending_payment', 'the payment period starts again');
  await settle({ isExpired: true });
  equal(await silent.status(), 'canceled');
  deepEqual((await silent.books()).units, { available: 2 });
});

test('a released order is queried within its new period, even after days of hold', async () => {
  const silent = await order('sim_error');
  await silent.operate('hold');
  await sql`UPDATE gateway_payment SET next_check_at = now() + interval '3 days'
    WHERE order_id = ${silent.id}::bigint`.execute(h.database.db);
  await silent.operate('release');
  const { rows } = await sql<{ is_in_time: boolean }>`SELECT next_check_at <= expires_at AS is_in_time
    FROM gateway_payment WHERE order_id = ${silent.id}::bigint`.execute(h.database.db);
  deepEqual(rows[0]?.is_in_time, true);
});

test('the provider is soon queried again about an old order whose settlement failed', async () => {
  const silent = await order('sim_error');
  const isSilent = sql`id = ${silent.id}::bigint`;
  await moveOrders(h, isSilent, sql`created_at = created_at - interval '30 days'`);
  // One transaction keeps the service's own worker from claiming it in between.
  const claimed = await runTransaction(h.database, {}, async (tx) => {
    await sql`UPDATE gateway_payment SET next_check_at = now(), expires_at = now()
      WHERE order_id = ${silent.id}::bigint`.execute(tx);
    return claimOpenPayments(tx, { limit: 50, againInMs: 15_000 });
  });
  ok(claimed.some(({ orderId, isExpired }) => orderId === silent.id && isExpired));
  const { rows } = await sql<{
    is_soon: boolean;
  }>`SELECT next_check_at <= now() + interval '15 seconds' AS is_soon
    FROM gateway_payment WHERE order_id = ${silent.id}::bigint`.execute(h.database.db);
  equal(rows[0]?.is_soon, true);
  await moveOrders(h, isSilent, sql`created_at = created_at + interval '30 days'`);
  await settle();
  equal(await silent.status(), 'canceled');
});

test('a held order whose charge is declined stays held, and is canceled when it is released', async () => {
  const silent = await order('sim_error');
  await silent.operate('hold');
  await setCustomer(silent.id, 'sim_declined');
  await settle();
  equal(await silent.status(), 'held');
  deepEqual((await silent.books()).units, { available: 1, reserved: 1 });
  await silent.operate('release');
  await settle();
  equal(await silent.status(), 'canceled');
  deepEqual((await silent.books()).units, { available: 2 });
  equal(await paymentState(silent.id), 'declined');
});

test('a held order whose charge is declined is not queried again after an operator cancels it', async () => {
  const silent = await order('sim_error');
  await reopenRecord(silent);
  await silent.operate('hold');
  await setCustomer(silent.id, 'sim_declined');
  await settle();
  equal((await silent.repeat()).body.error.code, 'order-not-paid');
  await silent.operate('cancel');
  await settle();
  equal(await paymentState(silent.id), 'declined');
});

test('a payment that arrives during a hold is not lost, even after the payment period', async () => {
  const late = await order('sim_error');
  await late.operate('hold');
  await settle({ isExpired: true });
  await setCustomer(late.id, 'sim_ok');
  await settle();
  equal((await late.books()).transfers, 1);
  await late.operate('release');
  equal(await late.status(), 'complete');
});

test('a gateway order of an account under review is paid, then held', async () => {
  const held = await order('sim_ok', { holdOrders: true });
  deepEqual([held.response.status, held.response.body.data.status], [201, 'held']);
  deepEqual((await held.books()).units, { available: 1, reserved: 1 });
  await held.operate('release');
  equal(await held.status(), 'complete');
});

test('units of an order that waits for its payment are not sold to anyone else', async () => {
  const reseller = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' },
  });
  const buyer = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ stock: 1 });
  equal((await reseller.order(auto(productId))).status, 402);
  equal((await buyer.order(auto(productId))).body.error.code, 'offer-not-available');
  await settle({ isExpired: true });
  equal((await buyer.order(auto(productId))).status, 201);
});
