/** A7, A24. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { auto } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();

const NO_RATES = { readsPerSecondMax: null, ordersPerSecondMax: null };

test('a new account shows its defaults and no fields for operators', async () => {
  const reseller = await h.seed.reseller({
    account: { name: 'Plain', paymentMethod: null, holdOrders: true },
  });
  deepEqual((await reseller.get('/account')).body.data, {
    id: reseller.accountId,
    name: 'Plain',
    status: 'active',
    currency: 'EUR',
    balance: '0.00',
    paymentMethod: null,
    discountPercent: '0',
    limits: {
      orderValueMax: null,
      dailySpendMax: null,
      dailyUnitsMax: null,
      reservedUnitsMax: 50,
      ...NO_RATES,
    },
    usedToday: { spend: '0.00', units: 0 },
    balanceLowThreshold: null,
    returnWindowHours: 0,
    claimWindowHours: 720,
  });
});

test('discount and limits are shown as set, amounts and percent as strings', async () => {
  const limits = { orderValueMax: '50', dailySpendMax: '100.5', dailyUnitsMax: 7 };
  const reseller = await h.seed.reseller({
    balance: '12.3',
    account: {
      discountPercent: '2.5',
      limits,
      balanceLowThreshold: '20',
      paymentMethod: 'gateway',
      gatewayCustomer: 'sim_ok',
    },
  });
  const { data } = (await reseller.get('/account')).body;
  deepEqual([data.balance, data.discountPercent, data.paymentMethod], ['12.30', '2.50', 'gateway']);
  equal(data.balanceLowThreshold, '20.00');
  const expected = {
    orderValueMax: '50.00',
    dailySpendMax: '100.50',
    dailyUnitsMax: 7,
    reservedUnitsMax: 50,
    ...NO_RATES,
  };
  deepEqual(data.limits, expected);
});

test('each reseller sees only its own account, even while it is suspended', async () => {
  const [one, other] = [await h.seed.reseller({ balance: '1.00' }), await h.seed.reseller()];
  await h.operate('PATCH', `/accounts/${one.accountId}`, { status: 'suspended', name: 'One' });
  const responses = [await one.get('/account'), await other.get(`/account?accountId=${one.accountId}`)];
  deepEqual(
    responses.map(({ status, body }) => [status, body.data.id, body.data.balance]),
    [
      [200, one.accountId, '1.00'],
      [200, other.accountId, '0.00'],
    ],
  );
  equal(responses[0]?.body.data.name, 'One');
});

test('the spend has the days with a payment or refund, of this account only', async () => {
  const [reseller, other] = [await h.seed.reseller({ balance: '50.00' }), await h.seed.reseller()];
  const { productId } = await h.seed.listing({ price: '10.00' });
  const { id } = (await reseller.order(auto(productId, { quantity: 2 }))).body.data;
  await reseller.order(auto(productId));
  await h.operate('POST', `/orders/${id}/refund`, { reason: 'returned' });
  const { data } = (await reseller.get('/account/spend')).body;
  const sum = (name: string) => data.reduce((total: number, day: never) => total + Number(day[name]), 0);
  deepEqual(['orders', 'units', 'charged', 'refunded'].map(sum), [2, 3, 30, 20]);
  deepEqual((await other.get('/account/spend')).body.data, []);
  deepEqual((await reseller.get('/account')).body.data.usedToday, { spend: '30.00', units: 3 });
});
