/** R25, R26; I20, I22, I25. */
import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, test } from 'vitest';
import { verifyInvariants } from '../../../src/verify/verify.ts';
import { readBooks } from '../../support/books.ts';
import { type ApiResponse, auto, manual, type Reseller } from '../../support/harness.ts';
import { createOrderRecorder, tally } from '../../support/order-recorder.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const { h, nodes, toNode } = await startTwoNodes(wholeFile);
const recorder = createOrderRecorder(h);

const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** A few accounts represent many, because they are expensive to create. Neighbors call different nodes. */
const buyers = await times(10, () => h.seed.reseller({ balance: '10000.00' }));
const buyer = (index: number): Reseller =>
  (buyers[(index >> 1) % buyers.length] ?? fail()).at(toNode(index).url);

const order = (index: number, item: unknown): Promise<ApiResponse> => recorder.order(buyer(index), item);

afterEach(async () => {
  await recorder.assertConsistent();
  const broken = (await verifyInvariants(h.database)).filter((result) => result.broken > 0);
  deepEqual(broken, []);
});

async function computeUnits(offerId: string): Promise<Readonly<Record<string, number>>> {
  return (await readBooks(h, { accountId: buyer(0).accountId, offerId })).units;
}

/** The product's quantities in every node's catalogue, when it shows all commits. */
async function quantitiesShown(productId: string): Promise<number[]> {
  return Promise.all(
    nodes.map(async (node) => {
      await node.catalogueInStep();
      const { status, body } = await h.callAt(node.url, 'GET', `/export/v1/products/${productId}`, {
        token: buyer(0).token,
      });
      return status === 200 ? body.data.totalQuantity : 0;
    }),
  );
}

for (const item of ['manual', 'auto'] as const) {
  test(`the last unit wanted by 50 ${item} callers of each node goes to one, and 99 get offer-not-available`, async () => {
    const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 1 });
    const line = item === 'manual' ? manual(offerId) : auto(productId);
    const responses = await times(100, (index) => order(index, line));
    deepEqual(tally(responses), { 201: 1, 'offer-not-available': 99 });
    deepEqual(await quantitiesShown(productId), [0, 0]);
  });
}

test('exactly 50 of 50 units wanted by 100 callers are sold, and each code is handed out once', async () => {
  const { productId, offerId, codes } = await h.seed.listing({ price: '1.00', stock: 50 });
  const before = await recorder.readCodes();
  const responses = await times(100, (index) => order(index, auto(productId)));
  deepEqual(tally(responses), { 201: 50, 'offer-not-available': 50 });
  deepEqual(await computeUnits(offerId), { sold: 50 });
  const handedOut = (await recorder.readCodes()).filter((code) => !before.includes(code));
  deepEqual(handedOut.sort(), [...codes].sort());
});

test('orders of three units sell out all three offers of one hot product and leave nothing over', async () => {
  const productId = await h.seed.product();
  const offers = await Promise.all(
    ['1.00', '2.00', '3.00'].map((price) => h.seed.offer({ productId, price, stock: 12 })),
  );
  const responses = await times(40, (index) => order(index, auto(productId, { quantity: 3 })));
  deepEqual(tally(responses), { 201: 12, 'offer-not-available': 28 });
  for (const { id } of offers) deepEqual(await computeUnits(id), { sold: 12 });
  deepEqual(await quantitiesShown(productId), [0, 0]);
});

test('every unit of an offer restocked while it sells is sold or remains, and both nodes show the remaining number', async () => {
  const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 10 });
  const [responses] = await Promise.all([
    times(60, (index) => order(index, auto(productId))),
    times(6, () => h.seed.keys(offerId, 5)),
  ]);
  const { 201: sold = 0, ...refused } = tally(responses);
  ok(sold >= 10 && sold <= 40, `${sold} sold`);
  deepEqual(refused, { 'offer-not-available': 60 - sold });
  const { sold: soldUnits, available = 0 } = await computeUnits(offerId);
  deepEqual([soldUnits, available], [sold, 40 - sold]);
  deepEqual(await quantitiesShown(productId), [40 - sold, 40 - sold]);
});

test('the other node does not sell an offer from the moment of the response that paused it', async () => {
  const { productId, offerId, sellerId } = await h.seed.listing({ price: '1.00', stock: 200 });
  const put = (status: string) =>
    h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '1.00', status });
  let isPaused = false;
  const late: ApiResponse[] = [];
  const selling = times(20, async (index) => {
    while (!isPaused) await order(index, manual(offerId));
    late.push(await order(index, manual(offerId)));
  });
  await put('paused');
  isPaused = true;
  await selling;
  deepEqual(tally(late), { 'offer-not-available': 20 });
});

