/** A304. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { allEvents } from '../../support/events.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

test('changing balance and threshold together creates an event if the balance falls below the threshold', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const change = async (body: object) => {
    const { status, body: answer } = await h.call('PATCH', '/sandbox/v1/account', {
      token: reseller.token,
      body,
    });
    equal(status, 200, JSON.stringify(answer));
    return answer.data.balance;
  };
  equal(await change({ balance: '10.00', balanceLowThreshold: '20.00' }), '10.00');
  equal(await change({ balanceLowThreshold: '5.00' }), '10.00');
  equal(await change({ balanceLowThreshold: '50.00' }), '10.00');
  const events = await allEvents(h, reseller);
  deepEqual(
    events.map(({ type, data }) => [type, data]),
    [['account.balance_low', { balance: '10.00', threshold: '20.00' }]],
  );
});
