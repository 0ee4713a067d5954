import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { ApiError } from '../replies/api-error.ts';

const INFLATED_PIECE_SIZE_BYTES = 64 * 1024;

const longUploads = new WeakSet<object>();

export function isLongUpload(socket: object): boolean {
  return longUploads.has(socket);
}

/** However long the upload takes, the request ends only after a silence. */
export function allowLongUpload(
  request: IncomingMessage,
  response: ServerResponse,
  silenceMaxMs: number,
): void {
  const { socket } = request;
  let wasSlow = false;
  const onSilence = () => {
    // If bytes wait to be read, the service is the slow side.
    const isSlow = request.readableLength > 0;
    if (isSlow || wasSlow) socket.setTimeout(silenceMaxMs);
    else socket.destroy();
    wasSlow = isSlow;
  };
  longUploads.add(socket);
  socket.setTimeout(silenceMaxMs);
  // With a listener, Node does not destroy the socket.
  response.on('timeout', onSilence);
  request.once('close', () => {
    longUploads.delete(socket);
    response.off('timeout', onSilence);
    socket.setTimeout(0);
  });
}

export async function* readUpload(
  body: Readable,
  encoding: 'gzip' | 'identity' = 'identity',
): AsyncGenerator<Buffer> {
  // The body is not destroyed early, because the response needs the connection.
  const gunzip = encoding === 'gzip' ? inflate(body) : undefined;
  const pieces = gunzip ?? body.iterator({ destroyOnReturn: false });
  let inflatedBytes = 0;
  try {
    for await (const piece of pieces) {
      inflatedBytes += piece.length;
      if (gunzip !== undefined && isBomb(gunzip, inflatedBytes)) throw new ApiError('validation-error', BOMB);
      yield piece;
    }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (isBrokenGzip(cause)) throw new ApiError('validation-error', { message: BROKEN_GZIP, cause });
    throw new ApiError('request-timeout', { message: 'The body ended before it was complete.', cause });
  }
}

/** Tables of text shrink to a tenth or a twentieth. A file of one repeated line shrinks to a thousandth. */
const INFLATION_MAX = 200;
const INFLATED_BYTES_FREE = 16 * 1024 * 1024;
const BOMB = {
  message: `The body inflates to more than ${INFLATION_MAX} times its size. Send it without Content-Encoding.`,
};

function isBomb({ bytesWritten }: Gunzip, inflatedBytes: number): boolean {
  return inflatedBytes > INFLATED_BYTES_FREE && inflatedBytes > INFLATION_MAX * bytesWritten;
}

const BROKEN_GZIP = 'The body is not valid gzip, or its end is missing.';

function inflate(body: Readable): Gunzip {
  const gunzip = createGunzip({ chunkSize: INFLATED_PIECE_SIZE_BYTES });
  body.on('error', (error) => gunzip.destroy(error));
  return body.pipe(gunzip);
}

function isBrokenGzip(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
