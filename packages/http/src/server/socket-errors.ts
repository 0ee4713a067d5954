import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ApiError } from '../replies/api-error.ts';
import { commonHeaders } from '../replies/common-headers.ts';
import { buildErrorResponse } from '../replies/errors.ts';
import { isLongUpload } from '../validation/uploads.ts';
import { responseInFlight } from './connections.ts';
import { isCompleteEarly } from './early-response.ts';
import { byName, type LinesFor } from './header-lines.ts';
import { NONE, type OnRequestEnd, type RequestRecord } from './request-record.ts';
import { newTraceId } from './trace-id.ts';

export type SocketErrorDeps = {
  readonly publicUrl: () => string;
  readonly logger: Logger;
  readonly onRequestEnd: OnRequestEnd | undefined;
  readonly toTraceId: (request: IncomingMessage) => string;
  readonly urlSizeBytesMax: number;
  readonly linesFor: LinesFor;
};

type SocketResponse = Pick<RequestRecord, 'status' | 'code' | 'traceId' | 'responseBytes'>;

const responses = new WeakMap<ServerResponse, SocketResponse>();

export function toSocketResponse(response: ServerResponse): SocketResponse | undefined {
  return responses.get(response);
}

export function respondToSocketErrors(server: Server, deps: SocketErrorDeps): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    respond(socket, new ApiError('method-not-allowed'), deps);
  });
  server.on('clientError', (error, socket) => respondToClientError(error, socket, deps));
  // Unknown expectations may be ignored (RFC 9110 section 10.1.1); Node would omit the envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

const ending = new WeakSet<ServerResponse>();

function respondToClientError(error: Error, socket: Duplex, deps: SocketErrorDeps): void {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && isLongUpload(socket)) return;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // The error contains the received bytes, which may include a token.
  deps.logger.debug({ code }, 'client error');
  respond(socket, describe(error, code, deps.urlSizeBytesMax), deps);
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

/** Node counts the URL among the headers. If it is too long, the first line has no end. */
function isOverflowOfUrl(error: Error, urlSizeBytesMax: number): boolean {
  const packet = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0);
  return /^[A-Z]+ \/[^\r\n]*$/.test(packet.toString('latin1', 0, urlSizeBytesMax));
}

function respond(
  socket: Duplex,
  error: ApiError,
  { publicUrl, onRequestEnd, toTraceId, linesFor }: SocketErrorDeps,
): void {
  const inFlight = responseInFlight(socket);
  // Nothing can follow a partly sent response.
  if (inFlight?.headersSent === true) {
    if (isCompleteEarly(inFlight)) inFlight.end(() => socket.destroy());
    else socket.destroy();
    return;
  }
  // The request before the malformed bytes was complete and still gets its response.
  if (inFlight?.req.complete === true) {
    if (ending.has(inFlight)) return;
    ending.add(inFlight);
    inFlight.setHeader('connection', 'close');
    inFlight.once('close', () => socket.destroy());
    return;
  }
  const cutRequest = inFlight;
  const traceId = cutRequest === undefined ? newTraceId() : toTraceId(cutRequest.req);
  const response = buildErrorResponse(error, { traceId, publicUrl: publicUrl(), authorization: undefined });
  const { status, code } = response;
  const sent = { status, code, traceId, responseBytes: Buffer.byteLength(response.body) };
  if (cutRequest !== undefined) responses.set(cutRequest, sent);
  else onRequestEnd?.({ method: NONE, route: NONE, durationMs: 0, clientId: undefined, ...sent }, undefined);
  const headers = Object.entries({
    ...commonHeaders(publicUrl()),
    'x-trace-id': traceId,
    ...byName(linesFor(cutRequest?.req.url)),
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
