/** Covers retries during the first request and within the cool-down, regardless of its response. R17, A40. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { assertNothingWritten } from '../../support/books.ts';
import { type ApiResponse, auto, manual, type Reseller, startHarness } from '../../support/harness.ts';
import { moveOrders } from '../../support/past.ts';
import { wholeFile } from '../../support/vitest.ts';

const COOLDOWN_MS = 600_000;
const h = await startHarness(wholeFile, {
  KEYPORT_IDEMPOTENCY_COOLDOWN_MS: String(COOLDOWN_MS),
  KEYPORT_GATEWAY_TIMEOUT_MS: '1000',
});

function assertProcessing(response: ApiResponse, retryAfterSecondsMax: number) {
  deepEqual([response.status, response.body.error.code], [409, 'idempotency-key-processing']);
  const retryAfter = Number(response.headers.get('retry-after'));
  ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= retryAfterSecondsMax);
  equal(response.body.error.data.retryable, true);
}

async function passCooldown(reseller: Reseller) {
  const passed = sql`${COOLDOWN_MS}::integer * interval '1 millisecond'`;
  const isOwn = sql`account_id = ${reseller.accountId}::uuid`;
  // An order counts toward the day on which it was placed, even if its moved time is on the day before.
  const change = sql`created_at = created_at - ${passed}, completed_at = completed_at - ${passed},
      spend_day = coalesce(spend_day, (created_at AT TIME ZONE 'UTC')::date)`;
  await moveOrders(h, isOwn, change);
  await sql`UPDATE rejected_order SET rejected_at = rejected_at - ${passed} WHERE ${isOwn}`.execute(
    h.database.db,
  );
}

test('an order’s key returns 409 with Retry-After within the cool-down, and then the stored order', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, offerId } = await h.seed.listing();
  const key = randomUUID();
  const first = await reseller.order(auto(productId), key);
  equal(first.status, 201);
  const scope = { accountId: reseller.accountId, offerId, records: 0 };
  const repeat = await assertNothingWritten(h, scope, () => reseller.order(auto(productId), key));
  assertProcessing(repeat, COOLDOWN_MS / 1000);
  ok(repeat.body.error.data.retryAfterMs <= COOLDOWN_MS);
  await passCooldown(reseller);
  const replay = await assertNothingWritten(h, scope, () => reseller.order(auto(productId), key));
  equal(replay.status, 200);
  const { createdAt } = (await reseller.get(`/orders/${first.body.data.id}`)).body.data;
  deepEqual(replay.body.data, { ...first.body.data, createdAt });
});

test('a rejection’s key also returns 409 within the cool-down, and then the stored rejection', async () => {
  const reseller = await h.seed.reseller();
  const { productId } = await h.seed.listing();
  const key = randomUUID();
  equal((await reseller.order(auto(productId), key)).status, 402);
  assertProcessing(await reseller.order(auto(productId), key), COOLDOWN_MS / 1000);
  await passCooldown(reseller);
  equal((await reseller.order(auto(productId), key)).status, 402);
});

test('a replay does not restart the cool-down', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const key = randomUUID();
  await reseller.order(auto(productId), key);
  await passCooldown(reseller);
  for (const _ of [1, 2, 3]) equal((await reseller.order(auto(productId), key)).status, 200);
});

test('a different payload is 422 even within the cool-down', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const key = randomUUID();
  await reseller.order(auto(productId), key);
  equal((await reseller.order(auto(productId, { quantity: 2 }), key)).status, 422);
});

test('one of 50 concurrent duplicates places the order, and the others get 409', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ stock: 50, price: '1.00' });
  const key = randomUUID();
  const responses = await Promise.all(Array.from({ length: 50 }, () => reseller.order(manual(offerId), key)));
  equal(responses.filter((response) => response.status === 201).length, 1);
  for (const response of responses)
    if (response.status !== 201) assertProcessing(response, COOLDOWN_MS / 1000);
  equal((await reseller.get('/orders')).body.meta.totalResults, 1);
});

test('a retry during the request to the payment provider gets 409, and a different payload gets 422', async () => {
  const account = { paymentMethod: 'gateway', gatewayCustomer: 'sim_timeout' };
  const reseller = await h.seed.reseller({ account });
  const { productId } = await h.seed.listing();
  const key = randomUUID();
  const first = reseller.order(auto(productId), key);
  while ((await reseller.get('/orders')).body.meta.totalResults === 0);
  assertProcessing(await reseller.order(auto(productId), key), 1);
  equal((await reseller.order(auto(productId, { quantity: 2 }), key)).status, 422);
  equal((await first).status, 402);
  equal((await reseller.get('/orders')).body.meta.totalResults, 1);
});
