/** The trace id comes from a valid W3C `traceparent` header or is random. A13. */
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ID_BYTES = 16;
const pool = Buffer.alloc(ID_BYTES * 512);
let poolPosition = pool.length;

/** Version ff does not exist; ids of only zeros are invalid. https://www.w3.org/TR/trace-context/ */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

const SAMPLED = 1;

export function newTraceId(): string {
  if (poolPosition === pool.length) {
    randomFillSync(pool);
    poolPosition = 0;
  }
  poolPosition += ID_BYTES;
  return pool.toString('hex', poolPosition - ID_BYTES, poolPosition);
}

/** Returns undefined if the header is invalid. `parentId` has 16 hexadecimal digits. */
export function parseTraceparent(
  traceparent: string,
): { readonly traceId: string; readonly parentId: string; readonly isSampled: boolean } | undefined {
  const [, traceId = '', parentId = '', flags = ''] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === '') return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

export function toTraceId(request: IncomingMessage): string {
  const traceparent = request.headers['traceparent'];
  return traceIdFrom(typeof traceparent === 'string' ? traceparent : undefined);
}

export function traceIdFrom(traceparent: string | undefined): string {
  if (traceparent === undefined) return newTraceId();
  return TRACEPARENT.exec(traceparent)?.[1] ?? newTraceId();
}
