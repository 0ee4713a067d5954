/** Requests that no client library sends (A14). */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '@keyport/contract/errors';
import { mayLackBody, OPERATION_LIST } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { test } from 'vitest';
import { wholeFile } from '../support/vitest.ts';
import {
  expectError,
  expectFields,
  fetchResponse,
  IDEMPOTENCY_KEY,
  RESELLER,
  rawRequest,
  readResponse,
  type StubRequest,
  sendRaw,
  startServer,
} from './support.ts';

const ORDERS = '/export/v1/orders';
const PAGE = '/export/v1/product-offers';
const RESELLER_LINES = ['Authorization: Bearer reseller'];
const POST_HEADERS = [
  'Host: x',
  'Authorization: Bearer reseller',
  `Idempotency-Key: ${IDEMPOTENCY_KEY}`,
  'Content-Type: application/json',
];

test('two Idempotency-Key lines cause a validation error and reach no handler', async (t) => {
  const { port, calls } = await startServer(t);
  const headers = [...POST_HEADERS, `idempotency-key: ${IDEMPOTENCY_KEY}`, 'Content-Length: 2'];
  expectFields(await sendRaw(port, rawRequest(`POST ${ORDERS}`, headers, '{}')), [
    'headers.idempotency-key',
    'body.items',
  ]);
  equal(calls.length, 0);
});

test('two Authorization lines are unauthorized, whichever client the first one names', async (t) => {
  const { port, calls } = await startServer(t);
  for (const second of ['Authorization: Bearer reseller', 'AUTHORIZATION: Bearer other', 'authorization:']) {
    const headers = ['Host: x', 'Authorization: Bearer reseller', second];
    const answer = await sendRaw(port, rawRequest(`GET ${ORDERS}`, headers));
    expectError(answer, 'unauthorized');
    equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"');
  }
  equal(calls.length, 0);
});

test('two Content-Type lines are an unsupported media type, even if both are equal', async (t) => {
  const { port } = await startServer(t);
  const headers = [...POST_HEADERS, 'content-type: application/json', 'Content-Length: 2'];
  expectError(await sendRaw(port, rawRequest(`POST ${ORDERS}`, headers, '{}')), 'unsupported-media-type');
});

