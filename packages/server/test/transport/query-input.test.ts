/** A9, A10. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { fetchResponse, RESELLER, startServer } from './support.ts';

const PAGE = '/export/v1/product-offers';
const ID = '10000000000017';
const OTHER_ID = '20000000000017';
const IDS_21 = Array.from({ length: 21 }, () => `productIds[]=${ID}`).join('&');

const PAGING = { page: 1, itemsPerPage: 20 };

const ACCEPTED: readonly (readonly [string, object])[] = [
  ['', PAGING],
  ['?', PAGING],
  ['?page=100000&itemsPerPage=100', { page: 100_000, itemsPerPage: 100 }],
  ['?unknown=1&unknown=2&other[]=x&__proto__=1&constructor=2&%zz=1', PAGING],
  [`?productIds[]=${ID}&productIds%5B%5D=${ID}`, { ...PAGING, 'productIds[]': [ID, ID] }],
  [`?productIds%5b%5d=${ID}`, { ...PAGING, 'productIds[]': [ID] }],
  [
    `?productIds[0]=${ID}&productIds%5B1%5D=${OTHER_ID}&productIds[]=${ID}`,
    { ...PAGING, 'productIds[]': [ID, OTHER_ID, ID] },
  ],
  [IDS_21.replace(/^[^&]+&/, '?'), { ...PAGING, 'productIds[]': Array(20).fill(ID) }],
  ['?updatedAtFrom=2026-11-21T09:30:00%2B02:00', { ...PAGING, updatedAtFrom: '2026-11-21T09:30:00+02:00' }],
  ['?maxPrice=12.5&totalQuantity=3', { ...PAGING, maxPrice: '12.5', totalQuantity: 3 }],
  ['?&&page=2&', { ...PAGING, page: 2 }],
];

test('a valid query is forwarded with typed whole numbers and the defaults of the contract', async (t) => {
  const { url, calls } = await startServer(t);
  for (const [query, expected] of ACCEPTED) {
    equal((await fetchResponse(`${url}${PAGE}${query}`, { headers: RESELLER })).status, 200, query);
    deepEqual(calls.at(-1)?.request.query, expected);
  }
});
