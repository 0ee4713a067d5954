/** The protocol of docs/payments.md. Trusts only responses that are signed for their request. */
import { randomBytes } from 'node:crypto';
import { ORDER_ID_PATTERN } from '@keyport/core/ids';
import { parseStrictJson } from '@keyport/core/strict-json';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import {
  type Charge,
  type ChargeResult,
  checkPaid,
  connectionFailure,
  type FoundCharge,
  type FoundRefund,
  type Gateway,
  GatewayFailure,
  NotCharged,
  type PaymentList,
  type Refund,
  type TakenPayment,
} from './gateway.ts';
import { isSameSignature, signRequest, signResponse } from './signature.ts';

export type SignedHttpOptions = {
  /** Without a final slash. */
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  readonly nowMs: () => number;
};

/** A response has a few hundred bytes. */
const RESPONSE_SIZE_BYTES_MAX = 16_384;
const CLOCK_SKEW_SECONDS_MAX = 300;
const LIST_TIMEOUT_MS = 60_000;
const BAD_REQUEST = 400;
const CONFLICT = 409;
const NOT_FOUND = 404;
const UNPROCESSABLE = 422;
const SERVER_ERROR_MIN = 500;

const reference = Type.String({ minLength: 1, maxLength: 200 });
const amountMinor = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const currency = Type.String({ pattern: '^[A-Z]{3}$' });

/** The provider may add members. */
const CHARGE_RESPONSE = Type.Union([
  Type.Object({ orderId: Type.String(), status: Type.Literal('paid'), reference, amountMinor, currency }),
  Type.Object({
    orderId: Type.String(),
    status: Type.Union([Type.Literal('declined'), Type.Literal('pending')]),
  }),
]);

const REFUND_RESPONSE = Type.Object({
  refundId: Type.String(),
  orderId: Type.Optional(Type.String()),
  status: Type.Union([Type.Literal('done'), Type.Literal('pending'), Type.Literal('failed')]),
  amountMinor,
  currency,
});

const TAKEN_PAYMENTS = Type.Object({
  charges: Type.Array(
    Type.Object({
      orderId: Type.String({ pattern: ORDER_ID_PATTERN }),
      reference,
      amountMinor,
      currency,
      refundedMinor: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      takenAtSeconds: Type.Integer({ minimum: 0 }),
    }),
  ),
  nextCursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});

const UNKNOWN_CHARGE = Type.Object({ error: Type.Object({ code: Type.Literal('unknown-charge') }) });

type ProviderResponse = { readonly status: number; readonly body: unknown };

export function createSignedHttpGateway(options: SignedHttpOptions): Gateway {
  return {
    async charge(charge, signal) {
      const { orderId, customer } = charge;
      const response = await send(options, signal, {
        method: 'POST',
        path: '/charges',
        idempotencyKey: orderId,
        body: { orderId, customer, amountMinor: charge.amountMinor, currency: 'EUR' },
      });
      if (response.status !== 200) throw toRejection(response);
      return readCharge(charge, response);
    },
    async find(charge, signal) {
      const response = await send(options, signal, { method: 'GET', path: `/charges/${charge.orderId}` });
      return readFoundCharge(charge, response);
    },
    async refund(refund, signal) {
      const response = await requestRefund(options, refund, signal);
      if (response === 'failed') throw new GatewayFailure('the payment provider could not refund');
      return response;
    },
    // A repeated request returns the first outcome.
    findRefund: (refund, signal) => requestRefund(options, refund, signal),
  };
}

export function createSignedHttpPaymentList(options: SignedHttpOptions): PaymentList {
  return { listTaken: (sinceSeconds) => listTaken(options, sinceSeconds), hasLateRefunds: false };
}

async function* listTaken(options: SignedHttpOptions, sinceSeconds: number): AsyncGenerator<TakenPayment> {
  let cursor: string | undefined;
  do {
    const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await send(options, AbortSignal.timeout(LIST_TIMEOUT_MS), {
      method: 'GET',
      path: `/charges?since=${sinceSeconds}${page}`,
    });
    if (response.status !== 200)
      throw new GatewayFailure(
        `the payment provider returned ${response.status} for the list of its charges`,
      );
    const { charges, nextCursor } = readBody(TAKEN_PAYMENTS, response.body);
    yield* charges;
    cursor = nextCursor;
  } while (cursor !== undefined);
}

