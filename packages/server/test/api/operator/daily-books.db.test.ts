/** The books by day and the sales of each seller, from sums and from bookings not folded yet. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { manual, startHarness } from '../../support/harness.ts';
import { foldSums } from '../../support/sums.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);

const today = () => new Date().toISOString().slice(0, 10);

const csv = async (path: string) => {
  const response = await fetch(`${h.url}/admin/v1${path}`, {
    headers: { authorization: `Bearer ${h.operatorToken}`, accept: 'text/csv' },
  });
  match(response.headers.get('content-type') ?? '', /^text\/csv/);
  return (await response.text()).split('\r\n');
};

/** The test has two days if midnight passes. */
function computeSum(days: readonly Record<string, string>[]): Record<string, string> {
  const { date: _, ...last } = days.at(-1) ?? {};
  const sum = (kind: string) => days.reduce((total, day) => total + Number(day[kind]), 0).toFixed(2);
  return Object.fromEntries(
    Object.entries(last).map(([kind, value]) => [kind, kind === 'prepaidBalance' ? value : sum(kind)]),
  );
}

test('200: bookings of a day by kind and by seller, folded or not, as JSON and CSV', async () => {
  const day = today();
  const buyer = await h.seed.reseller({ balance: '100.00' });
  const payer = await h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_ok' } });
  const { offerId, sellerId } = await h.seed.listing({ price: '10.00', stock: 10 });
  const first = (await buyer.order(manual(offerId, { quantity: 3 }))).body.data;
  await payer.order(manual(offerId, { quantity: 2 }));
  await h.operate('POST', `/orders/${first.id}/refund`, {
    reason: 'test',
    items: [{ id: first.transactions[0].items[0].id, quantity: 1 }],
  });
  const book = (kind: string, body: object) =>
    h.operate('POST', `/accounts/${buyer.accountId}/${kind}`, body);
  await book('adjustments', { direction: 'debit', amount: '5.00', reference: 'a-1', reason: 'test' });
  await book('payouts', { amount: '7.00', reference: 'p-1' });
  const expected = {
    deposits: '100.00',
    charges: '50.00',
    gatewayCharges: '20.00',
    refunds: '10.00',
    gatewayRefunds: '0.00',
    adjustments: '-5.00',
    payouts: '7.00',
    prepaidBalance: '68.00',
  };
  const seen = async () => {
    const books = await h.operate('GET', '/books/daily');
    equal(books.days.length, 30);
    equal(books.to, books.days.at(-1).date);
    deepEqual(computeSum(books.days.filter((row: { date: string }) => row.date >= day)), expected);
    equal(books.days[0].prepaidBalance, '0.00');
    const sales = await h.operate('GET', '/books/sellers');
    deepEqual(
      sales.sellers.map(({ sellerName: _, ...seller }: { sellerName: string }) => seller),
      [{ sellerId, orders: 2, turnover: '50.00', refunds: '10.00', net: '40.00' }],
    );
  };
  await seen();
  await foldSums(h);
  await seen();
  const { accounts } = await h.operate('GET', '/books');
  const prepaid = accounts.filter(({ kind }: { kind: string }) => kind === 'prepaid');
  equal(
    prepaid.reduce((sum: number, { balance }: { balance: string }) => sum + Number(balance), 0),
    68,
  );
  const past = await h.operate('GET', '/books/daily?from=2025-01-01&to=2025-01-02');
  deepEqual(
    past.days.map(({ date, prepaidBalance }: Record<string, string>) => [date, prepaidBalance]),
    [
      ['2025-01-01', '0.00'],
      ['2025-01-02', '0.00'],
    ],
  );
  deepEqual((await h.operate('GET', '/books/sellers?from=2025-01-01&to=2025-01-02')).sellers, []);

  deepEqual(await csv('/books/daily?from=2025-01-01&to=2025-01-02'), [
    'date,deposits,charges,gatewayCharges,refunds,gatewayRefunds,adjustments,payouts,prepaidBalance',
    '2025-01-01,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00',
    '2025-01-02,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.00',
    '',
  ]);
  await h.operate('PUT', `/sellers/${sellerId}`, { name: '=Keys, "Inc"' });
  deepEqual(await csv('/books/sellers'), [
    'sellerId,sellerName,orders,turnover,refunds,net',
    `${sellerId},"=Keys, ""Inc""",2,50.00,10.00,40.00`,
    '',
  ]);
});

test('400: too many days', async () => {
  for (const path of ['/books/daily', '/books/sellers']) {
    const { status, body } = await h.admin('GET', `${path}?from=2024-01-01&to=2025-02-04`);
    deepEqual([status, body.error.errors[0].field], [400, 'query.from'], path);
  }
});
