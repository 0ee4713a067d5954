import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ERROR_CODES, type ErrorCode, type ErrorSpec, errorSpec } from '@keyport/contract/errors';
import { buildOpenApi } from '@keyport/contract/openapi/document';
import { buildErrorExample } from '@keyport/contract/openapi/examples';
import { operationErrors } from '@keyport/contract/operations';
import { test } from 'vitest';
import { assertNothingWritten, countRecords } from '../../support/books.ts';
import { auto, manual, type Reseller } from '../../support/harness.ts';
import { toReservations } from '../../support/reservations.ts';
import { callOperation, REHEARSED } from '../../support/scenario.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller({ balance: '1000.00' });
const shop = await h.seed.listing({ price: '10.00', stock: 50 });
const order = await reseller.order(auto(shop.productId));
const reservation = await toReservations(h, reseller).reserved(auto(shop.productId));
const ids = {
  orderId: order.body.data.id,
  productId: shop.productId,
  offerId: shop.offerId,
  reservationId: reservation.id,
};

const WITH_RETRY_AFTER: readonly ErrorCode[] = [
  'idempotency-key-processing',
  'too-many-requests',
  'service-unavailable',
];

const STORED: readonly ErrorCode[] = [
  'cart-validation-error',
  'product-excluded',
  'offer-not-available',
  'max-price-exceeded',
  'payment-not-configured',
  'insufficient-funds',
  'payment-went-wrong',
  'order-not-paid',
];

function placeWith(
  scenario: string,
  key: string = randomUUID(),
  item: unknown = auto(shop.productId),
  by = reseller,
) {
  return by.order(item, key, { 'keyport-scenario': scenario });
}

test('the document names the codes of every operation, and one line forces each', async () => {
  const { paths } = buildOpenApi({ version: '1.0.0' });
  for (const operation of REHEARSED) {
    const item: unknown = Reflect.get(Object(paths[operation.path]), operation.method.toLowerCase());
    const documented = JSON.stringify(Object(item)['responses']);
    for (const code of operationErrors(operation)) {
      ok(documented.includes(`/${code}"`) || documented.includes(`"${code}"`), `${operation.name} ${code}`);
      const takesItems = operation.name === 'createOrder' || operation.name === 'createReservation';
      const body = takesItems ? { items: [auto(shop.productId)] } : undefined;
      const response = await callOperation(h, reseller, operation, { ids, scenario: `error:${code}`, body });
      const what = `${operation.name} ${code}`;
      const { error } = response.body;
      deepEqual([response.status, error?.code], [errorSpec(code).status, code], what);
      equal(error.doc_url, `${h.url}/docs/errors/${code}`, what);
      equal(response.headers.has('retry-after'), WITH_RETRY_AFTER.includes(code), what);
      const spec: ErrorSpec = errorSpec(code);
      if (spec.data !== undefined && Object(buildErrorExample(code, '')['error']).data !== undefined)
        ok(Object.keys(error.data ?? {}).length > 0, `${what} has its facts`);
      if (code === 'unauthorized')
        equal(response.headers.get('www-authenticate'), 'Bearer error="invalid_token"', what);
    }
  }
});

test('a code that the operation never returns causes 400', async () => {
  for (const operation of REHEARSED) {
    const codes = operationErrors(operation);
    for (const code of ERROR_CODES.filter((one) => !codes.includes(one))) {
      const response = await callOperation(h, reseller, operation, { ids, scenario: `error:${code}` });
      deepEqual([response.status, response.body.error.code], [400, 'validation-error'], operation.name);
      equal(response.body.error.errors[0].field, 'headers.keyport-scenario');
    }
  }
});

test('unavailable and rate-limited state when to retry, and nothing is stored', async () => {
  for (const [scenario, status] of [
    ['unavailable', 503],
    ['rate-limited', 429],
  ] as const) {
    const key = randomUUID();
    const forced = await placeWith(scenario, key);
    deepEqual([forced.status, forced.headers.get('retry-after')], [status, '1']);
    equal((await reseller.order(auto(shop.productId), key)).status, 201);
  }
});

