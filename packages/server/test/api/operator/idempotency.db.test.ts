/** A202, A205. */
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { type ApiResponse, manual, startHarness } from '../../support/harness.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { sharedHarness, wholeFile } from '../../support/vitest.ts';

const h = await sharedHarness();

type Send = { readonly key?: string; readonly body?: unknown; readonly token?: string };

const send = (method: string, path: string, { key, body, token = h.operatorToken }: Send = {}) =>
  h.call(method, `/admin/v1${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

async function toOrder(quantity: number) {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId, productId } = await h.seed.listing({ price: '10.00', stock: 5 });
  const { id } = (await reseller.order(manual(offerId, { quantity }))).body.data;
  const balance = async () => (await reseller.get('/account')).body.data.balance;
  return { reseller, offerId, productId, id, item: `${id}01`, balance };
}

function assertReplay(replay: ApiResponse, first: ApiResponse, status: number = first.status): void {
  equal(replay.status, status, JSON.stringify(replay.body));
  equal(replay.headers.get('idempotent-replayed'), 'true');
  equal(first.headers.get('idempotent-replayed'), null);
  const { traceId: firstTrace, ...stored } = first.body ?? {};
  const { traceId, ...shown } = replay.body ?? {};
  deepEqual(shown, stored);
  if (first.body !== undefined) notEqual(traceId, firstTrace);
}

test('a retried partial refund pays once', async () => {
  const { id, item, balance } = await toOrder(2);
  const key = randomUUID();
  const refund = () =>
    send('POST', `/orders/${id}/refund`, {
      key,
      body: { reason: 'bad key', items: [{ id: item, quantity: 1 }] },
    });
  const first = await refund();
  equal(first.status, 200);
  assertReplay(await refund(), first);
  assertReplay(await refund(), first);
  equal(await balance(), '90.00');
  const audit = await h.operate('GET', `/audit?orderId=${id}&action=order.refund`);
  equal(audit.length, 1);
});

test('a retried withdrawal by quantity withdraws the keys once, even among many changes', async () => {
  const { offerId } = await h.seed.listing({ stock: 5 });
  const withdrawal = { reason: 'Recalled', quantity: 2 };
  const rows = [
    [`/offers/${offerId}/keys/withdraw`, withdrawal],
    ['/offers/changes', { changes: [{ offerId, withdrawKeys: withdrawal }] }],
  ] as const;
  for (const [index, [path, body]] of rows.entries()) {
    const key = randomUUID();
    const first = await send('POST', path, { key, body });
    equal(first.status, 200, JSON.stringify(first.body));
    assertReplay(await send('POST', path, { key, body }), first);
    equal((await h.operate('GET', `/offers/${offerId}`)).quantity, 3 - 2 * index);
  }
});

test('a write that moves money or stock and has no reference is rejected without a key', async () => {
  const { id, offerId, balance } = await toOrder(2);
  const withdrawKeys = { reason: 'Recalled', quantity: 1 };
  const rows = [
    [`/orders/${id}/refund`, { reason: 'x' }],
    [`/offers/${offerId}/keys/withdraw`, withdrawKeys],
    ['/offers/changes', { changes: [{ offerId, withdrawKeys }] }],
  ] as const;
  for (const [path, body] of rows) {
    const { status, body: response } = await send('POST', path, { body });
    deepEqual([status, response.error.code], [400, 'validation-error'], path);
    equal(response.error.errors[0].field, 'headers.idempotency-key');
    match(response.error.message, /required.*a new UUID.*the same one when you retry/);
  }
  equal(await balance(), '80.00');
  equal((await h.operate('GET', `/offers/${offerId}`)).quantity, 3);
});

test('withdrawals of named codes and changes without a withdrawal need no key', async () => {
  const { offerId, codes } = await h.seed.listing({ stock: 2 });
  const named = { reason: 'Leaked', codes: [codes[0]] };
  equal((await send('POST', `/offers/${offerId}/keys/withdraw`, { body: named })).status, 200);
  const changes = [{ offerId, price: '3.00', withdrawKeys: { reason: 'Leaked', codes: [codes[1]] } }];
  equal((await send('POST', '/offers/changes', { body: { changes } })).status, 200);
});

/** Writes that need no key. The test sends each twice with the same key. */
const WRITES: Record<string, () => Promise<[method: string, path: string, body?: unknown]>> = {
  createAccount: async () => ['POST', '/accounts', { name: 'Once', paymentMethod: null }],
  updateAccount: async () => ['PATCH', `/accounts/${await accountId()}`, { name: 'Changed' }],
  createClient: async () => ['POST', `/accounts/${await accountId()}/clients`, { name: 'Once' }],
  updateClient: async () => ['PATCH', `/clients/${await clientId()}`, { allowedAddresses: ['127.0.0.1'] }],
  createClientSecret: async () => ['POST', `/clients/${await clientId()}/secrets`],
  enableClient: async () => ['POST', `/clients/${await clientId()}/enable`],
  disableClient: async () => ['DELETE', `/clients/${await clientId()}`],
  createDeposit: async () => [
    'POST',
    `/accounts/${await accountId()}/deposits`,
    { amount: '5', reference: 'r' },
  ],
  createAdjustment: async () => [
    'POST',
    `/accounts/${await accountId()}/adjustments`,
    { direction: 'credit', amount: '5', reference: 'r', reason: 'x' },
  ],
  createPayout: async () => {
    const id = await accountId();
    await h.seed.deposit(id, '9.00');
    return ['POST', `/accounts/${id}/payouts`, { amount: '5', reference: 'r' }];
  },
  putSeller: async () => ['PUT', `/sellers/${randomUUID()}`, { name: 'Once' }],
  putProduct: async () => ['PUT', '/products/77000000000017', { name: 'Once', checkoutClass: 'standard' }],
  putOffer: async () => {
    const { productId, sellerId } = await h.seed.listing();
    return ['PUT', `/offers/${randomUUID()}`, { productId, sellerId, price: '1.00', status: 'active' }];
  },
  updateOffer: async () => ['PATCH', `/offers/${(await h.seed.listing()).offerId}`, { price: '2.00' }],
  changeOffers: async () => [
    'POST',
    '/offers/changes',
    { changes: [{ offerId: (await h.seed.listing()).offerId, price: '2.00' }] },
  ],
  addKeys: async () => [
    'POST',
    `/offers/${(await h.seed.listing()).offerId}/keys`,
    { keys: [{ code: randomUUID() }] },
  ],
  restartFeeds: async () => ['POST', '/catalogue/restart-feeds', { reason: 'x' }],
  holdOrder: async () => ['POST', `/orders/${await waitingOrder()}/hold`, { reason: 'x' }],
  cancelOrder: async () => ['POST', `/orders/${await waitingOrder()}/cancel`, { reason: 'x' }],
  releaseOrder: async () => {
    const id = await waitingOrder();
    await h.operate('POST', `/orders/${id}/hold`, { reason: 'x' });
    return ['POST', `/orders/${id}/release`, { reason: 'x' }];
  },
};

const accountId = async (): Promise<string> => (await h.seed.reseller()).accountId;
const clientId = async (): Promise<string> => (await h.seed.reseller()).clientId;
async function waitingOrder(): Promise<string> {
  const account = { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' };
  const reseller = await h.seed.reseller({ account });
  const { offerId } = await h.seed.listing();
  return (await reseller.order(manual(offerId))).body.error.data.orderId;
}

for (const [name, prepare] of Object.entries(WRITES)) {
  test(`${name}: a retry with the same key gets the stored response, and the write is audited once`, async () => {
    const [method, path, body] = await prepare();
    const key = randomUUID();
    const before = await countAudits();
    const first = await send(method, path, { key, body });
    ok(first.status < 300, JSON.stringify(first.body));
    const replay = await send(method, path, { key, body });
    assertReplay(replay, first, first.status === 201 ? 200 : first.status);
    equal(await countAudits(), before + 1);
  });
}

async function countAudits(): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int FROM audit_entry`.execute(h.database.db);
  return rows[0]?.count ?? 0;
}

