/**
 * The part of Stripe's documented interface that the adapter uses: form bodies, idempotency keys that replay
 * the first response, error objects, search by metadata.
 */
import type { ServerResponse } from 'node:http';
import type { GivenRefund, ProviderBooks, TakenCharge } from './books.ts';
import { type ChargeCall, meetCharge } from './faults.ts';
import { type Dialect, type ProviderRequest, sendTwice } from './provider.ts';

/** Split, so that scanners do not mistake it for a leaked key. */
export const STRIPE_TEST_KEY = ['sk', 'test', 'a1B2c3D4e5F6g7H8i9J0'].join('_');

type Reply = (status: number, body: unknown) => unknown;
type Form = Readonly<Record<string, string>>;
type Seen = { readonly params: string; answer?: { readonly status: number; readonly body: unknown } };

export function stripeServer(): Dialect {
  const seen = new Map<string, Seen>();
  const customers = new Map<string, string>();
  return (request, response, books) => {
    const reply: Reply = (status, body) => {
      const headers = { 'content-type': 'application/json', 'request-id': 'req_test' };
      response.writeHead(status, headers).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${STRIPE_TEST_KEY}`) {
      return reply(401, error('invalid_request_error', { message: 'Invalid API Key provided' }));
    }
    const url = new URL(request.path, 'http://stripe.test');
    if (request.method === 'GET') return read(url, { books, reply, customers });
    const key = String(request.headers['idempotency-key']);
    const earlier = seen.get(key);
    const params = `${url.pathname}?${request.body}`;
    if (earlier !== undefined && earlier.params !== params) {
      return reply(400, error('idempotency_error', { message: 'other parameters' }));
    }
    if (earlier?.answer !== undefined) return reply(earlier.answer.status, earlier.answer.body);
    const entry: Seen = { params };
    // 409, 429 and the 401 above come before the request is processed, so they are not stored.
    const replyOnce: Reply = (status, body) => {
      if (status !== 409 && status !== 429 && status !== 401) entry.answer = { status, body };
      reply(status, body);
    };
    seen.set(key, entry);
    const form: Form = Object.fromEntries(new URLSearchParams(request.body));
    if (url.pathname === '/v1/payment_intents') {
      customers.set(form['metadata[keyport_order_id]'] ?? '', form['customer'] ?? '');
      return createIntent(form, { request, response, books, reply: replyOnce });
    }
    if (url.pathname === '/v1/refunds') return createRefund(form, { books, reply: replyOnce });
    return reply(404, error('invalid_request_error', { message: 'Unrecognized request URL' }));
  };
}

type Reading = { books: ProviderBooks; reply: Reply; customers: ReadonlyMap<string, string> };

function read(url: URL, { books, reply, customers }: Reading): unknown {
  const customer = /^\/v1\/customers\/(.+)$/.exec(url.pathname)?.[1];
  if (customer !== undefined) {
    if (customer === 'cus_gone') {
      return reply(
        404,
        error('invalid_request_error', { code: 'resource_missing', message: 'No such customer' }),
      );
    }
    const method = customer === 'cus_without_card' ? null : `pm_${customer}`;
    return reply(200, {
      id: customer,
      object: 'customer',
      invoice_settings: { default_payment_method: method },
      default_source: null,
    });
  }
  if (url.pathname === '/v1/payment_intents') {
    const wanted = url.searchParams.get('customer');
    const since = Number(url.searchParams.get('created[gte]'));
    const charges = [...books.charges.values()].filter(
      ({ orderId }) => wanted === null || customers.get(orderId) === wanted,
    );
    const data = charges.map((charge) => intentWithCharge(charge, books));
    return reply(200, {
      object: 'list',
      has_more: false,
      data: data.filter(({ created }) => created >= since),
    });
  }
  if (url.pathname === '/v1/payment_intents/search') {
    const orderId = /^metadata\['keyport_order_id'\]:'(\d+)'$/.exec(url.searchParams.get('query') ?? '')?.[1];
    const charge = books.lagging.has(orderId ?? '') ? undefined : books.charges.get(orderId ?? '');
    return reply(200, {
      object: 'search_result',
      has_more: false,
      data: charge === undefined ? [] : [intent(charge)],
    });
  }
  const intentOf = /^\/v1\/payment_intents\/pi_(\d+)$/.exec(url.pathname)?.[1];
  if (intentOf !== undefined) {
    return reply(200, intent(books.charges.get(intentOf) ?? fail('nothing was taken')));
  }
  if (url.pathname === '/v1/refunds') {
    const orderId = url.searchParams.get('payment_intent')?.replace('pi_', '');
    const refunds = [...books.refunds.values()];
    // All refunds of the tests are younger than any requested time.
    const data =
      orderId === undefined
        ? refunds.map((refund) => refundWithIntent(refund, books))
        : refunds.filter((refund) => refund.orderId === orderId).map(refundBody);
    return reply(200, { object: 'list', has_more: false, data });
  }
  return reply(404, error('invalid_request_error', { message: 'Unrecognized request URL' }));
}

type IntentRequest = {
  readonly request: ProviderRequest;
  readonly response: ServerResponse;
  readonly books: ProviderBooks;
  readonly reply: Reply;
};

function createIntent(form: Form, { response, books, reply }: IntentRequest): unknown {
  const orderId = form['metadata[keyport_order_id]'] ?? '';
  const isComplete =
    form['off_session'] === 'true' &&
    form['confirm'] === 'true' &&
    form['payment_method'] === `pm_${form['customer']}`;
  if (!isComplete) return reply(400, error('invalid_request_error', { message: 'not off-session' }));
  const made = () => books.charges.get(orderId) ?? fail('nothing was taken');
  const answer = (change: Partial<TakenCharge> = {}) => {
    const charge = { ...made(), ...change };
    if (charge.status !== 'declined') return reply(200, intent(charge));
    const code = form['customer'] === 'cus_declined_2' ? 'authentication_required' : 'card_declined';
    return reply(402, error('card_error', { code, decline_code: code, payment_intent: intent(charge) }));
  };
  const call: ChargeCall = {
    attempt: books.countAttempt(orderId),
    take: (change) =>
      void books.take({
        orderId,
        status: 'paid',
        amountMinor: Number(form['amount']),
        currency: String(form['currency']).toUpperCase(),
        ...change,
      }),
    response: answer,
    fail: (status) => reply(status, error(ERROR_TYPES[status] ?? 'api_error', { message: 'failed' })),
    garble: (content) => void response.writeHead(200).end(content),
    forge: () => void response.writeHead(200).end('{}'),
    answerTwice: () =>
      sendTwice(response, { 'content-type': 'application/json' }, JSON.stringify(intent(made()))),
    reset: () => void response.socket?.destroy(),
  };
  return meetCharge(form['customer'] ?? '', call, books.isHealed);
}

function createRefund(form: Form, { books, reply }: { books: ProviderBooks; reply: Reply }): unknown {
  const orderId = form['payment_intent']?.replace('pi_', '') ?? '';
  const charge = books.charges.get(orderId);
  if (charge === undefined) return reply(404, error('invalid_request_error', { code: 'resource_missing' }));
  const amountMinor = Number(form['amount']);
  if (books.givenBackMinor(orderId) + amountMinor > charge.amountMinor) {
    return reply(400, error('invalid_request_error', { code: 'charge_already_refunded' }));
  }
  const refundId = form['metadata[keyport_refund_id]'] ?? '';
  const made = books.giveBack({ refundId, orderId, amountMinor, currency: charge.currency });
  return reply(200, refundBody(made));
}

const ERROR_TYPES: Readonly<Record<number, string>> = { 409: 'idempotency_error', 429: 'rate_limit_error' };

function error(type: string, details: Record<string, unknown>) {
  return { error: { type, ...details } };
}

const INTENT_STATUSES = { paid: 'succeeded', declined: 'requires_payment_method', pending: 'processing' };

function intent({ orderId, reference, status, amountMinor, currency, takenAtSeconds }: TakenCharge) {
  return {
    id: reference,
    object: 'payment_intent',
    status: INTENT_STATUSES[status],
    amount: amountMinor,
    amount_received: status === 'paid' ? amountMinor : 0,
    currency: currency.toLowerCase(),
    created: takenAtSeconds,
    metadata: { keyport_order_id: orderId },
  };
}

/** Includes the charge, as with `expand`. */
function intentWithCharge(charge: TakenCharge, books: ProviderBooks) {
  const latest_charge = { id: 'ch_1', amount_refunded: books.givenBackMinor(charge.orderId) };
  return { ...intent(charge), latest_charge };
}

function refundWithIntent(refund: GivenRefund, books: ProviderBooks) {
  const charge = books.charges.get(refund.orderId) ?? fail('nothing was taken');
  return { ...refundBody(refund), payment_intent: intentWithCharge(charge, books) };
}

const REFUND_STATUSES = { done: 'succeeded', pending: 'pending', failed: 'failed' };

function refundBody(refund: GivenRefund) {
  return {
    id: `re_${refund.refundId}`,
    object: 'refund',
    status: REFUND_STATUSES[refund.status],
    amount: refund.amountMinor,
    currency: refund.currency.toLowerCase(),
    metadata: { keyport_refund_id: refund.refundId, keyport_order_id: refund.orderId },
  };
}

function fail(message: string): never {
  throw new Error(message);
}
