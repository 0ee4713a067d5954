/** R25: many concurrent requests in one process. */
import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { verifyInvariants } from '../../src/verify/verify.ts';
import { countRecords, readBooks } from '../support/books.ts';
import { type ApiResponse, auto, manual } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();

function tally(responses: readonly ApiResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of responses) {
    const outcome = status < 400 ? String(status) : body.error.code;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Accounts are expensive to create, so a few that order often represent many. */
const buyers = await times(10, () => h.seed.reseller({ balance: '10000.00' }));
const buyer = (index: number) => buyers[index % buyers.length] ?? fail();

for (const item of ['manual', 'auto'] as const) {
  test(`one of 100 ${item} orders for one unit is placed, and 99 get offer-not-available`, async () => {
    const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 1 });
    const line = item === 'manual' ? manual(offerId) : auto(productId);
    const responses = await times(100, (index) => buyer(index).order(line));
    deepEqual(tally(responses), { 201: 1, 'offer-not-available': 99 });
  });
}

test('exactly 50 of 100 orders for 50 units are placed, each with a different key', async () => {
  const { productId, codes } = await h.seed.listing({ price: '1.00', stock: 50 });
  const responses = await times(100, (index) => buyer(index).order(auto(productId)));
  deepEqual(tally(responses), { 201: 50, 'offer-not-available': 50 });
  const handedOut = await Promise.all(
    responses.map(async ({ status, body }, index) => {
      if (status !== 201) return [];
      const keys = await buyer(index).get(`/orders/${body.data.id}/keys`);
      return keys.body.data[0].keys.map((key: { code: string }) => key.code);
    }),
  );
  deepEqual(handedOut.flat().sort(), [...codes].sort());
  const ids = responses.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
  equal(new Set(ids).size, 50);
});

test('orders of several units are never split, even if the last units stay unsold', async () => {
  const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 20 });
  const responses = await times(12, (index) => buyer(index).order(auto(productId, { quantity: 3 })));
  deepEqual(tally(responses), { 201: 6, 'offer-not-available': 6 });
  const { units } = await readBooks(h, { accountId: buyer(0).accountId, offerId });
  deepEqual(units, { available: 2, sold: 18 });
});

test('only one of two orders for 60 % of the balance is placed', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ price: '60.00', stock: 2 });
  const responses = await times(2, () => reseller.order(auto(productId)));
  deepEqual(tally(responses), { 201: 1, 'insufficient-funds': 1 });
  equal((await reseller.get('/account')).body.data.balance, '40.00');
});

test('a daily limit holds against concurrent orders', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { limits: { dailyUnitsMax: 5 } } });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 20 });
  const responses = await times(20, () => reseller.order(auto(productId)));
  deepEqual(tally(responses), { 201: 5, 'cart-validation-error': 15 });
});

test('50 concurrent duplicates of a key are one order with one charge', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 50 });
  const key = randomUUID();
  const responses = await times(50, () => reseller.order(auto(productId), key));
  const counts = tally(responses);
  equal(counts['201'], 1);
  equal((counts['200'] ?? 0) + (counts['idempotency-key-processing'] ?? 0), 49);
  const orders = new Set(responses.flatMap(({ status, body }) => (status < 400 ? [body.data.id] : [])));
  equal(orders.size, 1);
  const books = await readBooks(h, { accountId: reseller.accountId });
  deepEqual([books.orders, books.balanceMinor], [1, 9900]);
});

test('all deposits made during orders are booked at the end', async () => {
  const reseller = await h.seed.reseller({ balance: '30.00' });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 60 });
  const [orders] = await Promise.all([
    times(30, () => reseller.order(auto(productId))),
    times(30, () => h.seed.deposit(reseller.accountId, '0.10')),
  ]);
  deepEqual(tally(orders), { 201: 30 });
  equal((await reseller.get('/account')).body.data.balance, '3.00');
  const lines = await h.operate('GET', `/accounts/${reseller.accountId}/statement?itemsPerPage=100`);
  equal(lines.length, 61);
});

test('changes to an offer during orders lead to complete orders or rejections', async () => {
  const { productId, offerId, sellerId } = await h.seed.listing({ price: '1.00', stock: 20 });
  const put = (price: string, status: string) =>
    h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price, status });
  const [responses] = await Promise.all([
    times(60, (index) => buyer(index).order(manual(offerId, { maxPrice: '1.00' }))),
    (async () => {
      await put('1.01', 'active');
      await put('0.50', 'active');
      await h.seed.keys(offerId, 5);
      await put('0.50', 'paused');
    })(),
  ]);
  const counts = tally(responses);
  const outcomes = ['201', 'offer-not-available', 'max-price-exceeded'];
  ok(
    Object.keys(counts).every((outcome) => outcomes.includes(outcome)),
    JSON.stringify(counts),
  );
  for (const { status, body } of responses) {
    if (status === 201) ok(['1.00', '0.50'].includes(body.data.totalPrice));
  }
  const afterwards = await buyer(0).order(manual(offerId, { maxPrice: '1.00' }));
  equal(afterwards.body.error.code, 'offer-not-available', 'nothing is sold after the pause');
});

test('concurrent random orders, rejections and refunds leave consistent books', async () => {
  const listings = await times(4, (index) => h.seed.listing({ price: `${index + 1}.00`, stock: 25 }));
  const poor = await h.seed.reseller({ balance: '20.00' });
  const responses = await times(120, async (index) => {
    const listing = listings[(index * 7) % listings.length] ?? fail();
    const who = index % 5 === 0 ? poor : buyer(index);
    const line = { quantity: 1 + (index % 3), maxPrice: index % 11 === 0 ? '0.50' : '9.00' };
    const response = await who.order(
      index % 2 === 0 ? auto(listing.productId, line) : manual(listing.offerId, line),
    );
    if (response.status === 201 && index % 4 === 0) {
      const body = { reason: 'random', returnToStock: index % 8 === 0 };
      await h.operate('POST', `/orders/${response.body.data.id}/refund`, body);
    }
    return response;
  });
  const known = ['201', 'offer-not-available', 'max-price-exceeded', 'insufficient-funds'];
  ok(
    Object.keys(tally(responses)).every((outcome) => known.includes(outcome)),
    JSON.stringify(tally(responses)),
  );
  const broken = (await verifyInvariants(h.database)).filter((result) => result.broken > 0);
  deepEqual(broken, []);
});

test('one response is stored for each request that reached checkout', async () => {
  const reseller = await h.seed.reseller({ balance: '5.00' });
  const { productId } = await h.seed.listing({ price: '1.00', stock: 20 });
  const responses = await times(10, () => reseller.order(auto(productId)));
  deepEqual(tally(responses), { 201: 5, 'insufficient-funds': 5 });
  equal(await countRecords(h, reseller.accountId), 10);
});
