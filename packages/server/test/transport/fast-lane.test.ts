/**
 * Conditional operations: ETag and 304, compression, and that the fast lane answers exactly what the ordinary way does,
 * or leaves the request to it.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { errorSpec } from '@keyport/contract/errors';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { ApiError } from '../../src/http/api-error.ts';
import { createRateLimit } from '../../src/http/rate-limit.ts';
import type { Owner } from '../support/database.ts';
import { wholeFile } from '../support/vitest.ts';
import {
  expectError,
  fetchResponse,
  parseResponse,
  RESELLER,
  rawRequest,
  type Stub,
  sendRaw,
  startServer,
  type TestServer,
} from './support.ts';

const PAGE = '/export/v1/product-offers';
const TRACEPARENT = 'Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const LONG = 'Schlüssel · '.repeat(500);

/** Answers with what it was asked, and with a long text where the page is 2. */
const echo: Stub = ({ params, query, traceId }) => {
  const asked = JSON.stringify({ params, query });
  const { page } = query as { page?: number };
  const data = Buffer.from(JSON.stringify({ asked, text: page === 2 ? LONG : '' }));
  return { status: 200, parts: [`{"traceId":"${traceId}","data":`, data, '}'], tag: `page-${page ?? 1}` };
};

const lookUp: Stub = (request) => {
  const { productId } = request.params as { productId: string };
  if (productId.endsWith('4')) throw new ApiError('product-not-found', { data: { productId } });
  if (productId.endsWith('5')) throw new Error('a fault of ours');
  return productId.endsWith('6') ? Promise.resolve(echo(request)) : echo(request);
};

const stubs = { listProductOffers: echo, getProduct: lookUp, listProductDetails: echo };

type Ways = {
  readonly fast: TestServer;
  readonly ordinary: TestServer;
  /** Whether the fast lane took the last request. */
  readonly wasTaken: () => boolean;
};

async function startBoth(t: Owner, readsPerSecond = 0): Promise<Ways> {
  const limited = () => {
    const rateLimit = createRateLimit({ readsPerSecond, ordersPerSecond: 0, nowMs: () => 0 });
    return rateLimit === undefined ? {} : { rateLimit };
  };
  const fast = await startServer(t, { stubs, hasFastLane: true, ...limited() });
  const ordinary = await startServer(t, { stubs, ...limited() });
  const { fastLane } = fast.server;
  const take = fastLane.take.bind(fastLane);
  let isTaken = false;
  fastLane.take = (request, response) => {
    isTaken = take(request, response);
    return isTaken;
  };
  return { fast, ordinary, wasTaken: () => isTaken };
}

const HOST = 'Host: x';
const TOKEN = 'Authorization: Bearer reseller';
const lines = (...more: string[]) => [HOST, TOKEN, TRACEPARENT, ...more];

const TAKEN: readonly (readonly [name: string, request: string])[] = [
  ['a page', rawRequest(`GET ${PAGE}`, lines())],
  ['a page with a query', rawRequest(`GET ${PAGE}?page=3&itemsPerPage=50`, lines())],
  ['an empty query', rawRequest(`GET ${PAGE}?`, lines())],
  ['an unknown parameter', rawRequest(`GET ${PAGE}?colour=red`, lines())],
  ['a long page', rawRequest(`GET ${PAGE}?page=2`, lines())],
  [
    'header names in capitals',
    rawRequest(`GET ${PAGE}`, ['HOST: x', 'AUTHORIZATION: Bearer reseller', TRACEPARENT]),
  ],
  ['one product', rawRequest('GET /export/v1/products/10000000000001', lines())],
  ['one product, known later', rawRequest('GET /export/v1/products/10000000000006', lines())],
  ['a product that is not there', rawRequest('GET /export/v1/products/10000000000004', lines())],
  ['a fault of ours', rawRequest('GET /export/v1/products/10000000000005', lines())],
  ['product details', rawRequest('GET /export/v1/products?productIds[]=10000000000001', lines())],
  ['what the caller has', rawRequest(`GET ${PAGE}`, lines('If-None-Match: W/"page-1"'))],
  ['one of what the caller has', rawRequest(`GET ${PAGE}`, lines('If-None-Match: "a", W/"page-1" ,W/"b"'))],
  ['the same, not weak', rawRequest(`GET ${PAGE}`, lines('If-None-Match: "page-1"'))],
  ['whatever there is', rawRequest(`GET ${PAGE}`, lines('If-None-Match: *'))],
  ['something else', rawRequest(`GET ${PAGE}`, lines('If-None-Match: W/"page-2", page-1'))],
  ['gzip for little', rawRequest(`GET ${PAGE}`, lines('Accept-Encoding: gzip'))],
  ['gzip refused', rawRequest(`GET ${PAGE}?page=2`, lines('Accept-Encoding: gzip;q=0, *'))],
  ['other codings only', rawRequest(`GET ${PAGE}?page=2`, lines('Accept-Encoding: br, zstd'))],
];

