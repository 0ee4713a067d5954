/** A30 to A36, A44, A47. */
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { responseExample } from '@keyport/contract/openapi/examples';
import { OPERATIONS } from '@keyport/contract/operations';
import { test } from 'vitest';
import { readBooks } from '../../support/books.ts';
import { type ApiResponse, auto, manual } from '../../support/harness.ts';
import { advanceDays } from '../../support/past.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

function toItem(answer: ApiResponse) {
  equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.data.transactions[0].items[0];
}

test('a manual order is complete immediately, with every field as ordered and its units taken from stock', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const sellerId = await h.seed.seller('Best Keys');
  const { productId, offerId } = await h.seed.listing({ price: '12.30', stock: 4, sellerId });
  const answer = await reseller.order(manual(offerId, { quantity: 3, maxPrice: '12.30' }));
  equal(answer.status, 201);
  const { id, createdAt, ...order } = answer.body.data;
  match(id, /^[1-9][0-9]{15}$/);
  ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000, 'createdAt is now');
  deepEqual(order, {
    status: 'complete',
    discount: '0.00',
    totalPrice: '36.90',
    currency: 'EUR',
    transactions: [
      {
        id: `${id}-1`,
        seller: { id: sellerId, name: 'Best Keys' },
        items: [
          {
            id: `${id}01`,
            product: { id: productId, name: order.transactions[0].items[0].product.name },
            offer: { id: offerId },
            quantity: { ordered: 3, invoiced: 3, shipped: 3, refunded: 0 },
            price: '12.30',
            totalPrice: '36.90',
          },
        ],
      },
    ],
  });
  const books = await readBooks(h, { accountId: reseller.accountId, offerId });
  deepEqual(books.units, { available: 1, sold: 3 });
  equal(books.balanceMinor, 10_000 - 3690);
});

test('ids have the same form as in the documented example', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const answer = await reseller.order(auto(productId));
  const shapes = (order: unknown) =>
    Array.from(JSON.stringify(order).matchAll(/"id":"([0-9-]+)"/g), ([, id = '']) =>
      id.replaceAll(/\d/g, '9'),
    );
  const example = responseExample({ ...OPERATIONS.createOrder, name: 'createOrder' });
  deepEqual(shapes(example['data']), shapes(answer.body.data));
});

test('the response equals the order in the history and in a single read', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { discountPercent: '2.5' } });
  const { productId } = await h.seed.listing({ price: '9.99' });
  const { data } = (await reseller.order(auto(productId, { quantity: 2 }))).body;
  deepEqual((await reseller.get(`/orders/${data.id}`)).body.data, data);
  deepEqual((await reseller.get('/orders')).body.data, [data]);
});

test('an offer id in upper case is accepted and returned in lower case', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing();
  equal(toItem(await reseller.order(manual(offerId.toUpperCase()))).offer.id, offerId);
});

test('25 units, the maximum of a line, are delivered as 25 different keys', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, codes } = await h.seed.listing({ price: '0.01', stock: 25 });
  const answer = await reseller.order(auto(productId, { quantity: 25, maxPrice: '0.01' }));
  equal(toItem(answer).quantity.shipped, 25);
  const keys = await reseller.get(`/orders/${answer.body.data.id}/keys`);
  deepEqual(keys.body.data[0].keys.map((key: { code: string }) => key.code).sort(), [...codes].sort());
});

test('an order is charged the current price, not maxPrice', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, offerId, sellerId } = await h.seed.listing({ price: '10.00' });
  await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '7.77', status: 'active' });
  const answer = await reseller.order(manual(offerId, { maxPrice: '99.99' }));
  equal(answer.body.data.totalPrice, '7.77');
});

test('an order for the whole balance leaves a balance of zero', async () => {
  const reseller = await h.seed.reseller({ balance: '20.00' });
  const { productId } = await h.seed.listing({ price: '10.00' });
  equal((await reseller.order(auto(productId, { quantity: 2 }))).status, 201);
  equal((await reseller.get('/account')).body.data.balance, '0.00');
});

