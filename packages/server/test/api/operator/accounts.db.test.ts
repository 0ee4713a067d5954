/** R23, A24. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);
const admin = (method: string, path: string, body?: unknown) =>
  h.call(method, `/admin/v1${path}`, { token: h.operatorToken, ...(body === undefined ? {} : { body }) });

/** A24. */
const REFUSED_WITHIN_MS = 5_000;

test('an account is created with its defaults, read and listed', async () => {
  const created = await admin('POST', '/accounts', { name: 'New', paymentMethod: null });
  equal(created.status, 201);
  const { id, createdAt, ...rest } = created.body.data;
  match(createdAt, /Z$/);
  deepEqual(rest, {
    name: 'New',
    status: 'active',
    paymentMethod: null,
    gatewayCustomer: null,
    balance: '0.00',
    discountPercent: '0',
    holdOrders: false,
    sellerId: null,
    limits: { orderValueMax: null, dailySpendMax: null, dailyUnitsMax: null, reservedUnitsMax: 50 },
    usedToday: { spend: '0.00', units: 0 },
    balanceLowThreshold: null,
    returnWindowHours: 0,
    claimWindowHours: 720,
  });
  deepEqual((await admin('GET', `/accounts/${id}`)).body.data, created.body.data);
  const listed = await admin('GET', '/accounts?itemsPerPage=100&page=1');
  ok(listed.body.data.some((account: { id: string }) => account.id === id));
  equal(listed.body.meta.totalResults, listed.body.data.length);
});

test('an account shows the money and units counted towards its daily limits', async () => {
  const { productId } = await h.seed.listing({ price: '2.50', stock: 5 });
  const { accountId, order } = await h.seed.reseller({ balance: '20.00' });
  await order(auto(productId, { quantity: 3 }));
  const { usedToday } = await h.operate('GET', `/accounts/${accountId}`);
  deepEqual(usedToday, { spend: '7.50', units: 3 });
});

test('a patch changes only the given fields, and null clears a value', async () => {
  const { id } = await h.operate('POST', '/accounts', {
    name: 'Before',
    paymentMethod: 'balance',
    limits: { orderValueMax: '10', dailyUnitsMax: 5 },
  });
  const patch = { name: 'After', discountPercent: '2.5', limits: { orderValueMax: null } };
  const { data } = (await admin('PATCH', `/accounts/${id}`, patch)).body;
  deepEqual(
    [data.name, data.discountPercent, data.paymentMethod, data.limits],
    [
      'After',
      '2.50',
      'balance',
      { orderValueMax: null, dailySpendMax: null, dailyUnitsMax: 5, reservedUnitsMax: 50 },
    ],
  );
});

test('an unknown account is 404, wherever it is named', async () => {
  const path = `/accounts/${randomUUID()}`;
  const calls = [
    admin('GET', path),
    admin('PATCH', path, { name: 'x' }),
    admin('GET', `${path}/clients`),
    admin('POST', `${path}/clients`, {}),
    admin('GET', `${path}/statement`),
    admin('POST', `${path}/deposits`, { amount: '1.00', reference: 'r' }),
  ];
  for (const response of await Promise.all(calls)) {
    deepEqual([response.status, response.body.error.code], [404, 'not-found']);
  }
});

test('the rejection of an invalid body names its fields', async () => {
  const rows: [body: unknown, field: string][] = [
    [{ paymentMethod: null }, 'body.name'],
    [{ name: 'x', paymentMethod: 'card' }, 'body.paymentMethod'],
    [{ name: 'x', paymentMethod: null, discountPercent: '101' }, 'body.discountPercent'],
    [{ name: 'x', paymentMethod: null, limits: { dailyUnitsMax: 1.5 } }, 'body.limits.dailyUnitsMax'],
    [{ name: 'x', paymentMethod: null, role: 'operator' }, 'body.role'],
  ];
  for (const [body, field] of rows) {
    const response = await admin('POST', '/accounts', body);
    deepEqual([response.status, response.body.error?.errors?.[0]?.field], [400, field]);
  }
  const badId = await admin('GET', '/accounts/x');
  deepEqual([badId.status, badId.body.error.errors[0].field], [400, 'path.accountId']);
});

test('requests of a closed account are soon rejected, it gets no new token, and it stays closed', async () => {
  const reseller = await h.seed.reseller();
  equal((await reseller.get('/account')).status, 200);
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { status: 'closed' });
  const closedAtMs = performance.now();
  let response = await reseller.get('/account');
  while (response.status !== 401 && performance.now() - closedAtMs < REFUSED_WITHIN_MS) {
    response = await reseller.get('/account');
  }
  deepEqual([response.status, response.body.error?.code], [401, 'unauthorized']);
  const token = await h.call('POST', '/oauth/token', {
    body: {
      grant_type: 'client_credentials',
      client_id: reseller.clientId,
      client_secret: reseller.clientSecret,
    },
  });
  deepEqual([token.status, token.body.error], [401, 'invalid_client']);
  const reopened = await admin('PATCH', `/accounts/${reseller.accountId}`, { status: 'active' });
  deepEqual([reopened.status, reopened.body.error.code], [409, 'conflict']);
});

test('an account that holds money cannot be closed', async () => {
  const reseller = await h.seed.reseller({ balance: '0.01' });
  const response = await admin('PATCH', `/accounts/${reseller.accountId}`, { status: 'closed' });
  deepEqual([response.status, response.body.error.data], [409, { balance: '0.01' }]);
  equal((await reseller.get('/account')).status, 200);
});

test('a suspended account can read but not order until it is active again', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { status: 'suspended' });
  for (const path of ['/account', '/orders', '/product-offers', `/products/${productId}`]) {
    equal((await reseller.get(path)).status, 200, path);
  }
  equal((await reseller.order(auto(productId))).body.error.code, 'cart-validation-error');
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { status: 'active' });
  equal((await reseller.order(auto(productId))).status, 201);
});