const LEFT: readonly (readonly [name: string, request: string])[] = [
  ['a body', rawRequest(`GET ${PAGE}`, lines('Content-Length: 2'), '{}')],
  ['another method', rawRequest(`POST ${PAGE}`, lines('Content-Length: 0'))],
  ['HEAD', rawRequest(`HEAD ${PAGE}`, lines())],
  ['HTTP/1.0', `GET ${PAGE} HTTP/1.0\r\n${TOKEN}\r\n${TRACEPARENT}\r\n\r\n`],
  ['no host', rawRequest(`GET ${PAGE}`, [TOKEN, TRACEPARENT])],
  ['no token', rawRequest(`GET ${PAGE}`, [HOST, TRACEPARENT])],
  ['an unknown token', rawRequest(`GET ${PAGE}`, [HOST, 'Authorization: Bearer x', TRACEPARENT])],
  ['two tokens', rawRequest(`GET ${PAGE}`, lines(TOKEN))],
  [
    'a token of the other role',
    rawRequest(`GET ${PAGE}`, [HOST, 'Authorization: Bearer operator', TRACEPARENT]),
  ],
  ['a bad query', rawRequest(`GET ${PAGE}?page=0&itemsPerPage=7`, lines())],
  ['a bad id', rawRequest('GET /export/v1/products/1', lines())],
  ['an encoded id', rawRequest('GET /export/v1/products/1000000000000%31', lines())],
  ['no id', rawRequest('GET /export/v1/products/', lines())],
  ['more path', rawRequest('GET /export/v1/products/10000000000001/x', lines())],
  ['another path', rawRequest('GET /export/v1/nothing', lines())],
  ['an absolute URL', rawRequest(`GET http://x${PAGE}`, lines())],
  [
    'many headers',
    rawRequest(`GET ${PAGE}`, lines(...Array.from({ length: 90 }, (_, index) => `X-${index}: y`))),
  ],
  ['a long URL', rawRequest(`GET ${PAGE}?x=${'y'.repeat(9000)}`, lines())],
];

describe('the fast lane answers as the ordinary way does, header for header', async () => {
  const { fast, ordinary, wasTaken } = await startBoth(wholeFile);
  for (const [isTaken, cases] of [
    [true, TAKEN],
    [false, LEFT],
  ] as const) {
    for (const [name, request] of cases) {
      test(`${isTaken ? 'taken' : 'left'}: ${name}`, async () => {
        const { headers } = await sendToBoth({ fast, ordinary }, request);
        equal(wasTaken(), isTaken);
        equal(headers['ratelimit-limit'], undefined, 'nothing is said of a limit that there is not');
      });
    }
  }
});

test('both ways report a rate limit with the same headers on every response, until it is used up', async (t) => {
  const { fast, ordinary, wasTaken } = await startBoth(t, TAKEN.length);
  for (const [index, [, request]] of TAKEN.entries()) {
    const { headers } = await sendToBoth({ fast, ordinary }, request);
    ok(wasTaken());
    equal(headers['ratelimit-limit'], String(TAKEN.length));
    equal(headers['ratelimit-remaining'], String(TAKEN.length - 1 - index));
    equal(headers['ratelimit-reset'], '1');
  }
  const { status, headers } = await sendToBoth({ fast, ordinary }, rawRequest(`GET ${PAGE}`, lines()));
  equal(status, errorSpec('too-many-requests').status);
  deepEqual([headers['ratelimit-remaining'], headers['retry-after']], ['0', '1']);
});

/** Sends it both ways; the responses are the same. */
async function sendToBoth({ fast, ordinary }: Pick<Ways, 'fast' | 'ordinary'>, request: string) {
  const { headers, ...answer } = await sendRaw(fast.port, request);
  const expected = await sendRaw(ordinary.port, request);
  // The body of a response without a length ends with the connection; both say when they sent it.
  const { date: _, ...sent } = headers;
  const { date: __, ...wanted } = expected.headers;
  deepEqual(sent, wanted);
  equal(answer.status, expected.status);
  equal(answer.text, expected.text);
  return { status: answer.status, headers: sent };
}

test('what the caller has already is answered with 304 and no body', async (t) => {
  const { fast } = await startBoth(t);
  const first = await fetchResponse(fast.url + PAGE, { headers: RESELLER });
  equal(first.status, 200);
  equal(first.headers['cache-control'], 'private, no-cache');
  equal(first.headers['vary'], 'accept-encoding');
  const etag = first.headers['etag'] ?? '';
  ok(etag.startsWith('W/"'));
  const again = await fetchResponse(fast.url + PAGE, { headers: { ...RESELLER, 'if-none-match': etag } });
  deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag]);
  const other = await fetchResponse(`${fast.url}${PAGE}?page=3`, {
    headers: { ...RESELLER, 'if-none-match': etag },
  });
  equal(other.status, 200);
});

