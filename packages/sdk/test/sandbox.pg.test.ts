/** The sandbox rehearses what goes wrong, and its check-up has nothing to say against the SDK. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { startHarness } from '../../server/test/support/harness.ts';
import { KeyportError } from '../src/errors.ts';
import { CatalogueMirror } from '../src/node/catalogue-mirror.ts';
import { createOrderOnce } from '../src/node/create-order-once.ts';
import { keyportOf } from './support.ts';

test('what is forced is survived or told, one order is one order, and no check fails', async (t) => {
  const h = await startHarness(t, { KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '300' });
  const folder = await mkdtemp(join(tmpdir(), 'keyport-sdk-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  const productIds: string[] = [];
  let offerId = '';
  for (let count = 0; count < 25; count += 1) {
    const listing = await h.seed.listing({ price: '2.00', stock: 10 });
    productIds.push(listing.productId);
    offerId = listing.offerId;
  }
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const keyport = keyportOf(h, reseller);
  const item = { manual: { offerId, quantity: 1, maxPrice: '2.00' } };

  const survived = [
    'lost-request',
    'lost-answer',
    'unavailable',
    'rate-limited',
    'delay:300',
    'error:internal-server-error',
  ];
  for (const scenario of survived) {
    const order = await keyport.orders.create(item, { scenario });
    equal(order.status, 'complete', scenario);
    await keyport.orders.keys(order.id);
  }
  equal((await keyport.orders.create(item, { scenario: 'held, lost-answer' })).status, 'held');
  equal((await reseller.get('/orders')).body.meta.totalResults, survived.length + 1);
  for (const code of ['max-price-exceeded', 'insufficient-funds', 'offer-not-available'] as const) {
    // Each of another offer: the same order again after it was too dear would be a mistake of this program.
    const other = await h.seed.listing();
    const refused = { manual: { offerId: other.offerId, quantity: 1, maxPrice: '10.00' } };
    const error = await keyport.orders
      .create(refused, { scenario: `error:${code}` })
      .catch((thrown: unknown) => thrown);
    ok(error instanceof KeyportError && error.is(code), `${code}: ${String(error)}`);
  }
  equal((await keyport.account.get({ scenario: 'error:unauthorized' })).id, reseller.accountId);
  await createOrderOnce(keyport, join(folder, 'order.json'), item, { scenario: 'lost-answer' });
  const mirror = new CatalogueMirror(keyport, join(folder, 'catalogue.ndjson'));
  for (let count = 0; count < 3; count += 1) await mirror.sync();
  equal((await keyport.products.details(productIds)).length, 25);
  for await (const _ of keyport.products.list());

  const { body } = await h.call('GET', '/sandbox/v1/checkup', { token: reseller.token });
  const failed = body.data.checks.filter(({ status }: { status: string }) => status === 'failed');
  deepEqual(failed, []);
  ok(body.data.checks.some(({ status }: { status: string }) => status === 'passed'));
});