async function requestRefund(
  options: SignedHttpOptions,
  refund: Refund,
  signal: AbortSignal,
): Promise<FoundRefund> {
  const { refundId, orderId, reference, amountMinor, currency } = refund;
  const response = await send(options, signal, {
    method: 'POST',
    path: '/refunds',
    idempotencyKey: refundId,
    body: { refundId, orderId, reference, amountMinor, currency },
  });
  return readRefund(refund, response);
}

function toRejection({ status }: ProviderResponse): NotCharged | GatewayFailure {
  const message = `the payment provider returned ${status}`;
  // 409: the charge is in progress. 422: the order id was used for another charge, which may be paid.
  const isOpen =
    status < 400 || status === CONFLICT || status === UNPROCESSABLE || status >= SERVER_ERROR_MIN;
  return isOpen
    ? new GatewayFailure(message)
    : new NotCharged(message, { isCustomerFault: status === BAD_REQUEST });
}

function readFoundCharge(charge: Charge, response: ProviderResponse): FoundCharge {
  if (response.status === NOT_FOUND && Check(UNKNOWN_CHARGE, response.body)) return { status: 'unknown' };
  if (response.status !== 200) throw new GatewayFailure(`the payment provider returned ${response.status}`);
  return readCharge(charge, response);
}

function readCharge(charge: Charge, { body }: ProviderResponse): ChargeResult {
  const response = readBody(CHARGE_RESPONSE, body);
  if (response.orderId !== charge.orderId)
    throw new GatewayFailure("the payment provider's response is about a different order");
  return response.status === 'paid' ? checkPaid(charge, response) : { status: response.status };
}

function readRefund(refund: Refund, { status, body }: ProviderResponse): FoundRefund {
  if (status !== 200) throw new GatewayFailure(`the payment provider returned ${status} for a refund`);
  const response = readBody(REFUND_RESPONSE, body);
  const isSame =
    response.refundId === refund.refundId &&
    (response.orderId === undefined || response.orderId === refund.orderId) &&
    response.amountMinor === refund.amountMinor &&
    response.currency === refund.currency;
  if (!isSame) throw new GatewayFailure("the payment provider's response is about a different refund");
  return response.status;
}

function readBody<Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> {
  if (!Check(schema, body)) throw new GatewayFailure("the payment provider's response is malformed");
  return body;
}

type ProviderRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly idempotencyKey?: string;
  readonly body?: unknown;
};

async function send(
  options: SignedHttpOptions,
  signal: AbortSignal,
  request: ProviderRequest,
): Promise<ProviderResponse> {
  const { secret, keyId, nowMs } = options;
  const url = new URL(`${options.url}${request.path}`);
  const body = request.body === undefined ? '' : JSON.stringify(request.body);
  const nonce = randomBytes(16).toString('hex');
  const timestamp = String(Math.floor(nowMs() / 1000));
  const path = `${url.pathname}${url.search}`;
  const { status, headers, text } = await exchange(url, {
    method: request.method,
    headers: {
      'keyport-key-id': keyId,
      'keyport-timestamp': timestamp,
      'keyport-nonce': nonce,
      'keyport-signature': signRequest(secret, { method: request.method, path, timestamp, nonce, body }),
      ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === '' ? {} : { body }),
    // The signature covers this path only.
    redirect: 'manual',
    signal,
  });
  const respondedAt = headers.get('keyport-timestamp') ?? '';
  const expected = signResponse(secret, { nonce, status, timestamp: respondedAt, body: text });
  if (!isSameSignature(headers.get('keyport-signature'), expected))
    throw new GatewayFailure(`a response with status ${status} was not signed by the payment provider`);
  if (!(Math.abs(Number(respondedAt) - nowMs() / 1000) <= CLOCK_SKEW_SECONDS_MAX))
    throw new GatewayFailure(`the clock of the payment provider is off by over ${CLOCK_SKEW_SECONDS_MAX} s`);
  const parsed = parseStrictJson(text);
  if (!parsed.ok) throw new GatewayFailure("the payment provider's response is not JSON");
  return { status, body: parsed.value };
}

async function exchange(url: URL, init: RequestInit) {
  try {
    const response = await fetch(url, init);
    return { status: response.status, headers: response.headers, text: await readText(response) };
  } catch (error) {
    throw error instanceof GatewayFailure ? error : connectionFailure(error);
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > RESPONSE_SIZE_BYTES_MAX)
      throw new GatewayFailure("the payment provider's response is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
