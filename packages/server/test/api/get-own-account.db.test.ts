/** A7, A24. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
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
