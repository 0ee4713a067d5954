/** A10, A46. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { referenceRoutes } from '../../src/reference/reference.ts';
import { wholeFile } from '../support/vitest.ts';
import { fetchResponse, OPERATOR, PUBLIC_URL, RESELLER, startServer } from './support.ts';

const { url, calls } = await startServer(wholeFile, {
  routes: referenceRoutes({
    publicUrl: () => PUBLIC_URL,
    version: '1.2.3',
    isSandbox: true,
    demoClient: () => undefined,
  }),
});

test.for([
  ['a page from memory', '/export/v1/product-offers', 200, RESELLER],
  ['a list from the database', '/export/v1/orders', 200, RESELLER],
  ['a list of operators', '/admin/v1/accounts', 200, OPERATOR],
  ['a read without a token', '/export/v1/orders', 401, {}],
  ['a read with an invalid parameter', '/export/v1/orders?page=0', 400, RESELLER],
  ['a path that does not exist', '/export/v1/nothing', 404, RESELLER],
  ['a health check', '/health/ready', 200, {}],
  ['a document', '/openapi.json', 200, {}],
] as const)('HEAD of %s has the status and headers of GET and no body', async ([, path, status, headers]) => {
  const request = async (method: string) => {
    const { headers: sent, ...response } = await fetchResponse(url + path, { method, headers });
    const { date: _, 'x-trace-id': __, connection: ___, 'keep-alive': ____, ...lines } = sent;
    return { ...response, lines };
  };
  const [get, head] = [await request('GET'), await request('HEAD')];
  deepEqual([get.status, head.status], [status, status]);
  deepEqual(head.lines, get.lines);
  equal(head.text, '');
});

test.for([
  ['updatedFrom=2026-11-21T09:30:00Z', 'updatedAtFrom'],
  ['updated=2026-11-21T09:30:00Z', ''],
  ['updated_at_from=2026-11-21T09:30:00Z', 'updatedAtFrom'],
  ['UpdatedAtFrom=2026-11-21T09:30:00Z', 'updatedAtFrom'],
  ['itemPerPage=10', 'itemsPerPage'],
  ['pag=2', 'page'],
  ['maxprize=1.00', 'maxPrice'],
  ['sort=DESC', ''],
  ['limit=10', ''],
  ['_=1763889600', ''],
  ['page=2', undefined],
  ['constructor=1', ''],
] as const)('a parameter %s is ignored, with a hint: %s', async ([query, meant]) => {
  calls.length = 0;
  const { status, headers } = await fetchResponse(`${url}/export/v1/product-offers?${query}`, {
    headers: RESELLER,
  });
  equal(status, 200);
  equal(calls.length, 1);
  const [name = ''] = query.split('=');
  const end = meant === '' ? '' : `; did you mean ${meant}?`;
  const hint = `299 - "query.${name} is unknown and was ignored${end}"`;
  equal(headers['warning'], meant === undefined ? undefined : hint);
});

test.for([
  ['a long name', `${'x'.repeat(2000)}=1`, 'x'.repeat(40)],
  ['line breaks', 'zig%0d%0ax: y=2', 'zig??x??y'],
  ['letters that a header cannot contain', 'pr%C3%A9is=2&page=1', 'pr?is'],
  ['quotation marks', 'a"b=2', 'a?b'],
])('the name of an unknown parameter with %s cannot break its warning', async ([_, query, shown]) => {
  const { status, headers } = await fetchResponse(`${url}/export/v1/product-offers?${query}`, {
    headers: RESELLER,
  });
  deepEqual([status, headers['warning']], [200, `299 - "query.${shown} is unknown and was ignored"`]);
});

test('an operation without parameters warns of unknown ones too', async () => {
  const { headers } = await fetchResponse(`${url}/export/v1/account?fields=balance`, { headers: RESELLER });
  equal(headers['warning'], '299 - "query.fields is unknown and was ignored"');
});

test('each of ten unknown parameters has its own warning, and one more tells of the others', async () => {
  const query = Array.from({ length: 12 }, (_, index) => `x${index}=1`).join('&');
  const { headers } = await fetchResponse(`${url}/export/v1/orders?${query}`, { headers: RESELLER });
  const warnings = headers['warning']?.split('299 - ').slice(1) ?? [];
  equal(warnings.length, 11);
  match(warnings.at(-1) ?? '', /^"More unknown query parameters were ignored"/);
});
