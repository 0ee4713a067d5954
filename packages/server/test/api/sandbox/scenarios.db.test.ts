import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { countRecords, readBooks } from '../../support/books.ts';
import { auto, type Reseller } from '../../support/harness.ts';
import { callOperation, REHEARSED } from '../../support/scenario.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const shop = await h.seed.listing({ price: '10.00', stock: 100 });
const item = auto(shop.productId);

const buyer = () => h.seed.reseller({ balance: '100.00' });

function place(by: Reseller, scenario: string, key: string = randomUUID()) {
  return by.order(item, key, { 'keyport-scenario': scenario });
}

test('lost-request cuts the connection, and nothing is carried out', async () => {
  const reseller = await buyer();
  const key = randomUUID();
  await rejects(place(reseller, 'lost-request', key));
  equal(await countRecords(h, reseller.accountId), 0);
  equal((await reseller.order(item, key)).status, 201);
});

test('lost-answer cuts the connection when the order is placed, and the same key then returns the order', async () => {
  const reseller = await buyer();
  const key = randomUUID();
  await rejects(place(reseller, 'lost-answer', key));
  const retried = await reseller.order(item, key);
  deepEqual([retried.status, retried.headers.get('idempotent-replayed')], [200, 'true']);
  equal((await reseller.get('/account')).body.data.balance, '90.00');
});

test('a lost response can be a rejection too', async () => {
  const reseller = await buyer();
  const key = randomUUID();
  await rejects(place(reseller, 'error:insufficient-funds, lost-answer', key));
  const retried = await reseller.order(item, key);
  deepEqual([retried.status, retried.body.error.code], [402, 'insufficient-funds']);
});

test('every operation can lose requests and responses', async () => {
  const reseller = await buyer();
  // The operations need their own offer, because a lost response still changes it.
  const { productId, offerId } = await h.seed.listing();
  const ids = { productId, offerId, orderId: '2174556001234567' };
  for (const operation of REHEARSED)
    for (const scenario of ['lost-request', 'lost-answer'])
      await rejects(callOperation(h, reseller, operation, { ids, scenario }), operation.name);
});

test('held: the order is paid and held, its keys are not complete, and the reseller releases it', async () => {
  const reseller = await buyer();
  const created = await place(reseller, 'held');
  deepEqual([created.status, created.body.data.status], [201, 'held']);
  equal((await reseller.get('/account')).body.data.balance, '90.00');
  const { id } = created.body.data;
  equal((await reseller.get(`/orders/${id}/keys`)).body.error.code, 'order-not-complete');
  const released = await h.call('POST', `/sandbox/v1/orders/${id}/release`, {
    token: reseller.token,
    body: { reason: 'a rehearsal' },
  });
  deepEqual([released.status, released.body.data.status], [200, 'complete']);
  equal((await reseller.get(`/orders/${id}/keys`)).status, 200);
});

test('pending-payment: the provider has not responded, and a retry gets the same response', async () => {
  const reseller = await buyer();
  const key = randomUUID();
  const created = await place(reseller, 'pending-payment', key);
  const { error } = created.body;
  deepEqual([created.status, error.code], [402, 'order-not-paid']);
  equal((await reseller.get(`/orders/${error.data.orderId}`)).body.data.status, 'pending_payment');
  deepEqual((await reseller.order(item, key)).body.error, error);
  await h.service.runOrderWorker();
  equal((await reseller.get(`/orders/${error.data.orderId}`)).body.data.status, 'pending_payment');
});

test('image-keys: the order is refunded in full, and its keys are gone', async () => {
  const reseller = await buyer();
  const before = await readBooks(h, { accountId: reseller.accountId, offerId: shop.offerId });
  const created = await place(reseller, 'image-keys');
  const [line] = created.body.data.transactions[0].items;
  deepEqual([created.status, created.body.data.status, line.quantity.refunded], [201, 'closed', 1]);
  const keys = await reseller.get(`/orders/${created.body.data.id}/keys`);
  deepEqual([keys.status, keys.body.error.code], [410, 'order-auto-refund-image-keys']);
  const after = await readBooks(h, { accountId: reseller.accountId, offerId: shop.offerId });
  deepEqual([after.balanceMinor, after.units], [before.balanceMinor, before.units]);
});

test('held and lost-answer combine: the order is held, and no one gets a response', async () => {
  const reseller = await buyer();
  const key = randomUUID();
  await rejects(place(reseller, 'held, lost-answer', key));
  const retried = await reseller.order(item, key);
  deepEqual([retried.status, retried.body.data.status], [200, 'held']);
});

test('several header lines combine like a list with commas', async () => {
  const reseller = await buyer();
  const headers: [string, string][] = [
    ['authorization', `Bearer ${reseller.token}`],
    ['content-type', 'application/json'],
    ['idempotency-key', randomUUID()],
    ['keyport-scenario', 'held'],
    ['keyport-scenario', 'delay:1'],
  ];
  const response = await fetch(`${h.url}/export/v1/orders`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ items: [item] }),
  });
  equal((await response.json()).data.status, 'held');
});

