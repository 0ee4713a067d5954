/** A705. */
import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { wholeFile } from '../support/vitest.ts';
import { sendRaw, startServer } from './support.ts';

const AUTH = 'Host: x\r\nAuthorization: Bearer reseller\r\nConnection: close\r\n';
const VERSION = '1.2.3';

test('every response below /export/v1 names the service’s version, including errors, and no other does', async () => {
  const { port } = await startServer(wholeFile);
  for (const [line, headers, status, version] of [
    ['GET /export/v1/account', AUTH, 200, VERSION],
    ['HEAD /export/v1/account', AUTH, 200, VERSION],
    ['GET /export/v1/product-offers', AUTH, 200, VERSION],
    ['GET /export/v1/product-offers?page=0', AUTH, 400, VERSION],
    ['GET /export/v1/account', 'Host: x\r\nConnection: close\r\n', 401, VERSION],
    ['GET /export/v1/nothing', AUTH, 404, VERSION],
    ['GET /export/v1', AUTH, 404, VERSION],
    ['GET /export/v1?x', AUTH, 404, VERSION],
    ['DELETE /export/v1/account', AUTH, 405, VERSION],
    ['GET /%65xport/v1/account', AUTH, 200, VERSION],
    ['GET http://x/export/v1/account', AUTH, 200, VERSION],
    [`GET /export/v1/account?x=${'x'.repeat(9000)}`, AUTH, 414, VERSION],
    ['GET /export/v1/account', `${AUTH}A: ${'x'.repeat(20_000)}\r\n`, 431, VERSION],
    ['GET /export/v10/account', AUTH, 404, undefined],
    ['GET /health/live?/export/v1', AUTH, 200, undefined],
    ['GET /admin/v1/orders', AUTH, 403, undefined],
  ] as const) {
    const response = await sendRaw(port, `${line} HTTP/1.1\r\n${headers}\r\n`);
    equal(response.status, status, line.slice(0, 60));
    equal(response.headers['keyport-version'], version, line.slice(0, 60));
  }
});
