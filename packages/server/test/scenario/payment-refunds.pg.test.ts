/** Refunds that the provider does not make at once: told again until they are made, and never made twice. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ADAPTERS, type Payments, startPayments } from '../support/providers/configured.ts';

for (const adapter of ADAPTERS) {
  const started = startPayments({ after }, adapter);

  test(`${adapter}: a refund that is in work is asked about until the money is back`, async () => {
    const { order, settle, provider } = await started;
    provider.books.refundStatus = 'pending';
    const paid = await order('cus_ok');
    await paid.operate('refund');
    await settle(paid);
    assert.deepEqual(await refundStates(await started, paid.id), ['open']);
    assert.equal(provider.books.givenBackMinor(paid.id), 0);
    for (const refund of provider.books.refunds.values()) refund.status = 'done';
    await settle(paid);
    assert.deepEqual(await refundStates(await started, paid.id), ['done']);
    assert.equal(provider.books.givenBackMinor(paid.id), 1000);
  });

  test(`${adapter}: a refund that failed is made again, once`, async () => {
    const { order, settle, provider } = await started;
    provider.books.refundStatus = 'failed';
    const paid = await order('cus_ok');
    await paid.operate('refund');
    await settle(paid);
    assert.deepEqual(await refundStates(await started, paid.id), ['open']);
    provider.books.refundStatus = 'done';
    await settle(paid);
    await settle(paid);
    assert.deepEqual(await refundStates(await started, paid.id), ['done']);
    assert.equal(provider.books.givenBackMinor(paid.id), 1000);
  });
}

test('stripe: a payment that somebody gave back by hand is not given back again', async (t) => {
  const { order, settle, provider, ...payments } = await startPayments(t, 'stripe');
  const paid = await order('cus_ok');
  provider.books.giveBack({ refundId: 'by hand', orderId: paid.id, amountMinor: 1000, currency: 'EUR' });
  await paid.operate('refund');
  await settle(paid);
  assert.deepEqual(await refundStates(payments, paid.id), ['done']);
  assert.equal(provider.books.givenBackMinor(paid.id), 1000);
});

test('stripe: a payment of before its id was kept is found and given back', async (t) => {
  const { order, settle, provider, h } = await startPayments(t, 'stripe');
  const paid = await order('cus_ok');
  await h.database.kysely.updateTable('gateway_payment').set({ reference: null }).execute();
  await paid.operate('refund');
  await settle(paid);
  assert.equal(provider.books.givenBackMinor(paid.id), 1000);
});

async function refundStates({ h }: Pick<Payments, 'h'>, orderId: string): Promise<string[]> {
  const rows = await h.database.kysely
    .selectFrom('gateway_refund')
    .select('state')
    .where('order_id', '=', orderId)
    .execute();
  return rows.map(({ state }) => state);
}
