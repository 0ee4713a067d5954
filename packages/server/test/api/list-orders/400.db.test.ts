/** R22, A9, A10, A12. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller();

async function assertRejected(query: string, field: string, message?: RegExp) {
  const response = await reseller.get(`/orders?${query}`);
  deepEqual([response.status, response.body.error?.code], [400, 'validation-error'], query);
  const [error] = response.body.error.errors;
  equal(error.field, `query.${field}`, query);
  if (message !== undefined) match(error.message, message, query);
}

test('a status outside the list is rejected', async () => {
  for (const status of [
    '',
    'Complete',
    'COMPLETE',
    'refunded',
    'complete%20',
    'complete,held',
    "'%20OR%201=1",
  ]) {
    await assertRejected(`status=${status}`, 'status', /pending_payment/);
  }
});

test('a date-time must exist and have a zone', async () => {
  const bad = ['', '2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z'];
  bad.push('2026-01-01T24:00:00Z', '2026-01-01T23:59:60Z', '2026-01-01T00:60:00Z', '2026-01-01%2000:00:00Z');
  bad.push(
    '1767225600',
    'now',
    '2026-01-01T00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-1-1T00:00:00Z',
    'infinity',
  );
  bad.push(
    '2026-01-01T00:00:00%2B25:00',
    '+2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z;',
    `${'9'.repeat(70)}`,
  );
  for (const name of ['dateFrom', 'dateTo']) {
    for (const value of bad) await assertRejected(`${name}=${value}`, name);
  }
});

test('the error explains an impossible day, and a + that arrived as a blank', async () => {
  await assertRejected('dateFrom=2026-02-30T00:00:00Z', 'dateFrom', /day 30 does not exist in month 2/);
  await assertRejected('dateFrom=2026-01-01T00:00:00+02:00', 'dateFrom', /%2B/);
});

test('dateTo is rejected if it is even a microsecond before dateFrom, but not if both are equal', async () => {
  const at = (micro: number) => `2026-01-01T00:00:00.00000${micro}Z`;
  await assertRejected(`dateFrom=${at(2)}&dateTo=${at(1)}`, 'dateTo', /dateFrom/);
  await assertRejected('dateFrom=2026-01-01T00:00:00Z&dateTo=2026-01-01T00:30:00%2B01:00', 'dateTo');
  equal((await reseller.get(`/orders?dateFrom=${at(1)}&dateTo=${at(1)}`)).status, 200);
});

test('an order id must have 14 to 16 digits', async () => {
  for (const orderId of [
    '',
    '1234567890123',
    '12345678901234567',
    '1234567890123x',
    '-12345678901234',
    '1e15',
  ]) {
    await assertRejected(`orderId=${orderId}`, 'orderId');
  }
});

test('a page must be a whole number from 1 to 100000', async () => {
  for (const page of [
    '',
    '0',
    '-1',
    '100001',
    '1.5',
    '1e3',
    '01',
    'x',
    '%2B1',
    '99999999999999999999',
    '1%20',
  ]) {
    await assertRejected(`page=${page}`, 'page', /1 to 100000/);
  }
});

test('itemsPerPage must be one of the allowed sizes', async () => {
  for (const size of ['', '0', '1', '15', '99', '101', '1000', '-10', '10.0', 'x']) {
    await assertRejected(`itemsPerPage=${size}`, 'itemsPerPage', /10, 20, 50, 100/);
  }
});

test('sort must be exactly ASC or DESC', async () => {
  for (const sort of ['', 'asc', 'desc', 'Asc', 'createdAt', 'ASC%20'])
    await assertRejected(`sort=${sort}`, 'sort');
});

test('a parameter given twice or with brackets is rejected', async () => {
  await assertRejected('page=1&page=1', 'page', /once/);
  await assertRejected('status=complete&status=held', 'status', /once/);
  await assertRejected('status[]=complete', 'status', /without brackets/);
  await assertRejected('page%5B%5D=1', 'page', /without brackets/);
});

test('every wrong parameter is named', async () => {
  const response = await reseller.get('/orders?page=0&itemsPerPage=7&sort=x&status=y&orderId=z&dateFrom=w');
  const fields = response.body.error.errors.map((error: { field: string }) => error.field).sort();
  const names = ['dateFrom', 'itemsPerPage', 'orderId', 'page', 'sort', 'status'];
  deepEqual(
    fields,
    names.map((name) => `query.${name}`),
  );
});

test('broken percent-encoding and NUL characters are rejected and cause no server error', async () => {
  await assertRejected('status=%zz', 'status');
  await assertRejected('orderId=%00', 'orderId');
  await assertRejected('status=%ff', 'status');
});
