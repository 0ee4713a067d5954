import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto, type Reseller } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const shop = await h.seed.listing({ price: '10.00', stock: 100 });
const item = auto(shop.productId);
const REASON = { reason: 'a rehearsal' };

const buyer = (options = {}) => h.seed.reseller({ balance: '100.00', ...options });

function act(by: Reseller, method: string, path: string, body: unknown, key?: string) {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return h.call(method, `/sandbox/v1${path}`, { token: by.token, body, headers });
}

async function place(by: Reseller, scenario?: string, of: unknown = item): Promise<string> {
  const response = await by.order(of, randomUUID(), { ...(scenario && { 'keyport-scenario': scenario }) });
  return response.body.data?.id ?? response.body.error.data.orderId;
}

const toStatus = async (by: Reseller, id: string) => (await by.get(`/orders/${id}`)).body.data.status;

test('hold, cancel, release and refund do what operators do, and name the reseller', async () => {
  const reseller = await buyer();
  const waiting = await place(reseller, 'pending-payment');
  equal((await act(reseller, 'POST', `/orders/${waiting}/hold`, REASON)).body.data.status, 'held');
  equal(
    (await act(reseller, 'POST', `/orders/${waiting}/release`, REASON)).body.data.status,
    'pending_payment',
  );
  equal((await act(reseller, 'POST', `/orders/${waiting}/cancel`, REASON)).body.data.status, 'canceled');
  const bought = await place(reseller, undefined, auto(shop.productId, { quantity: 2 }));
  const [line] = (await reseller.get(`/orders/${bought}`)).body.data.transactions[0].items;
  const part = { ...REASON, items: [{ id: line.id, quantity: 1 }] };
  equal((await act(reseller, 'POST', `/orders/${bought}/refund`, part)).body.data.status, 'complete');
  equal((await act(reseller, 'POST', `/orders/${bought}/refund`, REASON)).body.data.status, 'closed');
  equal((await reseller.get('/account')).body.data.balance, '100.00');
  const { statusLog } = await h.operate('GET', `/orders/${bought}`);
  equal(statusLog.at(-1).actor, reseller.clientId);
});

test('a state that does not allow the action is 409', async () => {
  const reseller = await buyer();
  const id = await place(reseller);
  for (const [name, body] of [
    ['hold', REASON],
    ['release', REASON],
    ['cancel', REASON],
    ['settle', {}],
  ] as const) {
    const response = await act(reseller, 'POST', `/orders/${id}/${name}`, body);
    deepEqual([response.status, response.body.error.code], [409, 'conflict'], name);
  }
  equal(await toStatus(reseller, id), 'complete');
});

test('settle completes an unpaid order, or cancels it if the payment is declined', async () => {
  const reseller = await buyer();
  const [paid, declined] = [
    await place(reseller, 'pending-payment'),
    await place(reseller, 'pending-payment'),
  ];
  equal((await act(reseller, 'POST', `/orders/${paid}/settle`, {})).body.data.status, 'complete');
  equal((await reseller.get(`/orders/${paid}/keys`)).status, 200);
  const body = { outcome: 'declined', reason: 'the card is blocked' };
  equal((await act(reseller, 'POST', `/orders/${declined}/settle`, body)).body.data.status, 'canceled');
  equal((await act(reseller, 'POST', `/orders/${declined}/settle`, body)).status, 409);
  await h.service.runOrderWorker();
  deepEqual([await toStatus(reseller, paid), await toStatus(reseller, declined)], ['complete', 'canceled']);
  equal((await act(reseller, 'POST', `/orders/${paid}/refund`, REASON)).body.data.status, 'closed');
  await h.service.runOrderWorker();
});

test('advance: an order that waits for its payment is canceled after half an hour, and not before', async () => {
  const reseller = await buyer();
  const id = await place(reseller, 'pending-payment');
  equal(
    (await act(reseller, 'POST', `/orders/${id}/advance`, { hours: 0.4 })).body.data.status,
    'pending_payment',
  );
  equal((await act(reseller, 'POST', `/orders/${id}/advance`, { hours: 0.2 })).body.data.status, 'canceled');
});