test('a long page is compressed for callers that take gzip, on both ways', async (t) => {
  const { fast, ordinary } = await startBoth(t);
  for (const encodings of ['gzip', 'br;q=1.0, GZIP;q=0.8', '*', 'x-gzip', 'deflate, *;q=0.1']) {
    for (const { url } of [fast, ordinary]) {
      const response = await fetch(`${url}${PAGE}?page=2`, {
        headers: { ...RESELLER, 'accept-encoding': encodings },
      });
      equal(response.headers.get('content-encoding'), 'gzip');
      ok(Number(response.headers.get('content-length')) < 1000);
      // fetch has unpacked it.
      const body = await response.json();
      equal(body.data.text, LONG);
      equal(body.traceId, response.headers.get('x-trace-id'));
    }
  }
  const raw = await sendRaw(fast.port, rawRequest(`GET ${PAGE}?page=2`, lines()));
  equal(raw.headers['content-encoding'], undefined);
});

test('a compressed body is a whole gzip file', async (t) => {
  const { fast } = await startBoth(t);
  const socket = connect(fast.port, '127.0.0.1');
  socket.write(rawRequest(`GET ${PAGE}?page=2`, lines('Accept-Encoding: gzip')));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const answer = Buffer.concat(chunks);
  const body = gunzipSync(answer.subarray(answer.indexOf('\r\n\r\n') + 4));
  equal(JSON.parse(body.toString()).data.text, LONG);
});

test('the rate limit counts each request once, whichever way it takes', async (t) => {
  const rateLimit = createRateLimit({ readsPerSecond: 3, ordersPerSecond: 0, nowMs: () => 0 });
  const { url } = await startServer(t, { stubs, hasFastLane: true, ...(rateLimit && { rateLimit }) });
  const ask = () => fetchResponse(`${url}/export/v1/products/10000000000004`, { headers: RESELLER });
  for (let count = 0; count < 3; count += 1) expectError(await ask(), 'product-not-found');
  const refused = await ask();
  expectError(refused, 'too-many-requests');
  equal(refused.headers['retry-after'], '1');
});

test('requests of the fast lane are in the log like all others', async (t) => {
  const { fast } = await startBoth(t);
  const path = '/export/v1/products/10000000000004?x=secret';
  const { text } = await sendRaw(fast.port, rawRequest(`GET ${path}`, lines()));
  const { durationMs, time, ...line } = fast.log.at(-1) ?? {};
  equal(typeof durationMs, 'number');
  equal(typeof time, 'string');
  deepEqual(line, {
    level: 'info',
    method: 'GET',
    route: '/export/v1/products/{productId}',
    status: errorSpec('product-not-found').status,
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    clientId: 'shop',
    code: 'product-not-found',
    responseBytes: Buffer.byteLength(text),
  });
});

test('answers keep their bytes however slowly they are read and however many share a connection', async (t) => {
  // Larger than what the kernel takes at once, smaller and larger than the memory that answers share.
  const sizes = [10, 2_000, 60_000, 70_000, 300_000];
  const filling: Stub = ({ query, traceId }) => {
    const { page } = query as { page: number };
    const size = sizes[page % sizes.length] ?? 0;
    const text = String.fromCharCode(97 + (page % 26)).repeat(size);
    return {
      status: 200,
      parts: [`{"traceId":"${traceId}","data":"${page}:`, Buffer.from(text), '"}'],
      tag: 'x',
    };
  };
  const { port } = await startServer(t, { stubs: { listProductOffers: filling }, hasFastLane: true });
  const request = (page: number, isLast: boolean) =>
    `GET ${PAGE}?page=${page} HTTP/1.1\r\n${lines(...(isLast ? ['Connection: close'] : [])).join('\r\n')}\r\n\r\n`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 40 }), {
        minLength: 1,
        maxLength: 6,
      }),
      async (connections) => {
        await Promise.all(
          connections.map(async (pages) => {
            const socket = connect({ port, host: '127.0.0.1' });
            socket.pause();
            socket.write(pages.map((page, index) => request(page, index === pages.length - 1)).join(''));
            const chunks: Buffer[] = [];
            for await (const chunk of socket) chunks.push(chunk);
            let rest = Buffer.concat(chunks).toString('latin1');
            for (const page of pages) {
              const length = Number(/content-length: (\d+)/.exec(rest)?.[1]);
              const bodyAt = rest.indexOf('\r\n\r\n') + 4;
              const { status, text } = parseResponse(rest.slice(0, bodyAt + length));
              equal(status, 200);
              const [number, letters = ''] = JSON.parse(text).data.split(':');
              equal(number, String(page));
              equal(letters, String.fromCharCode(97 + (page % 26)).repeat(sizes[page % sizes.length] ?? 0));
              rest = rest.slice(bodyAt + length);
            }
            equal(rest, '');
          }),
        );
      },
    ),
    { numRuns: 30 },
  );
});
