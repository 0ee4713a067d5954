/** A reseller's journey with the types of openapi-typescript: token, catalogue, order, keys, a rejection. */
import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi-typescript.ts';

type ErrorResponse = components['schemas']['ErrorResponse'];

const {
  KEYPORT_URL: baseUrl = '',
  CLIENT_ID: client_id = '',
  CLIENT_SECRET: client_secret = '',
} = process.env;

const { data: token, error: tokenError } = await createClient<paths>({ baseUrl }).POST('/oauth/token', {
  body: { grant_type: 'client_credentials', client_id, client_secret },
});
if (tokenError !== undefined) throw new Error(tokenError.error);
const keyport = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token.access_token}` } });

const { data: page, error: pageError } = await keyport.GET('/export/v1/product-offers', {
  params: { query: { itemsPerPage: 10 } },
});
if (pageError !== undefined) throw failure(pageError);
const product = page?.data[0];
if (product === undefined) throw new Error('nothing is on offer');

const order = await place({ auto: { productId: product.id, quantity: 1, maxPrice: product.minPrice } });
if (order.error !== undefined) throw failure(order.error);
const { id, status }: components['schemas']['Order'] = order.data.data;

const { data: keys, error: keysError } = await keyport.GET('/export/v1/orders/{orderId}/keys', {
  params: { path: { orderId: id } },
});
if (keysError !== undefined) throw failure(keysError);
const codes = keys.data.flatMap((item) => item.keys.map(({ code }) => code));

const { error: rejection } = await place({
  manual: { offerId: randomUUID(), quantity: 1, maxPrice: '0.01' },
});
const facts = rejection?.error.data;
const asked = facts !== undefined && 'availableQuantity' in facts ? facts.availableQuantity : undefined;

console.log(
  JSON.stringify({ id, status, codes, rejection: rejection?.error.code, availableQuantity: asked }),
);

function place(item: components['schemas']['CreateOrderItem']) {
  return keyport.POST('/export/v1/orders', {
    params: { header: { 'Idempotency-Key': randomUUID() } },
    body: { items: [item] },
  });
}

function failure({ error: { code, message } }: ErrorResponse): Error {
  return new Error(`${code}: ${message}`);
}