test('auto takes the cheapest offer that can fill the whole line within maxPrice', async () => {
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const productId = await h.seed.product();
  const small = await h.seed.offer({ productId, price: '8.00', stock: 1 });
  const middle = await h.seed.offer({ productId, price: '9.00', stock: 2 });
  const large = await h.seed.offer({ productId, price: '10.00', stock: 5 });
  await h.seed.offer({ productId, price: '7.00', stock: 5, status: 'paused' });
  const bought = async (quantity: number) =>
    toItem(await reseller.order(auto(productId, { quantity, maxPrice: '10.00' }))).offer.id;
  equal(await bought(2), middle.id, 'the cheapest has too few');
  equal(await bought(3), large.id);
  equal(await bought(1), small.id);
  equal(await bought(1), large.id, 'the others are sold out');
});

test('auto takes the larger stock, then the lower id, if prices are equal', async () => {
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const productId = await h.seed.product();
  const few = await h.seed.offer({ productId, price: '5.00', stock: 2 });
  const many = await h.seed.offer({ productId, price: '5.00', stock: 3 });
  const bought = async () => toItem(await reseller.order(auto(productId))).offer.id;
  equal(await bought(), many.id, 'three against two');
  equal(await bought(), [few.id, many.id].sort()[0], 'two against two');
});

test('auto skips the offers of the account’s own seller', async () => {
  const sellerId = await h.seed.seller();
  const reseller = await h.seed.reseller({ balance: '100.00', account: { sellerId } });
  const productId = await h.seed.product();
  await h.seed.offer({ productId, price: '1.00', sellerId });
  const other = await h.seed.offer({ productId, price: '2.00' });
  equal(toItem(await reseller.order(auto(productId))).offer.id, other.id);
});

test('the discount is rounded half-up on the sum of the line', async () => {
  const rows = [
    { discountPercent: '2.50', price: '1.00', quantity: 1, discount: '0.03', totalPrice: '0.97' },
    // The discount is 7.45 cents on the sum. Rounding 3.725 cents on each unit would give 8 cents.
    { discountPercent: '2.50', price: '1.49', quantity: 2, discount: '0.07', totalPrice: '2.91' },
    { discountPercent: '0.01', price: '49.99', quantity: 1, discount: '0.00', totalPrice: '49.99' },
    { discountPercent: '0.01', price: '50.00', quantity: 1, discount: '0.01', totalPrice: '49.99' },
    { discountPercent: '100', price: '3.33', quantity: 3, discount: '9.99', totalPrice: '0.00' },
  ];
  for (const { discountPercent, price, quantity, ...amounts } of rows) {
    const reseller = await h.seed.reseller({ balance: '50.00', account: { discountPercent } });
    const { productId } = await h.seed.listing({ price });
    const { data } = (await reseller.order(auto(productId, { quantity }))).body;
    deepEqual({ discount: data.discount, totalPrice: data.totalPrice }, amounts, discountPercent);
    equal(data.transactions[0].items[0].price, price, 'the unit price is before the discount');
  }
});

test('an order that is discounted to zero needs no balance', async () => {
  const reseller = await h.seed.reseller({ account: { discountPercent: '100' } });
  const { productId } = await h.seed.listing();
  const answer = await reseller.order(auto(productId));
  equal(toItem(answer).quantity.shipped, 1);
});

test('a free order needs no provider, even if the provider would decline', async () => {
  const account = { paymentMethod: 'gateway', gatewayCustomer: 'sim_declined', discountPercent: '100' };
  const reseller = await h.seed.reseller({ account });
  const { productId } = await h.seed.listing();
  const answer = await reseller.order(auto(productId));
  deepEqual([answer.body.data.status, toItem(answer).quantity.shipped], ['complete', 1]);
});

test('an account under review gets a held order, paid and with reserved units', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { holdOrders: true } });
  const { productId, offerId } = await h.seed.listing({ price: '10.00', stock: 3 });
  const answer = await reseller.order(auto(productId, { quantity: 2 }));
  equal(answer.body.data.status, 'held');
  deepEqual(toItem(answer).quantity, { ordered: 2, invoiced: 2, shipped: 0, refunded: 0 });
  const books = await readBooks(h, { accountId: reseller.accountId, offerId });
  deepEqual(books.units, { available: 1, reserved: 2 });
  equal(books.balanceMinor, 8000);
});

test('text units are taken before image units', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, codes } = await h.seed.listing({ stock: 2, images: 2 });
  const answer = await reseller.order(auto(productId, { quantity: 2 }));
  equal(answer.body.data.status, 'complete');
  const keys = await reseller.get(`/orders/${answer.body.data.id}/keys`);
  deepEqual(
    keys.body.data[0].keys,
    codes.map((code) => ({ code })),
  );
});

