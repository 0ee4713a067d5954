/** R17, A37, A38. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { assertNothingWritten } from '../../support/books.ts';
import { auto, manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller({ balance: '1000.00' });
const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 100 });
const other = await h.seed.listing({ price: '1.00', stock: 100 });

async function assertKeyUsed(item: unknown, key: string) {
  const response = await assertNothingWritten(h, { accountId: reseller.accountId, offerId, records: 0 }, () =>
    reseller.order(item, key),
  );
  deepEqual([response.status, response.body.error.code], [422, 'idempotency-key-already-used']);
}

test('any change to the payload is a different payload', async () => {
  const rows = [
    { first: manual(offerId), second: manual(offerId, { quantity: 2 }) },
    { first: manual(offerId), second: manual(offerId, { maxPrice: '100.01' }) },
    { first: manual(offerId), second: manual(other.offerId) },
    { first: manual(offerId), second: auto(productId) },
    { first: auto(productId), second: manual(offerId) },
    { first: auto(productId), second: auto(other.productId) },
    { first: auto(productId), second: auto(productId, { quantity: 2 }) },
    { first: auto(productId), second: auto(productId, { maxPrice: '99.99' }) },
  ];
  for (const { first, second } of rows) {
    const key = randomUUID();
    equal((await reseller.order(first, key)).status, 201);
    await assertKeyUsed(second, key);
    equal((await reseller.order(first, key)).status, 200, 'the first payload still replays');
  }
});

test('a key with a stored rejection counts as used', async () => {
  const key = randomUUID();
  equal((await reseller.order(manual(randomUUID()), key)).status, 400);
  await assertKeyUsed(manual(offerId), key);
});

test('only one of several concurrent requests with one key and two payloads places its order', async () => {
  const key = randomUUID();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      reseller.order(manual(offerId, { quantity: 1 + (index % 2) }), key),
    ),
  );
  const statuses = responses.map((response) => response.status);
  equal(statuses.filter((status) => status === 201).length, 1, statuses.join());
  ok(
    statuses.every((status) => [201, 200, 409, 422].includes(status)),
    statuses.join(),
  );
  ok(statuses.filter((status) => status === 422).length >= 10, statuses.join());
});