test('a different payload or path parameter with a used key returns 422 and changes nothing', async () => {
  const [one, other] = [await toOrder(2), await toOrder(2)];
  const key = randomUUID();
  const refund = (id: string, body: object) => send('POST', `/orders/${id}/refund`, { key, body });
  const items = [{ id: one.item, quantity: 1 }];
  equal((await refund(one.id, { reason: 'x', items })).status, 200);
  for (const [id, body] of [
    [one.id, { reason: 'y', items }],
    [one.id, { reason: 'x', items: [{ id: one.item, quantity: 2 }] }],
    [one.id, { reason: 'x' }],
    [other.id, { reason: 'x', items }],
  ] as const) {
    const response = await refund(id, body);
    deepEqual([response.status, response.body.error.code], [422, 'idempotency-key-already-used']);
  }
  deepEqual([await one.balance(), await other.balance()], ['90.00', '80.00']);
});

test('different spellings of a payload or a key are equal', async () => {
  const id = await accountId();
  const key = randomUUID();
  const path = `/accounts/${id}/deposits`;
  const first = await send('POST', path, { key, body: { amount: '5.00', reference: 'r' } });
  equal(first.status, 201);
  assertReplay(await send('POST', path, { key, body: { reference: 'r', amount: '5' } }), first, 200);
  const upper = { key: `"${key.toUpperCase()}"`, body: ' { "amount" : "5.0", "reference":"r"}' };
  assertReplay(await send('POST', `/accounts/${id.toUpperCase()}/deposits`, upper), first, 200);
});

