import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { ADAPTERS, type Payments, startPayments } from '../support/providers/configured.ts';
import { wholeFile } from '../support/vitest.ts';

for (const adapter of ADAPTERS) {
  const started = startPayments(wholeFile, adapter);

  test(`${adapter}: a refund in progress is queried until it is made`, async () => {
    const { order, settle, provider } = await started;
    provider.books.refundStatus = 'pending';
    const paid = await order('cus_ok');
    await paid.operate('refund');
    await settle(paid);
    deepEqual(await refundStates(await started, paid.id), ['open']);
    equal(provider.books.givenBackMinor(paid.id), 0);
    for (const refund of provider.books.refunds.values()) refund.status = 'done';
    await settle(paid);
    deepEqual(await refundStates(await started, paid.id), ['done']);
    equal(provider.books.givenBackMinor(paid.id), 1000);
  });

  test(`${adapter}: a refund that fails days after it was made is noticed and made again`, async () => {
    const { h, order, settle, provider } = await started;
    provider.books.refundStatus = 'done';
    const paid = await order('cus_ok');
    await paid.operate('refund');
    await settle(paid);
    deepEqual(await refundStates(await started, paid.id), ['done']);
    for (const refund of provider.books.refunds.values()) {
      if (refund.orderId === paid.id) refund.status = 'failed';
    }
    provider.books.refundStatus = 'failed';
    const nextDay = async () => {
      await sql`UPDATE gateway_refund SET next_attempt_at = next_attempt_at - interval '1 day'
        WHERE order_id = ${paid.id}::bigint`.execute(h.database.db);
      await h.service.runOrderWorker();
      await h.service.runOrderWorker();
    };
    await nextDay();
    deepEqual(await refundStates(await started, paid.id), ['open']);
    provider.books.refundStatus = 'done';
    await settle(paid);
    deepEqual(await refundStates(await started, paid.id), ['done']);
    equal(provider.books.givenBackMinor(paid.id), 1000);
    const asked = provider.books.requestCount;
    await nextDay();
    ok(provider.books.requestCount > asked, 'it is queried again');
    await sql`UPDATE gateway_refund SET done_at = done_at - interval '31 days'
      WHERE order_id = ${paid.id}::bigint`.execute(h.database.db);
    await nextDay();
    await nextDay();
    const { rows } = await sql`SELECT FROM gateway_refund
      WHERE order_id = ${paid.id}::bigint AND next_attempt_at = 'infinity'`.execute(h.database.db);
    equal(rows.length, 1, 'after a month it is no longer queried');
  });

  test(`${adapter}: a query that did not reach the provider is retried minutes later, not the next day`, async (t) => {
    const { h, order, settle, provider } = await startPayments(t, adapter);
    const paid = await order('cus_ok');
    await paid.operate('refund');
    await settle(paid);
    await provider.stop();
    await sql`UPDATE gateway_refund SET next_attempt_at = now()`.execute(h.database.db);
    // The first call may just wait for rounds already in progress.
    await h.service.runOrderWorker();
    await h.service.runOrderWorker();
    const { rows } = await sql`SELECT state, next_attempt_at > now() AS "isLater",
      next_attempt_at < now() + interval '10 minutes' AS "isSoon" FROM gateway_refund`.execute(h.database.db);
    deepEqual(rows, [{ state: 'done', isLater: true, isSoon: true }]);
  });

  test(`${adapter}: a refund that failed is made again, once`, async () => {
    const { order, settle, provider } = await started;
    provider.books.refundStatus = 'failed';
    const paid = await order('cus_ok');
    await paid.operate('refund');
    await settle(paid);
    deepEqual(await refundStates(await started, paid.id), ['open']);
    provider.books.refundStatus = 'done';
    await settle(paid);
    await settle(paid);
    deepEqual(await refundStates(await started, paid.id), ['done']);
    equal(provider.books.givenBackMinor(paid.id), 1000);
  });
}

test('http: an open refund does not wait for older due checks of completed refunds', async (t) => {
  const { h, order, provider } = await startPayments(t, 'http');
  const paid = await order('cus_ok');
  const { rows } = await sql<{ id: string; state: string }>`
    INSERT INTO gateway_refund (order_id, amount_minor, is_booked, state, done_at, next_attempt_at)
    SELECT ${paid.id}::bigint, 1, false, state, now(), due_at
    FROM (SELECT 'done' AS state, now() - interval '1 hour' AS due_at FROM generate_series(1, 60)
      UNION ALL SELECT 'open', now()) AS refund
    RETURNING id::text AS id, state`.execute(h.database.db);
  const open = rows.find(({ state }) => state === 'open');
  await h.service.runOrderWorker();
  await h.service.runOrderWorker();
  equal([...provider.books.refunds.keys()][0], open?.id, 'the first refund reported to the provider');
});

test('stripe: a payment that was refunded manually is not refunded again', async (t) => {
  const { order, settle, provider, ...payments } = await startPayments(t, 'stripe');
  const paid = await order('cus_ok');
  provider.books.giveBack({ refundId: 'by hand', orderId: paid.id, amountMinor: 1000, currency: 'EUR' });
  await paid.operate('refund');
  await settle(paid);
  deepEqual(await refundStates(payments, paid.id), ['done']);
  equal(provider.books.givenBackMinor(paid.id), 1000);
});

for (const { byHandMinor, isSettled } of [
  { byHandMinor: 1000, isSettled: true },
  { byHandMinor: 999, isSettled: false },
]) {
  test(`stripe: a failed refund of 1000 is ${isSettled ? '' : 'not '}settled by ${byHandMinor} refunded by hand`, async (t) => {
    const { h, order, settle, provider } = await startPayments(t, 'stripe');
    const paid = await order('cus_ok');
    await paid.operate('refund');
    await settle(paid);
    const readDoneAt = async () => {
      const { rows } = await sql<{ at: string }>`SELECT done_at::text AS at FROM gateway_refund`.execute(
        h.database.db,
      );
      return rows[0]?.at;
    };
    const doneAt = await readDoneAt();
    ok(doneAt);
    for (const refund of provider.books.refunds.values()) refund.status = 'failed';
    const byHand = { refundId: 'by hand', orderId: paid.id, currency: 'EUR' };
    provider.books.giveBack({ ...byHand, amountMinor: byHandMinor });
    await sql`UPDATE gateway_refund SET next_attempt_at = now()`.execute(h.database.db);
    // The first call may just wait for rounds already in progress.
    await h.service.runOrderWorker();
    await h.service.runOrderWorker();
    equal((await readDoneAt()) === doneAt, isSettled, 'the refund is reopened unless it is settled');
  });
}

test('stripe: a payment made before its id was stored is found and refunded', async (t) => {
  const { order, settle, provider, h } = await startPayments(t, 'stripe');
  const paid = await order('cus_ok');
  await sql`UPDATE gateway_payment SET reference = NULL`.execute(h.database.db);
  await paid.operate('refund');
  await settle(paid);
  equal(provider.books.givenBackMinor(paid.id), 1000);
});

async function refundStates({ h }: Pick<Payments, 'h'>, orderId: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    SELECT state FROM gateway_refund WHERE order_id = ${orderId}`.execute(h.database.db);
  return rows.map(({ state }) => state);
}