test('advance: the keys window ends, and the order keeps its place in the history and the daily sums', async () => {
  const reseller = await buyer();
  const [id, other] = [await place(reseller), await place(reseller)];
  const createdAt = Date.parse((await reseller.get(`/orders/${id}`)).body.data.createdAt);
  await act(reseller, 'POST', `/orders/${id}/advance`, { hours: 47.5 });
  equal((await reseller.get(`/orders/${id}/keys`)).status, 200);
  const later = await act(reseller, 'POST', `/orders/${id}/advance`, { hours: 1 });
  equal(createdAt - Date.parse(later.body.data.createdAt), 48.5 * 3_600_000);
  equal((await reseller.get(`/orders/${id}/keys`)).body.error.code, 'order-expired');
  equal((await reseller.get(`/orders/${other}/keys`)).status, 200);
  const { data } = (await reseller.get('/orders?sort=ASC')).body;
  deepEqual(
    data.map((order: { id: string }) => order.id),
    [id, other],
  );
  await h.service.foldSums();
});

test('advance: a retry of the order still gets its first response, byte for byte', async () => {
  const reseller = await buyer();
  const payload = auto(shop.productId);
  const key = randomUUID();
  const first = await reseller.order(payload, key);
  equal(first.status, 201);
  const { id } = first.body.data;
  for (const hours of [30, 0.000001, 1000]) {
    equal((await act(reseller, 'POST', `/orders/${id}/advance`, { hours })).status, 200);
    const again = await reseller.order(payload, key);
    deepEqual([again.status, JSON.stringify(again.body.data)], [200, JSON.stringify(first.body.data)]);
  }
});

test('a late payment is refunded, and its event lists what was refunded', async () => {
  const reseller = await buyer();
  const id = await place(reseller, 'pending-payment');
  await act(reseller, 'POST', `/orders/${id}/advance`, { hours: 1 });
  equal((await act(reseller, 'POST', `/orders/${id}/settle`, {})).body.data.status, 'canceled');
  await h.service.eventsWritten();
  const { data } = (await reseller.get('/events?types[]=order.refunded')).body;
  equal(data.length, 1);
  const [item] = data[0].data.order.transactions[0].items;
  deepEqual(data[0].data.refund, { amount: '10.00', items: [{ id: item.id, quantity: 1 }] });
});

test('advance: order.keys_expiring comes once for unread keys', async () => {
  const reseller = await buyer();
  const [unread, read] = [await place(reseller), await place(reseller)];
  await reseller.get(`/orders/${read}/keys`);
  for (const id of [unread, read])
    for (const hours of [41, 1.5, 1])
      equal((await act(reseller, 'POST', `/orders/${id}/advance`, { hours })).status, 200);
  await h.service.eventsWritten();
  const { data } = (await reseller.get('/events?types[]=order.keys_expiring')).body;
  deepEqual(
    data.map((event: { data: { order: { id: string } } }) => event.data.order.id),
    [unread],
  );
});

test('advance: an order older than its offer violates no invariant, whatever the earlier price', async () => {
  const reseller = await buyer();
  const { productId, offerId } = await h.seed.listing({ price: '5.00', stock: 2 });
  await h.operate('PATCH', `/offers/${offerId}`, { price: '6.00' });
  await h.seed.inStep();
  const id = await place(reseller, undefined, auto(productId));
  equal((await act(reseller, 'POST', `/orders/${id}/advance`, { hours: 0.000001 })).status, 200);
  await h.assertInvariants();
  equal((await act(reseller, 'POST', `/orders/${id}/advance`, { hours: 1000 })).status, 200);
  await h.assertInvariants();
});

test('advance: an order that would become too old is a conflict', async () => {
  const reseller = await buyer();
  const id = await place(reseller);
  for (let decade = 0; decade < 5; decade += 1)
    equal((await act(reseller, 'POST', `/orders/${id}/advance`, { hours: 87_600 })).status, 200);
  equal(
    (await act(reseller, 'POST', `/orders/${id}/advance`, { hours: 87_600 })).body.error.code,
    'conflict',
  );
  match((await reseller.get(`/orders/${id}`)).body.data.createdAt, /^197/);
});

