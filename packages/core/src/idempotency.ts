/**
 * Decides whether a repeated Idempotency-Key replays, waits or is rejected (R17, A37 to A42). Pure.
 */
import { assert } from './assert.ts';

/** An order line after validation: the part of a request that its fingerprint is made of (A38). */
export type OrderLine = {
  readonly quantity: number;
  readonly maxPriceMinor: number;
  /** The reseller's own order number (A700). */
  readonly reference?: string | undefined;
} & (
  | { readonly kind: 'auto'; readonly productId: string }
  | { readonly kind: 'manual'; readonly offerId: string }
);

/** The version of the fingerprint rule. Old records are compared by their own version (A38). */
const FINGERPRINT_VERSION = 1;

/**
 * The normalised payload as text: equal exactly for equivalent requests (A38). `detail`: how long a reservation lasts, or which
 * one is ordered.
 */
export function fingerprintLine(line: OrderLine, detail?: string | number): string {
  const target = line.kind === 'auto' ? line.productId : line.offerId;
  const reference = line.reference === undefined ? '' : `|${line.reference}`;
  return `${FINGERPRINT_VERSION}|${line.kind}|${target}|${line.quantity}|${line.maxPriceMinor}|EUR${detail === undefined ? '' : `/${detail}`}${reference}`;
}

export function parseFingerprint(fingerprint: string): OrderLine {
  const [version, kind, target = '', quantity, maxPriceMinor, , ...rest] = fingerprint.split('|');
  assert(version === String(FINGERPRINT_VERSION), 'a fingerprint made by the present rule');
  const asked = {
    quantity: Number(quantity),
    maxPriceMinor: Number(maxPriceMinor),
    // It may have bars itself.
    ...(rest.length === 0 ? {} : { reference: rest.join('|') }),
  };
  return kind === 'auto'
    ? { kind, productId: target, ...asked }
    : { kind: 'manual', offerId: target, ...asked };
}

/** Undefined for create order. */
export function fingerprintDetail(fingerprint: string): string | undefined {
  return fingerprint.split('|')[5]?.split('/')[1];
}

export type IdempotencyRecord = {
  readonly fingerprint: string;
  /** HTTP status of the first response; null while a gateway payment is open. */
  readonly status: number | null;
  /** The first response's body without traceId, as JSON; null while open. */
  readonly body: string | null;
  /** Microseconds since the epoch, the database's clock; null while open. */
  readonly finishedAtMicros: number | null;
};

export type DuplicateDecision =
  | { readonly kind: 'replay'; readonly status: number; readonly body: string }
  | { readonly kind: 'processing'; readonly retryAfterMs: number }
  | { readonly kind: 'key-reused' };

/** The wait for a retry while the gateway payment is pending. */
const OPEN_RETRY_AFTER_MS = 1000;

/** The response to a request whose key already has a record (A40, A41). A different payload comes first. */
export function decideDuplicate(
  record: IdempotencyRecord,
  request: { readonly fingerprint: string; readonly nowMicros: number; readonly cooldownMs: number },
): DuplicateDecision {
  if (record.fingerprint !== request.fingerprint) return { kind: 'key-reused' };
  if (record.status === null || record.body === null || record.finishedAtMicros === null) {
    return { kind: 'processing', retryAfterMs: OPEN_RETRY_AFTER_MS };
  }
  const ageMs = (request.nowMicros - record.finishedAtMicros) / 1000;
  // Below zero the database's clock was put back, and no retry has to wait until it has caught up (A200).
  if (ageMs >= 0 && ageMs < request.cooldownMs) {
    return { kind: 'processing', retryAfterMs: Math.ceil(request.cooldownMs - ageMs) };
  }
  return { kind: 'replay', status: record.status, body: record.body };
}
