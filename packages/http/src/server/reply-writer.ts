import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { commonHeaders } from '../replies/common-headers.ts';
import { JSON_TYPE } from '../replies/errors.ts';
import type { Reply } from '../replies/reply.ts';
import { type ConditionalReply, respond } from '../replies/representation.ts';
import { allowLongDownload } from './connections.ts';
import type { Exchange } from './exchange.ts';
import type { HeaderLines, LinesFor } from './header-lines.ts';
import { chain, type MaybePromise } from './maybe-promise.ts';

/** Larger bodies, and those of slow readers, get their own memory. */
const SCRATCH_SIZE_BYTES = 64 * 1024;

const NDJSON_TYPE = 'application/x-ndjson';
const NO_STORE = ['cache-control', 'no-store'];

type WholeReply = Exclude<
  Reply,
  { ranges: unknown } | { stream: unknown } | { events: unknown } | { isCut: true }
>;
type StreamReply = Extract<Reply, { stream: unknown }>;

export class ReplyWriter {
  readonly #publicUrl: () => string;
  readonly #linesFor: LinesFor;
  readonly #describeError: (exchange: Exchange, thrown: unknown) => string;
  /** Built with the first response: the public URL may not be known before. */
  #commonLines: HeaderLines | undefined;
  /** Pages are assembled here, in memory that stays in the processor's cache. */
  #scratch = Buffer.allocUnsafeSlow(SCRATCH_SIZE_BYTES);

  constructor(
    publicUrl: () => string,
    linesFor: LinesFor,
    describeError: (exchange: Exchange, thrown: unknown) => string,
  ) {
    this.#publicUrl = publicUrl;
    this.#linesFor = linesFor;
    this.#describeError = describeError;
  }

  /** A promise only when there is something to wait for; it rejects when a stream fails. */
  write(exchange: Exchange, reply: Reply): MaybePromise<void> {
    if ('ranges' in reply) {
      const { response, headers } = exchange;
      const allocate = (sizeBytes: number) => this.#allocate(sizeBytes, response);
      return chain(respond(reply, headers, allocate), (page) => this.#writePage(exchange, page));
    }
    if ('stream' in reply) return this.#writeStream(exchange, reply);
    if ('isCut' in reply) return void exchange.response.destroy();
    if ('events' in reply) {
      const lines = linesOf(reply.events, (thrown) => this.#describeError(exchange, thrown));
      // Events report on work that must not run far ahead of the reader.
      const stream = Readable.from(lines, { highWaterMark: 1 });
      return this.#writeStream(exchange, { status: reply.status, stream, contentType: NDJSON_TYPE });
    }
    return this.#writeWhole(exchange, reply);
  }

  /** The scratch memory is for bodies that the kernel takes immediately, which is nearly all. */
  #allocate(sizeBytes: number, { socket }: ServerResponse): Buffer {
    // Without a socket the response waits for earlier ones of the same connection.
    const isNext = socket !== null && socket.writableLength === 0;
    return isNext && sizeBytes <= SCRATCH_SIZE_BYTES ? this.#scratch : Buffer.allocUnsafe(sizeBytes);
  }

  #writePage(exchange: Exchange, { status, lines, body }: ConditionalReply): void {
    const { response } = exchange;
    const { socket } = response;
    exchange.responseBytes = body?.length;
    response.writeHead(status, this.#head(exchange, lines));
    response.end(body);
    // Not taken immediately: the memory belongs to this response now.
    if (body?.buffer === this.#scratch.buffer && socket !== null && socket.writableLength > 0) {
      this.#scratch = Buffer.allocUnsafeSlow(SCRATCH_SIZE_BYTES);
    }
  }

  #writeWhole(exchange: Exchange, reply: WholeReply): void {
    const { status, headers } = reply;
    const bytes = 'bytes' in reply ? reply.bytes : undefined;
    const sizeBytes = bytes === undefined ? 0 : Buffer.byteLength(bytes);
    const lines = Object.entries({
      ...(bytes === undefined ? {} : { 'content-type': JSON_TYPE }),
      ...headers,
      ...(status === 204 ? {} : { 'content-length': String(sizeBytes) }),
    }).flat();
    if ('code' in reply) exchange.errorCode = reply.code;
    if (status !== 204) exchange.responseBytes = sizeBytes;
    exchange.responseText = bytes;
    exchange.response.writeHead(status, this.#head(exchange, lines)).end(bytes);
  }

  #writeStream(exchange: Exchange, { status, stream, contentType, headers }: StreamReply): Promise<void> {
    const { response } = exchange;
    allowLongDownload(response);
    response.once('close', () => stream.destroy());
    const lines = this.#head(exchange, Object.entries({ ...headers, 'content-type': contentType }).flat());
    // They are sent with the first piece: until then a failure becomes an error response.
    response.statusCode = status;
    for (let index = 0; index < lines.length; index += 2) {
      response.setHeader(lines[index] ?? '', lines[index + 1] ?? '');
    }
    stream.pipe(response);
    return finished(stream);
  }

  #head({ traceId, extraLines, route, url }: Exchange, lines: HeaderLines): string[] {
    this.#commonLines ??= Object.entries(commonHeaders(this.#publicUrl()))
      .filter(([name]) => name !== 'cache-control')
      .flat();
    const caching = lines.includes('cache-control') ? [] : NO_STORE;
    const ofRoute = [...this.#linesFor(url), ...(route.lines ?? [])];
    return [...this.#commonLines, ...caching, 'x-trace-id', traceId, ...ofRoute, ...extraLines, ...lines];
  }
}

async function* linesOf(
  events: AsyncIterable<readonly object[]>,
  describeError: (thrown: unknown) => string,
): AsyncGenerator<string> {
  try {
    for await (const some of events) yield some.map((event) => `${JSON.stringify(event)}\n`).join('');
  } catch (thrown) {
    yield `${describeError(thrown)}\n`;
  }
}
