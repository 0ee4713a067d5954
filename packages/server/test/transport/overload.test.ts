/** A185, A240, A241, A242. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { type Overload, QueueFull } from '@keyport/http/admission/overload';
import { test } from 'vitest';
import {
  ACCOUNT_ID,
  closed,
  expectError,
  expectFields,
  fetchResponse,
  OPERATOR,
  orderRequest,
  PRINCIPALS,
  parseResponse,
  type RawResponse,
  RESELLER,
  rawRequest,
  readResponse,
  type Stub,
  startServer,
  type TestServer,
} from './support.ts';

const PAGE = '/export/v1/product-offers';
const ORDERS = '/export/v1/orders';

/** Every request waits for the next turn and has then waited too long. */
const ALWAYS_LATE = { turnRequestsMax: 0, turnWaitMsMax: 0 };
const QUIET = {
  knownCaller: ({ headers }: IncomingMessage) => PRINCIPALS[headers.authorization ?? ''],
  hasSession: ({ headers }: IncomingMessage) => headers.cookie === 'session',
  queue: { name: 'orders', path: ORDERS, hasRoomFor: (_accountId: string) => true },
  databaseWaiting: () => 0,
  anonymousWaiting: () => 0,
};

function expectRejected(answer: RawResponse): void {
  const error = expectError(answer, 'service-unavailable');
  equal(answer.headers['retry-after'], '1');
  match(error.message, /same Idempotency-Key/);
}

function waiting({ server }: TestServer, busyness: Partial<Parameters<Overload['watch']>[0]>): void {
  server.overload.watch({ ...QUIET, ...busyness });
}

test('requests that come too late in a turn of the loop are rejected, except those of known operators', async (t) => {
  const server = await startServer(t, { overloadLimits: ALWAYS_LATE });
  waiting(server, {});
  const { url, calls } = server;
  const unknown = { headers: { authorization: 'Bearer unknown' } };
  const refused: readonly (readonly [string, RequestInit])[] = [
    [PAGE, { headers: RESELLER }],
    [PAGE, {}],
    ['/export/v1/account', { headers: RESELLER }],
    [ORDERS, orderRequest({})],
    ['/admin/v1/orders', { headers: RESELLER }],
    ['/admin/v1/orders', unknown],
    ['/admin/v1/orders', {}],
    ['/nothing', {}],
    ['/docs', {}],
  ];
  for (const [path, init] of refused) {
    expectRejected(await fetchResponse(url + path, init));
  }
  equal(calls.length, 0);
  equal((await fetchResponse(`${url}/admin/v1/orders`, { headers: OPERATOR })).status, 200);
  equal((await fetchResponse(`${url}/admin/v1/orders`, { headers: { cookie: 'session' } })).status, 401);
});

test('health checks get a response at any load, up to the number that balancers send in one turn of the loop', async (t) => {
  const server = await startServer(t, { overloadLimits: { ...ALWAYS_LATE, turnHealthChecksMax: 3 } });
  waiting(server, { databaseWaiting: () => 201, anonymousWaiting: () => 201 });
  for (const path of ['/health/live', '/health/ready', '/health/live', '/health/ready']) {
    equal((await fetchResponse(server.url + path)).status, 200);
  }
  const sockets = Array.from({ length: 6 }, () => connect(server.port, '127.0.0.1'));
  const ask = (socket: Socket) => {
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    return nextResponse(socket);
  };
  for (const socket of sockets) equal((await ask(socket)).status, 200);
  // Requests written in one turn of this process are read in one turn too.
  const flood = await Promise.all(sockets.map(ask));
  deepEqual(flood.map(({ status }) => status).toSorted(), [200, 200, 200, 503, 503, 503]);
  for (const socket of sockets) socket.destroy();
});

test('the token endpoint rejects in the form that OAuth clients understand', async (t) => {
  const { url } = await startServer(t, { overloadLimits: ALWAYS_LATE });
  const answer = await fetchResponse(`${url}/oauth/token`, { method: 'POST', body: 'x' });
  equal(answer.status, 503);
  equal(answer.headers['retry-after'], '1');
  equal(JSON.parse(answer.text).error, 'temporarily_unavailable');
});

