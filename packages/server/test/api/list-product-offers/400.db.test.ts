/** R6, A4, A9, A10. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller();

const ID = '10000000000017';

async function assertRejected(query: string, field: string, message?: RegExp) {
  const response = await reseller.get(`/product-offers?${query}`);
  deepEqual([response.status, response.body.error?.code], [400, 'validation-error'], query);
  const [error] = response.body.error.errors;
  equal(error.field, `query.${field}`, query);
  ok(response.body.error.message.includes(`query.${field}`), `${query}: ${response.body.error.message}`);
  if (message !== undefined) match(error.message, message, query);
}

test('a product id must have 14 digits, the first not 0', async () => {
  const bad = [
    '',
    '0',
    '1000000000001',
    '00000000000017',
    '100000000000170',
    '1e13',
    '1000000000001x',
    '-1000000000001',
  ];
  bad.push(' 10000000000017', `${ID},${ID}`, '١٠٠٠٠٠٠٠٠٠٠٠٠٧');
  for (const value of bad) {
    await assertRejected(`productIds[]=${encodeURIComponent(value)}`, 'productIds[0]', /14 digits/);
    await assertRejected(`productIds%5B%5D=${ID}&productIds[]=${encodeURIComponent(value)}`, 'productIds[1]');
  }
});

test('more than 20 product ids are rejected, including duplicates', async () => {
  const values = Array.from({ length: 21 }, () => `productIds[]=${ID}`).join('&');
  await assertRejected(values, 'productIds[]', /1 to 20/);
});

test('productIds without brackets, or a bad id with an index, is rejected, not ignored', async () => {
  await assertRejected(`productIds=${ID}`, 'productIds[]', /productIds\[\]=/);
  await assertRejected('productIds[0]=x', 'productIds[0]', /14 digits/);
  await assertRejected(`productIds[0]=${ID}&productIds[1]=1234567890123`, 'productIds[1]', /14 digits/);
  await assertRejected('productIds[]', 'productIds[0]', /14 digits/);
  for (const brackets of ['[x]', '[-1]', '[0][1]']) {
    await assertRejected(`productIds${brackets}=${ID}`, 'productIds[]');
  }
});

test('a page must be a whole number from 1 to 100000', async () => {
  for (const page of [
    '',
    '0',
    '-1',
    '1.5',
    '1.0',
    '1e3',
    'abc',
    '100001',
    '01',
    '%2B1',
    '1%20',
    '%201',
    '0x1',
  ]) {
    await assertRejected(`page=${page}`, 'page', /1 to 100000/);
  }
  await assertRejected('page=99999999999999999999', 'page', /1 to 100000/);
  await assertRejected('page', 'page', /1 to 100000/);
});

test('itemsPerPage must be one of the allowed sizes', async () => {
  for (const size of ['', '0', '15', '20%20', '20+', '-20', '101', '10.0', 'all']) {
    await assertRejected(`itemsPerPage=${size}`, 'itemsPerPage', /10, 20, 50, 100/);
  }
});

test('a bound must be a date-time that exists and has a zone', async () => {
  const bad = [
    '',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    'now',
  ];
  bad.push('2026-01-01T23:59:60Z', '2026-01-01%2000:00:00Z', '1767225600', '2026-01-01T00:00:00%2B25:00');
  for (const name of ['updatedAtFrom', 'updatedAtTo']) {
    for (const value of bad) await assertRejected(`${name}=${value}`, name);
    await assertRejected(`${name}=2026-01-01T00:00:00+02:00`, name, /%2B/);
  }
});

test('updatedAtFrom is rejected if it is even a microsecond after updatedAtTo, but not if both are equal', async () => {
  const at = (micro: number) => `2026-01-01T00:00:00.00000${micro}Z`;
  await assertRejected(`updatedAtFrom=${at(2)}&updatedAtTo=${at(1)}`, 'updatedAtFrom', /updatedAtTo/);
  await assertRejected(
    'updatedAtFrom=2026-01-01T00:00:00Z&updatedAtTo=2026-01-01T00:30:00%2B01:00',
    'updatedAtFrom',
  );
  const same = await reseller.get(`/product-offers?updatedAtFrom=${at(1)}&updatedAtTo=${at(1)}`);
  equal(same.status, 200);
});

test('maxPrice and totalQuantity must be within their bounds', async () => {
  for (const value of ['', '0', '0.00', '-1', '1.234', '1,00', '01', '1e2', '100000000000', '.5', '1.']) {
    await assertRejected(`maxPrice=${value}`, 'maxPrice', /at most 2 decimals/);
  }
  for (const value of ['%zz', '%ff', '1%00']) await assertRejected(`maxPrice=${value}`, 'maxPrice');
  for (const value of ['', '0', '-1', '1.5', '1000001', 'x']) {
    await assertRejected(`totalQuantity=${value}`, 'totalQuantity', /1 to 1000000/);
  }
});

test('a scalar given twice or with brackets is rejected', async () => {
  const values = {
    page: '1',
    itemsPerPage: '20',
    updatedAtFrom: '2026-01-01T00:00:00Z',
    updatedAtTo: '2026-01-01T00:00:00Z',
    maxPrice: '1.00',
    totalQuantity: '1',
  };
  for (const [name, value] of Object.entries(values)) {
    await assertRejected(`${name}=${value}&${name}=${value}`, name, /once/);
    await assertRejected(`${name}[]=${value}`, name, /without brackets/);
    await assertRejected(`${name}%5B%5D=${value}`, name, /without brackets/);
    await assertRejected(`${name}%5B0%5D=${value}`, name, /without brackets/);
  }
});

test('every wrong parameter is named', async () => {
  const query = 'page=0&itemsPerPage=7&updatedAtFrom=x&maxPrice=0&totalQuantity=0&productIds[]=1';
  const response = await reseller.get(`/product-offers?${query}`);
  const fields = response.body.error.errors.map((error: { field: string }) => error.field).sort();
  const names = ['itemsPerPage', 'maxPrice', 'page', 'productIds[0]', 'totalQuantity', 'updatedAtFrom'];
  deepEqual(
    fields,
    names.map((name) => `query.${name}`),
  );
});
