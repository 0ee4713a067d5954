/**
 * Written from docs/payments.md alone, without code of the service, so that a mistake in the document or the
 * adapter shows.
 */
import { createHash, createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ProviderBooks, TakenCharge } from './books.ts';
import { type ChargeCall, meetCharge } from './faults.ts';
import { type Dialect, type ProviderRequest, sendTwice } from './provider.ts';

export const GATEWAY_KEY = { id: 'keyport-test', secret: 'wJ8kq2Zr5Xn7Vt3Yb9Lp4Mc6Hd1Gf0Ss' };

type Reply = (status: number, body: unknown) => unknown;

export const signedGateway: Dialect = (request, response, books) => {
  const reply: Reply = (status, body) => {
    const content = JSON.stringify(body);
    response.writeHead(status, signedHeaders(request, status, content)).end(content);
  };
  if (!isSigned(request)) return reply(401, errorBody('bad-signature'));
  const [, resource, id] = request.path.split('/');
  if (request.method === 'GET' && resource === 'charges') {
    const charge = books.charges.get(id ?? '');
    return charge === undefined ? reply(404, errorBody('unknown-charge')) : reply(200, chargeBody(charge));
  }
  if (request.method === 'GET' && resource?.startsWith('charges?')) {
    return reply(200, toList(books, new URLSearchParams(resource.slice('charges?'.length))));
  }
  const body = JSON.parse(request.body);
  if (resource === 'charges') return charge(request, { response, books, reply, body });
  if (resource !== 'refunds' || request.headers['idempotency-key'] !== body.refundId) {
    return reply(400, errorBody('bad-request'));
  }
  const refund = books.giveBack({
    refundId: body.refundId,
    orderId: body.orderId,
    amountMinor: body.amountMinor,
    currency: body.currency,
  });
  return reply(200, refund);
};

type ChargeRequest = {
  readonly response: ServerResponse;
  readonly books: ProviderBooks;
  readonly reply: Reply;
  readonly body: { orderId: string; customer: string; amountMinor: number; currency: string };
};

function charge(request: ProviderRequest, { response, books, reply, body }: ChargeRequest): unknown {
  const { orderId, amountMinor, currency } = body;
  if (request.headers['idempotency-key'] !== orderId) return reply(400, errorBody('bad-request'));
  const made = () => books.charges.get(orderId);
  const responseBody = (change: Partial<TakenCharge> = {}) =>
    chargeBody({ ...(made() ?? fail('nothing was taken')), ...change });
  const call: ChargeCall = {
    attempt: books.countAttempt(orderId),
    take: (change) => void books.take({ orderId, status: 'paid', amountMinor, currency, ...change }),
    response: (change) => reply(200, responseBody(change)),
    fail: (status) => reply(status, errorBody('failed')),
    garble: (content) => void response.writeHead(200, signedHeaders(request, 200, content)).end(content),
    forge() {
      const content = JSON.stringify(responseBody());
      const headers = signedHeaders(request, 200, content, `${GATEWAY_KEY.secret}x`);
      response.writeHead(200, headers).end(content);
    },
    answerTwice() {
      const content = JSON.stringify(responseBody());
      sendTwice(response, signedHeaders(request, 200, content), content);
    },
    reset: () => void response.socket?.destroy(),
  };
  return meetCharge(body.customer, call, books.isHealed);
}

function chargeBody({ orderId, status, reference, amountMinor, currency }: TakenCharge) {
  return status === 'paid' ? { orderId, status, reference, amountMinor, currency } : { orderId, status };
}

/** Lists one charge at a time, so that the reader must paginate. */
function toList(books: ProviderBooks, query: URLSearchParams) {
  const since = Number(query.get('since'));
  const taken = [...books.charges.values()].filter(
    ({ status, takenAtSeconds }) => status === 'paid' && takenAtSeconds >= since,
  );
  const place = Number(query.get('cursor') ?? 0);
  const charges = taken
    .slice(place, place + 1)
    .map(({ orderId, reference, amountMinor, currency, takenAtSeconds }) => {
      const refundedMinor = books.givenBackMinor(orderId);
      return { orderId, reference, amountMinor, currency, refundedMinor, takenAtSeconds };
    });
  return place + 1 < taken.length ? { charges, nextCursor: String(place + 1) } : { charges };
}

function errorBody(code: string) {
  return { error: { code, message: 'for people' } };
}

function isSigned({ method, path, headers, body }: ProviderRequest): boolean {
  const header = (name: string) => String(headers[name] ?? '');
  const timestamp = header('keyport-timestamp');
  const isRecent = Math.abs(Number(timestamp) - Date.now() / 1000) < 300;
  const lines = ['keyport-request-v1', method, path, timestamp, header('keyport-nonce'), sha256(body)];
  return (
    isRecent &&
    header('keyport-key-id') === GATEWAY_KEY.id &&
    header('keyport-signature') === hmac(GATEWAY_KEY.secret, lines)
  );
}

function signedHeaders(request: ProviderRequest, status: number, body: string, secret = GATEWAY_KEY.secret) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = String(request.headers['keyport-nonce'] ?? '');
  const lines = ['keyport-answer-v1', nonce, String(status), timestamp, sha256(body)];
  return {
    'content-type': 'application/json',
    'keyport-timestamp': timestamp,
    'keyport-signature': hmac(secret, lines),
  };
}

function hmac(secret: string, lines: readonly string[]): string {
  return `v1=${createHmac('sha256', secret).update(lines.join('\n')).digest('hex')}`;
}

function sha256(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

function fail(message: string): never {
  throw new Error(message);
}
