/** A11, A14. */
import { equal, ok } from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { test } from 'vitest';
import {
  closed,
  expectError,
  expectFields,
  fetchResponse,
  IDEMPOTENCY_KEY,
  OPERATOR,
  orderRequest,
  readResponse,
  type Stub,
  startServer,
} from './support.ts';

const ORDER = {
  items: [{ auto: { productId: '10000000000017', quantity: 1, maxPrice: '15.00' } }],
};
const LIMIT = 64 * 1024;

function paddedOrder(sizeBytes: number): string {
  const text = JSON.stringify(ORDER);
  return text.slice(0, -1) + ' '.repeat(sizeBytes - text.length) + text.slice(-1);
}

test('a body of 64 KiB is read, and one byte more is too large and is not parsed', async (t) => {
  const { url, calls } = await startServer(t);
  equal((await fetchResponse(`${url}/export/v1/orders`, orderRequest(paddedOrder(LIMIT)))).status, 200);
  const answer = await fetchResponse(`${url}/export/v1/orders`, orderRequest(`${paddedOrder(LIMIT)}!`));
  equal(expectError(answer, 'payload-too-large').data?.['limit'], LIMIT);
  equal(calls.length, 1);
});

test('a body without a length that grows beyond 64 KiB is too large', async (t) => {
  const { port, calls } = await startServer(t);
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /export/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reseller\r\nIdempotency-Key: ${IDEMPOTENCY_KEY}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
  );
  const chunk = ' '.repeat(16_384);
  for (let count = 0; count < 5; count += 1) socket.write(`4000\r\n${chunk}\r\n`);
  socket.write('0\r\n\r\n');
  expectError(await readResponse(socket), 'payload-too-large');
  equal(calls.length, 0);
});

test('the body of a caller without a token is not read', async (t) => {
  const { url } = await startServer(t);
  const init = orderRequest('{{{', { authorization: '', 'content-type': 'text/plain' });
  expectError(await fetchResponse(`${url}/export/v1/orders`, init), 'unauthorized');
});

test('a compressed body is rejected and not inflated', async (t) => {
  const { url } = await startServer(t);
  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity', 'x']) {
    const init = orderRequest('', { 'content-encoding': encoding });
    const body = gzipSync(Buffer.alloc(50_000_000));
    expectError(await fetchResponse(`${url}/export/v1/orders`, { ...init, body }), 'unsupported-media-type');
  }
  const plain = orderRequest(ORDER, { 'content-encoding': 'Identity' });
  equal((await fetchResponse(`${url}/export/v1/orders`, plain)).status, 200);
});

const REJECTED_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json; charset=utf-8; charset=utf-16',
  'application/jsonx',
  'application/problem+json',
  'multipart/form-data; boundary=x',
  'garbage',
  '',
];

for (const type of REJECTED_TYPES) {
  test(`Content-Type "${type}" is an unsupported media type`, async (t) => {
    const { url, calls } = await startServer(t);
    const init = orderRequest(Buffer.from(JSON.stringify(ORDER)).toString(), { 'content-type': type });
    expectError(await fetchResponse(`${url}/export/v1/orders`, init), 'unsupported-media-type');
    equal(calls.length, 0);
  });
}

test('a body without a Content-Type is an unsupported media type', async (t) => {
  const { url } = await startServer(t);
  const { headers, ...init } = orderRequest(ORDER);
  const { 'content-type': _type, ...others } = headers;
  // With a string, fetch would add a Content-Type.
  const body = Buffer.from(JSON.stringify(ORDER));
  const answer = await fetchResponse(`${url}/export/v1/orders`, { ...init, headers: others, body });
  expectError(answer, 'unsupported-media-type');
});

for (const type of [
  'application/json; charset=utf-8',
  'Application/JSON;charset="UTF-8"',
  'application/json;',
]) {
  test(`Content-Type "${type}" is accepted`, async (t) => {
    const { url } = await startServer(t);
    const answer = await fetchResponse(
      `${url}/export/v1/orders`,
      orderRequest(ORDER, { 'content-type': type }),
    );
    equal(answer.status, 200);
  });
}

