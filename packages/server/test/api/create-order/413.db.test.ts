/** A14, A39. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { assertNothingWritten } from '../../support/books.ts';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const BODY_SIZE_BYTES_MAX = 64 * 1024;

const h = await sharedHarness();

test('a body one byte above 64 KiB is rejected and its key stays free, and 64 KiB are accepted', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, offerId } = await h.seed.listing();
  const key = randomUUID();
  const body = JSON.stringify({ items: [auto(productId)] });
  const send = (sizeBytes: number) =>
    h.call('POST', '/export/v1/orders', {
      token: reseller.token,
      headers: { 'idempotency-key': key, 'content-type': 'application/json' },
      body: body.padEnd(sizeBytes),
    });
  const scope = { accountId: reseller.accountId, offerId, records: 0 };
  const refused = await assertNothingWritten(h, scope, () => send(BODY_SIZE_BYTES_MAX + 1));
  deepEqual([refused.status, refused.body.error.code], [413, 'payload-too-large']);
  equal((await send(BODY_SIZE_BYTES_MAX)).status, 201);
});
