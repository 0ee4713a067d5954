import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { ApiError } from '@keyport/http/replies/api-error';
import { test } from 'vitest';
import {
  IDEMPOTENCY_KEY,
  rawRequest,
  readResponse,
  type Stub,
  sendRaw,
  startServer,
  type TestServer,
} from '../transport/support.ts';

const PAGE = '/export/v1/product-offers';
const ORDERS = '/export/v1/orders';
const HEADERS = ['Host: x', 'Authorization: Bearer reseller'];
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `traceparent: 00-${TRACE_ID}-00f067aa0ba902b7-01`;

async function toLines({ log }: TestServer, count: number): Promise<Record<string, unknown>[]> {
  const lines = () => log.filter(({ status }) => status !== undefined);
  while (lines().length < count) await new Promise(setImmediate);
  return lines();
}

type Way = {
  readonly title: string;
  readonly bytes: string;
  readonly line: Readonly<Record<string, unknown>>;
  readonly stub?: Stub;
  readonly responsesWithoutLength?: true;
};

const refuse: Stub = () => {
  throw new ApiError('service-unavailable');
};

const WAYS: readonly Way[] = [
  {
    title: 'a read',
    bytes: rawRequest(`GET ${PAGE}`, [...HEADERS, TRACEPARENT]),
    line: { method: 'GET', route: PAGE, status: 200, clientId: 'shop', traceId: TRACE_ID },
  },
  {
    title: 'a read that fails',
    bytes: rawRequest(`GET ${PAGE}`, HEADERS),
    stub: refuse,
    line: { method: 'GET', route: PAGE, status: 503, clientId: 'shop', code: 'service-unavailable' },
  },
  {
    title: 'an invalid read',
    bytes: rawRequest(`GET ${PAGE}?page=0`, [...HEADERS, TRACEPARENT]),
    line: {
      method: 'GET',
      route: PAGE,
      status: 400,
      clientId: 'shop',
      code: 'validation-error',
      traceId: TRACE_ID,
    },
  },
  {
    title: 'an unknown client',
    bytes: rawRequest(`GET ${PAGE}`, ['Host: x', 'Authorization: Bearer unknown']),
    line: { method: 'GET', route: PAGE, status: 401, clientId: undefined, code: 'unauthorized' },
  },
  {
    title: 'an unknown path',
    bytes: rawRequest('GET /nothing', HEADERS),
    line: { method: 'GET', route: '(unknown)', status: 404, code: 'not-found' },
  },
  {
    title: 'a path with a broken percent-encoding',
    bytes: rawRequest('GET /export/v1/products/%zz', HEADERS),
    line: { method: 'GET', status: 400, code: 'validation-error' },
  },
  {
    title: 'a method that the path does not have',
    bytes: rawRequest(`DELETE ${PAGE}`, HEADERS),
    line: { method: 'DELETE', status: 405, code: 'method-not-allowed' },
  },
  {
    title: 'too many header lines',
    bytes: rawRequest(`GET ${PAGE}`, [...HEADERS, ...Array(150).fill('a: b')]),
    line: { method: 'GET', route: PAGE, status: 431, code: 'headers-too-large' },
  },
  {
    title: 'headers that are too large',
    bytes: rawRequest(`GET ${PAGE}`, [...HEADERS, `X: ${'x'.repeat(17_000)}`]),
    line: { method: '(none)', route: '(none)', status: 431, code: 'headers-too-large' },
  },
  {
    title: 'bytes that are not HTTP',
    bytes: 'hidden nonsense\r\n\r\n',
    line: { method: '(none)', route: '(none)', status: 400, code: 'validation-error' },
  },
  {
    title: 'CONNECT',
    bytes: 'CONNECT hidden:1 HTTP/1.1\r\nHost: hidden\r\n\r\n',
    line: { method: '(none)', route: '(none)', status: 405, code: 'method-not-allowed' },
  },
  {
    title: 'headers that never end',
    bytes: `GET ${PAGE} HTTP/1.1\r\nHost: x\r\n`,
    line: { method: '(none)', route: '(none)', status: 408, code: 'request-timeout' },
  },
  {
    title: 'a body that never ends',
    bytes: rawRequest(
      `POST ${ORDERS}`,
      [
        ...HEADERS,
        TRACEPARENT,
        `Idempotency-Key: ${IDEMPOTENCY_KEY}`,
        'Content-Type: application/json',
        'Content-Length: 100',
      ],
      '{',
    ),
    line: {
      method: 'POST',
      route: ORDERS,
      status: 408,
      clientId: 'shop',
      code: 'request-timeout',
      traceId: TRACE_ID,
    },
  },
  {
    title: 'a body with broken chunks',
    bytes: rawRequest(
      `POST ${ORDERS}`,
      [...HEADERS, 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
      'zz\r\n',
    ),
    line: { method: 'POST', route: ORDERS, status: 400, clientId: 'shop', code: 'validation-error' },
  },
  {
    title: 'a stream',
    bytes: rawRequest(`GET ${ORDERS}`, HEADERS),
    stub: () => ({ status: 200, stream: Readable.from(['a', 'b']), contentType: 'text/csv' }),
    line: { method: 'GET', route: ORDERS, status: 200, clientId: 'shop' },
    responsesWithoutLength: true,
  },
];

for (const { title, bytes, line, stub, responsesWithoutLength } of WAYS) {
  test(`writes one line for ${title}`, async (t) => {
    const server = await startServer(t, {
      limits: { headersTimeoutMs: 200, requestTimeoutMs: 300 },
      ...(stub === undefined ? {} : { stubs: { listProductOffers: stub, listOrders: stub } }),
    });
    const response = await sendRaw(server.port, bytes);
    // A second line for the first request would come before the line of the second request.
    await fetch(`${server.url}/health/live`);
    const [first, last, ...more] = await toLines(server, 2);
    deepEqual([last?.['route'], more], ['/health/live', []]);
    ok(first !== undefined);
    for (const [name, value] of Object.entries(line)) equal(first[name], value, name);
    equal(first['traceId'], response.headers['x-trace-id']);
    equal(first['status'], response.status);
    equal(first['code'], response.status < 400 ? undefined : JSON.parse(response.text).error.code);
    if (responsesWithoutLength !== true) equal(first['responseBytes'], Buffer.byteLength(response.text));
    equal(typeof first['durationMs'], 'number');
    ok(!JSON.stringify(server.log).includes('hidden'));
  });
}

test('a request whose caller hangs up is logged with 499', async (t) => {
  const entered = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const server = await startServer(t, {
    stubs: {
      listProductOffers: async ({ onHangUp }) => {
        onHangUp(gone.resolve);
        entered.resolve();
        await gone.promise;
        return { status: 200, parts: ['{}'], tag: 'x' };
      },
    },
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(rawRequest(`GET ${PAGE}`, HEADERS));
  await entered.promise;
  socket.destroy();
  const [line] = await toLines(server, 1);
  deepEqual([line?.['route'], line?.['status'], line?.['clientId']], [PAGE, 499, 'shop']);
});

test('each of several requests on a connection is logged with one line', async (t) => {
  const server = await startServer(t);
  const one = rawRequest(`GET ${PAGE}`, HEADERS).replace('Connection: close\r\n', '');
  const socket = connect(server.port, '127.0.0.1');
  socket.write(one + one + rawRequest(`GET ${ORDERS}`, HEADERS));
  await readResponse(socket);
  const lines = await toLines(server, 3);
  deepEqual(
    lines.map(({ route, status }) => [route, status]),
    [
      [PAGE, 200],
      [PAGE, 200],
      [ORDERS, 200],
    ],
  );
  equal(new Set(lines.map(({ traceId }) => traceId)).size, 3);
  for (const { traceId } of lines) match(String(traceId), /^[0-9a-f]{32}$/);
});
