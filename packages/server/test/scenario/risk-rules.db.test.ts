/** A92. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { readBooks } from '../support/books.ts';
import { auto, type Harness, manual, type Reseller, startHarness } from '../support/harness.ts';
import { wholeFile } from '../support/vitest.ts';

const h = await startHarness(wholeFile, {
  KEYPORT_RISK_HOLD_ABOVE: '20.00',
  KEYPORT_RISK_HOLD_ORDERS_PER_HOUR: '3',
  KEYPORT_GATEWAY_TIMEOUT_MS: '20',
});
const young = await startHarness(wholeFile, { KEYPORT_RISK_HOLD_ACCOUNT_YOUNGER_THAN_HOURS: '24' });

async function lastChange(
  on: Harness,
  orderId: string,
): Promise<{ to: string; actor: string; reason: string }> {
  const { statusLog } = await on.operate('GET', `/orders/${orderId}`);
  const { to, actor, reason } = statusLog.at(-1);
  return { to, actor, reason };
}

const toStatuses = (responses: readonly { body: { data?: { status: string } } }[]) =>
  responses.map(({ body }) => body.data?.status);

/** Repeats `work` if the hour of the database's clock changes during it, because the count then restarts. */
async function withinOneHour(work: () => Promise<void>): Promise<void> {
  const hour = async () =>
    (await sql<{ hour: string }>`SELECT date_trunc('hour', now())::text AS hour`.execute(h.database.db))
      .rows[0]?.hour;
  const before = await hour();
  try {
    await work();
  } catch (error) {
    if ((await hour()) === before) throw error;
    await work();
  }
}

test('an order above the value is paid, held, and delivered once released, and an order at the value is not held', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 5 });
  const books = () => readBooks(h, { accountId: reseller.accountId, offerId });
  deepEqual(toStatuses([await reseller.order(manual(offerId, { quantity: 2 }))]), ['complete']);
  const caught = await reseller.order(manual(offerId, { quantity: 3 }));
  deepEqual([caught.status, caught.body.data.status], [201, 'held']);
  const { id } = caught.body.data;
  const { balanceMinor, units } = await books();
  deepEqual([balanceMinor, units], [5000, { sold: 2, reserved: 3 }]);
  const keys = await reseller.get(`/orders/${id}/keys`);
  deepEqual(
    [keys.status, keys.body.error.code, keys.body.error.data],
    [400, 'order-not-complete', { status: 'held', retryable: true }],
  );
  deepEqual(await lastChange(h, id), {
    to: 'held',
    actor: 'keyport',
    reason: 'paid from the balance; held: risk rule: total 30.00 EUR is above 20.00 EUR',
  });
  equal((await h.operate('POST', `/orders/${id}/release`, { reason: 'Known' })).status, 'complete');
  equal((await reseller.get(`/orders/${id}/keys`)).body.data[0].keys.length, 3);
});

test('the rule compares the paid total, after the discount', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { discountPercent: '50' } });
  const { productId } = await h.seed.listing({ price: '10.00', stock: 9 });
  const responses = [
    await reseller.order(auto(productId, { quantity: 4 })),
    await reseller.order(auto(productId, { quantity: 5 })),
  ];
  deepEqual(toStatuses(responses), ['complete', 'held']);
});

test('an order that a rule holds can be refunded, and its key replays the response', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ price: '30.00', stock: 1 });
  const key = randomUUID();
  const first = await reseller.order(manual(offerId), key);
  const { id } = first.body.data;
  await h.operate('POST', `/orders/${id}/refund`, { reason: 'Stolen account', returnToStock: true });
  const { balanceMinor, units } = await readBooks(h, { accountId: reseller.accountId, offerId });
  deepEqual([balanceMinor, units], [10_000, { available: 1 }]);
  const replay = await reseller.order(manual(offerId), key);
  deepEqual([replay.status, replay.body.data], [200, first.body.data]);
});

