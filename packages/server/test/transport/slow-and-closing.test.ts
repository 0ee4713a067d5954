/** Options shorten the timeouts. */
import { equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@keyport/http/replies/api-error';
import { test } from 'vitest';
import {
  closed,
  expectError,
  fetchResponse,
  IDEMPOTENCY_KEY,
  RESELLER,
  rawRequest,
  readResponse,
  type Stub,
  startServer,
} from './support.ts';

const PAGE = '/export/v1/product-offers';
const SHORT = { headersTimeoutMs: 200, requestTimeoutMs: 300 };

const PIECE = Buffer.alloc(100_000, 'x');

function* pieces(count: number): Generator<Buffer> {
  for (let index = 0; index < count; index += 1) yield PIECE;
}

function gate() {
  const entered = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const stub: Stub = async ({ traceId }) => {
    entered.resolve();
    await opened.promise;
    return { status: 200, bytes: Buffer.from(`{"traceId":"${traceId}","data":[]}`) };
  };
  return { stub, entered: entered.promise, open: opened.resolve };
}

test('headers that arrive too slowly cause a request timeout, and others are still served', async (t) => {
  const { port, url } = await startServer(t, { limits: SHORT });
  const slow = Array.from({ length: 500 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    const drip = setInterval(() => socket.write('a'), 50);
    socket.on('close', () => clearInterval(drip));
    return readResponse(socket);
  });
  equal((await fetchResponse(url + PAGE, { headers: RESELLER })).status, 200);
  for (const answer of await Promise.all(slow)) {
    expectError(answer, 'request-timeout');
    equal(answer.headers['connection'], 'close');
  }
});

test('a connection that never sends anything is closed', async (t) => {
  const { port } = await startServer(t, { limits: SHORT });
  expectError(await readResponse(connect(port, '127.0.0.1')), 'request-timeout');
});

test('a body that arrives too slowly causes a request timeout', async (t) => {
  const { port, calls } = await startServer(t, { limits: SHORT });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /export/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reseller\r\nIdempotency-Key: ${IDEMPOTENCY_KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`,
  );
  const drip = setInterval(() => socket.write(' '), 50);
  socket.on('close', () => clearInterval(drip));
  expectError(await readResponse(socket), 'request-timeout');
  equal(calls.length, 0);
});

test('a client that does not read its response is cut off in bounded time', async (t) => {
  const bytes = Buffer.alloc(20_000_000, 'x');
  const { port, server } = await startServer(t, {
    limits: { writeTimeoutMs: 200 },
    stubs: { listProductOffers: () => ({ status: 200, bytes }) },
  });
  const accepted = once(server.node, 'connection');
  const reader = connect(port, '127.0.0.1');
  reader.on('error', () => {});
  reader.pause();
  reader.write(rawRequest(`GET ${PAGE}`));
  const [socket]: Socket[] = await accepted;
  ok(socket !== undefined);
  await closed(socket);
  reader.destroy();
});

test('a streamed response may take longer than one in memory, as long as its reader reads', async (t) => {
  const writeTimeoutMs = 1_500;
  const stream = Readable.from(pieces(400));
  const { port } = await startServer(t, {
    limits: { writeTimeoutMs },
    stubs: { listProductOffers: () => ({ status: 200, stream, contentType: 'text/csv' }) },
  });
  const reader = connect(port, '127.0.0.1');
  const startMs = performance.now();
  let sizeBytes = 0;
  reader.on('data', ({ length }) => {
    sizeBytes += length;
    if (performance.now() - startMs > 2 * writeTimeoutMs) return;
    reader.pause();
    setTimeout(() => reader.resume(), 20);
  });
  reader.write(rawRequest(`GET ${PAGE}`));
  await once(reader, 'end');
  ok(performance.now() - startMs > 2 * writeTimeoutMs);
  ok(sizeBytes > 400 * PIECE.length);
});

test('a streamed response whose client does not read is cut off, and its source ends', async (t) => {
  const stream = Readable.from(pieces(400));
  const { port } = await startServer(t, {
    limits: { writeTimeoutMs: 200 },
    stubs: { listProductOffers: () => ({ status: 200, stream, contentType: 'text/csv' }) },
  });
  const reader = connect(port, '127.0.0.1');
  reader.on('error', () => {});
  reader.pause();
  reader.write(rawRequest(`GET ${PAGE}`));
  await once(stream, 'close');
  equal(stream.readableEnded, false);
  reader.destroy();
});

test('a response that is held longer than all timeouts of a request still arrives', async (t) => {
  const { url } = await startServer(t, {
    limits: { ...SHORT, writeTimeoutMs: 100 },
    stubs: {
      getOwnAccount: async ({ traceId }) => {
        await sleep(600);
        return { status: 200, bytes: Buffer.from(`{"traceId":"${traceId}","data":[]}`) };
      },
    },
  });
  equal((await fetchResponse(`${url}/export/v1/account`, { headers: RESELLER })).status, 200);
});

test('a handler that waits is notified when its caller hangs up', async (t) => {
  const entered = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const { port } = await startServer(t, {
    stubs: {
      getOwnAccount: async ({ onHangUp, traceId }) => {
        onHangUp(left.resolve);
        entered.resolve();
        await left.promise;
        return { status: 200, bytes: Buffer.from(`{"traceId":"${traceId}","data":[]}`) };
      },
    },
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(rawRequest('GET /export/v1/account'));
  await entered.promise;
  socket.destroy();
  await left.promise;
});

test('a caller that disconnects right after its request does not stop the handler', async (t) => {
  const finished = Promise.withResolvers<void>();
  const { stub, entered, open } = gate();
  const { port } = await startServer(t, {
    stubs: {
      listProductOffers: async (request) => {
        const reply = await stub(request);
        finished.resolve();
        return reply;
      },
    },
  });
  const socket = connect(port, '127.0.0.1');
  socket.end(rawRequest(`GET ${PAGE}`));
  await entered;
  socket.destroy();
  open();
  await finished.promise;
});

test('hundreds of idle connections do not prevent a new one from being served', async (t) => {
  const { port, url } = await startServer(t);
  const idle = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
      return socket;
    }),
  );
  equal((await fetchResponse(url + PAGE, { headers: RESELLER })).status, 200);
  for (const socket of idle) socket.destroy();
});

test('closing finishes the request in flight and announces to its caller that the connection ends', async (t) => {
  const { stub, entered, open } = gate();
  const { port, server } = await startServer(t, { stubs: { listProductOffers: stub } });
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${PAGE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reseller\r\n\r\n`);
  await entered;
  const ended = server.close();
  open();
  const answer = await readResponse(socket);
  equal(answer.status, 200);
  equal(answer.headers['connection'], 'close');
  await ended;
});

test('closing still responds to the first request of a connection that was opened just before', async (t) => {
  const { port, server } = await startServer(t);
  const socket = connect(port, '127.0.0.1');
  await once(server.node, 'connection');
  const ended = server.close();
  while (server.node.listening) await sleep(1);
  socket.write(rawRequest(`GET ${PAGE}`));
  const answer = await readResponse(socket);
  equal(answer.status, 200);
  equal(answer.headers['connection'], 'close');
  await ended;
});

test('closing ends connections that have sent nothing, or only half of a request', async (t) => {
  const { port, server } = await startServer(t, {
    limits: { closeTimeoutMs: 100, firstRequestTimeoutMs: 50 },
  });
  const sockets = ['', 'GET / HTTP/1.1\r\nHo'].map((start) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(start);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await Promise.all([server.close(), ...sockets.map(closed)]);
});

test('closing cuts off a request that does not end in time', async (t) => {
  const { stub, entered, open } = gate();
  const { port, server } = await startServer(t, {
    stubs: { listProductOffers: stub },
    limits: { closeTimeoutMs: 100 },
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(rawRequest(`GET ${PAGE}`));
  await entered;
  const cut = closed(socket);
  await server.close();
  await cut;
  open();
});

test('an import that is rejected before its body has arrived does not end the requests that follow it', async (t) => {
  const { port } = await startServer(t, {
    stubs: {
      importLines: () => {
        throw new ApiError('conflict');
      },
      // This takes longer than the service reads from the sender of a rejected import.
      getOwnAccount: async ({ traceId }) => {
        await sleep(2_500);
        return { status: 200, bytes: Buffer.from(`{"traceId":"${traceId}","data":[]}`) };
      },
    },
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /admin/v1/imports/sellers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator\r\nContent-Type: application/x-ndjson\r\nContent-Length: 2\r\n\r\n',
  );
  const [rejection]: Buffer[] = await once(socket, 'data');
  ok(rejection?.includes('409'));
  socket.write(`{}${rawRequest('GET /export/v1/account')}`);
  equal((await readResponse(socket)).status, 200);
});

test('an import that is rejected before its end gets a response, and the service stops reading it', async (t) => {
  const importLines: Stub = async ({ stream }) => {
    for await (const _ of stream?.body ?? []) break;
    throw new ApiError('conflict');
  };
  const { port } = await startServer(t, { stubs: { importLines } });
  const socket = connect(port, '127.0.0.1');
  const headers = [
    'Authorization: Bearer operator',
    'Content-Type: application/x-ndjson',
    'Content-Length: 1000000000',
  ];
  const head = `POST /admin/v1/imports/keys HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`;
  socket.write(head);
  const drip = setInterval(() => socket.write('{}\n'.repeat(1_000)), 10);
  const answer = await readResponse(socket);
  clearInterval(drip);
  equal(answer.status, 409);
});
