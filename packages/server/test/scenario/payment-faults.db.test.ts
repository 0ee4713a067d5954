/**
 * Every fault that docs/payments.md lists, with each adapter. Nothing is charged twice or delivered unpaid; a
 * charge without delivery is refunded.
 */
import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { ADAPTERS, type Payments, startPayments } from '../support/providers/configured.ts';
import type { FaultName } from '../support/providers/faults.ts';
import { wholeFile } from '../support/vitest.ts';

type Outcome = {
  readonly response: '201' | 'order-not-paid' | 'payment-went-wrong';
  readonly settled: 'complete' | 'canceled' | 'pending_payment';
  /** The charged cents, which are refunded when the order is canceled. */
  readonly taken: number;
};

const PAID: Outcome = { response: '201', settled: 'complete', taken: 1000 };
const FOUND_PAID: Outcome = { response: 'order-not-paid', settled: 'complete', taken: 1000 };
const NOTHING_KNOWN: Outcome = { response: 'order-not-paid', settled: 'pending_payment', taken: 0 };
const NOT_CHARGED: Outcome = { response: 'payment-went-wrong', settled: 'canceled', taken: 0 };

const OUTCOMES: Readonly<Record<FaultName, Outcome>> = {
  ok: PAID,
  declined: NOT_CHARGED,
  pending: NOTHING_KNOWN,
  busy: NOT_CHARGED,
  locked_out: NOT_CHARGED,
  in_work_once: PAID,
  error_before: NOTHING_KNOWN,
  error_after: FOUND_PAID,
  reset_before: NOTHING_KNOWN,
  reset_after: FOUND_PAID,
  reset_before_once: PAID,
  reset_after_once: PAID,
  silent_before: NOTHING_KNOWN,
  silent_after: FOUND_PAID,
  garbled: FOUND_PAID,
  foreign_order: FOUND_PAID,
  forged: FOUND_PAID,
  other_order: FOUND_PAID,
  wrong_amount: { response: 'payment-went-wrong', settled: 'canceled', taken: 1001 },
  wrong_currency: { response: 'payment-went-wrong', settled: 'canceled', taken: 1000 },
  twice: PAID,
};

/** Each night with every adapter. */
const TESTED = process.env['KEYPORT_TEST_SEEDS'] === 'all' ? ADAPTERS : ADAPTERS.slice(0, 1);

for (const adapter of TESTED) {
  const started = startPayments(wholeFile, adapter);

  for (const [fault, outcome] of Object.entries(OUTCOMES)) {
    test(`${adapter}, ${fault}: ${outcome.response}, then ${outcome.settled}`, async () => {
      const payments = await started;
      await payments.calm();
      const placed = await payments.order(`cus_${fault}`);
      equal(placed.code, outcome.response);
      await payments.settle(placed);
      equal(await placed.status(), outcome.settled);
      if (outcome.settled === 'pending_payment') await payments.settle(placed, { isExpired: true });
      equal(payments.provider.books.takenMinor(placed.id), outcome.taken);
      await payments.assertConsistent(placed);
      await assertReplayed(placed);
    });
  }

  test(`${adapter}: a payment after its order was abandoned is booked and refunded once`, async () => {
    const { order, settle, provider, assertConsistent, calm } = await started;
    await calm();
    const late = await order('cus_silent_before');
    await settle(late, { isExpired: true });
    equal(await late.status(), 'canceled');
    provider.books.take({ orderId: late.id, status: 'paid', amountMinor: 1000, currency: 'EUR' });
    await settle(late);
    await settle(late);
    equal(provider.books.givenBackMinor(late.id), 1000);
    equal((await late.books()).transfers, 2, 'charge and refund');
    await assertConsistent(late);
  });

  test(`${adapter}: an order whose payment is in progress is delivered when it is paid`, async () => {
    const { order, settle, provider, assertConsistent } = await started;
    const pending = await order('cus_pending');
    await settle(pending);
    equal(await pending.status(), 'pending_payment');
    const charge = provider.books.charges.get(pending.id);
    ok(charge !== undefined);
    charge.status = 'paid';
    await settle(pending);
    equal(await pending.status(), 'complete');
    await assertConsistent(pending);
  });

  test(`${adapter}: an unreachable provider charges nothing, and nothing stays reserved`, async () => {
    const { order, settle, provider, assertConsistent, calm } = await started;
    await calm();
    await provider.stop();
    const refused = await order('cus_ok');
    await provider.start();
    equal(refused.code, 'payment-went-wrong');
    deepEqual((await refused.books()).units, { available: 2 });
    await settle(refused);
    equal(provider.books.attempts.get(refused.id), undefined);
    await assertConsistent(refused);
  });

  test(`${adapter}: a charge is refunded if its provider is then down for longer than the reservation`, async () => {
    const { order, settle, provider, assertConsistent, calm } = await started;
    await calm();
    const charged = await order('cus_silent_after');
    await provider.stop();
    await settle(charged);
    equal(await charged.status(), 'pending_payment');
    await settle(charged, { isExpired: true });
    equal(await charged.status(), 'canceled');
    await provider.start();
    await calm();
    await settle(charged);
    equal(provider.books.givenBackMinor(charged.id), 1000);
    await assertConsistent(charged);
  });

  test(`${adapter}: a refund is reported until it is confirmed, and made once`, async () => {
    const { h, order, settle, provider, calm } = await started;
    await calm();
    const paid = await order('cus_ok');
    await provider.stop();
    await paid.operate('refund');
    await settle(paid);
    equal(provider.books.givenBackMinor(paid.id), 0);
    const open = async () => {
      const { rows } = await sql<{ state: string; attempts: number }>`
        SELECT state, attempts FROM gateway_refund WHERE order_id = ${paid.id}`.execute(h.database.db);
      return rows[0] ?? fail('there is a refund');
    };
    equal((await open()).state, 'open');
    await provider.start();
    await calm();
    await settle(paid);
    await settle(paid);
    equal((await open()).state, 'done');
    equal(provider.books.givenBackMinor(paid.id), 1000);
    deepEqual([await paid.status(), (await paid.books()).transfers], ['closed', 2]);
    equal([...provider.books.refunds.values()].filter(({ orderId }) => orderId === paid.id).length, 1);
  });

  test(`${adapter}: a payment that the worker and the request settle concurrently counts once`, async () => {
    const { h, order, provider, assertConsistent, calm } = await started;
    await calm();
    provider.pause();
    const asked = Array.from({ length: 3 }, () => order('cus_ok'));
    const committed = async () => (await openPayments(h)).length === 3;
    while (!(await committed()));
    await sql`UPDATE gateway_payment SET next_check_at = now()
      WHERE state = 'open' AND checks = 0`.execute(h.database.db);
    const settled = h.service.runOrderWorker();
    provider.resume();
    await settled;
    for (const placed of await Promise.all(asked)) await assertConsistent(placed);
  });
}

async function openPayments(h: Payments['h']) {
  const { rows } = await sql<{ order_id: string }>`
    SELECT order_id::text FROM gateway_payment WHERE state = 'open' AND checks = 0`.execute(h.database.db);
  return rows;
}

/** A retry returns the first response, regardless of what happened to the order since. */
async function assertReplayed(placed: Awaited<ReturnType<Payments['order']>>): Promise<void> {
  const repeat = await placed.repeat();
  if (placed.code === '201') deepEqual([repeat.status, repeat.body.data.id], [200, placed.id]);
  else deepEqual([repeat.status, repeat.body.error.code], [402, placed.code]);
}
