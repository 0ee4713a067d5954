/** A300, A301. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { allEvents, cursorOfNow, readEvents } from '../../support/events.ts';
import { auto, manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

const toTypes = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

test('an order that is complete when placed causes one event, with the order as in the response', async () => {
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { productId } = await h.seed.listing();
  const placed = await reseller.order(auto(productId, { quantity: 2 }));
  const [event, ...others] = await allEvents(h, reseller);
  deepEqual([event?.type, others], ['order.complete', []]);
  deepEqual(event?.data, { order: placed.body.data });
  ok(event !== undefined && event.createdAt >= placed.body.data.createdAt);
});

test('each later change is a separate event with the order as it was right after the change', async () => {
  const reseller = await h.seed.reseller({ balance: '1000.00', account: { holdOrders: true } });
  const { offerId } = await h.seed.listing({ price: '10.00' });
  const { id } = (await reseller.order(manual(offerId, { quantity: 3 }))).body.data;
  const act = (action: string, body = {}) =>
    h.operate('POST', `/orders/${id}/${action}`, { reason: 'test', ...body });
  await act('release');
  const [item] = (await reseller.get(`/orders/${id}`)).body.data.transactions[0].items;
  await act('refund', { items: [{ id: item.id, quantity: 1 }] });
  await act('refund');
  const events = await allEvents(h, reseller);
  deepEqual(toTypes(events), [
    'order.held',
    'order.complete',
    'order.refunded',
    'order.refunded',
    'order.closed',
  ]);
  const seen = events.map(({ data }) => {
    ok('order' in data);
    const { status, transactions = [] } = data.order;
    const { invoiced, shipped, refunded } = transactions[0]?.items[0]?.quantity ?? {};
    return [status, invoiced, shipped, refunded, 'refund' in data ? data.refund : undefined];
  });
  deepEqual(seen, [
    ['held', 3, 0, 0, undefined],
    ['complete', 3, 3, 0, undefined],
    ['complete', 3, 3, 1, { amount: '10.00', items: [{ id: item.id, quantity: 1 }] }],
    ['closed', 3, 3, 3, { amount: '20.00', items: [{ id: item.id, quantity: 2 }] }],
    ['closed', 3, 3, 3, undefined],
  ]);
  const last = events.at(-1);
  ok(last !== undefined && 'order' in last.data);
  deepEqual(last.data.order, (await reseller.get(`/orders/${id}`)).body.data);
});

test('an order that waits for its provider causes an event when it is complete or canceled', async () => {
  const { productId } = await h.seed.listing();
  for (const [gatewayCustomer, types] of [
    ['sim_ok', ['order.pending_payment', 'order.complete']],
    ['sim_declined', ['order.pending_payment', 'order.canceled']],
  ] as const) {
    const reseller = await h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer } });
    await reseller.order(auto(productId));
    deepEqual(toTypes(await allEvents(h, reseller)), types);
  }
});

test('an order that only image keys could fill is refunded and closed in the same event', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ stock: 0, images: 2 });
  await reseller.order(manual(offerId));
  const events = await allEvents(h, reseller);
  deepEqual(toTypes(events), ['order.refunded', 'order.closed']);
  ok(events[0] !== undefined && 'refund' in events[0].data);
  equal(events[0].data.refund.amount, '10.00');
});

test('balance_low is sent when the balance falls below the threshold, and again only after it was above', async () => {
  const account = { balanceLowThreshold: '50.00' };
  const reseller = await h.seed.reseller({ balance: '70.00', account });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 20 });
  const low = async () =>
    (await allEvents(h, reseller, { types: ['account.balance_low'] })).map(({ data }) => data);
  await reseller.order(manual(offerId, { quantity: 2 }));
  deepEqual(await low(), [], 'at the threshold');
  await reseller.order(manual(offerId));
  const first = { balance: '40.00', threshold: '50.00' };
  deepEqual(await low(), [first]);
  await reseller.order(manual(offerId));
  await h.seed.deposit(reseller.accountId, '10.00');
  deepEqual(await low(), [first], 'it was not above');
  await h.seed.deposit(reseller.accountId, '20.00');
  await h.operate('POST', `/accounts/${reseller.accountId}/payouts`, { amount: '30.00', reference: 'p' });
  deepEqual(await low(), [first, { ...first, balance: '30.00' }]);
});

test('only a change to the account’s status causes an event', async () => {
  const reseller = await h.seed.reseller();
  const change = (body: object) => h.operate('PATCH', `/accounts/${reseller.accountId}`, body);
  await change({ name: 'Another' });
  await change({ status: 'suspended' });
  await change({ status: 'suspended' });
  await change({ status: 'active' });
  const events = await allEvents(h, reseller);
  deepEqual(
    events.map(({ type, data }) => [type, data]),
    [
      ['account.status_changed', { status: 'suspended' }],
      ['account.status_changed', { status: 'active' }],
    ],
  );
});

test('any limit returns the same events, a cursor always returns the same page, and other accounts get none', async () => {
  const [reseller, other] = [
    await h.seed.reseller({ balance: '1000.00' }),
    await h.seed.reseller({ balance: '1000.00' }),
  ];
  const { productId } = await h.seed.listing({ stock: 40 });
  const ids: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    const [mine] = await Promise.all([reseller.order(auto(productId)), other.order(auto(productId))]);
    ids.push(mine.body.data.id);
  }
  const orderIds = (events: Awaited<ReturnType<typeof allEvents>>) =>
    events.map(({ data }) => 'order' in data && data.order.id);
  for (const limit of [1, 2, 7, 8, 1000]) {
    deepEqual(orderIds(await allEvents(h, reseller, { limit })), ids, `limit ${limit}`);
  }
  const first = await readEvents(reseller, { limit: 3 });
  deepEqual([first.data.length, first.meta.hasMore], [3, true]);
  const again = await readEvents(reseller, { limit: 3 });
  deepEqual(again, { ...first, traceId: (again as { traceId?: string }).traceId });
  const end = await cursorOfNow(h, reseller);
  deepEqual((await readEvents(reseller, { cursor: end })).data, []);
});

test('a filter finds events of its types behind thousands of others', async () => {
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { productId } = await h.seed.listing({ stock: 10 });
  for (let count = 0; count < 3; count += 1) await reseller.order(auto(productId));
  const [order] = await allEvents(h, reseller);
  ok(order !== undefined && 'order' in order.data);
  await h.operate('POST', `/orders/${order.data.order.id}/refund`, { reason: 'test' });
  const types = ['order.refunded', 'order.closed'];
  deepEqual(toTypes(await allEvents(h, reseller, { types })), types);
  deepEqual(toTypes(await allEvents(h, reseller, { types, limit: 1 })), types);
  deepEqual(await allEvents(h, reseller, { types: ['webhook.test'] }), []);
});

test('cursor=now skips everything committed so far, without waiting', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  await reseller.order(auto(productId));
  await h.service.eventsWritten();
  const cursors: string[] = [];
  for (const query of [{}, { wait: 30 }, { types: ['order.closed'] }, { limit: 1 }]) {
    const { data, meta } = await readEvents(reseller, { cursor: 'now', ...query });
    deepEqual([data, meta.hasMore], [[], false]);
    cursors.push(meta.nextCursor);
  }
  const { id } = (await reseller.order(auto(productId))).body.data;
  for (const cursor of cursors) {
    const events = await allEvents(h, reseller, { cursor });
    deepEqual(
      events.map(({ data }) => 'order' in data && data.order.id),
      [id],
    );
  }
});
