/** Only the rejection is stored, under its key. R11, A30 to A33, A39. */
import { deepEqual, doesNotMatch, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { CHECKOUT_CLASSES } from '@keyport/core/orders/checkout-class';
import { test } from 'vitest';
import { assertNothingWritten } from '../../support/books.ts';
import { auto, manual, type Reseller } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

/** Checks that only the rejection was stored and that a retry replays it; returns the error. */
async function rejection(reseller: Reseller, item: unknown, offerId?: string) {
  const key = randomUUID();
  const response = await assertNothingWritten(h, { accountId: reseller.accountId, offerId, records: 1 }, () =>
    reseller.order(item, key),
  );
  equal(response.status, 400, JSON.stringify(response.body));
  const repeat = await reseller.order(item, key);
  equal(repeat.headers.get('idempotent-replayed'), 'true');
  deepEqual(repeat.body.error, response.body.error);
  return response.body.error;
}

test('rejections follow the order of the checks: each row removes the cause of the previous rejection', async () => {
  const sellerId = await h.seed.seller();
  const limits = { orderValueMax: '5.00', dailySpendMax: '8.00', dailyUnitsMax: 1 };
  const account = { paymentMethod: null, sellerId, limits };
  const reseller = await h.seed.reseller({ account });
  const { productId, offerId } = await h.seed.listing({
    price: '10.00',
    stock: 1,
    sellerId,
    product: { checkoutClass: 'esim' },
  });
  const patch = (fields: Record<string, unknown>) =>
    h.operate('PATCH', `/accounts/${reseller.accountId}`, fields);
  const offer = (fields: Record<string, unknown>) =>
    h.operate('PUT', `/offers/${offerId}`, {
      productId,
      sellerId,
      price: '10.00',
      status: 'paused',
      ...fields,
    });
  await offer({});
  await patch({ status: 'suspended' });
  const steps = [
    { code: 'cart-validation-error', reason: 'account-not-active', mend: () => patch({ status: 'active' }) },
    { code: 'cart-validation-error', reason: 'own-offer', mend: () => patch({ sellerId: null }) },
    {
      code: 'cart-validation-error',
      reason: 'daily-units-max',
      mend: () => patch({ limits: { dailyUnitsMax: null } }),
    },
    {
      code: 'product-excluded',
      mend: () => h.operate('PUT', `/products/${productId}`, { name: 'Game', checkoutClass: 'standard' }),
    },
    { code: 'offer-not-available', mend: () => offer({ status: 'active' }) },
    { code: 'offer-not-available', mend: () => h.seed.keys(offerId, 1) },
    {
      code: 'cart-validation-error',
      reason: 'order-value-max',
      mend: () => patch({ limits: { orderValueMax: null } }),
    },
    {
      code: 'cart-validation-error',
      reason: 'daily-spend-max',
      mend: () => patch({ limits: { dailySpendMax: null } }),
    },
    { code: 'max-price-exceeded', mend: () => offer({ status: 'active', price: '9.00' }) },
    { status: 402, code: 'payment-not-configured', mend: () => patch({ paymentMethod: 'balance' }) },
    { status: 402, code: 'insufficient-funds', mend: () => h.seed.deposit(reseller.accountId, '18.00') },
  ];
  for (const { status = 400, code, reason, mend } of steps) {
    const response = await assertNothingWritten(
      h,
      { accountId: reseller.accountId, offerId, records: 1 },
      () => reseller.order(manual(offerId, { quantity: 2, maxPrice: '9.00' })),
    );
    const { error } = response.body;
    deepEqual([response.status, error.code, error.data?.reason], [status, code, reason], error.message);
    await mend();
  }
  equal((await reseller.order(manual(offerId, { quantity: 2, maxPrice: '9.00' }))).status, 201);
});

test('a suspended account can read but not order, whatever the items', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, offerId } = await h.seed.listing();
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { status: 'suspended' });
  for (const item of [auto(productId), auto('99999999999999'), manual(randomUUID())]) {
    const error = await rejection(reseller, item, offerId);
    equal(error.code, 'cart-validation-error');
    deepEqual(error.data, { reason: 'account-not-active', accountStatus: 'suspended' });
  }
  equal((await reseller.get('/orders')).status, 200);
});