test('a connection whose order was rejected with its body unread serves the next request', async (t) => {
  const server = await startServer(t);
  let isFull = true;
  waiting(server, { queue: { ...QUIET.queue, hasRoomFor: () => !isFull } });
  const body = ' '.repeat(60_000);
  const order = `POST ${ORDERS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reseller\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = connect(server.port, '127.0.0.1');
  socket.setEncoding('utf8');
  socket.write(order);
  expectRejected(await nextResponse(socket));
  isFull = false;
  socket.write(body + rawRequest(`GET ${PAGE}`));
  equal((await nextResponse(socket)).status, 200);
  await closed(socket);
});

test('an order whose account finds no room is rejected before its body is read, and everything else is served', async (t) => {
  const server = await startServer(t);
  waiting(server, { queue: { ...QUIET.queue, hasRoomFor: (accountId) => accountId !== ACCOUNT_ID } });
  expectRejected(await fetchResponse(server.url + ORDERS, orderRequest('{')));
  equal((await fetchResponse(server.url + ORDERS, { headers: RESELLER })).status, 200);
  equal((await fetchResponse(server.url + PAGE, { headers: RESELLER })).status, 200);
  expectError(await fetchResponse(server.url + ORDERS, { ...orderRequest({}), headers: {} }), 'unauthorized');
  equal(server.calls.length, 2);
});

test('an order that finds the queue full is rejected and counted, and logs no error', async (t) => {
  const server = await startServer(t, {
    stubs: {
      createOrder() {
        throw new QueueFull('orders');
      },
    },
  });
  const item = { auto: { productId: '10000000000001', quantity: 1, maxPrice: '1.00' } };
  const order = orderRequest({ items: [item] });
  expectRejected(await fetchResponse(server.url + ORDERS, order));
  equal(server.server.overload.counts['orders'], 1);
  deepEqual(
    server.log.filter(({ err }) => err !== undefined),
    [],
  );
});

test('while too many token callers wait for the database, reads from memory, orders, operators and others are served', async (t) => {
  const server = await startServer(t, {});
  waiting(server, { databaseWaiting: () => 201 });
  const { url } = server;
  expectRejected(await fetchResponse(url + ORDERS, { headers: RESELLER }));
  expectRejected(await fetchResponse(`${url}/%65xport/v1/orders`, { headers: RESELLER }));
  expectRejected(await fetchResponse(`${url}/admin/v1/orders`));
  equal((await fetchResponse(url + PAGE, { headers: RESELLER })).status, 200);
  expectFields(await fetchResponse(url + ORDERS, orderRequest({})), ['body.items']);
  equal((await fetchResponse(`${url}/admin/v1/orders`, { headers: OPERATOR })).status, 200);
  equal((await fetchResponse(`${url}/health/ready`)).status, 200);
  equal((await fetchResponse(`${url}/oauth/token`, { method: 'POST' })).status, 404);
});

test('while too many callers wait for the database, operators’ reads of whole tables are rejected too', async (t) => {
  const server = await startServer(t, {});
  const heavy = OPERATION_LIST.filter(({ isHeavy }) => isHeavy);
  deepEqual(heavy.map(({ path }) => path.slice('/admin/v1'.length)).toSorted(), [
    '/audit/verify',
    '/books',
    '/books/daily',
    '/books/sellers',
    '/books/statements',
    '/sellers/{sellerId}/claims-rate',
    '/verify',
  ]);
  for (const { path } of heavy) {
    waiting(server, { databaseWaiting: () => 201 });
    expectRejected(await fetchResponse(server.url + path, { headers: OPERATOR }));
    expectRejected(await fetchResponse(server.url + path, { headers: { cookie: 'session' } }));
    waiting(server, {});
    ok((await fetchResponse(server.url + path, { headers: OPERATOR })).status < 500, path);
  }
});

test('while too many callers without a token wait for the database, only such callers are rejected', async (t) => {
  const server = await startServer(t);
  waiting(server, { anonymousWaiting: () => 201 });
  const { url } = server;
  for (const path of ['/oauth/token', '/%6fauth/token', '/media/products/10000000000001/cover.svg']) {
    equal((await fetchResponse(url + path, { method: 'POST' })).status, 503, path);
  }
  equal((await fetchResponse(url + ORDERS, { headers: RESELLER })).status, 200);
  expectFields(await fetchResponse(url + ORDERS, orderRequest({})), ['body.items']);
  equal((await fetchResponse(`${url}/health/ready`)).status, 200);
});

test('one connection above the limit gets a response, further ones are closed, and later ones are served again', async (t) => {
  const { port, url, server } = await startServer(t, { overloadLimits: { connectionsMax: 2 } });
  const first = await openAll(port, 2);
  const surplus = connect(port, '127.0.0.1');
  surplus.write(`GET ${PAGE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reseller\r\n\r\n`);
  const answer = await readResponse(surplus);
  expectRejected(answer);
  equal(answer.headers['connection'], 'close');
  await untilConnections(server, 2);
  const idle = await openAll(port, 2);
  await untilConnections(server, 4);
  await closed(connect(port, '127.0.0.1'));
  const gone = [...first, ...idle].map(closed);
  for (const socket of [...first, ...idle]) socket.resume().end(rawRequest('GET /health/live'));
  await Promise.all(gone);
  equal((await fetchResponse(url + PAGE, { headers: RESELLER })).status, 200);
});

test('requests that waited too long for their turn are rejected in order of arrival, and readiness recovers', async (t) => {
  const stuckMs = 100;
  const requests = 30;
  const blocks: Stub = ({ traceId }) => {
    const endsAt = performance.now() + stuckMs;
    while (performance.now() < endsAt);
    return { status: 200, bytes: Buffer.from(`{"traceId":"${traceId}","data":[]}`) };
  };
  const server = await startServer(t, {
    stubs: { getOwnAccount: blocks },
    overloadLimits: {
      turnRequestsMax: 2,
      turnWaitMsMax: 5 * stuckMs,
      stuckMs: stuckMs / 2,
      stuckRestMs: 2_000,
    },
  });
  waiting(server, {});
  const sockets = await openAll(server.port, requests);
  await untilConnections(server.server, requests);
  const order: number[] = [];
  const answers = sockets.map(async (socket, index) => {
    const { status } = await readResponse(socket);
    order.push(index);
    return status;
  });
  for (const socket of sockets) socket.write(rawRequest('GET /export/v1/account'));
  const statuses = await Promise.all(answers);
  const served = statuses.indexOf(503);
  // Only requests of the first turn and those that waited for fewer than five turns are served.
  ok(served >= 2 && served < 15, String(statuses));
  ok(statuses.every((status, index) => status === (index < served ? 200 : 503)));
  equal(server.server.overload.isResponsive, false);
  while (!server.server.overload.isResponsive) await new Promise((resolve) => setTimeout(resolve, 20));
  equal((await fetchResponse(server.url + PAGE, { headers: RESELLER })).status, 200);
});

test('an operator overtakes requests that wait for their turn, which begin in order of arrival', async (t) => {
  const server = await startServer(t, { overloadLimits: { turnRequestsMax: 1 } });
  waiting(server, {});
  const sockets = await openAll(server.port, 21);
  await untilConnections(server.server, 21);
  const answers = Promise.all(sockets.map(readResponse));
  for (const [index, socket] of sockets.entries())
    socket.write(
      index < 20
        ? rawRequest(`GET ${PAGE}?page=${index + 1}`)
        : rawRequest('GET /admin/v1/orders', ['Host: x', 'Authorization: Bearer operator']),
    );
  equal((await answers).filter(({ status }) => status === 200).length, 21);
  const pages = server.calls.map(({ request }) => (request.query as { page?: number }).page);
  const operator = pages.indexOf(undefined);
  ok(operator < 10, String(pages));
  deepEqual(
    pages.toSpliced(operator, 1),
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
});

test('the log counts rejections in one line per second', async (t) => {
  const server = await startServer(t);
  waiting(server, { queue: { ...QUIET.queue, hasRoomFor: () => false } });
  for (let count = 0; count < 3; count += 1) await fetchResponse(server.url + ORDERS, orderRequest({}));
  const line = async (): Promise<Record<string, unknown>> => {
    for (;;) {
      const found = server.log.find(({ refused }) => refused !== undefined);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const { refused } = await line();
  deepEqual(refused, { late: 0, connections: 0, orders: 3, database: 0 });
  equal(server.log.filter(({ route }) => route !== undefined).length, 0);
});

async function openAll(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  await Promise.all(
    sockets.map((socket) => new Promise<void>((resolve) => socket.once('connect', () => resolve()))),
  );
  return sockets;
}

async function untilConnections(server: TestServer['server'], wanted: number): Promise<void> {
  while ((await server.countConnections()) !== wanted)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Short responses arrive in one piece. */
async function nextResponse(socket: Socket): Promise<RawResponse> {
  return new Promise((resolve) => socket.once('data', (text) => resolve(parseResponse(String(text)))));
}
