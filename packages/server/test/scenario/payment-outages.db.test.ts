import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { testDatabaseSettings, testEngine } from '../support/database.ts';
import { openDatabaseLink } from '../support/database-link.ts';
import { type Harness, manual, startHarness } from '../support/harness.ts';
import { providerSettings, startAdapterProvider } from '../support/providers/configured.ts';
import { skipBecause } from '../support/vitest.ts';

const ORDERS = 60;
/** R27. */
const RESPONSE_MAX_MS = 20_000;

function openPayer(h: Harness) {
  return h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer: 'cus_ok' } });
}

test(`${ORDERS} charged orders get a response in time when the database falls silent, and are settled later`, async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'the embedded engine has no network connection');
  const settings = await testDatabaseSettings(t);
  ok(settings.url !== undefined);
  const link = await openDatabaseLink(t, settings.url);
  const provider = await startAdapterProvider(t, 'http');
  const h = await startHarness(
    t,
    { ...providerSettings('http', provider.url), KEYPORT_GATEWAY_TIMEOUT_MS: '20000' },
    { ...settings, url: link.url },
  );
  const payer = await openPayer(h);
  const { offerId } = await h.seed.listing({ price: '1.00', stock: ORDERS });
  provider.pause();
  let resumedAtMs = 0;
  const placed = Array.from({ length: ORDERS }, async () => {
    const response = await payer.order(manual(offerId));
    return { response, tookMs: performance.now() - resumedAtMs };
  });
  while (provider.openCount() < ORDERS) await sleep(20);
  resumedAtMs = performance.now();
  link.silence();
  provider.resume();
  const responses = await Promise.all(placed);
  link.restore();
  deepEqual(
    responses.filter(({ response, tookMs }) => response.status !== 503 || tookMs > RESPONSE_MAX_MS),
    [],
  );
  const countComplete = async () => {
    await h.service.runOrderWorker();
    const { rows } = await sql<{
      count: string;
    }>`SELECT count(*) FROM "order" WHERE status = 'complete'`.execute(h.database.db);
    return Number(rows[0]?.count);
  };
  while ((await countComplete()) < ORDERS) await sleep(200);
  equal(provider.books.charges.size, ORDERS);
});

test('a refund whose number was already used before a restore of the database is not assumed to be made', async (t) => {
  const provider = await startAdapterProvider(t, 'http');
  const refundOne = async (prepare: (h: Harness) => Promise<unknown>) => {
    const h = await startHarness(t, providerSettings('http', provider.url));
    await prepare(h);
    const payer = await openPayer(h);
    const { offerId } = await h.seed.listing({ price: '10.00', stock: 2 });
    const id: string = (await payer.order(manual(offerId))).body.data.id;
    await h.operate('POST', `/orders/${id}/refund`, { reason: 'test' });
    await h.service.runOrderWorker();
    await h.service.runOrderWorker();
    const { rows } = await sql<{ state: string }>`SELECT state FROM gateway_refund`.execute(h.database.db);
    return { state: rows[0]?.state, givenBackMinor: provider.books.givenBackMinor(id) };
  };
  const done = { state: 'done', givenBackMinor: 1000 };
  // Each harness has its own database, in which the provider's earlier actions are unknown.
  deepEqual(await refundOne(async () => {}), done);
  const forgetful = await refundOne(async () => {});
  notEqual(forgetful.state, 'done');
  equal(forgetful.givenBackMinor, 0);
  // The step of docs/incidents.md after a restore.
  const skipNumbers = (h: Harness) =>
    sql`SELECT setval(pg_get_serial_sequence('gateway_refund', 'id'), extract(epoch FROM clock_timestamp())::bigint)`.execute(
      h.database.db,
    );
  deepEqual(await refundOne(skipNumbers), done);
});