test('orders during price changes are each charged the current price, and never more than their maxPrice', async () => {
  const { productId, offerId, sellerId } = await h.seed.listing({ price: '1.00', stock: 200 });
  const put = (price: string) =>
    h.callAt(nodes[1].url, 'PUT', `/admin/v1/offers/${offerId}`, {
      token: h.operatorToken,
      body: { productId, sellerId, price, status: 'active' },
    });
  const ordering = times(20, async (index) => {
    const responses: ApiResponse[] = [];
    for (let round = 0; round < 5; round += 1) {
      const maxPrice = round % 2 === 0 ? '1.00' : '2.00';
      const response = await order(index, manual(offerId, { maxPrice }));
      if (response.status === 201) ok(Number(response.body.data.totalPrice) <= Number(maxPrice));
      responses.push(response);
    }
    return responses;
  });
  for (const price of ['2.00', '1.00', '2.01']) equal((await put(price)).status, 200);
  const counts = tally((await ordering).flat());
  ok(Object.keys(counts).every((outcome) => ['201', 'max-price-exceeded'].includes(outcome)));
  const afterwards = await times(4, (index) => order(index, manual(offerId, { maxPrice: '2.00' })));
  deepEqual(tally(afterwards), { 'max-price-exceeded': 4 });
});

test('codes imported on both nodes concurrently, in opposite order and during orders, become one unit each', async () => {
  const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 10 });
  const other = await h.seed.offer({ productId, price: '1.50', stock: 0 });
  const codes = Array.from({ length: 300 }, (_, index) => `TWIN-${index}`);
  const lines = codes.map((code, index) =>
    JSON.stringify({ offerId: index % 2 === 0 ? offerId : other.id, code }),
  );
  const importAt = async (url: string, body: string) => {
    const { status, body: response } = await h.callAt(url, 'POST', '/admin/v1/imports/keys', {
      token: h.operatorToken,
      body,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    equal(status, 200);
    return response.data;
  };
  const [first, second, responses] = await Promise.all([
    importAt(nodes[0].url, lines.join('\n')),
    importAt(nodes[1].url, lines.toReversed().join('\n')),
    times(60, (index) => order(index, auto(productId))),
  ]);
  equal(first.written + second.written, 300);
  equal(first.rejected + second.rejected, 0);
  const sold = tally(responses)['201'] ?? 0;
  const [here, there] = [await computeUnits(offerId), await computeUnits(other.id)];
  const total = (units: Readonly<Record<string, number>>) => (units['available'] ?? 0) + (units['sold'] ?? 0);
  deepEqual([total(here), total(there)], [160, 150]);
  equal((here['sold'] ?? 0) + (there['sold'] ?? 0), sold);
  deepEqual(await quantitiesShown(productId), [310 - sold, 310 - sold]);
});

test('random concurrent operations on both nodes leave consistent books and no internal error', async () => {
  const listings = await times(4, (index) => h.seed.listing({ price: `${index + 1}.00`, stock: 25 }));
  const poor = await h.seed.reseller({ balance: '20.00' });
  const responses = await times(160, async (index) => {
    const listing = listings[(index * 7) % listings.length] ?? fail();
    const who = index % 5 === 0 ? poor.at(toNode(index).url) : buyer(index);
    const line = { quantity: 1 + (index % 3), maxPrice: index % 11 === 0 ? '0.50' : '9.00' };
    const response = await recorder.order(
      who,
      index % 2 === 0 ? auto(listing.productId, line) : manual(listing.offerId, line),
    );
    if (response.status === 201 && index % 4 === 0) {
      const { status } = await h.callAt(
        toNode(index + 1).url,
        'POST',
        `/admin/v1/orders/${response.body.data.id}/refund`,
        {
          token: h.operatorToken,
          body: { reason: 'random', returnToStock: index % 8 === 0 },
          headers: { 'idempotency-key': randomUUID() },
        },
      );
      equal(status, 200);
    }
    if (index % 9 === 0) await h.seed.keys(listing.offerId, 2);
    return response;
  });
  const known = ['201', 'offer-not-available', 'max-price-exceeded', 'insufficient-funds'];
  deepEqual(
    Object.keys(tally(responses)).filter((outcome) => !known.includes(outcome)),
    [],
  );
  await recorder.readCodes();
});
