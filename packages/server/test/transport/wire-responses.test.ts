/** The snapshot is the contract: status, headers and body for requests of every kind. */
import { equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createRateLimit } from '@keyport/http/admission/rate-limit';
import { ApiError } from '@keyport/http/replies/api-error';
import { describe, expect, test } from 'vitest';
import { referenceRoutes } from '../../src/reference/reference.ts';
import { wholeFile } from '../support/vitest.ts';
import { dataReply, PUBLIC_URL, rawRequest, type Stub, sendRaw, startServer } from './support.ts';

const PAGE = '/export/v1/product-offers';
const PRODUCT = '/export/v1/products';
const ORDERS = '/export/v1/orders';
const HOST = 'Host: x';
const TOKEN = 'Authorization: Bearer reseller';
const TRACEPARENT = 'Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const LONG = 'Schlüssel · '.repeat(500);
/** The snapshot contains the digests of longer bodies. */
const BODY_LENGTH_MAX = 1_000;

const echo: Stub = ({ params, query, traceId }) => {
  const asked = JSON.stringify({ params, query });
  const { page } = query as { page?: number };
  const data = Buffer.from(JSON.stringify({ asked, text: page === 2 ? LONG : '' }));
  return { status: 200, ...dataReply(traceId, data), tag: `page-${page ?? 1}` };
};

const lookUp: Stub = (request) => {
  const { productId } = request.params as { productId: string };
  if (productId.endsWith('4')) throw new ApiError('product-not-found', { data: { productId } });
  if (productId.endsWith('5')) throw new Error('a fault of ours');
  return productId.endsWith('6') ? Promise.resolve(echo(request)) : echo(request);
};

const created: Stub = ({ body, traceId }) => ({
  status: 201,
  headers: { location: '/somewhere' },
  bytes: Buffer.from(JSON.stringify({ traceId, body })),
});

const stubs = {
  listProductOffers: echo,
  getProduct: lookUp,
  listProductDetails: echo,
  createOrder: created,
  disableClient: () => ({ status: 204 }),
};

const lines = (...more: string[]) => [HOST, TOKEN, TRACEPARENT, ...more];
const get = (path: string, ...more: string[]) => rawRequest(`GET ${path}`, lines(...more));
const send = (method: string, path: string, body: string, ...more: string[]) =>
  rawRequest(`${method} ${path}`, lines(`Content-Length: ${Buffer.byteLength(body)}`, ...more), body);

const JSON_LINE = 'Content-Type: application/json';
const KEY_LINE = 'Idempotency-Key: 6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10';
const ORDER = JSON.stringify({
  items: [{ auto: { productId: '12345678901234', quantity: 1, maxPrice: '1.00' } }],
});

