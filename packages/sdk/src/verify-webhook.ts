import type { KeyportEvent } from './events.ts';

const TOLERANCE_SECONDS = 5 * 60;
const SECRET_PREFIX = 'whsec_';
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const SECRET_NEEDED = 'secret must be the secret of the endpoint, whsec_…, or a list of such secrets.';

/** `Headers` of `fetch`, or an object as in Node's servers. Case does not matter. */
export type WebhookHeaders =
  | {
      /** The value of a header. */
      get(name: string): string | null;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Input of {@link verifyWebhook}. */
export interface WebhookInput {
  /** The raw body, before parsing. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: WebhookHeaders;
  /** The endpoint's secret (`whsec_…`), or several, of which one must match. */
  readonly secret: string | readonly string[];
}

/** Why a webhook cannot be trusted. */
export type WebhookProblem =
  | 'missing-header'
  | 'malformed-header'
  | 'timestamp-too-old'
  | 'timestamp-too-new'
  | 'wrong-signature'
  | 'malformed-body';

/** The request is not a recent webhook from Keyport. Return 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  /** Always `WebhookVerificationError`. */
  override readonly name: string = 'WebhookVerificationError';
  readonly reason: WebhookProblem;

  constructor(reason: WebhookProblem, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Checks the signature and the time, and returns the event. The time may differ by at most five minutes.
 *
 * @example
 * ```ts
 * const body = await request.text();
 * const event = await verifyWebhook({ body, headers: request.headers, secret });
 * if (event.type === 'order.complete') console.log(event.data.order.id);
 * ```
 * @throws {@link WebhookVerificationError} if the request cannot be trusted.
 */
export async function verifyWebhook({ body, headers, secret }: WebhookInput): Promise<KeyportEvent> {
  const keys = [secret].flat().map(decodeSecret);
  if (keys.length === 0) throw new TypeError(SECRET_NEEDED);
  const bytes = toBytes(body);
  const id = toHeader(headers, 'webhook-id');
  const timestamp = toHeader(headers, 'webhook-timestamp');
  const signatures = toHeader(headers, 'webhook-signature')
    .split(' ')
    .flatMap((part) => (part.startsWith('v1,') ? [decodeBase64(part.slice(3))] : []))
    .filter((signature) => signature !== undefined);
  checkTime(timestamp);
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(start.length + bytes.length);
  signed.set(start);
  signed.set(bytes, start.length);
  if (!(await isSigned(signed, keys, signatures))) {
    const problem = 'No signature matches: the secret is wrong, or the body was changed.';
    throw new WebhookVerificationError('wrong-signature', problem);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as KeyportEvent;
  } catch {
    throw new WebhookVerificationError('malformed-body', 'The body is not JSON.');
  }
}

/** Tries each key with each signature, even after a match, in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  keys: readonly Uint8Array<ArrayBuffer>[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  let fits = false;
  for (const key of keys) {
    const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['verify']);
    for (const signature of signatures) {
      const isRight = await crypto.subtle.verify('HMAC', imported, signature, signed);
      fits ||= isRight;
    }
  }
  return fits;
}

function checkTime(timestamp: string): void {
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookVerificationError('malformed-header', 'webhook-timestamp must be a number of seconds.');
  }
  const aheadSeconds = Number(timestamp) - Math.floor(Date.now() / 1000);
  if (Math.abs(aheadSeconds) <= TOLERANCE_SECONDS) return;
  const isOld = aheadSeconds < 0;
  throw new WebhookVerificationError(
    isOld ? 'timestamp-too-old' : 'timestamp-too-new',
    `webhook-timestamp is ${Math.abs(aheadSeconds)} s ${isOld ? 'old' : 'ahead'}; at most ${TOLERANCE_SECONDS} s are accepted. Check the clock of this machine.`,
  );
}

function toHeader(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : toMember(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing-header', `The request has no header ${name}, or several.`);
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}

function toMember(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  const values = Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === name ? [value].flat() : [],
  );
  return values.length === 1 ? values[0] : undefined;
}

function toBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer || body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError('body must be the raw body, a string or bytes, not a parsed value.');
}

function decodeSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  if (typeof secret !== 'string') throw new TypeError(SECRET_NEEDED);
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const bytes = decodeBase64(text);
  if (bytes === undefined || bytes.length === 0) {
    throw new TypeError('secret must be the secret of the endpoint: whsec_ followed by base64.');
  }
  return bytes;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