test('invalid UTF-8 is a validation error and never becomes a replacement character', async (t) => {
  const { url, calls } = await startServer(t);
  for (const bytes of ['c328', 'eda080', 'f4908080', 'ff', 'c0af']) {
    const body = Buffer.concat([Buffer.from('{"currency":"'), Buffer.from(bytes, 'hex'), Buffer.from('"}')]);
    const answer = await fetchResponse(`${url}/export/v1/orders`, { ...orderRequest(''), body });
    expectFields(answer, ['body']);
  }
  equal(calls.length, 0);
});

test('a body is the same in one piece and in single bytes', async (t) => {
  const { port, calls } = await startServer(t);
  const text = JSON.stringify({ ...ORDER, currency: 'EUR' });
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.write(
    `POST /export/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reseller\r\nIdempotency-Key: ${IDEMPOTENCY_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n`,
  );
  for (const character of text) socket.write(character);
  equal((await readResponse(socket)).status, 200);
  equal(JSON.stringify(calls[0]?.request.body), text);
});

const countBytes: Stub = async ({ stream }) => {
  ok(stream !== undefined);
  let size = 0;
  for await (const chunk of stream.body) size += chunk.length;
  const counts = { read: size, written: 0, unchanged: 0, rejected: 0, skipped: 0, rejectedBefore: 0 };
  const data = { ...counts, errors: [], removed: 0, runId: '1', dryRun: false };
  return { status: 200, data };
};

test('an import of any size is streamed to its handler', async (t) => {
  const { url } = await startServer(t, { stubs: { importLines: countBytes } });
  const body = Buffer.alloc(3_000_000, '\n');
  for (const type of ['application/x-ndjson', 'text/csv; charset=utf-8']) {
    const answer = await fetchResponse(`${url}/admin/v1/imports/keys`, {
      method: 'POST',
      headers: { ...OPERATOR, 'content-type': type },
      body,
    });
    equal(answer.status, 200);
    equal(JSON.parse(answer.text).data.read, body.length);
  }
});

test('an import of another type is rejected before its handler runs', async (t) => {
  const { url, calls } = await startServer(t);
  const init = { method: 'POST', headers: { ...OPERATOR, 'content-type': 'application/json' }, body: '[]' };
  expectError(await fetchResponse(`${url}/admin/v1/imports/keys`, init), 'unsupported-media-type');
  equal(calls.length, 0);
});

test('an import that the service itself is slow to read is not cut off', async (t) => {
  const silenceMaxMs = 400;
  const { port } = await startServer(t, {
    stubs: {
      async importLines({ stream, traceId }) {
        let chunkCount = 0;
        for await (const _ of stream?.body ?? []) {
          if (chunkCount === 0) await sleep(3 * silenceMaxMs);
          chunkCount += 1;
        }
        return { status: 200, bytes: Buffer.from(`{"traceId":"${traceId}","data":${chunkCount}}`) };
      },
    },
    uploadSilenceMaxMs: silenceMaxMs,
  });
  const content = Buffer.alloc(8 * 1024 * 1024, 'x');
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /admin/v1/imports/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator\r\nContent-Type: text/csv\r\nContent-Length: ${content.length}\r\nConnection: close\r\n\r\n`,
  );
  socket.write(content);
  equal((await readResponse(socket)).status, 200);
});

test('an import may take longer than the request timeout, but a silent sender is cut off', async (t) => {
  const { port } = await startServer(t, {
    stubs: { importLines: countBytes },
    limits: { headersTimeoutMs: 50, requestTimeoutMs: 100 },
    uploadSilenceMaxMs: 400,
  });
  const head =
    'POST /admin/v1/imports/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator\r\nContent-Type: text/csv\r\nContent-Length: 10\r\nConnection: close\r\n\r\n';
  const patient = connect(port, '127.0.0.1');
  patient.write(head);
  const answer = readResponse(patient);
  let sent = 0;
  const drip = setInterval(() => {
    patient.write('x');
    sent += 1;
    if (sent === 10) clearInterval(drip);
  }, 40);
  equal((await answer).status, 200);

  const silent = connect(port, '127.0.0.1');
  silent.write(`${head}x`);
  await closed(silent);
});
