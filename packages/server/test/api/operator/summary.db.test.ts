import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { auto, manual, startHarness } from '../../support/harness.ts';
import { importOrders } from '../../support/imported-orders.ts';
import { advanceDays } from '../../support/past.ts';
import { foldSums } from '../../support/sums.ts';
import { wholeFile } from '../../support/vitest.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const h = await startHarness(wholeFile);

const get = (query: string) => h.admin('GET', `/summary${query}`);

async function totals(query: string) {
  const { status, body } = await get(query);
  equal(status, 200, JSON.stringify(body));
  return body.data.totals;
}

const place = async (reseller: Awaited<ReturnType<typeof h.seed.reseller>>, offerId: string, quantity = 1) =>
  (await reseller.order(manual(offerId, { quantity }))).body.data.id;

test('orders, units, turnover, refunds, rejections and stock-outs count in their hour, whether it is folded or not', async () => {
  const buyer = await h.seed.reseller({ balance: '1000.00' });
  const held = await h.seed.reseller({ balance: '1000.00', account: { holdOrders: true } });
  const { offerId, productId } = await h.seed.listing({ price: '10.00', stock: 6 });
  const before = await totals('');
  await place(buyer, offerId, 2);
  const refunded = await place(buyer, offerId);
  await h.operate('POST', `/orders/${refunded}/refund`, { reason: 'test' });
  await place(held, offerId, 3);
  const { code } = (await buyer.order(auto(productId))).body.error;
  const seen = async () => {
    const after = await totals('');
    const grownBy = (read: (sums: typeof after) => string | number) =>
      Number(read(after)) - Number(read(before));
    const findRejections = ({ rejectionsByCode }: typeof after) =>
      rejectionsByCode.find((row: { code: string }) => row.code === code)?.count ?? 0;
    deepEqual(
      {
        orders: grownBy(({ orders }) => orders),
        complete: grownBy(({ ordersByStatus }) => ordersByStatus.complete),
        closed: grownBy(({ ordersByStatus }) => ordersByStatus.closed),
        held: grownBy(({ ordersByStatus }) => ordersByStatus.held),
        heldAmount: grownBy(({ heldAmount }) => heldAmount),
        units: grownBy(({ units }) => units),
        unitsRefunded: grownBy(({ unitsRefunded }) => unitsRefunded),
        turnover: grownBy(({ turnover }) => turnover),
        refunds: grownBy(({ refunds }) => refunds),
        rejections: grownBy(({ rejections }) => rejections),
        rejectionsOfCode: grownBy(findRejections),
        stockOuts: grownBy(({ stockOuts }) => stockOuts),
      },
      {
        orders: 3,
        complete: 1,
        closed: 1,
        held: 1,
        heldAmount: 30,
        units: 6,
        unitsRefunded: 1,
        turnover: 60,
        refunds: 10,
        rejections: 1,
        rejectionsOfCode: 1,
        stockOuts: 1,
      },
    );
  };
  await seen();
  await foldSums(h);
  await seen();
});

test('a changed order shows its new status in the hour in which it was placed', async () => {
  const buyer = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ price: '20.00', stock: 2 });
  const orderId = await place(buyer, offerId, 2);
  await advanceDays(h, buyer.accountId, 100);
  await foldSums(h);
  const { createdAt } = await h.operate('GET', `/orders/${orderId}`);
  const at = encodeURIComponent(createdAt);
  const hour = `?from=${at}&to=${at}`;
  const first = await totals(hour);
  deepEqual([first.ordersByStatus.complete, first.units, first.unitsRefunded], [1, 2, 0]);
  const { transactions } = await h.operate('GET', `/orders/${orderId}`);
  const refund = (items?: unknown) =>
    h.operate('POST', `/orders/${orderId}/refund`, {
      reason: 'test',
      ...(items === undefined ? {} : { items }),
    });
  await refund([{ id: transactions[0].items[0].id, quantity: 1 }]);
  const second = await totals(hour);
  deepEqual([second.ordersByStatus.complete, second.units, second.unitsRefunded], [1, 2, 1]);
  await refund();
  await foldSums(h);
  const third = await totals(hour);
  deepEqual(
    [third.orders, third.ordersByStatus.complete, third.ordersByStatus.closed, third.unitsRefunded],
    [1, 0, 1, 2],
  );
  // The refund counts in the current hour.
  equal(third.refunds, '0.00');
});

test('buckets are whole UTC hours or days without gaps, including those that contain `from` and `to`', async () => {
  const buyer = await h.seed.reseller();
  await importOrders(h, buyer.accountId, [
    { createdAt: '2025-03-01T23:59:59.999999Z' },
    { createdAt: '2025-03-02T00:00:00Z', status: 'held' },
    { createdAt: '2025-03-02T23:59:59.999999Z', status: 'held', currency: 'USD' },
    { createdAt: '2025-03-03T00:00:00Z' },
  ]);
  const of = async (query: string) => {
    const { bucket, from, to, buckets } = (await get(query)).body.data;
    return { bucket, from, to, counts: buckets.map(({ orders }: { orders: number }) => orders) };
  };
  deepEqual(await of('?bucket=day&from=2025-03-01T12:00:00Z&to=2025-03-02T00:00:00Z'), {
    bucket: 'day',
    from: '2025-03-01T00:00:00.000000Z',
    to: '2025-03-02T23:59:59.999999Z',
    counts: [1, 2],
  });
  await foldSums(h);
  deepEqual(await of('?from=2025-03-01T22:30:00Z&to=2025-03-02T01:00:00%2B01:00'), {
    bucket: 'hour',
    from: '2025-03-01T22:00:00.000000Z',
    to: '2025-03-02T00:59:59.999999Z',
    counts: [0, 1, 1],
  });
  const day = '?bucket=day&from=2025-03-02T00:00:00Z&to=2025-03-02T00:00:00Z';
  equal((await totals(day)).heldAmount, '10.00');
});

test('a summary without a range covers the last 24 hours or 30 days', async () => {
  for (const [query, length, count] of [
    ['', HOUR_MS, 24],
    ['?bucket=day', DAY_MS, 30],
  ] as const) {
    const { data } = (await get(query)).body;
    equal(data.buckets.length, count);
    const begins = data.buckets.map(({ from }: { from: string }) => Date.parse(from));
    ok(begins.every((at: number, index: number) => at === begins[0] + index * length));
    ok(begins[count - 1] <= Date.now() + DAY_MS);
  }
});

test('400: a range that is too long', async () => {
  for (const [query, field] of [
    ['?from=2025-01-01T00:00:00Z&to=2025-02-01T00:00:00Z', 'query.from'],
    ['?bucket=day&from=2024-01-01T00:00:00Z&to=2025-02-04T00:00:00Z', 'query.from'],
  ] as const) {
    const { status, body } = await get(query);
    deepEqual([status, body.error.errors[0].field], [400, field], query);
  }
  const month = await get('?from=2025-01-01T00:00:00Z&to=2025-01-31T23:59:59Z');
  equal(month.status, 200);
  deepEqual((await get('?from=2025-01-01&to=2025-01-31')).body.data, month.body.data);
});
