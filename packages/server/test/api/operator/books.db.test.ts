/** A88. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { auto, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);

type Row = {
  readonly kind: string;
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly debits: string;
  readonly credits: string;
  readonly balance: string;
};

const get = (query = '') => h.admin('GET', `/books${query}`);
const describe = ({ kind, debits, credits, balance }: Row) => `${kind} ${debits} ${credits} ${balance}`;

test('every ledger account has totals at any time, and together they add up to zero', async () => {
  const one = await h.seed.reseller({ balance: '50.00', account: { name: 'One' } });
  const other = await h.seed.reseller({
    account: { name: 'Other', paymentMethod: 'gateway', gatewayCustomer: 'sim_ok' },
  });
  const { productId } = await h.seed.listing({ price: '10.00' });
  const { lines: firstLine } = { lines: await h.operate('GET', `/accounts/${one.accountId}/statement`) };
  const orderId = (await one.order(auto(productId, { quantity: 2 }))).body.data.id;
  await other.order(auto(productId));
  const { items } = (await h.operate('GET', `/orders/${orderId}`)).transactions[0];
  await h.operate('POST', `/orders/${orderId}/refund`, {
    reason: 'one bad key',
    items: [{ id: items[0].id, quantity: 1 }],
  });
  const path = `/accounts/${one.accountId}`;
  await h.operate('POST', `${path}/adjustments`, {
    direction: 'debit',
    amount: '1.50',
    reference: 'a',
    reason: 'fee',
  });
  await h.operate('POST', `${path}/payouts`, { amount: '8.50', reference: 'a' });

  const { status, body } = await get();
  equal(status, 200);
  const { accounts, totals, currency } = body.data;
  deepEqual(accounts.map(describe), [
    'cash 50.00 8.50 -41.50',
    'sales 10.00 30.00 20.00',
    'gateway 10.00 0.00 -10.00',
    'adjustments 0.00 1.50 1.50',
    'prepaid 30.00 60.00 30.00',
    'prepaid 0.00 0.00 0.00',
  ]);
  deepEqual(
    accounts.map(({ accountId, accountName }: Row) => [accountId, accountName]),
    [...Array(4).fill([null, null]), [one.accountId, 'One'], [other.accountId, 'Other']],
  );
  deepEqual([currency, totals], ['EUR', { debits: '100.00', credits: '100.00', balance: '0.00' }]);
  equal((await h.operate('GET', path)).balance, '30.00');

  const early = await get(`?at=${firstLine[0].createdAt}`);
  equal(early.body.data.at, firstLine[0].createdAt);
  deepEqual(early.body.data.totals, { debits: '50.00', credits: '50.00', balance: '0.00' });
  const before = await get('?at=2000-01-01T00:00:00Z');
  ok(before.body.data.accounts.every(({ balance }: Row) => balance === '0.00'));
});