test('auto prefers an offer with text units to a cheaper one with images only', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const productId = await h.seed.product();
  await h.seed.offer({ productId, price: '1.00', stock: 0, images: 3 });
  const text = await h.seed.offer({ productId, price: '2.00', stock: 1 });
  equal(toItem(await reseller.order(auto(productId))).offer.id, text.id);
});

test('an order that only image units could fill is closed, refunded in full, and takes no units', async () => {
  const limits = { dailySpendMax: '15.00', dailyUnitsMax: 1 };
  const reseller = await h.seed.reseller({ balance: '100.00', account: { limits } });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 1, images: 1 });
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { limits: { dailyUnitsMax: 3 } });
  const answer = await reseller.order(manual(offerId, { quantity: 2, maxPrice: '10.00' }));
  equal(answer.status, 400, 'the spend limit applies first');
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { limits: { dailySpendMax: '20.00' } });
  const refunded = await reseller.order(manual(offerId, { quantity: 2 }));
  equal(refunded.body.data.status, 'closed');
  deepEqual(toItem(refunded).quantity, { ordered: 2, invoiced: 2, shipped: 0, refunded: 2 });
  const books = await readBooks(h, { accountId: reseller.accountId, offerId });
  deepEqual(books.units, { available: 2 });
  equal(books.balanceMinor, 10_000);
  equal(books.daySpendMinor, 0, 'refunds do not count against the daily limits');
  equal(books.dayUnits, 0);
});

test('a gateway order that the provider accepts is complete', async () => {
  const account = { paymentMethod: 'gateway', gatewayCustomer: 'sim_ok' };
  const reseller = await h.seed.reseller({ account });
  const { productId, offerId } = await h.seed.listing({ price: '10.00', stock: 3 });
  const answer = await reseller.order(auto(productId, { quantity: 2 }));
  equal(answer.body.data.status, 'complete');
  deepEqual(toItem(answer).quantity, { ordered: 2, invoiced: 2, shipped: 2, refunded: 0 });
  deepEqual((await reseller.get(`/orders/${answer.body.data.id}`)).body.data, answer.body.data);
  const books = await readBooks(h, { accountId: reseller.accountId, offerId });
  deepEqual(books.units, { available: 1, sold: 2 });
  equal(books.balanceMinor, 0, 'the balance is not touched');
});

test('an order exactly at every limit of the account is placed', async () => {
  const limits = { orderValueMax: '20.00', dailySpendMax: '20.00', dailyUnitsMax: 2 };
  const reseller = await h.seed.reseller({ balance: '100.00', account: { limits } });
  const { productId } = await h.seed.listing({ price: '10.00' });
  equal((await reseller.order(auto(productId, { quantity: 2 }))).status, 201);
});

test('yesterday’s orders do not count against today’s limits', async () => {
  const limits = { dailySpendMax: '10.00', dailyUnitsMax: 1 };
  const reseller = await h.seed.reseller({ balance: '100.00', account: { limits } });
  const { productId } = await h.seed.listing({ price: '10.00' });
  equal((await reseller.order(auto(productId))).status, 201);
  equal((await reseller.order(auto(productId))).status, 400);
  await advanceDays(h, reseller.accountId, 1);
  equal((await reseller.order(auto(productId))).status, 201);
});

test('order ids grow with time', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing();
  const first = (await reseller.order(auto(productId))).body.data;
  const second = (await reseller.order(auto(productId))).body.data;
  notEqual(first.id, second.id);
  ok(BigInt(second.id.slice(0, 9)) >= BigInt(first.id.slice(0, 9)), 'second by second');
});

test('an order whose id is taken gets another one', async (t) => {
  const reseller = await h.seed.reseller({ balance: '500.00' });
  const { productId } = await h.seed.listing({ stock: 50 });
  const { randomInt } = crypto;
  let draws = 0;
  const draw = (end: number) => {
    draws += 1;
    return draws <= 2 ? 7 : randomInt(end);
  };
  Object.assign(crypto, { randomInt: draw });
  syncBuiltinESMExports();
  t.onTestFinished(() => {
    Object.assign(crypto, { randomInt });
    syncBuiltinESMExports();
  });
  // Two orders draw the same digits; unless a second ended between them, the later one draws again.
  while (draws < 3) {
    draws = 0;
    const ids = [1, 2].map(async () => toItem(await reseller.order(auto(productId))).id);
    equal(new Set(await Promise.all(ids)).size, 2);
  }
});
