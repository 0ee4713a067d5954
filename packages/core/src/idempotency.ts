/** R17, A37 to A42. */
import { assert } from './assert.ts';

/** The part of a request that is in its fingerprint (A38). */
export type LineTerms = {
  readonly quantity: number;
  readonly maxPriceMinor: number;
  readonly reference?: string | undefined;
};

export type OrderLine = LineTerms &
  (
    | { readonly kind: 'auto'; readonly productId: string }
    | { readonly kind: 'manual'; readonly offerId: string }
  );

/** Each record keeps the version of the rule that made its fingerprint (A38). */
const FINGERPRINT_VERSION = 1;

/** Equal only for equivalent requests (A38). `detail`: the duration of a reservation, or its id. */
export function fingerprintLine(line: OrderLine, detail?: string | number): string {
  const target = line.kind === 'auto' ? line.productId : line.offerId;
  const reference = line.reference === undefined ? '' : `|${line.reference}`;
  return `${FINGERPRINT_VERSION}|${line.kind}|${target}|${line.quantity}|${line.maxPriceMinor}|EUR${detail === undefined ? '' : `/${detail}`}${reference}`;
}

export function parseFingerprint(fingerprint: string): OrderLine {
  const [version, kind, target = '', quantity, maxPriceMinor, , ...rest] = fingerprint.split('|');
  assert(version === String(FINGERPRINT_VERSION), 'a fingerprint has the current version');
  const terms = {
    quantity: Number(quantity),
    maxPriceMinor: Number(maxPriceMinor),
    // The reference itself can contain bars.
    ...(rest.length === 0 ? {} : { reference: rest.join('|') }),
  };
  return kind === 'auto'
    ? { kind, productId: target, ...terms }
    : { kind: 'manual', offerId: target, ...terms };
}

export function fingerprintDetail(fingerprint: string): string | undefined {
  return fingerprint.split('|')[5]?.split('/')[1];
}

export type IdempotencyRecord = {
  readonly fingerprint: string;
  /** Status, body (without traceId) and time are null while the outcome of a gateway payment is unknown. */
  readonly status: number | null;
  readonly body: string | null;
  readonly finishedAtMicros: number | null;
};

export type DuplicateDecision =
  | { readonly kind: 'replay'; readonly status: number; readonly body: string }
  | { readonly kind: 'processing'; readonly retryAfterMs: number }
  | { readonly kind: 'key-reused' };

const OPEN_RETRY_AFTER_MS = 1000;

/** A40, A41. */
export function decideDuplicate(
  record: IdempotencyRecord,
  request: { readonly fingerprint: string; readonly nowMicros: number; readonly cooldownMs: number },
): DuplicateDecision {
  if (record.fingerprint !== request.fingerprint) return { kind: 'key-reused' };
  if (record.status === null || record.body === null || record.finishedAtMicros === null)
    return { kind: 'processing', retryAfterMs: OPEN_RETRY_AFTER_MS };
  const ageMs = (request.nowMicros - record.finishedAtMicros) / 1000;
  // Negative after the database's clock was set back; no retry waits for it to catch up (A40).
  if (ageMs >= 0 && ageMs < request.cooldownMs)
    return { kind: 'processing', retryAfterMs: Math.ceil(request.cooldownMs - ageMs) };
  return { kind: 'replay', status: record.status, body: record.body };
}
