/** R23, A24. */
import { deepEqual, equal, match, partialDeepStrictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const { admin } = h;

/** A24. */
const REFUSED_WITHIN_MS = 5_000;

test('a new account has its defaults, and is read and listed', async () => {
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
  deepEqual((await h.operate('GET', '/accounts?sort=-createdAt&limit=1'))[0], created.body.data);
});

test('an account shows the money and units counted towards its daily limits', async () => {
  const { productId } = await h.seed.listing({ price: '2.50', stock: 5 });
  const { accountId, order } = await h.seed.reseller({ balance: '20.00' });
  await order(auto(productId, { quantity: 3 }));
  const { usedToday } = await h.operate('GET', `/accounts/${accountId}`);
  deepEqual(usedToday, { spend: '7.50', units: 3 });
});

const SETTLED = {
  name: 'Shop Ltd',
  paymentMethod: 'gateway',
  gatewayCustomer: 'sim_ok',
  discountPercent: '2.50',
  holdOrders: true,
  sellerId: randomUUID(),
  limits: { orderValueMax: '100', dailySpendMax: '250.5', dailyUnitsMax: 40 },
};

test('an account is shown and listed as created, with two decimals', async () => {
  const created = await h.operate('POST', '/accounts', SETTLED);
  const { limits, ...rest } = SETTLED;
  partialDeepStrictEqual(created, rest);
  deepEqual(created.limits, {
    orderValueMax: '100.00',
    dailySpendMax: '250.50',
    dailyUnitsMax: 40,
    reservedUnitsMax: 50,
  });
  deepEqual(await h.operate('GET', `/accounts/${created.id.toUpperCase()}`), created);
  deepEqual((await h.operate('GET', '/accounts?sort=-createdAt&limit=1'))[0], created);
});

test('an update changes only the given fields, null removes a value, and limits are merged', async () => {
  const created = await h.operate('POST', '/accounts', SETTLED);
  const path = `/accounts/${created.id}`;
  const limits = { orderValueMax: null, dailyUnitsMax: 0 };
  const changed = { discountPercent: '5.00', gatewayCustomer: null, status: 'suspended', limits };
  const { status, body } = await admin('PATCH', path, { ...changed, balanceLowThreshold: '20' });
  equal(status, 200);
  deepEqual(body.data, {
    ...created,
    discountPercent: '5',
    gatewayCustomer: null,
    status: 'suspended',
    limits: { orderValueMax: null, dailySpendMax: '250.50', dailyUnitsMax: 0, reservedUnitsMax: 50 },
    balanceLowThreshold: '20.00',
    returnWindowHours: 0,
    claimWindowHours: 720,
  });
  deepEqual(await h.operate('GET', path), body.data);
});

test('the audit log has the old and the new values of a change, and no entry without a change', async () => {
  const { id } = await h.operate('POST', '/accounts', { name: 'Shop', paymentMethod: null });
  await h.operate('PATCH', `/accounts/${id}`, { name: 'Shop', limits: { dailySpendMax: '10' } });
  await h.operate('PATCH', `/accounts/${id}`, { limits: { dailySpendMax: '10.00' } });
  const entries = await h.operate('GET', `/audit?accountId=${id}&limit=10`);
  deepEqual(
    entries.map(({ action, data }: { action: string; data: object }) => ({ action, data })),
    [
      { action: 'account.update', data: {} },
      { action: 'account.update', data: { 'limits.dailySpendMax': { from: null, to: '10.00' } } },
      { action: 'account.create', data: { name: { from: '', to: 'Shop' } } },
    ],
  );
});

test('a closed account stays closed: its requests are soon rejected, and it gets no new token', async () => {
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
  const path = `/accounts/${reseller.accountId}`;
  for (const change of [{ status: 'active' }, { name: 'Other' }]) {
    const response = await admin('PATCH', path, change);
    deepEqual([response.status, response.body.error.code], [409, 'conflict']);
  }
  equal((await admin('PATCH', path, { status: 'closed' })).status, 200, 'closing again is not an error');
  equal((await h.operate('GET', path)).name, 'Shop');
});

test('an account that holds money or has an open order cannot be closed', async () => {
  const reseller = await h.seed.reseller({ balance: '0.01' });
  const response = await admin('PATCH', `/accounts/${reseller.accountId}`, { status: 'closed' });
  deepEqual([response.status, response.body.error.data], [409, { balance: '0.01' }]);
  equal((await reseller.get('/account')).status, 200);
  const busy = await h.seed.reseller({ balance: '10.00', account: { holdOrders: true } });
  const { productId } = await h.seed.listing({ price: '10.00' });
  equal((await busy.order(auto(productId))).body.data.status, 'held');
  const rejected = await admin('PATCH', `/accounts/${busy.accountId}`, { status: 'closed' });
  deepEqual([rejected.status, rejected.body.error.code], [409, 'conflict']);
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