for (const code of STORED) {
  test(`create order keeps ${code} for its key, and a retry without the header replays it`, async () => {
    const buyer = await h.seed.reseller({ balance: '1000.00' });
    const key = randomUUID();
    const forced = await placeWith(`error:${code}`, key, auto(shop.productId), buyer);
    equal(forced.body.error.code, code);
    for (const replay of [
      await buyer.order(auto(shop.productId), key),
      await placeWith('held', key, auto(shop.productId), buyer),
    ]) {
      equal(replay.headers.get('idempotent-replayed'), 'true');
      deepEqual([replay.status, replay.body.error], [forced.status, forced.body.error]);
    }
    const other = await buyer.order(auto(shop.productId, { quantity: 2 }), key);
    deepEqual([other.status, other.body.error.code], [422, 'idempotency-key-already-used']);
  });
}

test('a code that checkout does not store leaves the key free', async () => {
  for (const code of operationErrors(REHEARSED[0] ?? never()).filter((one) => !STORED.includes(one))) {
    const buyer = await h.seed.reseller({ balance: '20.00' });
    const key = randomUUID();
    const written = { accountId: buyer.accountId, offerId: shop.offerId, records: 0 };
    const forced = await assertNothingWritten(h, written, () =>
      placeWith(`error:${code}`, key, auto(shop.productId), buyer),
    );
    equal(forced.body.error.code, code);
    equal((await buyer.order(auto(shop.productId), key)).status, 201, code);
  }
});

test('a forced rejection has the facts of the order', async () => {
  const { error: price } = (await placeWith('error:max-price-exceeded')).body;
  deepEqual(price.data, { offerPrice: '100.01', maxPrice: '100.00' });
  const { error: funds } = (await placeWith('error:insufficient-funds')).body;
  equal(funds.data.required, '10.00');
  const { error: cart } = (await placeWith('error:cart-validation-error')).body;
  deepEqual(cart.data, { reason: 'order-value-max', limit: '9.99', requested: '10.00' });
  const { error: excluded } = (await placeWith('error:product-excluded')).body;
  equal(excluded.data.productId, shop.productId);
  const two = manual(shop.offerId, { quantity: 2 });
  const { error: gone } = (await placeWith('error:offer-not-available', randomUUID(), two)).body;
  deepEqual(gone.data, { availableQuantity: 1, minPrice: '10.00', quantity: 2 });
});

test('a forced code replaces the error that checkout would return', async () => {
  const poor = await h.seed.reseller({ account: { paymentMethod: null } });
  const unknown = manual(randomUUID());
  equal(
    (await placeWith('error:insufficient-funds', randomUUID(), unknown, poor)).body.error.code,
    'insufficient-funds',
  );
});

test('an invalid request is rejected as invalid despite a forced error', async () => {
  const response = await placeWith(
    'error:max-price-exceeded',
    randomUUID(),
    auto(shop.productId, { quantity: 0 }),
  );
  equal(response.body.error.code, 'validation-error');
  equal(response.body.error.errors[0].field, 'body.items[0].auto.quantity');
});

test('payment-went-wrong leaves a canceled order that its data names, and an unchanged balance', async () => {
  const buyer = await h.seed.reseller({ balance: '50.00' });
  const { error } = (await placeWith('error:payment-went-wrong', randomUUID(), auto(shop.productId), buyer))
    .body;
  equal((await buyer.get(`/orders/${error.data.orderId}`)).body.data.status, 'canceled');
  equal((await buyer.get('/account')).body.data.balance, '50.00');
});

test('an error that one reseller forces does not affect another', async () => {
  const [one, other] = [
    await h.seed.reseller({ balance: '50.00' }),
    await h.seed.reseller({ balance: '50.00' }),
  ];
  const key = randomUUID();
  equal((await placeWith('error:insufficient-funds', key, auto(shop.productId), one)).status, 402);
  equal((await other.order(auto(shop.productId), key)).status, 201);
  equal(await computeCount(other), 1);
});

async function computeCount({ accountId }: Reseller): Promise<number> {
  return countRecords(h, accountId);
}

function never(): never {
  throw new Error('there are operations of resellers');
}