const MALFORMED: readonly (readonly [string, string | Buffer, ErrorCode])[] = [
  [
    'Content-Length together with Transfer-Encoding',
    rawRequest(
      `POST ${ORDERS}`,
      [...POST_HEADERS, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
      '0\r\n\r\n',
    ),
    'validation-error',
  ],
  ...['-1', 'abc', '1e3', '99999999999999999999999', '1, 2'].map((length): [string, string, ErrorCode] => [
    `Content-Length ${length}`,
    rawRequest(`POST ${ORDERS}`, [...POST_HEADERS, `Content-Length: ${length}`]),
    'validation-error',
  ]),
  [
    'a Content-Length of a terabyte',
    rawRequest(`POST ${ORDERS}`, [...POST_HEADERS, 'Content-Length: 1099511627776']),
    'payload-too-large',
  ],
  [
    'a header of 17 KiB',
    rawRequest(`GET ${ORDERS}`, ['Host: x', `X: ${'x'.repeat(17_000)}`]),
    'headers-too-large',
  ],
  [
    '3000 short headers',
    rawRequest(`GET ${ORDERS}`, ['Host: x', ...Array(3000).fill('a:b')]),
    'headers-too-large',
  ],
  ['101 headers', rawRequest(`GET ${ORDERS}`, ['Host: x', ...Array(99).fill('a:b')]), 'headers-too-large'],
  ['a URL of 9 KiB', rawRequest(`GET ${ORDERS}?x=${'x'.repeat(9_000)}`), 'uri-too-long'],
  ['a URL of 20 KiB', rawRequest(`GET ${ORDERS}?x=${'x'.repeat(20_000)}`), 'uri-too-long'],
  ['no Host', rawRequest(`GET ${ORDERS}`, ['Authorization: Bearer reseller']), 'validation-error'],
  [
    'two Host lines',
    rawRequest(`GET ${PAGE}`, ['Host: x', ...RESELLER_LINES, 'Host: x']),
    'validation-error',
  ],
  ...['a b', 'a\tb', 'a/b', 'a@b', 'a,b'].map((host): [string, string, ErrorCode] => [
    `the Host ${JSON.stringify(host)}`,
    rawRequest(`GET ${PAGE}`, [`Host: ${host}`, ...RESELLER_LINES]),
    'validation-error',
  ]),
  ...['gzip, chunked', 'x-gzip, chunked', 'deflate, chunked'].map((coding): [string, string, ErrorCode] => [
    `Transfer-Encoding ${coding}`,
    rawRequest(`POST ${ORDERS}`, [...POST_HEADERS, `Transfer-Encoding: ${coding}`], '2\r\n{}\r\n0\r\n\r\n'),
    'not-implemented',
  ]),
  [
    'a Transfer-Encoding on two lines',
    rawRequest(
      `POST ${ORDERS}`,
      [...POST_HEADERS, 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
      '0\r\n\r\n',
    ),
    'not-implemented',
  ],
  ['a method in lower case', rawRequest(`get ${ORDERS}`), 'validation-error'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'validation-error'],
  ['a TLS hello', Buffer.from('16030100a5010000a10303', 'hex'), 'validation-error'],
  ['a broken percent-encoding', rawRequest('GET /export/v1/orders/%zz'), 'validation-error'],
  ['a broken percent-encoding on an unknown path', rawRequest('GET /%ff'), 'validation-error'],
];

for (const [what, bytes, code] of MALFORMED) {
  test(`${what} gets ${code} and the connection is closed`, async (t) => {
    const { port, calls } = await startServer(t);
    expectError(await sendRaw(port, bytes), code);
    equal(calls.length, 0);
  });
}

test('100 headers are accepted', async (t) => {
  const { port } = await startServer(t);
  // Three more come from rawRequest's own lines.
  const headers = ['Host: x', 'Authorization: Bearer reseller', ...Array(97).fill('a:b')];
  equal((await sendRaw(port, rawRequest(`GET ${ORDERS}`, headers))).status, 200);
});

test('the server closes the connection of an oversized header block', async (t) => {
  const { port } = await startServer(t);
  const headers = ['Host: x', ...Array(120).fill('a:b')];
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${ORDERS} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  const answer = await readResponse(socket);
  expectError(answer, 'headers-too-large');
  equal(answer.headers['connection'], 'close');
});

test('an HTTP/1.0 request needs no Host', async (t) => {
  const { port } = await startServer(t);
  const answer = await sendRaw(port, `GET /health/live HTTP/1.0\r\n\r\n`);
  equal(answer.status, 200);
});

const ASKING_TO_STAY = [...POST_HEADERS, 'Connection: keep-alive'];
const NEXT = rawRequest(`GET ${PAGE}`);

test('Transfer-Encoding that is rejected closes the connection, and nothing after it is carried out', async (t) => {
  const { port, calls } = await startServer(t);
  const later = [...ASKING_TO_STAY, 'Transfer-Encoding: gzip, chunked'].join('\r\n');
  const ofLater = await sendRaw(
    port,
    `POST ${ORDERS} HTTP/1.1\r\n${later}\r\n\r\n2\r\n{}\r\n0\r\n\r\n${NEXT}`,
  );
  expectError(ofLater, 'not-implemented');
  for (const coding of ['chunked', 'gzip, chunked', 'identity']) {
    const head = [`POST ${ORDERS} HTTP/1.0`, ...ASKING_TO_STAY, `Transfer-Encoding: ${coding}`].join('\r\n');
    const answer = await sendRaw(port, `${head}\r\n\r\n2\r\n{}\r\n0\r\n\r\n${NEXT}`);
    expectError(answer, 'validation-error');
    equal(answer.text.includes('HTTP/1.1 '), false, answer.text);
  }
  equal(calls.length, 0);
});

test.each(['websocket', 'h2c', 'TLS/1.0'])('the connection closes after Upgrade: %s', async (protocol) => {
  const { port, calls } = await startServer(wholeFile);
  const head = [
    `GET ${PAGE} HTTP/1.1`,
    'Host: x',
    ...RESELLER_LINES,
    'Connection: Upgrade',
    `Upgrade: ${protocol}`,
  ];
  const answer = await sendRaw(port, `${head.join('\r\n')}\r\n\r\n${NEXT}`);
  deepEqual([answer.status, answer.headers['connection']], [200, 'close']);
  equal(answer.text.includes('HTTP/1.1 '), false, answer.text);
  equal(calls.length, 1);
});

test('bytes after a complete order that are not a request do not affect its response', async (t) => {
  const { port, calls } = await startServer(t, {
    stubs: {
      async createOrder({ traceId }) {
        await sleep(200);
        return { status: 201, bytes: Buffer.from(`{"traceId":"${traceId}","data":{}}`) };
      },
    },
  });
  const body = JSON.stringify({
    items: [{ auto: { productId: '12345678901234', quantity: 1, maxPrice: '1.00' } }],
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    rawRequest(`POST ${ORDERS}`, [...POST_HEADERS, `Content-Length: ${body.length}`], `${body}{}`),
  );
  // While the order is in progress, each piece is a separate error.
  setTimeout(() => socket.write('{}'), 50);
  const answer = await readResponse(socket);
  equal(answer.status, 201);
  equal(answer.headers['connection'], 'close');
  equal(calls.length, 1);
});

const shared = await startServer(wholeFile);

const OTHER_METHODS: readonly (readonly [string, string, string])[] = [
  ['TRACE', ORDERS, 'POST, GET, HEAD'],
  ['PUT', ORDERS, 'POST, GET, HEAD'],
  ['DELETE', ORDERS, 'POST, GET, HEAD'],
  ['OPTIONS', ORDERS, 'POST, GET, HEAD'],
  ['QUERY', ORDERS, 'POST, GET, HEAD'],
  ['PROPFIND', ORDERS, 'POST, GET, HEAD'],
  ['POST', '/export/v1/orders/21745560012345/keys', 'GET, HEAD'],
  ['PATCH', '/admin/v1/sellers/0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111', 'PUT, GET, HEAD'],
  ['POST', '/health/live', 'GET, HEAD'],
];

for (const [method, path, allow] of OTHER_METHODS) {
  test(`${method} ${path} is rejected with the allowed methods and echoes nothing`, async () => {
    const { port, calls } = shared;
    calls.length = 0;
    const answer = await sendRaw(port, rawRequest(`${method} ${path}`, ['Host: x', 'X-Echo: 5f0c']));
    equal(answer.headers['allow'], allow);
    ok(!answer.text.includes('5f0c'));
    expectError(answer, 'method-not-allowed');
    equal(calls.length, 0);
  });
}

test('CONNECT is not allowed and the connection is closed', async (t) => {
  const { port } = await startServer(t);
  expectError(
    await sendRaw(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'),
    'method-not-allowed',
  );
});

const EXAMPLES: Readonly<Record<string, string>> = {
  accountId: '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10',
  clientId: 'client-1',
  operatorId: 'person_0b7e9c1e53a44c9e9f0f6a4c',
  offerId: '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10',
  sellerId: '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10',
  productId: '10000000000017',
  memberId: 'mem_0b7e9c1e53a44c9e9f0f6a4c',
  orderId: '21745560012345',
  kind: 'keys',
  runId: '17',
  approvalId: '17',
  endpointId: 'whe_1',
  deliveryId: 'whd_1',
  claimId: 'clm_2b7e9c1e53a44c9e9f0f6a4ce5f0d111',
  reservationId: '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10',
  viewId: '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10',
  subject: 'order:21745560012345',
};

for (const operation of OPERATION_LIST as readonly OperationSpec[]) {
  const { method, path, audience, permission, body } = operation;
  if (body === undefined) continue;
  const isOptional = mayLackBody(operation);
  const outcome = isOptional ? 'is a request with {}' : 'is rejected as missing its body';
  test(`${method} ${path} without a body, with or without a Content-Length, ${outcome}`, async () => {
    const { port, calls } = shared;
    const line = `${method} ${path.replace(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? '')}`;
    // Members are managed only by people.
    const token = `Authorization: Bearer ${permission === 'members' ? 'owner' : audience}`;
    const headers = [
      'Host: x',
      token,
      `Idempotency-Key: ${IDEMPOTENCY_KEY}`,
      'Content-Type: application/json',
    ];
    calls.length = 0;
    for (const more of [[], ['Content-Length: 0']]) {
      const answer = await sendRaw(port, rawRequest(line, [...headers, ...more]));
      if (isOptional) deepEqual([answer.status, calls.pop()?.request.body], [200, {}]);
      else expectFields(answer, ['body']);
    }
    equal(calls.length, 0);
  });
}

test('an import without a body, with or without a Content-Length, imports nothing', async (t) => {
  const read = async ({ stream }: StubRequest) => {
    let sizeBytes = 0;
    for await (const piece of stream?.body ?? []) sizeBytes += piece.length;
    return { status: 200, bytes: Buffer.from(`{"read":${sizeBytes}}`) };
  };
  const { port } = await startServer(t, { stubs: { importLines: read } });
  const headers = ['Host: x', 'Authorization: Bearer operator', 'Content-Type: application/x-ndjson'];
  for (const more of [[], ['Content-Length: 0']]) {
    const answer = await sendRaw(port, rawRequest('POST /admin/v1/imports/keys', [...headers, ...more]));
    equal(answer.text, '{"read":0}');
  }
});

const UNKNOWN_PATHS = [
  '/nothing',
  '/export/v1',
  '/export/v1/orders/',
  '/Export/v1/orders',
  '/export/v1/ORDERS',
  '//export/v1/orders',
  '/export/v1/products/',
  '/export/v1/orders/21745560012345/keys/',
  '/export/v1/../v1/orders/x/y',
  '/__proto__',
];

for (const path of UNKNOWN_PATHS) {
  test(`${path} is not found, with or without an invalid body`, async () => {
    const { port } = shared;
    expectError(await sendRaw(port, rawRequest(`GET ${path}`)), 'not-found');
    const headers = ['Host: x', 'Content-Type: application/json', 'Content-Length: 1'];
    expectError(await sendRaw(port, rawRequest(`POST ${path}`, headers, '{')), 'not-found');
  });
}

test('a path parameter of 5000 characters is a validation error that does not repeat it', async (t) => {
  const { url } = await startServer(t);
  const answer = await fetchResponse(`${url}/export/v1/products/${'7'.repeat(5000)}`, { headers: RESELLER });
  expectFields(answer, ['path.productId']);
  ok(answer.text.length < 1000);
});

test('an unknown expectation is ignored', async (t) => {
  const { port } = await startServer(t);
  const headers = ['Host: x', 'Authorization: Bearer reseller', 'Expect: a-miracle'];
  equal((await sendRaw(port, rawRequest(`GET ${ORDERS}`, headers))).status, 200);
});
