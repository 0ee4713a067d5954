/** A reseller's journey with the client of @hey-api/openapi-ts: token, catalogue, order, keys, a rejection. */
import { randomUUID } from 'node:crypto';
import { createClient } from '../generated/hey-api/client/index.ts';
import {
  type CreateOrderItem,
  createOrder,
  createToken,
  type ErrorResponse,
  getOrderKeys,
  listProductOffers,
  type OfferNotAvailableData,
  type OrderStatus,
} from '../generated/hey-api/index.ts';

const {
  KEYPORT_URL: baseUrl = '',
  CLIENT_ID: client_id = '',
  CLIENT_SECRET: client_secret = '',
} = process.env;

const { data: token, error: tokenError } = await createToken({
  client: createClient({ baseUrl }),
  body: { grant_type: 'client_credentials', client_id, client_secret },
});
if (token === undefined) throw new Error(tokenError.error);
const client = createClient({ baseUrl, auth: token.access_token });

const { data: page, error: pageError } = await listProductOffers({ client, query: { itemsPerPage: 10 } });
if (pageError !== undefined) throw failure(pageError);
const product = page?.data[0];
if (product === undefined) throw new Error('nothing is on offer');

const order = await place({ auto: { productId: product.id, quantity: 1, maxPrice: product.minPrice } });
if (order.data === undefined) throw failure(order.error);
const { id } = order.data.data;
const status: OrderStatus = order.data.data.status;

const { data: keys, error: keysError } = await getOrderKeys({ client, path: { orderId: id } });
if (keys === undefined) throw failure(keysError);
const codes = keys.data.flatMap((item) => item.keys.map(({ code }) => code));

const { error: rejection } = await place({
  manual: { offerId: randomUUID(), quantity: 1, maxPrice: '0.01' },
});
if (rejection === undefined) throw new Error('an unknown offer was sold');
const { availableQuantity } = rejection.error.data as OfferNotAvailableData;

console.log(JSON.stringify({ id, status, codes, rejection: rejection.error.code, availableQuantity }));

function place(item: CreateOrderItem) {
  return createOrder({ client, headers: { 'Idempotency-Key': randomUUID() }, body: { items: [item] } });
}

function failure({ error: { code, message } }: ErrorResponse): Error {
  return new Error(`${code}: ${message}`);
}