test('orders beyond the hourly number of their account are held, and rejected ones do not count', () =>
  withinOneHour(async () => {
    const [reseller, other] = [
      await h.seed.reseller({ balance: '100.00' }),
      await h.seed.reseller({ balance: '9.00' }),
    ];
    const { productId } = await h.seed.listing({ price: '1.00', stock: 20 });
    const responses = [await reseller.order(auto(productId)), await reseller.order(auto(productId))];
    equal((await reseller.order(auto(productId, { maxPrice: '0.50' }))).status, 400);
    responses.push(await reseller.order(auto(productId)), await reseller.order(auto(productId)));
    deepEqual(toStatuses(responses), ['complete', 'complete', 'complete', 'held']);
    equal(
      (await lastChange(h, responses[3]?.body.data.id)).reason,
      'paid from the balance; held: risk rule: order 4 of the account in this hour, above 3',
    );
    deepEqual(toStatuses([await other.order(auto(productId))]), ['complete']);
    await sql`UPDATE account SET order_hour = order_hour - interval '1 hour'
      WHERE id = ${reseller.accountId}::uuid`.execute(h.database.db);
    deepEqual(toStatuses([await reseller.order(auto(productId))]), ['complete'], 'another hour');
  }));

test('no more concurrent orders pass than the rule allows', () =>
  withinOneHour(async () => {
    const reseller = await h.seed.reseller({ balance: '100.00' });
    const { productId } = await h.seed.listing({ price: '1.00', stock: 20 });
    const responses = await Promise.all(Array.from({ length: 12 }, () => reseller.order(auto(productId))));
    deepEqual(toStatuses(responses).sort(), [
      ...Array.from({ length: 3 }, () => 'complete'),
      ...Array.from({ length: 9 }, () => 'held'),
    ]);
  }));

for (const gatewayCustomer of ['sim_ok', 'sim_late']) {
  test(`${gatewayCustomer}: an order through a provider is paid first and then held`, async () => {
    const reseller = await h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer } });
    const { offerId } = await h.seed.listing({ price: '30.00', stock: 2 });
    const { body } = await reseller.order(manual(offerId));
    const id: string = body.data?.id ?? body.error.data.orderId;
    await sql`UPDATE gateway_payment SET next_check_at = now() WHERE order_id = ${id}::bigint`.execute(
      h.database.db,
    );
    // The first call may just wait for a round already in progress.
    await h.service.runOrderWorker();
    await h.service.runOrderWorker();
    const { transfers, units } = await readBooks(h, { accountId: reseller.accountId, offerId });
    deepEqual([transfers, units], [1, { available: 1, reserved: 1 }]);
    deepEqual(await lastChange(h, id), {
      to: 'held',
      actor: 'keyport',
      reason: 'paid through the provider; held: risk rule: total 30.00 EUR is above 20.00 EUR',
    });
    equal((await h.operate('POST', `/orders/${id}/release`, { reason: 'Known' })).status, 'complete');
  });
}

test('an order that only image keys could fill is refunded, not held', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ price: '30.00', stock: 0, images: 1 });
  deepEqual(toStatuses([await reseller.order(manual(offerId))]), ['closed']);
});

test('orders of a new account are held until it is old enough', async () => {
  const reseller: Reseller = await young.seed.reseller({ balance: '100.00' });
  const { productId } = await young.seed.listing({ price: '1.00' });
  const age = (hours: number) =>
    sql`UPDATE account SET created_at = now() - ${hours} * interval '1 hour'
      WHERE id = ${reseller.accountId}::uuid`.execute(young.database.db);
  const first = await reseller.order(auto(productId));
  await age(23);
  const second = await reseller.order(auto(productId));
  await age(24);
  const third = await reseller.order(auto(productId));
  deepEqual(toStatuses([first, second, third]), ['held', 'held', 'complete']);
  equal(
    (await lastChange(young, second.body.data.id)).reason,
    'paid from the balance; held: risk rule: the account is younger than 24 hours',
  );
});
