/** Section 8, A39. */
import { equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { assertNothingWritten } from '../../support/books.ts';
import { auto, type Reseller, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile, { KEYPORT_RATE_LIMIT_ORDERS_PER_SECOND: '1' });

/** Orders until the rate limit rejects one; checks that every order before it is placed. */
async function orderUntilLimited(reseller: Reseller, productId: string) {
  for (;;) {
    const key = randomUUID();
    const response = await reseller.order(auto(productId), key);
    if (response.status === 429) return { response, key };
    equal(response.status, 201);
  }
}

test('a client above its budget gets 429 with Retry-After, and nothing is written', async () => {
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 100 });
  const { response, key } = await orderUntilLimited(reseller, productId);
  equal(response.body.error.code, 'too-many-requests');
  equal(response.headers.get('retry-after'), '1');
  const scope = { accountId: reseller.accountId, offerId, records: 0 };
  let repeat = await reseller.order(auto(productId), key);
  while (repeat.status === 429) {
    repeat = await reseller.order(auto(productId), key);
  }
  equal(repeat.status, 201, 'the key was not used up');
  const replays = await assertNothingWritten(h, scope, () =>
    Promise.all([1, 2, 3].map(() => reseller.order(auto(productId), key))),
  );
  ok(
    replays.some((each) => each.status === 429),
    'replays count as well',
  );
});

test('reads and other clients are not limited', async () => {
  const [busy, idle] = [
    await h.seed.reseller({ balance: '1000.00' }),
    await h.seed.reseller({ balance: '9.00' }),
  ];
  const { productId } = await h.seed.listing({ price: '1.00', stock: 100 });
  await orderUntilLimited(busy, productId);
  equal((await busy.get('/orders')).status, 200);
  equal((await idle.order(auto(productId))).status, 201);
});