test('a key belongs to one operator and one operation', async () => {
  const { id, item, balance } = await toOrder(3);
  const key = randomUUID();
  const body = { reason: 'x', items: [{ id: item, quantity: 1 }] };
  equal((await send('POST', `/orders/${id}/refund`, { key, body })).status, 200);
  const other = await operatorClient(h);
  const again = await send('POST', `/orders/${id}/refund`, { key, body, token: other });
  deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, null]);
  equal(await balance(), '90.00');
  const hold = await send('POST', `/orders/${id}/hold`, { key, body: { reason: 'x' } });
  equal(hold.status, 409, 'the record of the refund does not apply');
  equal(hold.body.error.code, 'conflict');
});

test('a stored rejection is replayed even if the write has become possible', async () => {
  const id = await accountId();
  const payout = { key: randomUUID(), body: { amount: '5.00', reference: 'r' } };
  const first = await send('POST', `/accounts/${id}/payouts`, payout);
  deepEqual([first.status, first.body.error.code], [409, 'conflict']);
  await h.seed.deposit(id, '9.00');
  assertReplay(await send('POST', `/accounts/${id}/payouts`, payout), first);

  const seller = randomUUID();
  const { productId } = await h.seed.listing();
  const offer = randomUUID();
  const price = { key: randomUUID(), body: { price: '5.00' } };
  const unknown = await send('PATCH', `/offers/${offer}`, price);
  equal(unknown.status, 404);
  await h.operate('PUT', `/sellers/${seller}`, { name: 'x' });
  await h.operate('PUT', `/offers/${offer}`, {
    productId,
    sellerId: seller,
    price: '1.00',
    status: 'active',
  });
  assertReplay(await send('PATCH', `/offers/${offer}`, price), unknown);
  equal((await h.operate('GET', `/offers/${offer}`)).price, '1.00');
});

test('a validation error is not stored, so the key is free for the corrected request', async () => {
  const { id, item, balance } = await toOrder(1);
  const key = randomUUID();
  const refund = (body: object) => send('POST', `/orders/${id}/refund`, { key, body });
  equal((await refund({})).status, 400);
  equal((await refund({ reason: 'x', returnToStock: true, withdrawKeys: true })).status, 400);
  equal((await refund({ reason: 'x', items: [{ id: `${id}99`, quantity: 1 }] })).status, 400);
  equal((await refund({ reason: 'x', items: [{ id: item, quantity: 1 }] })).status, 200);
  equal(await balance(), '100.00');
});

test('only one of several concurrent requests with one key is carried out, and the others must retry', async () => {
  const { id, item, balance } = await toOrder(5);
  const key = randomUUID();
  const body = { reason: 'x', items: [{ id: item, quantity: 1 }] };
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => send('POST', `/orders/${id}/refund`, { key, body })),
  );
  equal(await balance(), '60.00');
  for (const { status, headers, body: response } of responses) {
    if (status === 200) continue;
    deepEqual([status, response.error.code], [409, 'idempotency-key-processing']);
    ok(Number(headers.get('retry-after')) >= 1);
  }
  const done = responses.filter(
    ({ status, headers }) => status === 200 && !headers.has('idempotent-replayed'),
  );
  equal(done.length, 1);
});

