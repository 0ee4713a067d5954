/** With each kind of provider, a restored database lacks some payments. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { connectTo, testDatabaseSettings, testEngine } from '../../server/test/support/database.ts';
import { type Harness, manual, startHarness } from '../../server/test/support/harness.ts';
import {
  ADAPTERS,
  providerSettings,
  startAdapterProvider,
} from '../../server/test/support/providers/configured.ts';
import { skipBecause } from '../../server/test/support/vitest.ts';
import { runKeyport } from './support/keyport.ts';

const skip = testEngine === 'embedded' && 'the service has its embedded database to itself';

const DAY_MS = 86_400_000;

/** An order that the database lacks; placed in November 2026. */
const FORGOTTEN_ID = '2174313041580715';

for (const adapter of ADAPTERS) {
  test(`${adapter}: lists charges and refunds of the provider that the books lack, and nothing else`, async (t) => {
    skipBecause(t, skip);
    const database = await testDatabaseSettings(t);
    const provider = await startAdapterProvider(t, adapter);
    const settings = providerSettings(adapter, provider.url);
    const h = await startHarness(t, settings, database);
    const reconcile = async () => {
      const run = await runKeyport(['payments', 'reconcile', '--json'], {
        settings: { ...settings, KEYPORT_DATABASE_URL: database.url ?? '' },
      });
      const { compared, differences } = JSON.parse(run.stdout);
      const found = differences.map((one: { orderId: string; problem: string }) => [
        one.orderId,
        one.problem,
      ]);
      return { code: run.code, compared, found: new Map(found) };
    };

    const paid = await order(h, 'cus_ok');
    const refunded = await order(h, 'cus_ok');
    await h.operate('POST', `/orders/${refunded}/refund`, { reason: 'test' });
    await h.service.runOrderWorker();
    await h.service.runOrderWorker();
    deepEqual(await reconcile(), { code: 0, compared: 2, found: new Map() });

    const { books } = provider;
    const sql = await connectTo(t, database.url ?? '');
    books.giveBack({ refundId: '90001', orderId: paid, amountMinor: 400, currency: 'EUR' });
    const pending = await order(h, 'cus_pending');
    // The worker of the service must not find it before the command does.
    await sql.query(
      `UPDATE gateway_payment SET next_check_at = now() + interval '1 day' WHERE state = 'open'`,
    );
    const charge = books.charges.get(pending);
    if (charge !== undefined) charge.status = 'paid';
    books.take({ orderId: FORGOTTEN_ID, status: 'paid', amountMinor: 700, currency: 'EUR' });
    deepEqual(await reconcile(), {
      code: 1,
      compared: 4,
      found: new Map([
        [paid, 'refund-not-booked'],
        [pending, 'not-booked'],
        [FORGOTTEN_ID, 'unknown-order'],
      ]),
    });
  });
}

for (const adapter of ADAPTERS) {
  test(`${adapter}: a late refund of a payment that was taken before --from is listed, or reported as not compared`, async (t) => {
    skipBecause(t, skip);
    const database = await testDatabaseSettings(t);
    const { books, url } = await startAdapterProvider(t, adapter);
    const settings = providerSettings(adapter, url);
    const h = await startHarness(t, settings, database);
    const reconcile = (daysAgo: number) => {
      const from = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
      return runKeyport(['payments', 'reconcile', '--from', from], {
        settings: { ...settings, KEYPORT_DATABASE_URL: database.url ?? '' },
      });
    };

    const paid = await order(h, 'cus_ok');
    for (const charge of books.charges.values()) charge.takenAtSeconds -= 4 * (DAY_MS / 1000);
    for (const refundId of ['90001', '90002'])
      books.giveBack({ refundId, orderId: paid, amountMinor: 400, currency: 'EUR' });

    const late = await reconcile(1);
    if (adapter === 'stripe') {
      equal(late.code, 1);
      match(late.stdout, new RegExp(`${paid}.+8\\.00.+refund not in the books`));
      match(late.stdout, /^1 payments compared: charged or refunded since /m);
    } else {
      equal(late.code, 0);
      match(
        late.stdout,
        /^0 payments compared: charged since .+; refunds of older payments were not compared/,
      );
    }
    const early = await reconcile(5);
    equal(early.code, 1);
    match(early.stdout, new RegExp(`${paid}.+8\\.00.+refund not in the books`));
  });
}

test('without a provider that lists its payments, the command names the setting', async (t) => {
  skipBecause(t, skip);
  const database = await testDatabaseSettings(t);
  const run = await runKeyport(['payments', 'reconcile'], {
    settings: { KEYPORT_DATABASE_URL: database.url ?? '' },
  });
  equal(run.code, 1);
  match(run.stderr, /KEYPORT_GATEWAY is simulator/);
});

/** Places a gateway order of one unit. */
async function order(h: Harness, gatewayCustomer: string): Promise<string> {
  const reseller = await h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer } });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 2 });
  const { body } = await reseller.order(manual(offerId));
  return body.data?.id ?? body.error.data.orderId;
}
