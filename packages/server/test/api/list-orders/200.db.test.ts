/** The tests import orders to choose their times, currencies and statuses. R4, R22, A7, A8, A10, A12. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { type ApiResponse, auto, type Reseller } from '../../support/harness.ts';
import { type ImportedOrder, importOrders } from '../../support/imported-orders.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

function ids(response: ApiResponse): string[] {
  equal(response.status, 200, JSON.stringify(response.body));
  return response.body.data.map((order: { id: string }) => order.id);
}

async function resellerWith(orders: readonly Partial<ImportedOrder>[]) {
  const reseller = await h.seed.reseller();
  return { reseller, orderIds: await importOrders(h, reseller.accountId, orders) };
}

const list = (reseller: Reseller, query = '') => reseller.get(`/orders${query}`);

const hours = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    createdAt: new Date(Date.UTC(2026, 0, 1, index)).toISOString(),
  }));

test('an account without orders has an empty first page', async () => {
  const reseller = await h.seed.reseller();
  const response = await list(reseller);
  deepEqual(ids(response), []);
  deepEqual(response.body.meta, {
    page: 1,
    itemsPerPage: 100,
    totalResults: 0,
    hasNext: false,
    hasPrevious: false,
  });
});

test('orders are newest first by default, and oldest first with ASC', async () => {
  const { reseller, orderIds } = await resellerWith(hours(3));
  deepEqual(ids(await list(reseller)), [...orderIds].reverse());
  deepEqual(ids(await list(reseller, '?sort=DESC')), [...orderIds].reverse());
  deepEqual(ids(await list(reseller, '?sort=ASC')), orderIds);
});

test('orders of the same microsecond are sorted by id, and no page repeats or skips one', async () => {
  const { reseller, orderIds } = await resellerWith(
    Array.from({ length: 25 }, () => ({ createdAt: '2026-01-01T00:00:00.000001Z' })),
  );
  const sorted = [...orderIds].sort((left, right) => Number(BigInt(left) - BigInt(right)));
  const pages = await Promise.all(
    [1, 2, 3].map((page) => list(reseller, `?sort=ASC&itemsPerPage=10&page=${page}`)),
  );
  deepEqual(pages.flatMap(ids), sorted);
  const backwards = await Promise.all([1, 2].map((page) => list(reseller, `?itemsPerPage=20&page=${page}`)));
  deepEqual(backwards.flatMap(ids), [...sorted].reverse());
});

test('each page states whether there are pages before and after it', async () => {
  const { reseller } = await resellerWith(hours(21));
  const rows = [
    { query: '?itemsPerPage=10', page: 1, count: 10, hasNext: true, hasPrevious: false },
    { query: '?itemsPerPage=10&page=2', page: 2, count: 10, hasNext: true, hasPrevious: true },
    { query: '?itemsPerPage=10&page=3', page: 3, count: 1, hasNext: false, hasPrevious: true },
    { query: '?itemsPerPage=10&page=4', page: 4, count: 0, hasNext: false, hasPrevious: true },
    { query: '?itemsPerPage=10&page=100000', page: 100_000, count: 0, hasNext: false, hasPrevious: true },
    { query: '?itemsPerPage=20', itemsPerPage: 20, page: 1, count: 20, hasNext: true, hasPrevious: false },
    { query: '?itemsPerPage=50', itemsPerPage: 50, page: 1, count: 21, hasNext: false, hasPrevious: false },
    { query: '', itemsPerPage: 100, page: 1, count: 21, hasNext: false, hasPrevious: false },
  ];
  for (const { query, count, itemsPerPage = 10, ...rest } of rows) {
    const response = await list(reseller, query);
    equal(ids(response).length, count, query);
    deepEqual(response.body.meta, { itemsPerPage, totalResults: 21, ...rest }, query);
  }
});

test('a full last page has no next', async () => {
  const { reseller } = await resellerWith(hours(20));
  equal((await list(reseller, '?itemsPerPage=10&page=2')).body.meta.hasNext, false);
});

test('bounds are inclusive to the microsecond, in any zone and with any number of decimals', async () => {
  const { reseller, orderIds } = await resellerWith([
    { createdAt: '2026-01-01T00:00:00.000001Z' },
    { createdAt: '2026-01-01T00:00:00.000002Z' },
    { createdAt: '2026-01-01T00:00:00.000003Z' },
  ]);
  const at = (micro: number) => `2026-01-01T00:00:00.00000${micro}Z`;
  const rows: [query: string, from: number, to: number][] = [
    [`?dateFrom=${at(2)}`, 1, 3],
    [`?dateTo=${at(2)}`, 0, 2],
    [`?dateFrom=${at(2)}&dateTo=${at(2)}`, 1, 2],
    [`?dateFrom=${at(1)}&dateTo=${at(3)}`, 0, 3],
    [`?dateFrom=${at(4)}`, 3, 3],
    ['?dateTo=2026-01-01T00:00:00Z', 0, 0],
    ['?dateFrom=2026-01-01T02:00:00.000003%2B02:00', 2, 3],
    ['?dateTo=2025-12-31T19:00:00.000001-05:00', 0, 1],
    [`?dateFrom=${at(2).toLowerCase()}`, 1, 3],
    ['?dateFrom=0001-01-01T00:00:00Z&dateTo=9999-12-31T23:59:59.999999Z', 0, 3],
  ];
  for (const [query, from, to] of rows) {
    const response = await list(reseller, `${query}&sort=ASC`);
    deepEqual(ids(response), orderIds.slice(from, to), query);
    equal(response.body.meta.totalResults, to - from, query);
  }
});

test('the creation time of an order, given as both bounds, finds that order', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const { id, createdAt } = (await reseller.order(auto(productId))).body.data;
  deepEqual(ids(await list(reseller, `?dateFrom=${createdAt}&dateTo=${createdAt}`)), [id]);
});

test('the filter of each status finds the orders that have it', async () => {
  const statuses = [
    'pending',
    'processing',
    'held',
    'complete',
    'canceled',
    'closed',
    'pending_payment',
  ] as const;
  const { reseller, orderIds } = await resellerWith(statuses.map((status) => ({ status })));
  for (const [index, status] of statuses.entries()) {
    const response = await list(reseller, `?status=${status}`);
    deepEqual(ids(response), [orderIds[index]], status);
    equal(response.body.data[0].status, status);
  }
});

test('an order id finds that order, and an id of another account finds nothing', async () => {
  const [own, other] = [await resellerWith(hours(2)), await resellerWith(hours(1))];
  deepEqual(ids(await list(own.reseller, `?orderId=${own.orderIds[0]}`)), [own.orderIds[0]]);
  deepEqual(ids(await list(own.reseller, `?orderId=${other.orderIds[0]}`)), []);
  deepEqual(ids(await list(own.reseller, '?orderId=9999999999999999')), []);
});

test('an order id with leading zeros is a different id', async () => {
  const { reseller, orderIds } = await resellerWith([{ idDigits: 14 }]);
  equal(orderIds[0]?.length, 14);
  deepEqual(ids(await list(reseller, `?orderId=${orderIds[0]}`)), orderIds);
  deepEqual(ids(await list(reseller, `?orderId=00${orderIds[0]}`)), []);
  equal((await reseller.get(`/orders/00${orderIds[0]}`)).body.error?.code, 'order-not-found');
  equal((await reseller.get(`/orders/00${orderIds[0]}/keys`)).body.error?.code, 'order-not-found');
});

test('filters are combined', async () => {
  const { reseller, orderIds } = await resellerWith([
    { createdAt: '2026-01-01T00:00:00Z', status: 'complete' },
    { createdAt: '2026-01-02T00:00:00Z', status: 'canceled' },
    { createdAt: '2026-01-03T00:00:00Z', status: 'complete' },
  ]);
  const after2 = 'dateFrom=2026-01-02T00:00:00Z';
  deepEqual(ids(await list(reseller, `?${after2}&status=complete`)), [orderIds[2]]);
  deepEqual(ids(await list(reseller, `?${after2}&orderId=${orderIds[0]}`)), []);
});

test('only the account’s own orders are listed and counted', async () => {
  const [own, other] = [await resellerWith(hours(2)), await resellerWith(hours(3))];
  equal((await list(own.reseller)).body.meta.totalResults, 2);
  deepEqual(ids(await list(other.reseller, '?sort=ASC')), other.orderIds);
});

test('an imported order shows its own currency and decimals everywhere', async () => {
  const rows = [
    { currency: 'USD', decimals: 2, unitPrice: 1234, price: '12.34', total: '24.68' },
    { currency: 'JPY', decimals: 0, unitPrice: 500, price: '500', total: '1000' },
    { currency: 'KWD', decimals: 3, unitPrice: 1, price: '0.001', total: '0.002' },
    {
      currency: 'BTC',
      decimals: 12,
      unitPrice: 123_456_789_012,
      price: '0.123456789012',
      total: '0.246913578024',
    },
  ];
  const { reseller } = await resellerWith(
    rows.map(({ currency, decimals, unitPrice }) => ({
      currency,
      decimals,
      unitPriceMinor: unitPrice,
      quantity: 2,
    })),
  );
  const { data } = (await list(reseller)).body;
  for (const { currency, price, total } of rows) {
    const order = data.find((each: { currency: string }) => each.currency === currency);
    const [item] = order.transactions[0].items;
    deepEqual([order.totalPrice, item.price, item.totalPrice], [total, price, total], currency);
    match(order.discount, /^0(\.0+)?$/);
  }
});

test('an order of several sellers has one transaction for each seller', async () => {
  const { reseller, orderIds } = await resellerWith([{ itemSellers: ['a', 'b', 'a'] }]);
  const [order] = (await list(reseller)).body.data;
  equal(order.id, orderIds[0]);
  const transactions: { id: string; items: unknown[] }[] = order.transactions;
  deepEqual(
    transactions.map((transaction) => transaction.items.length),
    [2, 1],
  );
  equal(new Set(transactions.map((transaction) => transaction.id)).size, 2);
});
