/**
 * Bodies that are streamed may take any time, as long as bytes keep coming: they are taken out of the request
 * time-out and get a time-out on silence instead. Compressed ones are inflated as they are read, a piece at a time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ApiError } from '../replies/api-error.ts';

const INFLATED_PIECE_SIZE_BYTES = 64 * 1024;

/** Connections whose request has no time limit. */
const longUploads = new WeakSet<object>();

export function isLongUpload(socket: object): boolean {
  return longUploads.has(socket);
}

/** How long the sender has to read a response that came before the end of its body. */
const LINGER_MS = 2_000;

/**
 * Until the body has arrived, only silence of the sender longer than `silenceMaxMs` ends the request. An answer that is
 * complete before the body is (it was refused) ends the connection, unless the rest comes in time: it is not wanted.
 */
export function allowLongUpload(
  request: IncomingMessage,
  response: ServerResponse,
  silenceMaxMs: number,
): void {
  const { socket } = request;
  let wasSlow = false;
  const onSilence = () => {
    // Bytes that wait here to be read mean that we are the slow side. Once we have taken them, the sender has its time.
    const isSlow = request.readableLength > 0;
    if (isSlow || wasSlow) socket.setTimeout(silenceMaxMs);
    else socket.destroy();
    wasSlow = isSlow;
  };
  longUploads.add(socket);
  socket.setTimeout(silenceMaxMs);
  // With a listener on the response Node leaves it to us to destroy the socket.
  response.on('timeout', onSilence);
  response.once('finish', () => {
    if (request.complete) return;
    // Read on for a moment: closing a socket with unread bytes resets the connection and can lose the response.
    request.resume();
    const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    // The rest has arrived in time; the next request of the connection may be under way.
    request.once('end', () => clearTimeout(cut));
  });
  request.once('close', () => {
    longUploads.delete(socket);
    response.off('timeout', onSilence);
    socket.setTimeout(0);
  });
}

/**
 * The bytes of a streamed body. Throws request-timeout when the sender breaks off, validation-error when what is said
 * to be gzip is not.
 */
export async function* readUpload(
  body: Readable,
  encoding: 'gzip' | 'identity' = 'identity',
): AsyncGenerator<Buffer> {
  // Not destroyed when it is not read to its end: the answer still has to go out on the same connection.
  const pieces = encoding === 'gzip' ? inflate(body) : body.iterator({ destroyOnReturn: false });
  try {
    for await (const piece of pieces) yield piece;
  } catch (cause) {
    if (isBrokenGzip(cause)) throw new ApiError('validation-error', { message: BROKEN_GZIP, cause });
    throw new ApiError('request-timeout', { message: 'The body broke off before its end.', cause });
  }
}

const BROKEN_GZIP = 'The body is not valid gzip, or its end is missing.';

function inflate(body: Readable): AsyncIterable<Buffer> {
  const gunzip = createGunzip({ chunkSize: INFLATED_PIECE_SIZE_BYTES });
  body.on('error', (error) => gunzip.destroy(error));
  return body.pipe(gunzip);
}

function isBrokenGzip(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