const REQUESTS: readonly (readonly [name: string, request: string])[] = [
  ['a page', get(PAGE)],
  ['a page with a query', get(`${PAGE}?page=3&itemsPerPage=50`)],
  ['an empty query', get(`${PAGE}?`)],
  ['an unknown parameter', get(`${PAGE}?colour=red`)],
  ['a long page', get(`${PAGE}?page=2`)],
  [
    'header names in capitals',
    rawRequest(`GET ${PAGE}`, ['HOST: x', 'AUTHORIZATION: Bearer reseller', TRACEPARENT]),
  ],
  ['one product', get(`${PRODUCT}/10000000000001`)],
  ['one product, known later', get(`${PRODUCT}/10000000000006`)],
  ['a product that does not exist', get(`${PRODUCT}/10000000000004`)],
  ['a fault of ours', get(`${PRODUCT}/10000000000005`)],
  ['product details', get(`${PRODUCT}?productIds[]=10000000000001`)],
  ['what the caller has', get(PAGE, 'If-None-Match: W/"page-1"')],
  ['one of what the caller has', get(PAGE, 'If-None-Match: "a", W/"page-1" ,W/"b"')],
  ['what the caller has, on a second line', get(PAGE, 'If-None-Match: "a"', 'If-None-Match: W/"page-1"')],
  ['the same, not weak', get(PAGE, 'If-None-Match: "page-1"')],
  ['any version', get(PAGE, 'If-None-Match: *')],
  ['other versions', get(PAGE, 'If-None-Match: W/"page-2", page-1')],
  ['gzip for little', get(PAGE, 'Accept-Encoding: gzip')],
  ['gzip rejected', get(`${PAGE}?page=2`, 'Accept-Encoding: gzip;q=0, *')],
  ['other codings only', get(`${PAGE}?page=2`, 'Accept-Encoding: br, zstd')],
  ['a read with a body', rawRequest(`GET ${PAGE}`, lines('Content-Length: 2'), '{}')],
  ['a read with an expectation', get(PAGE, 'Expect: nothing')],
  ['HTTP/1.0', `GET ${PAGE} HTTP/1.0\r\n${TOKEN}\r\n${TRACEPARENT}\r\n\r\n`],
  ['an absolute URL', get(`http://x${PAGE}`)],
  ['an encoded path', get('/%65xport/v1/product-offers')],
  ['an encoded id', get(`${PRODUCT}/1000000000000%31`)],
  ['many headers', get(PAGE, ...Array.from({ length: 90 }, (_, index) => `X-${index}: y`))],

  ['another method', send('POST', PAGE, '')],
  ['HEAD', rawRequest(`HEAD ${PAGE}`, lines())],
  ['OPTIONS', rawRequest(`OPTIONS ${ORDERS}`, lines())],
  ['another path', get('/export/v1/nothing')],
  ['another path below that of an operation', get(`${PRODUCT}/10000000000001/x`)],
  ['a path that ends in a slash', get(`${PRODUCT}/`)],
  ['a broken percent-encoding', get(`${PRODUCT}/%zz`)],
  ['a long URL', get(`${PAGE}?x=${'y'.repeat(9000)}`)],
  ['too many headers', get(PAGE, ...Array.from({ length: 120 }, (_, index) => `X-${index}: y`))],
  ['no host', rawRequest(`GET ${PAGE}`, [TOKEN, TRACEPARENT])],
  ['two hosts', get(PAGE, HOST)],
  ['a host that is none', rawRequest(`GET ${PAGE}`, ['Host: a b', TOKEN, TRACEPARENT])],
  [
    'an unknown transfer coding',
    rawRequest(`POST ${ORDERS}`, lines('Transfer-Encoding: gzip, chunked'), '0\r\n\r\n'),
  ],

  ['no token', rawRequest(`GET ${PAGE}`, [HOST, TRACEPARENT])],
  ['an unknown token', rawRequest(`GET ${PAGE}`, [HOST, 'Authorization: Bearer x', TRACEPARENT])],
  ['two tokens', get(PAGE, TOKEN)],
  [
    'a token of the other role',
    rawRequest(`GET ${PAGE}`, [HOST, 'Authorization: Bearer operator', TRACEPARENT]),
  ],
  ['a bad query', get(`${PAGE}?page=0&itemsPerPage=7`)],
  ['a bad id', get(`${PRODUCT}/1`)],
  ['a bad id, query and body', send('POST', '/export/v1/orders?x=1', '[]', JSON_LINE)],

  ['an order', send('POST', ORDERS, ORDER, JSON_LINE, KEY_LINE)],
  ['an order without a body', rawRequest(`POST ${ORDERS}`, lines(JSON_LINE, KEY_LINE))],
  ['an order that is not JSON', send('POST', ORDERS, '{', JSON_LINE, KEY_LINE)],
  ['an order of another media type', send('POST', ORDERS, ORDER, 'Content-Type: text/plain', KEY_LINE)],
  ['an order with a broken media type', send('POST', ORDERS, ORDER, 'Content-Type: /', KEY_LINE)],
  [
    'an order with a broken media type and no token',
    rawRequest(`POST ${ORDERS}`, [HOST, 'Content-Type: /', TRACEPARENT]),
  ],
  ['an order without a media type', send('POST', ORDERS, ORDER, KEY_LINE)],
  ['a compressed order', send('POST', ORDERS, ORDER, JSON_LINE, KEY_LINE, 'Content-Encoding: gzip')],
  ['an order that is too large', send('POST', ORDERS, ' '.repeat(70_000), JSON_LINE, KEY_LINE)],
  ['an order without a key', send('POST', ORDERS, ORDER, JSON_LINE)],
  [
    'a response without a body',
    rawRequest('DELETE /admin/v1/clients/shop', [HOST, 'Authorization: Bearer operator', TRACEPARENT]),
  ],

  ['liveness', get('/health/live')],
  ['liveness by HEAD', rawRequest('HEAD /health/live', lines())],
  ['readiness', get('/health/ready')],
  ['readiness by POST', send('POST', '/health/ready', '')],
  ['the start page', get('/')],
  ['the icon', get('/favicon.ico')],
  ['an error page', get('/docs/errors/not-found')],
  ['an error page that does not exist', get('/docs/errors/nothing')],
  ['the reference by POST', send('POST', '/docs', '')],
];

async function start(rateLimit?: ReturnType<typeof createRateLimit>) {
  return startServer(wholeFile, {
    stubs,
    ...(rateLimit === undefined ? {} : { rateLimit }),
    routes: referenceRoutes({
      publicUrl: () => PUBLIC_URL,
      version: '1.2.3',
      isSandbox: false,
      demoClient: () => undefined,
    }),
  });
}

async function responseTo(port: number, request: string) {
  const { status, headers, text } = await sendRaw(port, request);
  const { date: _, ...sent } = headers;
  const isLong = text.length > BODY_LENGTH_MAX;
  return { status, headers: sent, text: isLong ? createHash('sha256').update(text).digest('hex') : text };
}

describe('responses stay as they are', async () => {
  const { port } = await start();
  for (const [name, request] of REQUESTS) {
    test(name, async () => {
      expect(await responseTo(port, request)).toMatchSnapshot();
    });
  }
});

test('every response has the headers of the rate limit, until it is used up', async () => {
  const reads = REQUESTS.slice(0, 20);
  const limits = { perSecond: { reads: reads.length, orders: 0 }, nowMs: () => 0 };
  const { port } = await start(createRateLimit(limits));
  for (const [index, [, request]] of reads.entries()) {
    const { headers } = await responseTo(port, request);
    equal(headers['ratelimit-limit'], String(reads.length));
    equal(headers['ratelimit-remaining'], String(reads.length - 1 - index));
    equal(headers['ratelimit-reset'], '1');
  }
  expect(await responseTo(port, get(PAGE))).toMatchSnapshot();
});