test('a key with a result is replayed, regardless of what the scenario does to new keys', async () => {
  const reseller = await buyer();
  const key = randomUUID();
  const first = await reseller.order(item, key);
  for (const scenario of [
    'held',
    'pending-payment',
    'image-keys',
    'unavailable',
    'rate-limited',
    'error:unauthorized',
    'error:insufficient-funds',
    'delay:1',
  ])
    deepEqual((await place(reseller, scenario, key)).body.data, first.body.data, scenario);
  await rejects(place(reseller, 'lost-request', key));
  await rejects(place(reseller, 'lost-answer', key));
});

test('a delayed response is otherwise unchanged', async () => {
  const reseller = await buyer();
  const startedAt = performance.now();
  const created = await place(reseller, 'delay:300');
  ok(performance.now() - startedAt >= 299);
  equal(created.status, 201);
  const forced = await place(reseller, 'error:unauthorized, delay:10');
  equal(forced.status, 401);
});

const BROKEN: readonly (readonly [scenario: string, says: RegExp])[] = [
  ['', /must list scenarios of this operation/],
  ['held,', /must list scenarios/],
  ['Held', /must list scenarios/],
  ['explode', /must list scenarios/],
  ['held, pending-payment', /held and pending-payment, which exclude each other/],
  ['held, image-keys', /exclude each other/],
  ['error:unauthorized, held', /exclude each other/],
  ['error:unauthorized, unavailable', /exclude each other/],
  ['unavailable, rate-limited', /exclude each other/],
  ['lost-request, lost-answer', /exclude each other/],
  ['lost-request, held', /exclude each other/],
  ['held, held', /names held twice/],
  ['delay:5, delay:6', /exclude each other/],
  ['delay', /delay: followed by a whole number of milliseconds, at most 60000/],
  ['delay:-1', /whole number/],
  ['delay:60001', /at most 60000/],
  ['delay:1e3', /whole number/],
  ['error', /a code that this operation returns/],
  ['error:', /a code that this operation returns/],
  ['error:order-expired', /a code that this operation returns/],
  ['error:toString', /a code that this operation returns/],
  ['constructor', /must list scenarios/],
];

test('an invalid or contradictory scenario causes 400 and has no effect', async () => {
  const reseller = await buyer();
  for (const [scenario, says] of BROKEN) {
    const response = await place(reseller, scenario);
    deepEqual([response.status, response.body.error.code], [400, 'validation-error'], scenario);
    equal(response.body.error.errors[0].field, 'headers.keyport-scenario');
    match(response.body.error.message, says);
  }
  equal(await countRecords(h, reseller.accountId), 0);
});

test('other operations reject scenarios of orders', async () => {
  const reseller = await buyer();
  const response = await h.call('GET', '/export/v1/account', {
    token: reseller.token,
    headers: { 'keyport-scenario': 'held' },
  });
  equal(response.status, 400);
});

test('operator operations reject scenarios', async () => {
  const headers = { 'keyport-scenario': 'delay:1' };
  const listed = await h.call('GET', '/admin/v1/accounts', { token: h.operatorToken, headers });
  equal(listed.body.error.errors[0].field, 'headers.keyport-scenario');
});

function requestToken(by: { clientId: string; clientSecret: string }, scenario: string) {
  return h.call('POST', '/oauth/token', {
    body: { grant_type: 'client_credentials', client_id: by.clientId, client_secret: by.clientSecret },
    headers: { 'keyport-scenario': scenario },
  });
}

for (const [scenario, status, error, retryAfter] of [
  ['error:invalid_request', 400, 'invalid_request', null],
  ['error:unsupported_grant_type', 400, 'unsupported_grant_type', null],
  ['error:invalid_client', 401, 'invalid_client', null],
  ['error:temporarily_unavailable', 503, 'temporarily_unavailable', '1'],
  ['unavailable', 503, 'temporarily_unavailable', '1'],
  ['delay:1, rate-limited', 429, 'temporarily_unavailable', '1'],
  ['delay:1', 200, undefined, null],
] as const) {
  test(`the token endpoint returns ${status} with the scenario ${scenario}`, async () => {
    const { status: got, body, headers } = await requestToken(await buyer(), scenario);
    deepEqual([got, body.error, headers.get('retry-after')], [status, error, retryAfter]);
    equal(headers.has('www-authenticate'), status === 401);
  });
}

test('a token request can be lost', async () => {
  const reseller = await buyer();
  for (const scenario of ['lost-request', 'lost-answer']) await rejects(requestToken(reseller, scenario));
  equal((await requestToken(reseller, 'delay:0')).status, 200);
});

test('the token endpoint rejects other scenarios with a description, and a wrong secret as usual', async () => {
  const reseller = await buyer();
  for (const [scenario, rule] of [
    ['held', /lost-request, lost-answer/],
    ['error:offer-not-available', /invalid_client/],
    ['unavailable, rate-limited', /exclude each other/],
  ] as const) {
    const { status, body } = await requestToken(reseller, scenario);
    deepEqual([status, body.error], [400, 'invalid_request']);
    match(body.error_description, rule);
  }
  const wrong = await requestToken({ ...reseller, clientSecret: 'wrong' }, 'lost-answer');
  deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client']);
});

test('a scenario needs a valid token', async () => {
  const response = await h.call('GET', '/export/v1/account', {
    headers: { 'keyport-scenario': 'unavailable' },
  });
  equal(response.status, 401);
});
