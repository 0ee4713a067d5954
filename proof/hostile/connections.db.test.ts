/** A11, A14. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { wholeFile } from '../../packages/server/test/support/vitest.ts';
import { startWatchedService } from './service.ts';
import { setStage } from './stage.ts';
import { parseAll, type WireResponse } from './wire.ts';

const IDLE = 5_000;
const AT_ONCE = 250;
const WAIT_MS = 30_000;

const service = await startWatchedService(wholeFile);
const stage = await setStage(service);

test('five thousand idle connections: new ones are served, and every descriptor is released', async (t) => {
  const beforeCount = await service.openDescriptors();
  const idle: Socket[] = [];
  while (idle.length < IDLE) {
    const some = await Promise.all(Array.from({ length: AT_ONCE }, openIdle));
    idle.push(...some);
  }
  t.onTestFinished(() => {
    for (const socket of idle) socket.destroy();
  });
  const full = await service.openDescriptors();
  ok(full === undefined || full >= IDLE, `${full} descriptors are open`);
  for (let count = 0; count < 50; count += 1) {
    const response = await fetch(`${service.url}/export/v1/account`, {
      headers: { authorization: `Bearer ${stage.own.token}`, connection: 'close' },
    });
    equal(response.status, 200);
  }
  for (const socket of idle) socket.destroy();
  if (beforeCount === undefined) return;
  // Connections of the test's own fetch and of the pool come and go.
  const few = beforeCount + 20;
  const endsAtMs = performance.now() + WAIT_MS;
  let open = full;
  while (performance.now() < endsAtMs && open !== undefined && open > few) {
    await sleep(50);
    open = await service.openDescriptors();
  }
  ok(open !== undefined && open <= few, `${open} descriptors are still open; there were ${beforeCount}`);
  deepEqual(service.complaints, []);
});

test('requests of several callers on one connection each get their own response, in order', async () => {
  const callers = [stage.own, stage.other];
  const asked = Array.from({ length: 400 }, (_, index) => {
    const caller = callers[(index * 7) % 2] ?? stage.own;
    const traceId = randomBytes(16).toString('hex');
    const paths = [
      '/export/v1/account',
      `/export/v1/orders/${caller.orderIds[index % caller.orderIds.length]}`,
      '/export/v1/product-offers?itemsPerPage=100',
      `/export/v1/orders?itemsPerPage=10&page=${1 + (index % 3)}`,
      '/export/v1/products/10000000000001',
      '/nowhere',
    ];
    return { caller, traceId, path: paths[index % paths.length] ?? '' };
  });
  const bytes = asked
    .map(
      ({ caller, traceId, path }, index) =>
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.token}\r\ntraceparent: 00-${traceId}-00f067aa0ba902b7-01\r\n${index === asked.length - 1 ? 'Connection: close\r\n' : ''}\r\n`,
    )
    .join('');
  const responses = await talk(bytes);
  equal(responses.length, asked.length);
  for (const [index, { caller, traceId, path }] of asked.entries()) {
    const { headers, body } = responses[index] as WireResponse;
    equal(headers.find(([name]) => name === 'x-trace-id')?.[1], traceId, 'the order of the responses');
    const parsed = JSON.parse(body.toString());
    equal(parsed.traceId, traceId);
    if (path === '/export/v1/account') equal(parsed.data.id, caller.accountId);
    else if (path.startsWith('/export/v1/orders/')) equal(parsed.data.id, path.split('/').at(-1));
    else if (path.startsWith('/export/v1/orders?'))
      ok(
        parsed.data.every(({ id }: { id: string }) => caller.orderIds.includes(id)),
        'only orders of the caller',
      );
  }
});

/** Two parsers may disagree where these end; the bytes after the end must not become a second request. */
const SMUGGLED: readonly (readonly [what: string, head: readonly string[], before: string])[] = [
  ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 6'], '0\r\n\r\n'],
  ['two lengths', ['Content-Length: 2', 'Content-Length: 400'], '{}'],
  ['two lengths in one line', ['Content-Length: 2, 400'], '{}'],
  ['a length with a sign', ['Content-Length: +2'], '{}'],
  ['a length in hexadecimal', ['Content-Length: 0x2'], '{}'],
  ['a length with a blank before the colon', ['Content-Length : 2'], '{}'],
  ['a coding with a blank before the colon', ['Transfer-Encoding : chunked', 'Content-Length: 2'], '{}'],
  ['an unknown coding', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
  ['chunks that are not the last coding', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
  [
    'two codings',
    ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked', 'Content-Length: 2'],
    '0\r\n\r\n',
  ],
  [
    'a coding with a vertical tab before it',
    ['Transfer-Encoding:\x0bchunked', 'Content-Length: 2'],
    '0\r\n\r\n',
  ],
  ['a folded line', ['Transfer-Encoding:\r\n chunked', 'Content-Length: 2'], '0\r\n\r\n'],
  ['a bare line feed', ['X: a\nTransfer-Encoding: chunked', 'Content-Length: 2'], '0\r\n\r\n'],
  ['a bare carriage return', ['X: a\rTransfer-Encoding: chunked', 'Content-Length: 2'], '0\r\n\r\n'],
  ['a chunk size that overflows 64 bits', ['Transfer-Encoding: chunked'], 'FFFFFFFFFFFFFFFF0\r\n'],
  ['a chunk of a negative size', ['Transfer-Encoding: chunked'], '-1\r\n'],
  ['a chunk whose end is a bare line feed', ['Transfer-Encoding: chunked'], '2\n{}\n0\n\n'],
  ['a chunk that is longer than it says', ['Transfer-Encoding: chunked'], '1\r\n{}\r\n0\r\n\r\n'],
];

for (const [what, head, before] of SMUGGLED) {
  test(`${what}: rejected, and no request is read from the bytes after it`, async () => {
    const inner = innerRequest();
    const lines = [
      'Host: x',
      `Authorization: Bearer ${stage.own.token}`,
      'Content-Type: application/json',
      ...head,
    ];
    const responses = await talk(
      `POST /export/v1/orders HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${before}${inner.text}`,
    );
    deepEqual(
      responses.map(({ status }) => status),
      [400],
    );
    ok(!responses.some(({ headers }) => headers.some(([, value]) => value === inner.traceId)));
    deepEqual(service.complaints, []);
  });
}

test("a request inside another request's body is not executed", async () => {
  const inner = innerRequest();
  for (const method of ['GET', 'POST', 'DELETE']) {
    const responses = await talk(
      `${method} /export/v1/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${stage.own.token}\r\nContent-Type: application/json\r\nContent-Length: ${inner.text.length}\r\n\r\n${inner.text}`,
    );
    equal(responses.length, 1, method);
    ok(!responses[0]?.headers.some(([, value]) => value === inner.traceId));
  }
});

test('a header value that the service sends back cannot contain another header', async () => {
  for (const value of [
    '00-4bf92f3577b34da6a3ce929d0e0e4736%0d%0aX-Injected: 1-00f067aa0ba902b7-01',
    '\u00e5\u0000',
    'a\u0085b',
  ]) {
    const responses = await talk(
      `GET /export/v1/account HTTP/1.1\r\nHost: x\r\nConnection: close\r\ntraceparent: ${value}\r\n\r\n`,
    );
    equal(responses.length, 1);
    ok(!responses[0]?.headers.some(([name]) => name === 'x-injected'));
  }
});

/** The trace id identifies its response. */
function innerRequest(): { text: string; traceId: string } {
  const traceId = randomBytes(16).toString('hex');
  return {
    traceId,
    text: `GET /admin/v1/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stage.tokens.operator}\r\ntraceparent: 00-${traceId}-00f067aa0ba902b7-01\r\n\r\n`,
  };
}

async function openIdle(): Promise<Socket> {
  const socket = connect({ port: service.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  socket.on('error', () => {});
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** Reads until the service closes: a client that hangs up first may lose responses. */
async function talk(text: string): Promise<WireResponse[]> {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  const chunks: Buffer[] = [];
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(Buffer.from(text, 'latin1'));
  await new Promise((resolve) => socket.on('close', resolve));

  return parseAll(Buffer.concat(chunks));
}