test('PATCH account changes only the given fields, and the balance by a booking', async () => {
  const [reseller, other] = [await buyer(), await buyer()];
  const changed = await act(reseller, 'PATCH', '/account', {
    balance: '0.50',
    discountPercent: '5',
    limits: { dailyUnitsMax: 3 },
  });
  equal(changed.status, 200);
  const { data } = changed.body;
  deepEqual(
    [data.balance, data.discountPercent, data.limits.dailyUnitsMax, data.status],
    ['0.50', '5', 3, 'active'],
  );
  equal((await reseller.order(item)).body.error.code, 'insufficient-funds');
  const statement = await h.operate('GET', `/accounts/${reseller.accountId}/statement`);
  deepEqual([statement.at(-1).kind, statement.at(-1).amount], ['adjustment', '-99.50']);
  equal((await act(reseller, 'PATCH', '/account', { balance: '0' })).body.data.balance, '0.00');
  equal((await act(reseller, 'PATCH', '/account', { balance: '70.00' })).body.data.balance, '70.00');
  equal((await other.get('/account')).body.data.balance, '100.00');
});

test('PATCH account: the account can be suspended, have no payment method, or pay by the provider', async () => {
  const reseller = await buyer();
  equal((await act(reseller, 'PATCH', '/account', { status: 'suspended' })).body.data.status, 'suspended');
  equal((await reseller.order(item)).body.error.code, 'cart-validation-error');
  await act(reseller, 'PATCH', '/account', { status: 'active', paymentMethod: null });
  equal((await reseller.order(item)).body.error.code, 'payment-not-configured');
  await act(reseller, 'PATCH', '/account', { paymentMethod: 'gateway' });
  equal((await reseller.order(item)).body.data.status, 'complete');
  equal((await reseller.get('/account')).body.data.balance, '100.00');
});

test('PATCH offers changes price, status and stock, which every reseller’s change feed shows', async () => {
  const reseller = await buyer();
  const { productId, offerId } = await h.seed.listing({ price: '5.00', stock: 1 });
  const cursor = (await reseller.get('/product-offers/changes?limit=1000')).body.meta.nextCursor;
  const changed = await act(reseller, 'PATCH', `/offers/${offerId.toUpperCase()}`, {
    price: '4.50',
    addKeys: 3,
  });
  deepEqual([changed.status, changed.body.data.price, changed.body.data.quantity], [200, '4.50', 4]);
  await h.seed.inStep();
  const changes = (await (await buyer()).get(`/product-offers/changes?cursor=${cursor}`)).body.data;
  const product = changes.find((change: { id: string }) => change.id === productId);
  deepEqual([product.minPrice, product.totalQuantity], ['4.50', 4]);
  const order = await reseller.order(auto(productId, { quantity: 4 }));
  const keys = (await reseller.get(`/orders/${order.body.data.id}/keys`)).body.data[0].keys;
  match(keys[3].code, /^SANDBOX-[0-9A-F]{20}$/);
  equal(
    (await act(reseller, 'PATCH', `/offers/${offerId}`, { status: 'paused' })).body.data.status,
    'paused',
  );
});

test('the audit log has the actions of a reseller', async () => {
  const reseller = await buyer();
  const id = await place(reseller, 'pending-payment');
  await act(reseller, 'POST', `/orders/${id}/settle`, {});
  await act(reseller, 'POST', `/orders/${id}/advance`, { hours: 1 });
  const entries = await h.operate('GET', `/audit?orderId=${id}`);
  const actions = entries.map((entry: { action: string }) => entry.action);
  ok(actions.includes('order.settle') && actions.includes('order.advance'), actions.join());
});

test('a sandbox order id changes if a client reads it as a number', async () => {
  const reseller = await buyer();
  const first = await place(reseller);
  const second = await place(reseller);
  for (const id of [first, second]) {
    match(id, /^[0-9]{16}$/);
    equal((await reseller.get(`/orders/${id}`)).status, 200);
    const read = await reseller.get(`/orders/${Number(id)}`);
    deepEqual([read.status, read.body.error.code], [400, 'order-not-found']);
  }
});
