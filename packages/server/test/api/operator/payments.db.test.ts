/** A100. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startHarness } from '../../support/harness.ts';
import { readList } from '../../support/lists.ts';
import { startPayments } from '../../support/providers/configured.ts';
import { wholeFile } from '../../support/vitest.ts';
import { waitUntil } from '../../support/webhook-receiver.ts';

const { h, provider, order, settle } = await startPayments(wholeFile, 'http');
const retry = (id: string, key = randomUUID()) =>
  h.call('POST', `/admin/v1/payments/${id}/retry`, {
    token: h.operatorToken,
    headers: { 'idempotency-key': key },
  });

test('an unknown charge shows the last result of the provider, and a retry settles it', async () => {
  const open = await order('cus_pending');
  await settle(open);
  const [payment, ...others] = await readList(h, `/payments?accountId=${open.reseller.accountId}`);
  const { createdAt, expiresAt, nextAttemptAt, reference: _reference, ...rest } = payment;
  deepEqual(others, []);
  deepEqual(rest, {
    id: `charge-${open.id}`,
    kind: 'charge',
    orderId: open.id,
    orderStatus: 'pending_payment',
    accountId: open.reseller.accountId,
    accountName: 'Shop',
    amount: '10.00',
    currency: 'EUR',
    attempts: rest.attempts,
    providerState: 'pending',
    lastError: null,
  });
  ok(rest.attempts >= 1 && createdAt < expiresAt && createdAt < nextAttemptAt);
  const found = async (query: string) => {
    const rows = await readList(h, `/payments?${new URLSearchParams({ query })}`);
    return rows.map(({ id }: { id: string }) => id).includes(payment.id);
  };
  const { accountId } = open.reseller;
  for (const query of [open.id, payment.id, accountId, accountId.slice(0, 8).toUpperCase(), 'sho'])
    ok(await found(query), query);
  for (const query of [open.id.slice(1), 'refund', '?']) ok(!(await found(query)), query);
  await sql`UPDATE gateway_payment SET next_check_at = now() + interval '1 day' WHERE order_id = ${open.id}::bigint`.execute(
    h.database.db,
  );
  for (const charge of provider.books.charges.values()) charge.status = 'paid';
  const key = randomUUID();
  const { status, body } = await retry(payment.id, key);
  deepEqual([status, body.data.id], [202, payment.id]);
  await waitUntil(async () => (await open.status()) === 'complete', 'the order');
  deepEqual(await readList(h, `/payments?accountId=${open.reseller.accountId}`), []);
  equal((await retry(payment.id)).status, 409);
  const again = await retry(payment.id, key);
  deepEqual([again.status, again.headers.get('idempotent-replayed')], [202, 'true']);
  const [entry] = await readList(h, `/audit?orderId=${open.id}&action=payment.retry`);
  deepEqual(entry.data, { paymentId: payment.id });
});

test('a refund is listed until the provider confirms it', async () => {
  provider.books.refundStatus = 'pending';
  const paid = await order('cus_ok');
  await paid.operate('refund');
  await settle(paid);
  const [refund] = await readList(h, `/payments?kind=refund&accountId=${paid.reseller.accountId}`);
  match(refund.id, /^refund-[1-9][0-9]*$/);
  deepEqual(
    [refund.kind, refund.orderId, refund.orderStatus, refund.amount, refund.expiresAt, refund.providerState],
    ['refund', paid.id, 'closed', '10.00', null, 'pending'],
  );
  deepEqual(await readList(h, `/payments?kind=charge&accountId=${paid.reseller.accountId}`), []);
  for (const one of provider.books.refunds.values()) one.status = 'done';
  provider.books.refundStatus = 'done';
  equal((await retry(refund.id)).status, 202);
  await waitUntil(
    async () => (await readList(h, `/payments?accountId=${paid.reseller.accountId}`)).length === 0,
    'the refund',
  );
});

test('open payments are listed by cursor in both directions', async () => {
  provider.books.refundStatus = 'pending';
  for (let count = 0; count < 3; count += 1) {
    const paid = await order('cus_ok');
    await paid.operate('refund');
  }
  // The worker changes the attempts of open payments.
  const toIds = (payments: readonly { id: string }[]) => payments.map(({ id }) => id);
  const all = toIds(await readList(h, '/payments', 1));
  equal(new Set(all).size, 3);
  deepEqual(toIds(await readList(h, '/payments?sort=-createdAt', 2)), all.toReversed());
  provider.books.refundStatus = 'done';
  for (const one of provider.books.refunds.values()) one.status = 'done';
});

test('an open payment shows the error of a failing provider', async (t) => {
  const failing = await startHarness(t, { KEYPORT_GATEWAY_TIMEOUT_MS: '20' });
  const reseller = await failing.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' },
  });
  const { offerId } = await failing.seed.listing({ stock: 1 });
  equal((await reseller.order({ manual: { offerId, quantity: 1, maxPrice: '100.00' } })).status, 402);
  const payment = await waitUntil(async () => {
    await sql`UPDATE gateway_payment SET next_check_at = now()`.execute(failing.database.db);
    await failing.service.runOrderWorker();
    const [one] = await readList(failing, '/payments');
    return one.providerState !== null && one;
  }, 'an attempt');
  deepEqual([payment.providerState, payment.lastError], ['no-answer', 'the simulated provider returns 500']);
});
