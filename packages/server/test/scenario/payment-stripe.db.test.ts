import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { startPayments } from '../support/providers/configured.ts';
import { wholeFile } from '../support/vitest.ts';

const { h, provider, order, settle, assertConsistent } = await startPayments(wholeFile, 'stripe');

for (const [customer, what] of Object.entries({
  cus_declined_1: 'a card that is declined',
  cus_declined_2: 'a card that needs authentication',
  cus_without_card: 'a customer without a default payment method',
  cus_gone: 'a customer that does not exist',
})) {
  test(`${what} is not charged, and the order ends immediately`, async () => {
    const refused = await order(customer);
    deepEqual([refused.code, await refused.status()], ['payment-went-wrong', 'canceled']);
    await assertConsistent(refused);
  });
}

test('many customers who cannot be charged do not stop the others', async () => {
  for (let count = 0; count < 12; count += 1) await order('cus_without_card');
  equal((await order('cus_ok')).code, '201');
});

test('a charge whose response was lost is found among the customer’s payments while the search lags', async () => {
  const lost = await order('cus_silent_after');
  equal(lost.code, 'order-not-paid');
  provider.books.lagging.add(lost.id);
  await settle(lost, { isExpired: true });
  equal(await lost.status(), 'complete');
  equal(provider.books.attempts.get(lost.id), 1);
  await assertConsistent(lost);
});

test('an order whose process died before it requested the charge is charged once while the search lags', async () => {
  const lost = await order('cus_silent_before');
  await sql`UPDATE gateway_payment SET response_status = NULL, response_body = NULL, answered_at = NULL
    WHERE order_id = ${lost.id}::bigint`.execute(h.database.db);
  provider.books.lagging.add(lost.id);
  provider.heal();
  await settle(lost);
  equal(await lost.status(), 'complete');
  equal(provider.books.attempts.get(lost.id), 2);
  equal((await lost.repeat()).status, 200);
  await assertConsistent(lost);
});
