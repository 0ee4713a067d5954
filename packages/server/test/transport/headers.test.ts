/** docs/security.md, "What is rejected". */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { referenceRoutes } from '../../src/reference/reference.ts';
import type { Owner } from '../support/database.ts';
import { wholeFile } from '../support/vitest.ts';
import {
  fetchResponse,
  orderRequest,
  PUBLIC_URL,
  type RawResponse,
  RESELLER,
  rawRequest,
  sendRaw,
  startServer,
} from './support.ts';

const PAGE = '/export/v1/product-offers';

/** The public URL of these servers is https. */
const PROTECTION = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
};
/** Headers that would reveal the server or admit other sites. */
const NEVER = ['server', 'x-powered-by', 'via', 'access-control-allow-origin', 'set-cookie'];

const ANSWERS: readonly (readonly [
  what: string,
  status: number,
  line: string,
  headers?: readonly string[],
])[] = [
  ['a page', 200, `GET ${PAGE}`],
  [
    'a page for a request with an expectation',
    200,
    `GET ${PAGE}`,
    ['Host: x', 'Authorization: Bearer reseller', 'Expect: nothing'],
  ],
  [
    'a page that the caller has',
    304,
    `GET ${PAGE}`,
    ['Host: x', 'Authorization: Bearer reseller', 'If-None-Match: *'],
  ],
  ['a response of a handler', 200, 'GET /export/v1/account'],
  ['a page that is rejected', 400, `GET ${PAGE}?page=0`],
  ['no token', 401, `GET ${PAGE}`, ['Host: x']],
  ['the wrong role', 403, `GET ${PAGE}`, ['Host: x', 'Authorization: Bearer operator']],
  ['an unknown path', 404, 'GET /nothing'],
  ['a method that is not allowed', 405, 'TRACE /export/v1/orders'],
  ['an import of the wrong type', 403, 'POST /admin/v1/imports/offers'],
  [
    'too many header lines',
    431,
    `GET ${PAGE}`,
    ['Host: x', ...Array.from({ length: 101 }, (_, index) => `A${index}: x`)],
  ],
  ['too long a URL', 414, `GET ${PAGE}?x=${'x'.repeat(8200)}`],
  ['what is not HTTP', 400, 'GET /\u0000'],
  ['CONNECT', 405, 'CONNECT x:80'],
  ['health', 200, 'GET /health/live'],
  ['readiness by HEAD', 200, 'HEAD /health/ready'],
  ['the redirect to the reference', 302, 'GET /'],
  ['the reference', 200, 'GET /docs'],
  ['the script of the reference', 200, 'GET /docs/scalar.js'],
  ['the OpenAPI document', 200, 'GET /openapi.json'],
  ['a page about an error', 200, 'GET /docs/errors/not-found'],
  ['no icon', 204, 'GET /favicon.ico'],
];

function expectProtection(answer: RawResponse): void {
  const { headers } = answer;
  for (const [name, value] of Object.entries(PROTECTION)) equal(headers[name], value, name);
  deepEqual(
    NEVER.filter((name) => headers[name] !== undefined),
    [],
  );
  match(headers['x-trace-id'] ?? '', /^[0-9a-f]{32}$/);
}

const startWithReference = (t: Owner, overloadLimits = {}) =>
  startServer(t, {
    overloadLimits,
    routes: referenceRoutes({
      publicUrl: () => PUBLIC_URL,
      version: '1.2.3',
      isSandbox: true,
      demoClient: () => undefined,
    }),
  });

describe('every kind of response carries the protecting headers and none that reveals the server', async () => {
  const { port } = await startWithReference(wholeFile);
  for (const [what, status, line, headers] of ANSWERS) {
    test(what, async () => {
      const answer = await sendRaw(port, rawRequest(line, headers));
      equal(answer.status, status);
      expectProtection(answer);
    });
  }
});

test('a rejection under overload carries the protecting headers', async (t) => {
  const { url } = await startWithReference(t, { turnRequestsMax: 0, turnWaitMsMax: 0 });
  const answer = await fetchResponse(`${url}/export/v1/orders`, orderRequest({}));
  equal(answer.status, 503);
  expectProtection(answer);
  equal(answer.headers['cache-control'], 'no-store');
});

test('pages allow no script but their own, no frame around them, and nothing from elsewhere', async (t) => {
  const { url } = await startWithReference(t);
  for (const path of ['/docs', '/docs/errors', '/docs/errors/not-found']) {
    const { headers } = await fetchResponse(url + path);
    const policy = headers['content-security-policy'] ?? '';
    match(policy, /^default-src 'none'/, path);
    match(policy, /frame-ancestors 'none'/, path);
    ok(!/script-src[^;]*unsafe/.test(policy) && !/https?:/.test(policy), policy);
    equal(headers['x-frame-options'], 'DENY', path);
  }
});

test('responses without their own Cache-Control have no-store', async (t) => {
  const { url } = await startServer(t);
  for (const path of ['/export/v1/account', '/nothing', '/health/live']) {
    equal(
      (await fetchResponse(url + path, { headers: RESELLER })).headers['cache-control'],
      'no-store',
      path,
    );
  }
});
