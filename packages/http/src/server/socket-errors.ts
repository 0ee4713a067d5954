/**
 * Answers what never becomes a request: malformed or oversized headers, a request that arrives too slowly, CONNECT.
 * The answer is written to the bare socket, with the same envelope as everywhere, and the connection is closed.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ApiError } from '../replies/api-error.ts';
import { commonHeaders } from '../replies/common-headers.ts';
import { buildErrorResponse } from '../replies/errors.ts';
import { isLongUpload } from '../validation/uploads.ts';
import { responseInFlight } from './connections.ts';
import { NONE, type OnRequestEnd, type RequestRecord } from './request-record.ts';
import { newTraceId } from './trace-id.ts';

export type SocketErrorDeps = {
  readonly publicUrl: () => string;
  readonly logger: Logger;
  readonly onRequestEnd: OnRequestEnd | undefined;
  readonly traceIdOf: (request: IncomingMessage) => string;
  readonly urlSizeBytesMax: number;
};

/** What was answered to requests of which only a part has come. */
const answered = new WeakMap<ServerResponse, SocketAnswer>();
type SocketAnswer = Pick<RequestRecord, 'status' | 'code' | 'traceId' | 'responseBytes'>;

/** The answer that was written to the bare socket while this one was still to come. */
export function socketAnswerOf(response: ServerResponse): SocketAnswer | undefined {
  return answered.get(response);
}

export function answerSocketErrors(server: Server, deps: SocketErrorDeps): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    answer(socket, new ApiError('method-not-allowed'), deps);
  });
  server.on('clientError', (error, socket) => answerClientError(error, socket, deps));
  // An expectation that is not known may be ignored (RFC 9110 section 10.1.1); Node would answer without an envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Answers that are the last ones of their connections. */
const ending = new WeakSet<ServerResponse>();

function answerClientError(error: Error, socket: Duplex, deps: SocketErrorDeps): void {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && isLongUpload(socket)) return;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // Only the code: the error carries the bytes that were received, and a token may be among them.
  deps.logger.debug({ code }, 'client error');
  answer(socket, describe(error, code, deps.urlSizeBytesMax), deps);
}

function describe(error: Error, code: string, urlSizeBytesMax: number): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request-timeout');
  if (code === 'HPE_HEADER_OVERFLOW') {
    return isOverflowOfUrl(error, urlSizeBytesMax)
      ? new ApiError('uri-too-long', { data: { limit: urlSizeBytesMax } })
      : new ApiError('headers-too-large');
  }
  return new ApiError('validation-error', { message: 'The request is not valid HTTP/1.1.' });
}

/** Node counts the URL as part of the headers; a first line without an end is what made them too long. */
function isOverflowOfUrl(error: Error, urlSizeBytesMax: number): boolean {
  const packet = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0);
  return /^[A-Z]+ \/[^\r\n]*$/.test(packet.toString('latin1', 0, urlSizeBytesMax));
}

function answer(
  socket: Duplex,
  error: ApiError,
  { publicUrl, onRequestEnd, traceIdOf }: SocketErrorDeps,
): void {
  const inFlight = responseInFlight(socket);
  // Half of another answer may be on its way already: then nothing that makes sense can follow.
  if (inFlight?.headersSent === true) {
    socket.destroy();
    return;
  }
  // The request before the broken bytes was whole and is being served: its response must still go out.
  if (inFlight?.req.complete === true) {
    // Every further piece that arrives is an error again.
    if (ending.has(inFlight)) return;
    ending.add(inFlight);
    inFlight.setHeader('connection', 'close');
    inFlight.once('close', () => socket.destroy());
    return;
  }
  const cutRequest = inFlight;
  const traceId = cutRequest === undefined ? newTraceId() : traceIdOf(cutRequest.req);
  const response = buildErrorResponse(error, {
    traceId,
    publicUrl: publicUrl(),
    authorization: undefined,
  });
  const { status, code } = response;
  const sent = { status, code, traceId, responseBytes: Buffer.byteLength(response.body) };
  // The record of the request itself follows when the connection is closed.
  if (cutRequest !== undefined) answered.set(cutRequest, sent);
  else onRequestEnd?.({ method: NONE, route: NONE, durationMs: 0, clientId: undefined, ...sent }, undefined);
  const headers = Object.entries({
    ...commonHeaders(publicUrl()),
    'x-trace-id': traceId,
    ...response.headers,
    'content-length': String(Buffer.byteLength(response.body)),
    connection: 'close',
  });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${lines}\r\n${response.body}`,
    () => socket.destroy(),
  );
}
