/** A9, A10. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { wholeFile } from '../support/vitest.ts';
import { expectError, expectFields, fetchResponse, RESELLER, startServer } from './support.ts';

const PAGE = '/export/v1/product-offers';
const ORDERS = '/export/v1/orders';
const DETAILS = '/export/v1/products';
const ID = '10000000000017';
const OTHER_ID = '20000000000017';
const IDS_21 = Array.from({ length: 21 }, () => `productIds[]=${ID}`).join('&');

const REJECTED: readonly (readonly [string, string, readonly string[]])[] = [
  ...[
    '0',
    '-1',
    '+1',
    '100001',
    '1.5',
    '1.0',
    '',
    '1e3',
    '01',
    '0x10',
    'abc',
    '%201',
    '1%20',
    '99999999999999999999',
  ].map((page): [string, string, string[]] => [PAGE, `page=${page}`, ['query.page']]),
  [PAGE, 'page', ['query.page']],
  ...['15', '0', '20%20', '20.0', '-20', 'all'].map((count): [string, string, string[]] => [
    PAGE,
    `itemsPerPage=${count}`,
    ['query.itemsPerPage'],
  ]),
  ...['COMPLETE', 'x', ''].map((status): [string, string, string[]] => [
    ORDERS,
    `status=${status}`,
    ['query.status'],
  ]),
  [ORDERS, 'sort=asc', ['query.sort']],
  [ORDERS, 'orderId=123', ['query.orderId']],
  [ORDERS, 'orderId=12345678901234567', ['query.orderId']],
  [PAGE, IDS_21, ['query.productIds[]']],
  [PAGE, 'productIds[]=', ['query.productIds[0]']],
  [PAGE, 'productIds[]', ['query.productIds[0]']],
  [PAGE, `productIds[]=${ID}&productIds[]=1234567890123`, ['query.productIds[1]']],
  [PAGE, 'productIds[]=01234567890123', ['query.productIds[0]']],
  [PAGE, `productIds=${ID}`, ['query.productIds[]']],
  [PAGE, `productIds[0]=${ID}&productIds[1]=1234567890123`, ['query.productIds[1]']],
  [PAGE, `productIds[x]=${ID}`, ['query.productIds[]']],
  [PAGE, `productIds[-1]=${ID}`, ['query.productIds[]']],
  [PAGE, `productIds[0][1]=${ID}`, ['query.productIds[]']],
  [PAGE, `page[0]=1`, ['query.page']],
  [DETAILS, '', ['query.productIds[]']],
  [DETAILS, `productIds=${ID}`, ['query.productIds[]']],
  [PAGE, 'page=1&page=2', ['query.page']],
  [PAGE, 'page=1&page=1', ['query.page']],
  [PAGE, 'page[]=1', ['query.page']],
  [PAGE, 'page%5B0%5D=1', ['query.page']],
  [PAGE, 'maxPrice=%zz', ['query.maxPrice']],
  [PAGE, 'maxPrice=%ff', ['query.maxPrice']],
  [PAGE, 'maxPrice=1%00', ['query.maxPrice']],
  [PAGE, 'maxPrice=0', ['query.maxPrice']],
  [PAGE, 'totalQuantity=0', ['query.totalQuantity']],
  [PAGE, 'totalQuantity=1000001', ['query.totalQuantity']],
  ...[
    '2026-11-21',
    '2026-02-30T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T23:59:60Z',
    '2026-11-21T09:30:00',
    'now',
    '',
  ].map((time): [string, string, string[]] => [PAGE, `updatedAtFrom=${time}`, ['query.updatedAtFrom']]),
  [ORDERS, 'dateFrom=2026-11-21&dateTo=x&page=0', ['query.dateFrom', 'query.dateTo', 'query.page']],
  [`${DETAILS}/123`, '', ['path.productId']],
  [`${DETAILS}/${ID}%00`, '', ['path.productId']],
  [`${DETAILS}/${ID}%2F`, '', ['path.productId']],
  [`${ORDERS}/1234567890123`, '', ['path.orderId']],
  [`${ORDERS}/abc/keys`, '', ['path.orderId']],
];

describe('every query and path that the contract does not allow is rejected by name', async () => {
  const { url, calls } = await startServer(wholeFile);
  for (const [path, query, fields] of REJECTED) {
    test(`${path}?${query.slice(0, 60)}`, async () => {
      const answer = await fetchResponse(`${url}${path}?${query}`, { headers: RESELLER });
      expectFields(answer, fields);
      deepEqual(calls, []);
    });
  }
});

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

test('the message of a date-time says which part is invalid, and that a + must be encoded', async (t) => {
  const { url } = await startServer(t);
  const message = async (time: string) => {
    const answer = await fetchResponse(`${url}${PAGE}?updatedAtFrom=${time}`, { headers: RESELLER });
    return expectError(answer, 'validation-error').message;
  };
  match(await message('2026-11-21T09:30:00+02:00'), /query\.updatedAtFrom .*%2B/);
  match(await message('2026-02-30T00:00:00Z'), /day 30 does not exist in month 2/);
});