test('a line above the value limit of an order is rejected with the amounts, and a smaller one is placed', async () => {
  const account = { limits: { orderValueMax: '19.99' } };
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const { productId, offerId } = await h.seed.listing({ price: '10.00' });
  const error = await rejection(reseller, auto(productId, { quantity: 2 }), offerId);
  deepEqual(error.data, { reason: 'order-value-max', limit: '19.99', requested: '20.00' });
  equal((await reseller.order(auto(productId))).status, 201);
});

test('limits apply to the amount after the discount', async () => {
  const account = { limits: { orderValueMax: '9.00' }, discountPercent: '10' };
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const { productId } = await h.seed.listing({ price: '10.00' });
  equal((await reseller.order(auto(productId))).status, 201);
});

test('money spent today counts against the daily limit', async () => {
  const account = { limits: { dailySpendMax: '25.00' } };
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const { productId, offerId } = await h.seed.listing({ price: '10.00' });
  equal((await reseller.order(auto(productId, { quantity: 2 }))).status, 201);
  const { data } = await rejection(reseller, auto(productId), offerId);
  const spend = { reason: 'daily-spend-max', used: '20.00', requested: '10.00' };
  deepEqual(data, { ...spend, limit: '25.00', remaining: '5.00' });
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { limits: { dailySpendMax: '15.00' } });
  const lowered = await rejection(reseller, auto(productId), offerId);
  deepEqual(lowered.data, { ...spend, limit: '15.00', remaining: '0.00' });
});

test('units ordered today count against the daily limit', async () => {
  const account = { limits: { dailyUnitsMax: 3 } };
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const { productId, offerId } = await h.seed.listing({ price: '1.00' });
  equal((await reseller.order(auto(productId, { quantity: 2 }))).status, 201);
  const { data } = await rejection(reseller, auto(productId, { quantity: 2 }), offerId);
  deepEqual(data, { reason: 'daily-units-max', limit: 3, used: 2, remaining: 1, requested: 2 });
  equal((await reseller.order(auto(productId))).status, 201);
});

test('rejects an order for the account’s own offer', async () => {
  const sellerId = await h.seed.seller();
  const reseller = await h.seed.reseller({ balance: '100.00', account: { sellerId } });
  const { productId, offerId } = await h.seed.listing({ sellerId });
  const error = await rejection(reseller, manual(offerId), offerId);
  deepEqual([error.code, error.data], ['cart-validation-error', { reason: 'own-offer' }]);
  const byProduct = await rejection(reseller, auto(productId), offerId);
  equal(byProduct.code, 'offer-not-available', 'auto finds no other offer');
});

test('excluded products are rejected whatever the price, the quantity and the stock', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  for (const checkoutClass of CHECKOUT_CLASSES.filter((each) => each !== 'standard')) {
    const { productId, offerId } = await h.seed.listing({ stock: 1, product: { checkoutClass } });
    for (const item of [auto(productId), manual(offerId, { quantity: 25, maxPrice: '0.01' })]) {
      const error = await rejection(reseller, item, offerId);
      equal(error.code, 'product-excluded');
      deepEqual(error.data, { productId, checkoutClass });
    }
  }
});

test('an excluded product is rejected as excluded even without an offer', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const productId = await h.seed.product({ checkoutClass: 'subscription' });
  equal((await rejection(reseller, auto(productId))).code, 'product-excluded');
});

