import type { IncomingMessage } from 'node:http';
import { parseStrictJson, type StrictJson } from '@keyport/core/strict-json';
import { ApiError } from '../replies/api-error.ts';
import { countHeaderLines } from '../server/header-lines.ts';

const MEDIA_TYPE = /^([a-z0-9.+-]+\/[a-z0-9.+-]+)[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?;?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export function requireEncoding<Accepted extends 'gzip'>(
  request: IncomingMessage,
  accepted: readonly Accepted[],
): Accepted | 'identity' {
  const sent = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (sent === 'identity') return 'identity';
  const encoding = accepted.find((name) => name === sent.replace(/^x-/, ''));
  if (encoding !== undefined) return encoding;
  const named = /^[\w-]{1,20}$/.test(sent) ? `, not ${sent}` : '';
  throw unsupported(
    accepted.length === 0
      ? 'The body must not be compressed; send it without Content-Encoding.'
      : `Send the body with Content-Encoding: ${accepted.join(' or ')}, or without Content-Encoding${named}.`,
  );
}

export function requireMediaType<Accepted extends string>(
  request: IncomingMessage,
  accepted: readonly Accepted[],
): Accepted {
  if (countHeaderLines(request, 'content-type') > 1) {
    throw unsupported('There are several Content-Type headers; send one.');
  }
  const sent = MEDIA_TYPE.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  const mediaType = accepted.find((type) => type === sent);
  if (mediaType === undefined) {
    throw unsupported(`Send the body in UTF-8 with the header Content-Type: ${accepted.join(' or ')}.`);
  }
  return mediaType;
}

/** Throws unsupported-media-type, payload-too-large, and request-timeout for an incomplete body. */
export async function readJsonBody(
  request: IncomingMessage,
  sizeBytesMax: number,
  onText: (text: string) => void = () => {},
): Promise<StrictJson> {
  requireEncoding(request, []);
  if (isWithoutBody(request) && request.headers['content-type'] === undefined) {
    throw unsupported(
      'There is no body; send JSON, at least {}, with the header Content-Type: application/json.',
    );
  }
  requireMediaType(request, ['application/json']);
  const bytes = await readBytes(request, sizeBytesMax);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { ok: false, message: 'The body is not valid UTF-8.' };
  }
  onText(text);
  return parseStrictJson(text);
}

/** Node marks such a request as read (`optimizeEmptyRequests`), and emits no event. */
export function isWithoutBody(request: IncomingMessage): boolean {
  return request.readableEnded || request.headers['content-length'] === '0';
}

/** Throws payload-too-large early; the rest is discarded. */
export function readBytes(request: IncomingMessage, sizeBytesMax: number): Promise<Buffer> {
  if (isWithoutBody(request)) return Promise.resolve(Buffer.alloc(0));
  // Lazy: an error's stack trace costs more than reading a body.
  const tooLarge = () => new ApiError('payload-too-large', { data: { limit: sizeBytesMax } });
  if (Number(request.headers['content-length'] ?? 0) > sizeBytesMax) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > sizeBytesMax) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks, Math.min(size, sizeBytesMax))));
    request.on('error', (cause) => reject(new ApiError('request-timeout', { cause })));
  });
}

function unsupported(message: string): ApiError {
  return new ApiError('unsupported-media-type', { message });
}
