/** A37 to A41; R17, R25. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, test } from 'vitest';
import { verifyInvariants } from '../../../src/verify/verify.ts';
import { countRecords } from '../../support/books.ts';
import { type ApiResponse, auto, type Reseller } from '../../support/harness.ts';
import { createOrderRecorder, tally } from '../../support/order-recorder.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const { h, nodes } = await startTwoNodes(wholeFile);
const recorder = createOrderRecorder(h);
const [reseller, other] = [
  await h.seed.reseller({ balance: '10000.00' }),
  await h.seed.reseller({ balance: '10000.00' }),
];

const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const atBoth = (who: Reseller, items: readonly [unknown, unknown], key: string) =>
  Promise.all(nodes.map((node, index) => recorder.order(who.at(node.url), items[index], key)));

afterEach(async () => {
  await recorder.assertConsistent();
  const broken = (await verifyInvariants(h.database)).filter((result) => result.broken > 0);
  deepEqual(broken, []);
});

/** Asserts that every node returns the same response for a key from now on; returns it. */
async function settled(who: Reseller, item: unknown, key: string): Promise<ApiResponse> {
  const here = await recorder.order(who.at(nodes[0].url), item, key);
  const there = await recorder.order(who.at(nodes[1].url), item, key);
  deepEqual([here.status, here.body.data], [there.status, there.body.data]);
  equal(here.headers.get('idempotent-replayed'), 'true');
  return here;
}

test('each of 100 keys sent to both nodes concurrently creates one order, which the duplicate waits for or replays', async () => {
  const { productId } = await h.seed.listing({ price: '1.00', stock: 200 });
  const item = auto(productId);
  const pairs = await times(100, async () => {
    const key = randomUUID();
    return { key, responses: await atBoth(reseller, [item, item], key) };
  });
  for (const { key, responses } of pairs) {
    const { 201: created, 200: replayed = 0, 'idempotency-key-processing': waiting = 0 } = tally(responses);
    deepEqual([created, replayed + waiting], [1, 1], key);
    const first = responses.find(({ status }) => status === 201);
    const again = await settled(reseller, item, key);
    deepEqual([again.status, again.body.data], [200, first?.body.data]);
  }
});

test('each of 100 keys sent with different payloads to the two nodes places one of them, never both', async () => {
  const { productId } = await h.seed.listing({ price: '1.00', stock: 400 });
  const [one, two] = [auto(productId), auto(productId, { quantity: 2 })];
  const pairs = await times(100, async () => {
    const key = randomUUID();
    return { key, responses: await atBoth(reseller, [one, two], key) };
  });
  for (const { key, responses } of pairs) {
    const { 201: created, ...rest } = tally(responses);
    equal(created, 1, key);
    const rejections = ['idempotency-key-already-used', 'idempotency-key-processing'];
    ok(Object.keys(rest).every((code) => rejections.includes(code)));
    const [first, second] = await atBoth(reseller, [one, two], key);
    deepEqual([first?.status, second?.status].sort(), [200, 422]);
  }
});

test('one key used by two accounts at two nodes creates two orders', async () => {
  const { productId } = await h.seed.listing({ price: '1.00', stock: 40 });
  const key = randomUUID();
  const responses = await Promise.all([
    recorder.order(reseller.at(nodes[0].url), auto(productId), key),
    recorder.order(other.at(nodes[1].url), auto(productId), key),
  ]);
  deepEqual(tally(responses), { 201: 2 });
});

test('a rejection at both nodes is stored once and stays, even when the product is back', async () => {
  const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 0 });
  const before = await countRecords(h, reseller.accountId);
  const keys = Array.from({ length: 20 }, () => randomUUID());
  const item = auto(productId);
  await Promise.all(keys.map((key) => atBoth(reseller, [item, item], key)));
  equal((await countRecords(h, reseller.accountId)) - before, 20);
  await h.seed.keys(offerId, 50);
  for (const key of keys) {
    const again = await settled(reseller, item, key);
    equal(again.body.error.code, 'offer-not-available');
  }
});

test('50 concurrent duplicates of one key over both nodes create one order with one charge', async () => {
  const { productId } = await h.seed.listing({ price: '1.00', stock: 50 });
  const key = randomUUID();
  const responses = await times(50, (index) =>
    recorder.order(reseller.at(nodes[index % 2 === 0 ? 0 : 1].url), auto(productId), key),
  );
  const { 201: created, 200: replayed = 0, 'idempotency-key-processing': waiting = 0 } = tally(responses);
  deepEqual([created, replayed + waiting], [1, 49]);
});