test('an unknown, paused, sold-out, too small or too expensive offer is not available', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, offerId, sellerId } = await h.seed.listing({ price: '10.00', stock: 2 });
  const empty = await h.seed.listing({ stock: 0 });
  const paused = await h.seed.listing();
  await h.operate('PUT', `/offers/${paused.offerId}`, {
    productId: paused.productId,
    sellerId: paused.sellerId,
    price: '10.00',
    status: 'paused',
  });
  const some = { availableQuantity: 2, minPrice: '10.00' };
  const nothing = { availableQuantity: 0 };
  const rows = [
    { item: auto('99999999999999'), data: { reason: 'stock', ...nothing, quantity: 1 } },
    { item: manual(randomUUID()), data: { ...nothing, quantity: 1 } },
    { item: manual(sellerId), data: { ...nothing, quantity: 1 } },
    { item: auto(productId, { quantity: 3 }), data: { reason: 'stock', ...some, quantity: 3 } },
    { item: manual(offerId, { quantity: 3 }), data: { ...some, quantity: 3 } },
    { item: auto(productId, { maxPrice: '9.99' }), data: { reason: 'price', ...some, quantity: 1 } },
    {
      item: auto(productId, { maxPrice: '9.99', quantity: 3 }),
      data: { reason: 'stock', ...some, quantity: 3 },
    },
    { item: auto(empty.productId), data: { reason: 'stock', ...nothing, quantity: 1 } },
    { item: manual(empty.offerId), data: { ...nothing, quantity: 1 } },
    { item: auto(paused.productId), data: { reason: 'stock', ...nothing, quantity: 1 } },
    { item: manual(paused.offerId), data: { ...nothing, quantity: 1 } },
  ];
  for (const { item, data } of rows) {
    const error = await rejection(reseller, item, offerId);
    equal(error.code, 'offer-not-available', JSON.stringify(item));
    deepEqual(error.data, data, JSON.stringify(item));
  }
});

test('limits on amounts never reveal the price of an offer that is paused or sold out', async () => {
  const account = { limits: { orderValueMax: '0.01', dailySpendMax: '0.01' } };
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const soldOut = await h.seed.listing({ price: '31.70', stock: 0 });
  const paused = await h.seed.listing({ price: '31.70' });
  await h.operate('PATCH', `/offers/${paused.offerId}`, { status: 'paused' });
  for (const { offerId } of [soldOut, paused]) {
    const error = await rejection(reseller, manual(offerId), offerId);
    equal(error.code, 'offer-not-available');
    deepEqual(error.data, { availableQuantity: 0, quantity: 1 });
    doesNotMatch(JSON.stringify({ ...error, doc_url: '' }), /31/);
  }
});

test('the message about a shortage distinguishes one unit from several', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { limits: { dailyUnitsMax: 2 } } });
  const { productId, offerId } = await h.seed.listing({ price: '10.00', stock: 1 });
  const rows: [item: unknown, message: string][] = [
    [manual(offerId, { quantity: 2 }), 'The offer has 1 unit in stock, fewer than the 2 ordered.'],
    [manual(randomUUID()), 'The offer is unknown, paused or out of stock.'],
    [auto('99999999999999'), 'The product is unknown, or no offer of it is in stock.'],
    [
      auto(productId, { maxPrice: '9.99' }),
      'No single offer has 1 unit at a price of at most 9.99 EUR. The largest stock of an offer is 1 unit, the lowest price 10.00 EUR.',
    ],
    [
      auto(productId, { quantity: 3 }),
      "The order has 3 units, above the remaining 2 units of the account's limit of 2 units per UTC day.",
    ],
  ];
  for (const [item, message] of rows) equal((await rejection(reseller, item)).message, message);
});

test('two offers are never combined for one line', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ stock: 2 });
  await h.seed.offer({ productId, stock: 2 });
  equal((await rejection(reseller, auto(productId, { quantity: 3 }))).code, 'offer-not-available');
});

test('a manual offer that costs one cent more than maxPrice is rejected with both prices', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ price: '10.00' });
  const error = await rejection(reseller, manual(offerId, { maxPrice: '9.99' }), offerId);
  equal(error.code, 'max-price-exceeded');
  deepEqual(error.data, { offerPrice: '10.00', maxPrice: '9.99' });
});

test('hostile texts in a valid request are treated as data', async () => {
  const reseller = await h.seed.reseller({
    balance: '100.00',
    account: { name: "'; DROP TABLE account; --" },
  });
  const { productId } = await h.seed.listing({
    product: { name: "<script>alert(1)</script> \u202e {{7*7}} %{jndi:ldap://x} ' OR 1=1 --" },
  });
  const response = await reseller.order(auto(productId));
  equal(response.status, 201);
  equal(
    response.body.data.transactions[0].items[0].product.name,
    "<script>alert(1)</script> \u202e {{7*7}} %{jndi:ldap://x} ' OR 1=1 --",
  );
});
