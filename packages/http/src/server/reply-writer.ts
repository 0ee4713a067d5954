import { type ServerResponse, STATUS_CODES } from 'node:http';
import { finished } from 'node:stream/promises';
import { commonHeaders } from '../replies/common-headers.ts';
import { JSON_TYPE } from '../replies/errors.ts';
import type { Reply } from '../replies/reply.ts';
import { type ConditionalReply, respond } from '../replies/representation.ts';
import { isWithoutBody } from '../validation/body.ts';
import { allowLongDownload } from './connections.ts';
import { endResponse } from './early-response.ts';
import type { Exchange } from './exchange.ts';
import type { HeaderLines, LinesFor } from './header-lines.ts';
import { chain, type MaybePromise } from './maybe-promise.ts';

const SCRATCH_SIZE_BYTES = 512 * 1024;
const HEAD_SIZE_BYTES_MAX = 4096;
/** Larger bodies get their own memory. */
const BODY_SIZE_BYTES_MAX = 64 * 1024;
/** Each may retain a turn's memory. Beyond this number, responses get their own. */
const UNTAKEN_MAX = 32;

/** Node's fields that show a written head. */
type WithHead = ServerResponse & { _header: string; _headerSent: boolean };

type Prepared = { readonly response: ServerResponse; readonly bytes: Buffer };

const INVALID_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/;

const NO_STORE = ['cache-control', 'no-store'];

type WholeReply = Exclude<Reply, { ranges: unknown } | { stream: unknown } | { isCut: true }>;
type StreamReply = Extract<Reply, { stream: unknown }>;

export class ReplyWriter {
  readonly #publicUrl: () => string;
  readonly #linesFor: LinesFor;
  #commonLines: HeaderLines | undefined;
  /** Memory for the responses of a turn, reused so that it stays in the processor's cache. */
  #scratch = Buffer.allocUnsafeSlow(SCRATCH_SIZE_BYTES);
  #usedBytes = 0;
  #prepared: Prepared[] = [];
  /** Responses that the kernel has not completely accepted yet, because their readers are slow. */
  #untaken = 0;

  #ownLines = { second: 0, text: '' };
  readonly #keepAliveSeconds: number;

  constructor(publicUrl: () => string, keepAliveTimeoutMs: number, linesFor: LinesFor) {
    this.#publicUrl = publicUrl;
    this.#keepAliveSeconds = Math.floor(keepAliveTimeoutMs / 1000);
    this.#linesFor = linesFor;
  }

  /** Returns a promise only if it must wait; it rejects if a stream fails. */
  write(exchange: Exchange, reply: Reply): MaybePromise<void> {
    if ('ranges' in reply) {
      const { response, headers } = exchange;
      const allocate = (sizeBytes: number) => this.#allocate(sizeBytes, response);
      return chain(respond(reply, headers, allocate), (page) => this.#writePage(exchange, page));
    }
    if ('stream' in reply) return this.#writeStream(exchange, reply);
    if ('isCut' in reply) return void exchange.response.destroy();
    return this.#writeWhole(exchange, reply);
  }

  #allocate(sizeBytes: number, response: ServerResponse): Buffer {
    return this.#isQuick(response) && sizeBytes <= BODY_SIZE_BYTES_MAX
      ? this.#takeScratch(sizeBytes)
      : Buffer.allocUnsafe(sizeBytes);
  }

