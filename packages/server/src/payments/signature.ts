/** HMAC-SHA256 over one line per part (docs/payments.md). */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export type SignedRequest = {
  readonly method: string;
  /** As on the request line, including the query. */
  readonly path: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: string;
};

export type SignedResponse = {
  readonly nonce: string;
  readonly status: number;
  readonly timestamp: string;
  readonly body: string;
};

export function signRequest(secret: string, request: SignedRequest): string {
  const { method, path, timestamp, nonce, body } = request;
  return sign(secret, ['keyport-request-v1', method, path, timestamp, nonce, digest(body)]);
}

export function signResponse(secret: string, { nonce, status, timestamp, body }: SignedResponse): string {
  return sign(secret, ['keyport-answer-v1', nonce, String(status), timestamp, digest(body)]);
}

/** Compares signatures of the right length in constant time. */
export function isSameSignature(given: string | null, expected: string): boolean {
  const [left, right] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function sign(secret: string, lines: readonly string[]): string {
  return `v1=${createHmac('sha256', secret).update(lines.join('\n')).digest('hex')}`;
}

function digest(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}
