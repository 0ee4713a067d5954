import { deepEqual, equal, ok } from 'node:assert/strict';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { errorSpec } from '@keyport/contract/errors';
import { ApiError } from '@keyport/http/replies/api-error';
import fc from 'fast-check';
import { test } from 'vitest';
import {
  dataReply,
  parseResponse,
  RESELLER,
  rawRequest,
  type Stub,
  sendRaw,
  startServer,
} from './support.ts';

const PAGE = '/export/v1/product-offers';
const TRACEPARENT = 'Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const LONG = 'Schlüssel · '.repeat(500);

/** Each page has a tag, and page 2 has a long text. */
const listPage: Stub = ({ query, traceId }) => {
  const { page = 1 } = query as { page?: number };
  const data = Buffer.from(JSON.stringify({ text: page === 2 ? LONG : '' }));
  return { status: 200, ...dataReply(traceId, data), tag: `page-${page}` };
};

const findNothing: Stub = () => {
  throw new ApiError('product-not-found');
};

const stubs = { listProductOffers: listPage, getProduct: findNothing };

const lines = (...more: string[]) => ['Host: x', 'Authorization: Bearer reseller', TRACEPARENT, ...more];

test('a long page is compressed for callers that accept gzip', async (t) => {
  const server = await startServer(t, { stubs });
  for (const encodings of ['gzip', 'br;q=1.0, GZIP;q=0.8', '*', 'x-gzip', 'deflate, *;q=0.1']) {
    const response = await fetch(`${server.url}${PAGE}?page=2`, {
      headers: { ...RESELLER, 'accept-encoding': encodings },
    });
    equal(response.headers.get('content-encoding'), 'gzip');
    ok(Number(response.headers.get('content-length')) < 1000);
    // fetch has unpacked it.
    const body = await response.json();
    equal(body.data.text, LONG);
    equal(body.traceId, response.headers.get('x-trace-id'));
  }
  const raw = await sendRaw(server.port, rawRequest(`GET ${PAGE}?page=2`, lines()));
  equal(raw.headers['content-encoding'], undefined);
});

test('a compressed body is a whole gzip file', async (t) => {
  const server = await startServer(t, { stubs });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(rawRequest(`GET ${PAGE}?page=2`, lines('Accept-Encoding: gzip')));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const answer = Buffer.concat(chunks);
  const body = gunzipSync(answer.subarray(answer.indexOf('\r\n\r\n') + 4));
  equal(JSON.parse(body.toString()).data.text, LONG);
});

test('a read of the catalogue is in the log', async (t) => {
  const server = await startServer(t, { stubs });
  const path = '/export/v1/products/10000000000004?x=secret';
  const { text } = await sendRaw(server.port, rawRequest(`GET ${path}`, lines()));
  const { durationMs, time, ...line } = server.log.at(-1) ?? {};
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

test('responses keep their bytes, no matter how slowly they are read and how many share a connection', async (t) => {
  // Sizes around the kernel's buffer and the memory that responses share.
  const sizes = [10, 2_000, 60_000, 70_000, 300_000];
  const filling: Stub = ({ query, traceId }) => {
    const { page } = query as { page: number };
    const size = sizes[page % sizes.length] ?? 0;
    const text = String.fromCharCode(97 + (page % 26)).repeat(size);
    return { status: 200, ...dataReply(traceId, Buffer.from(`"${page}:${text}"`)), tag: 'x' };
  };
  const { port } = await startServer(t, { stubs: { listProductOffers: filling } });
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
