/** R25, R26. */
import { deepEqual, fail, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { testDatabaseSettings, testEngine } from '../support/database.ts';
import { openDatabaseLink } from '../support/database-link.ts';
import { auto, startHarness } from '../support/harness.ts';
import { createOrderRecorder, tally } from '../support/order-recorder.ts';
import { skipBecause } from '../support/vitest.ts';

const ORDERS = 240;
/** The statements of about forty orders or more. */
const LARGE_BATCH_BYTES = 30_000;

test('all orders of a large batch get the stored response when the response to its COMMIT is lost', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'the embedded engine has no network connection');
  const settings = await testDatabaseSettings(t);
  ok(settings.url !== undefined);
  const link = await openDatabaseLink(t, settings.url);
  const h = await startHarness(t, {}, { ...settings, url: link.url });
  const recorder = createOrderRecorder(h);
  const { productId } = await h.seed.listing({ price: '1.00', stock: ORDERS });
  const resellers = await Promise.all(
    Array.from({ length: 8 }, () => h.seed.reseller({ balance: '1000.00' })),
  );
  const lost = link.loseCommitReply((request) => request.length > LARGE_BATCH_BYTES);
  const responses = await Promise.all(
    Array.from({ length: ORDERS }, (_, index) =>
      recorder.order(resellers[index % resellers.length] ?? fail(), auto(productId)),
    ),
  );
  await lost;
  deepEqual(tally(responses), { 201: ORDERS });
  await recorder.assertConsistent();
});