  /** Without a socket, a response waits for earlier ones of its connection. */
  #isQuick({ socket }: ServerResponse): boolean {
    return socket?.writable === true && socket.writableLength === 0 && this.#untaken < UNTAKEN_MAX;
  }

  /** Leaves room for the head. The memory is reserved only when the response is prepared. */
  #takeScratch(sizeBytes: number): Buffer {
    if (this.#usedBytes + HEAD_SIZE_BYTES_MAX + sizeBytes > SCRATCH_SIZE_BYTES) this.#writePrepared();
    const start = this.#usedBytes + HEAD_SIZE_BYTES_MAX;
    return this.#scratch.subarray(start, start + sizeBytes);
  }

  #writePage(exchange: Exchange, { status, lines, body }: ConditionalReply): void {
    exchange.responseBytes = body?.length;
    this.#send(exchange, status, this.#head(exchange, lines), body);
  }

  /** Node would check each line again and write twice, a fifth of a page's cost. */
  #send(exchange: Exchange, status: number, lines: HeaderLines, body: Buffer | string | undefined): void {
    const { request, response } = exchange;
    const sizeBytes = body === undefined ? 0 : Buffer.byteLength(body);
    const isShort = sizeBytes <= BODY_SIZE_BYTES_MAX;
    const head = isShort && keepsConnection(exchange, lines) ? this.#headText(status, lines) : '';
    const isInScratch = typeof body === 'object' && body.buffer === this.#scratch.buffer;
    if (!this.#isQuick(response) || head === '' || head.length > HEAD_SIZE_BYTES_MAX) {
      response.writeHead(status, [...lines]);
      endResponse(request, response, isInScratch ? Buffer.from(body) : body);
      return;
    }
    if (!isInScratch) {
      const scratch = this.#takeScratch(sizeBytes);
      if (typeof body === 'string') scratch.write(body);
      else body?.copy(scratch);
    }
    const bodyStart = this.#usedBytes + HEAD_SIZE_BYTES_MAX;
    const start = bodyStart - head.length;
    this.#scratch.write(head, start, 'latin1');
    this.#usedBytes = bodyStart + sizeBytes;
    response.statusCode = status;
    const written: Pick<WithHead, '_header' | '_headerSent'> = { _header: head, _headerSent: true };
    Object.assign(response, written);
    if (this.#prepared.length === 0) setImmediate(this.#writePrepared);
    this.#prepared.push({ response, bytes: this.#scratch.subarray(start, this.#usedBytes) });
  }

  /** Writes a turn's responses together, because waking a reader for each one takes longer. */
  readonly #writePrepared = () => {
    const prepared = this.#prepared;
    this.#prepared = [];
    this.#usedBytes = 0;
    let isTaken = true;
    for (const { response, bytes } of prepared) {
      const { socket } = response;
      // The connection may have closed in the meantime.
      if (socket?.writable !== true) continue;
      this.#untaken += 1;
      socket.write(bytes, this.#onTaken);
      response.end();
      if (socket.writableLength > 0) isTaken = false;
    }
    // Slow readers read from this memory later, so it must not be reused.
    if (!isTaken) this.#scratch = Buffer.allocUnsafeSlow(SCRATCH_SIZE_BYTES);
  };

  readonly #onTaken = () => {
    this.#untaken -= 1;
  };

  #headText(status: number, lines: HeaderLines): string {
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    for (let index = 0; index < lines.length; index += 2) {
      const value = lines[index + 1] ?? '';
      if (INVALID_IN_HEADER.test(value)) throw new TypeError(`invalid character in ${lines[index]}`);
      text += `${lines[index]}: ${value}\r\n`;
    }
    return text + this.#ownLinesAt(Math.floor(Date.now() / 1000));
  }

  #ownLinesAt(second: number): string {
    if (this.#ownLines.second !== second) {
      const date = new Date(second * 1000).toUTCString();
      const text = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${this.#keepAliveSeconds}\r\n\r\n`;
      this.#ownLines = { second, text };
    }
    return this.#ownLines.text;
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
    this.#send(exchange, status, this.#head(exchange, lines), bytes);
  }

  #writeStream(exchange: Exchange, { status, stream, contentType, headers }: StreamReply): Promise<void> {
    const { response } = exchange;
    allowLongDownload(response);
    response.once('close', () => stream.destroy());
    const lines = this.#head(exchange, Object.entries({ ...headers, 'content-type': contentType }).flat());
    // The first piece sends the head; until then a failure becomes an error response.
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

function keepsConnection({ request, response }: Exchange, lines: HeaderLines): boolean {
  return (
    response.shouldKeepAlive &&
    request.method !== 'HEAD' &&
    (request.complete || isWithoutBody(request)) &&
    request.httpVersion === '1.1' &&
    !response.hasHeader('connection') &&
    !lines.includes('connection')
  );
}