test('a request gets 409 immediately while another transaction holds its key', async () => {
  if (h.database.kind === 'embedded') return;
  const { id, item, balance } = await toOrder(2);
  const key = randomUUID();
  const body = { reason: 'x', items: [{ id: item, quantity: 1 }] };
  const other = await h.database.connect();
  await other.query('BEGIN');
  await other.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `test-operator/refundOrder/${key}`,
  ]);
  const response = await send('POST', `/orders/${id}/refund`, { key, body });
  await other.query('ROLLBACK');
  other.release();
  deepEqual([response.status, response.body.error.code], [409, 'idempotency-key-processing']);
  ok(Number(response.headers.get('retry-after')) >= 1);
  equal((await send('POST', `/orders/${id}/refund`, { key, body })).status, 200);
  equal(await balance(), '90.00');
});

test('a retry must wait for the end of the cool-down, and a different payload is rejected', async () => {
  const slow = await startHarness(wholeFile, { KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '600000' });
  const { accountId: id } = await slow.seed.reseller();
  const headers = { 'idempotency-key': randomUUID() };
  const deposit = (amount: string) =>
    slow.call('POST', `/admin/v1/accounts/${id}/deposits`, {
      token: slow.operatorToken,
      body: { amount, reference: 'r' },
      headers,
    });
  equal((await deposit('5.00')).status, 201);
  const retry = await deposit('5.00');
  deepEqual([retry.status, retry.body.error.code], [409, 'idempotency-key-processing']);
  const seconds = Number(retry.headers.get('retry-after'));
  ok(seconds > 500 && seconds <= 600, String(seconds));
  equal((await deposit('6.00')).status, 422);
});

test('no record contains a client secret or a product key in plain text', async () => {
  const id = await accountId();
  const key = randomUUID();
  const path = `/accounts/${id}/clients`;
  const { clientSecret } = (await send('POST', path, { key, body: {} })).body.data;
  const { offerId } = await h.seed.listing();
  const code = `CLEAR-${randomUUID()}`;
  await send('POST', `/offers/${offerId}/keys`, { key, body: { keys: [{ code }] } });
  const { rows } = await sql<{ text: string }>`
    SELECT write_record::text || ' ' || convert_from(answer, 'SQL_ASCII') AS text
    FROM (SELECT client_id, operation, idempotency_key, fingerprint, status, finished_at,
      regexp_replace(encode(answer, 'escape'), '\\\\', '', 'g')::bytea AS answer FROM write_record
      WHERE idempotency_key = ${key}::uuid) AS write_record`.execute(h.database.db);
  equal(rows.length, 2);
  for (const { text } of rows) {
    ok(!text.includes(clientSecret) && !text.includes(code), text);
  }
  const replay = await send('POST', path, { key, body: {} });
  equal(replay.body.data.clientSecret, clientSecret, 'a retry after a lost response gets the secret');
});

test('a stored response that was changed or moved to another record is not returned', async () => {
  const id = await accountId();
  const [one, other] = [randomUUID(), randomUUID()];
  const path = `/accounts/${id}/clients`;
  for (const key of [one, other]) await send('POST', path, { key, body: {} });
  await sql`UPDATE write_record SET answer = moved.answer FROM write_record AS moved
    WHERE write_record.idempotency_key = ${one}::uuid AND moved.idempotency_key = ${other}::uuid`.execute(
    h.database.db,
  );
  equal((await send('POST', path, { key: one, body: {} })).status, 500);
});

test('a record is forgotten after 30 days, not before', async () => {
  const key = randomUUID();
  const create = () => send('POST', '/accounts', { key, body: { name: 'x', paymentMethod: null } });
  const first = await create();
  const ageBy = async (days: number) => {
    await sql`UPDATE write_record SET finished_at = finished_at - ${days}::integer * interval '1 day'
      WHERE idempotency_key = ${key}::uuid`.execute(h.database.db);
    await h.service.runOrderWorker();
    await h.service.runOrderWorker();
  };
  await ageBy(29);
  assertReplay(await create(), first, 200);
  await ageBy(1);
  const created = await create();
  equal(created.status, 201);
  notEqual(created.body.data.id, first.body.data.id);
});
