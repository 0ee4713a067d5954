/** A582. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { test } from 'vitest';
import { manual, startHarness } from '../../support/harness.ts';
import { foldSums } from '../../support/sums.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);
const acme = await h.seed.reseller({ balance: '100.00', account: { name: '=Acme' } });
const zephyr = await h.seed.reseller({ balance: '100.00', account: { name: 'Zephyr' } });
const sellerId = await h.seed.seller('Northwind');
const europe = { price: '10.00', stock: 20, sellerId, product: { name: 'Star Harbour', region: 'Europe' } };
const star = await h.seed.listing(europe);
const moon = await h.seed.listing({ price: '3.00', stock: 20, product: { name: 'Moon Base', region: null } });

const { data: order } = (await acme.order(manual(star.offerId, { quantity: 2 }))).body;
await zephyr.order(manual(star.offerId));
await zephyr.order(manual(moon.offerId, { quantity: 4 }));
await h.operate('POST', `/orders/${order.id}/refund`, {
  reason: 'Bad key',
  items: [{ id: order.transactions[0].items[0].id, quantity: 1 }],
});

const now = Date.now();
const day = (ahead: number) => new Date(now + ahead * 86_400_000).toISOString().slice(0, 10);
/** More than today, because midnight may pass during the test. The next period does not begin with a month. */
const DAYS = day(2).endsWith('-01') ? 3 : 2;
const PERIOD = `from=${day(0)}&to=${day(DAYS - 1)}`;
const NEXT = `from=${day(DAYS)}&to=${day(2 * DAYS - 1)}`;
const read = (query: string) => h.operate('GET', `/reports/sales?${query}`);

const SOLD = { orders: 3, units: 7, turnover: '42.00', refunds: 1, refunded: '10.00', net: '32.00' };
const NOTHING = { orders: 0, units: 0, turnover: '0.00', refunds: 0, refunded: '0.00', net: '0.00' };

type Row = { key: string; name: string | null; turnover: string; before: { turnover: string } };
const shown = (rows: readonly Row[]) =>
  rows.map(({ key, name, turnover, before }) => [name ?? key, turnover, before.turnover]);

for (const state of ['not folded yet', 'folded'] as const)
  test(`200: sales by each dimension, the highest turnover first, ${state}`, async () => {
    if (state === 'folded') await foldSums(h);
    const { totals, before, ...report } = await read(`${PERIOD}&by=product`);
    deepEqual([totals, before], [SOLD, NOTHING]);
    const products = [
      ['Star Harbour', '30.00', '0.00'],
      ['Moon Base', '12.00', '0.00'],
    ] as const;
    deepEqual(shown(report.rows), products);
    const later = await read(`${NEXT}&by=product`);
    deepEqual([later.totals, later.before], [NOTHING, SOLD]);
    deepEqual(
      shown(later.rows),
      products.map(([name, turnover]) => [name, '0.00', turnover]),
    );
    deepEqual(shown((await read(`${PERIOD}&by=seller`)).rows)[0], ['Northwind', '30.00', '0.00']);
    deepEqual(shown((await read(`${PERIOD}&by=account`)).rows), [
      ['Zephyr', '22.00', '0.00'],
      ['=Acme', '20.00', '0.00'],
    ]);
    deepEqual(shown((await read(`${PERIOD}&by=region`)).rows), [
      ['Europe', '30.00', '0.00'],
      ['', '12.00', '0.00'],
    ]);
  });

for (const [from, to, beforeFrom, beforeTo] of [
  ['2026-03-05', '2026-03-14', '2026-02-23', '2026-03-04'],
  ['2026-03-02', '2026-03-31', '2026-01-31', '2026-03-01'],
  ['2026-10-01', '2026-10-27', '2026-09-01', '2026-09-27'],
  ['2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
  ['2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'],
  ['2026-04-01', '2026-06-30', '2026-01-01', '2026-03-31'],
  ['2026-01-01', '2026-01-31', '2025-12-01', '2025-12-31'],
  ['2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
])
  test(`200: ${from} to ${to} is compared with ${beforeFrom} to ${beforeTo}`, async () => {
    const report = await read(`from=${from}&to=${to}`);
    deepEqual([report.beforeFrom, report.beforeTo], [beforeFrom, beforeTo]);
  });

test('200: every day of the period is listed, beside the day one period earlier', async () => {
  for (const [query, member] of [
    [PERIOD, 'turnover'],
    [NEXT, 'before'],
  ] as const) {
    const { rows } = await read(query);
    equal(rows.length, DAYS);
    const sums = rows.map((row: Row) => Number(member === 'before' ? row.before.turnover : row.turnover));
    equal(sums[0] + sums[1], 42, query);
  }
  deepEqual(
    (await read('')).rows.map(({ key }: Row) => key),
    Array.from({ length: 30 }, (_, place) => day(place - 29)),
  );
});

test('200: the days of one account, product, seller or region', async () => {
  for (const [dimension, id, turnover] of [
    ['account', zephyr.accountId.toUpperCase(), '22.00'],
    ['product', moon.productId, '12.00'],
    ['seller', sellerId, '30.00'],
    ['region', 'Europe', '30.00'],
    ['region', 'Nowhere', '0.00'],
    ['region', encodeURIComponent('{A, "B"}'), '0.00'],
  ] as const)
    equal((await read(`${PERIOD}&dimension=${dimension}&id=${id}`)).totals.turnover, turnover, id);
});

test('200: a limited report counts its omitted rows, and the CSV file has all', async () => {
  const { rows, omitted } = await read(`${PERIOD}&by=account&limit=1`);
  deepEqual([rows.length, omitted], [1, 1]);
  const response = await fetch(`${h.url}/admin/v1/reports/sales?${PERIOD}&by=account&limit=1`, {
    headers: { authorization: `Bearer ${h.operatorToken}`, accept: 'text/csv' },
  });
  match(response.headers.get('content-disposition') ?? '', /sales-by-account-/);
  const records: Record<string, string>[] = parse(await response.text(), {
    columns: true,
    record_delimiter: '\r\n',
  });
  deepEqual(
    records.map((record) => [record['name'], record['before.turnover']]),
    [
      ['Zephyr', '0.00'],
      ['=Acme', '0.00'],
    ],
  );
});

test('400: the error names the parameter of an invalid period or an incomplete filter', async () => {
  for (const [query, field] of [
    ['from=2020-01-01', 'query.from'],
    ['dimension=seller', 'query.id'],
    ['id=Europe', 'query.dimension'],
    ['dimension=region&id=Europe&by=seller', 'query.by'],
  ] as const) {
    const { status, body } = await h.admin('GET', `/reports/sales?${query}`);
    equal(status, 400, query);
    equal(body.error.errors[0].field, field, query);
  }
});
