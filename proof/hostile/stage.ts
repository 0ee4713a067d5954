/**
 * What hostile requests meet: resellers with orders, a catalogue, another reseller whose things are none of the caller's
 * business. The caller's own account and clients are not among the ids, so that no operator's request takes away what
 * the run needs.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OPERATOR, type WatchedService } from './service.ts';
import type { KnownIds } from './values.ts';

const PRODUCTS = 12;
const STOCK_EACH = 400;
const ORDERS_EACH = 25;

export type Stage = {
  readonly tokens: { readonly operator: string; readonly reseller: string; readonly otherReseller: string };
  readonly ids: KnownIds;
  readonly own: StagedReseller;
  readonly other: StagedReseller;
  /** A call that has to succeed; returns its data. */
  operate(method: string, path: string, body?: object): Promise<unknown>;
};

type StagedReseller = {
  readonly accountId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly token: string;
  readonly orderIds: readonly string[];
};

export async function setStage(service: WatchedService): Promise<Stage> {
  const tokenOf = async (clientId: string, clientSecret: string): Promise<string> => {
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const token = (await call(service.url, 'POST', '/oauth/token', { body })).access_token;
    service.keepSecret(token);
    return token;
  };
  const operatorToken = await tokenOf(OPERATOR.id, OPERATOR.secret);
  const operate = async (method: string, path: string, body?: object) =>
    (await call(service.url, method, `/admin/v1${path}`, { token: operatorToken, body })).data;

  const sellerIds = [randomUUID(), randomUUID()];
  for (const id of sellerIds) await operate('PUT', `/sellers/${id}`, { name: 'Seller' });
  const productIds = Array.from({ length: PRODUCTS }, (_, index) => String(10_000_000_000_001 + index));
  const offerIds: string[] = [];
  for (const [index, productId] of productIds.entries()) {
    await operate('PUT', `/products/${productId}`, { name: `Product ${index}`, checkoutClass: 'standard' });
    const offerId = randomUUID();
    const sellerId = sellerIds[index % 2];
    await operate('PUT', `/offers/${offerId}`, {
      productId,
      sellerId,
      price: `${1 + index}.50`,
      status: 'active',
    });
    const keys = Array.from({ length: STOCK_EACH }, () => ({ code: `CODE-${randomUUID()}` }));
    for (const { code } of keys.slice(0, ORDERS_EACH)) service.keepSecret(code);
    await operate('POST', `/offers/${offerId}/keys`, { keys });
    offerIds.push(offerId);
  }

  const itemIds: string[] = [];
  const reseller = async (): Promise<StagedReseller> => {
    const accountId = await newAccount(operate);
    await operate('POST', `/accounts/${accountId}/deposits`, { amount: '9000000.00', reference: 'first' });
    const { clientId, clientSecret } = await newClient(operate, accountId);
    service.keepSecret(clientSecret);
    const token = await tokenOf(clientId, clientSecret);
    const orderIds: string[] = [];
    for (let count = 0; count < ORDERS_EACH; count += 1) {
      const body = {
        items: [
          { manual: { offerId: offerIds[count % PRODUCTS], quantity: 1 + (count % 3), maxPrice: '100.00' } },
        ],
      };
      const { data } = await call(service.url, 'POST', '/export/v1/orders', {
        token,
        body,
        key: randomUUID(),
      });
      orderIds.push(data.id);
      itemIds.push(data.transactions[0].items[0].id);
    }
    return { accountId, clientId, clientSecret, token, orderIds };
  };
  const [own, other] = [await reseller(), await reseller()];
  const spare: { accountId: string; clientId: string; clientSecret: string }[] = [];
  for (let count = 0; count < 3; count += 1) {
    const accountId = await newAccount(operate);
    const client = await newClient(operate, accountId);
    service.keepSecret(client.clientSecret);
    spare.push({ accountId, ...client });
  }
  return {
    tokens: { operator: operatorToken, reseller: own.token, otherReseller: other.token },
    own,
    other,
    operate,
    ids: {
      productId: [...productIds, '99999999999999'],
      offerId: [...offerIds, randomUUID()],
      sellerId: [...sellerIds, randomUUID()],
      accountId: [...spare.map(({ accountId }) => accountId), randomUUID()],
      clientId: [...spare.map(({ clientId }) => clientId), 'nobody'],
      orderId: [...own.orderIds, ...other.orderIds, '99999999999999', '9999999999999999'],
      id: [...itemIds, ...offerIds],
      client_id: [own.clientId, spare[0]?.clientId ?? '', 'nobody'],
      client_secret: [own.clientSecret, spare[0]?.clientSecret ?? '', 'kpsec_wrong'],
      only: ['I1', 'I12,I24', 'I57', 'I66'],
    },
  };
}

type Operate = (method: string, path: string, body?: object) => Promise<unknown>;

async function newAccount(operate: Operate): Promise<string> {
  const account = (await operate('POST', '/accounts', { name: 'Shop', paymentMethod: 'balance' })) as {
    id: string;
  };
  return account.id;
}

async function newClient(
  operate: Operate,
  accountId: string,
): Promise<{ clientId: string; clientSecret: string }> {
  return (await operate('POST', `/accounts/${accountId}/clients`, {})) as {
    clientId: string;
    clientSecret: string;
  };
}

async function call(
  url: string,
  method: string,
  path: string,
  { token, body, key }: { token?: string; body?: object | undefined; key?: string },
) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
