/** A catalogue and resellers with balances, made as an operator makes them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Random } from '../../packages/server/src/demo/random.ts';
import { OPERATOR } from '../../packages/server/test/support/killable-service.ts';
import type { Caller } from './client.ts';

const PRODUCTS = 2_000;
const OFFERS_EACH = 2;
const STOCK_EACH = 20;
const RESELLERS = 50;
const LINES_A_TIME = 20_000;

export const DEPOSIT = '90000000.00';

export type Offer = { readonly id: string; readonly productId: string; readonly sellerId: string };

export type Reseller = {
  readonly accountId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  token: string;
};

export type Shop = {
  readonly offers: readonly Offer[];
  readonly resellers: readonly Reseller[];
  readonly operator: Operator;
};

type Operator = {
  /** A call that has to succeed; returns its data. */
  operate(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  /** An import of which every line has to be taken. */
  load(kind: 'sellers' | 'products' | 'offers' | 'keys', lines: readonly object[]): Promise<void>;
};

export async function openShop(caller: Caller, url: string, random: Random): Promise<Shop> {
  const operator = await createOperator(caller, url);
  const { load } = operator;
  const sellerId = randomUUID();
  await load('sellers', [{ id: sellerId, name: 'Seller' }]);
  const productIds = Array.from({ length: PRODUCTS }, (_, index) => String(10_000_000_000_000 + index));
  await load(
    'products',
    productIds.map((id, index) => ({ id, name: `Iron Meridian ${index}`, checkoutClass: 'standard' })),
  );
  const offers = productIds.flatMap((productId) =>
    Array.from({ length: OFFERS_EACH }, () => ({ id: randomUUID(), productId, sellerId })),
  );
  await load(
    'offers',
    offers.map((offer) => ({ ...offer, price: newPrice(random), status: 'active' })),
  );
  await load(
    'keys',
    offers.flatMap(({ id }) => newKeys(id, STOCK_EACH)),
  );
  const resellers: Reseller[] = [];
  for (let count = 0; count < RESELLERS; count += 1) resellers.push(await newReseller(caller, url, operator));
  return { offers, resellers, operator };
}

export function newPrice(random: Random): string {
  return (random.between(100, 4_100) / 100).toFixed(2);
}

export function newKeys(offerId: string, count: number): { offerId: string; code: string }[] {
  return Array.from({ length: count }, () => ({ offerId, code: randomUUID() }));
}

/** Undefined when there was no response or a rejection. */
export async function fetchToken(
  caller: Caller,
  url: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<{ status: number; token: string | undefined }> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  }).toString();
  const contentType = 'application/x-www-form-urlencoded';
  const reply = await caller.send(url, '/oauth/token', { method: 'POST', body, contentType });
  return {
    status: reply.status,
    token: reply.status === 200 ? JSON.parse(reply.text).access_token : undefined,
  };
}

/** The check of the invariants reads everything that an hour has left. */
const OPERATOR_TIMEOUT_MS = 900_000;

async function createOperator(caller: Caller, url: string): Promise<Operator> {
  const send = async (method: string, path: string, body?: string, contentType = 'application/json') => {
    const { token } = await fetchToken(caller, url, {
      clientId: OPERATOR.client_id,
      clientSecret: OPERATOR.client_secret,
    });
    const reply = await caller.send(url, `/admin/v1${path}`, {
      method,
      contentType,
      timeoutMs: OPERATOR_TIMEOUT_MS,
      ...(token === undefined ? {} : { token }),
      ...(body === undefined ? {} : { body }),
    });
    assert.ok(
      reply.status >= 200 && reply.status < 300,
      `${method} ${path}: ${reply.status} ${reply.text.slice(0, 500)}`,
    );
    return JSON.parse(reply.text).data;
  };
  return {
    operate: (method, path, body) =>
      send(method, path, body === undefined ? undefined : JSON.stringify(body)),
    async load(kind, lines) {
      for (let start = 0; start < lines.length; start += LINES_A_TIME) {
        const some = lines.slice(start, start + LINES_A_TIME).map((line) => JSON.stringify(line));
        const result = await send('POST', `/imports/${kind}`, some.join('\n'), 'application/x-ndjson');
        assert.equal(result.rejected, 0, JSON.stringify(result));
      }
    },
  };
}

async function newReseller(caller: Caller, url: string, operator: Operator): Promise<Reseller> {
  const { id } = await operator.operate('POST', '/accounts', { name: 'Shop', paymentMethod: 'balance' });
  await operator.operate('POST', `/accounts/${id}/deposits`, { amount: DEPOSIT, reference: 'first' });
  const client = await operator.operate('POST', `/accounts/${id}/clients`, {});
  const credentials = { clientId: String(client['clientId']), clientSecret: String(client['clientSecret']) };
  const { token } = await fetchToken(caller, url, credentials);
  assert.ok(token !== undefined, 'a new client gets a token');
  return { accountId: String(id), ...credentials, token };
}
