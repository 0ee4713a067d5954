/** The tests count calls and measure no time. */
import { deepEqual, equal, fail } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { loadHouseAccounts } from '../../src/ledger/house-accounts.sql.ts';
import { createSettlement } from '../../src/orders/payments/settlement.ts';
import { OrderWorker } from '../../src/orders/workers.ts';
import { type Gateway, GatewayFailure } from '../../src/payments/gateway.ts';
import { type ApiResponse, manual, type Reseller } from '../support/harness.ts';
import { startPayments } from '../support/providers/configured.ts';

const IN_WORK_MAX = 60;
const WAITING_MAX = 4 * IN_WORK_MAX;
const BEYOND = 20;

/** More orders than the worker queries concurrently. */
const OVERDUE = 110;

test('hundreds of orders wait for a provider that hangs, and orders from a balance continue', async (t) => {
  const { h, provider } = await startPayments(t, 'http', {
    KEYPORT_GATEWAY_CONCURRENCY: String(IN_WORK_MAX),
    KEYPORT_GATEWAY_TIMEOUT_MS: '120000',
  });
  const payer = await h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer: 'cus_ok' } });
  const buyer = await h.seed.reseller({ balance: '1000.00' });
  const { offerId } = await h.seed.listing({ price: '1.00', stock: 900 });
  provider.pause();

  const answered: string[] = [];
  const total = IN_WORK_MAX + WAITING_MAX + BEYOND;
  const gatewayOrders = Array.from({ length: total }, async () => {
    const { status, body } = await orderUntilDecided(payer, manual(offerId));
    // A 200 means that a busy machine rejected the first attempt, and the retry got the stored response.
    answered.push(status < 300 ? '201' : body.error.code);
  });
  // Orders without a place get a response; the others are in progress or waiting.
  while (answered.length < BEYOND || provider.openCount() < IN_WORK_MAX) await turn();
  deepEqual(new Set(answered), new Set(['payment-went-wrong']));
  equal(answered.length, BEYOND);

  const balanceOrders = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 15; count += 1)
        statuses.push((await orderUntilDecided(buyer, manual(offerId))).status);
      return statuses;
    }),
  );
  equal(balanceOrders.flat().filter((status) => status < 300).length, 300);
  equal(answered.length, BEYOND, 'no waiting order got an early response');
  equal(
    provider.books.requestCount,
    IN_WORK_MAX,
    'the provider got no more concurrent requests than the limit',
  );

  provider.resume();
  await Promise.all(gatewayOrders);
  equal(answered.filter((code) => code === '201').length, IN_WORK_MAX + WAITING_MAX);
  equal(await countUnits(h, 'reserved'), 0);
  equal(await countUnits(h, 'sold'), 300 + IN_WORK_MAX + WAITING_MAX);
});

for (const adapter of ['http', 'stripe'] as const) {
  test(`${adapter}: a provider that fails every call gets no more calls, and its orders reserve nothing`, async (t) => {
    const { h, provider, order } = await startPayments(t, adapter, { KEYPORT_GATEWAY_TIMEOUT_MS: '60000' });
    const codes: string[] = [];
    for (let count = 0; count < 8; count += 1) codes.push((await order('cus_error_before')).code);
    const open = codes.indexOf('payment-went-wrong');
    equal(open, 5, 'ten failures, two per order');
    deepEqual(new Set(codes.slice(0, open)), new Set(['order-not-paid']));
    deepEqual(new Set(codes.slice(open)), new Set(['payment-went-wrong']));
    const asked = provider.books.requestCount;
    const refused = await order('cus_ok');
    equal(refused.code, 'payment-went-wrong');
    equal(await refused.status(), 'canceled');
    deepEqual((await refused.books()).units, { available: 2 });
    equal(provider.books.requestCount, asked);

    // Orders with an unknown payment return their units too, although the provider cannot be queried.
    await sql`UPDATE gateway_payment SET expires_at = now(), next_check_at = now()`.execute(h.database.db);
    // The first call may just wait for rounds already in progress.
    await h.service.runOrderWorker();
    await h.service.runOrderWorker();
    equal(await countUnits(h, 'reserved'), 0);
  });
}

test('a provider that blocks the worker does not block the units of expired orders', {
  timeout: 120_000,
}, async (t) => {
  const { h } = await startPayments(t, 'http');
  const payer = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'cus_pending' },
  });
  const { offerId } = await h.seed.listing({ price: '1.00', stock: OVERDUE });
  const placed = await Promise.all(
    Array.from({ length: OVERDUE }, () => orderUntilDecided(payer, manual(offerId))),
  );
  deepEqual(new Set(placed.map(({ body }) => body.error.code)), new Set(['order-not-paid']));
  await sql`UPDATE gateway_payment SET next_check_at = now(), expires_at = now() - interval '30 seconds'`.execute(
    h.database.db,
  );
  const isAsked = Promise.withResolvers<void>();
  const silent = async (_: unknown, signal: AbortSignal): Promise<never> => {
    isAsked.resolve();
    await once(signal, 'abort');
    throw new GatewayFailure('closed');
  };
  const gateway: Gateway = { charge: silent, find: silent, refund: silent, findRefund: silent };
  let nowMs = 0;
  const common = { database: h.database, gatewayTimeoutMs: 600_000, log: pino({ level: 'silent' }) };
  const settlement = createSettlement({
    ...common,
    gateway,
    houseAccounts: await loadHouseAccounts(h.database.db),
    publicUrl: () => h.url,
    onCatalogueChanged: () => {},
  });
  const worker = new OrderWorker({
    ...common,
    payments: { settlement, gateway },
    onCatalogueChanged() {},
    nowMs: () => nowMs,
  });
  const rounds = [worker.run()];
  await isAsked.promise;
  nowMs += 30_000;
  rounds.push(worker.run());
  while ((await countUnits(h, 'reserved')) > 0);
  equal(await countUnits(h, 'available'), OVERDUE);
  await worker.close();
  await Promise.all(rounds);
});

test('a payment unknown to the provider is abandoned after a day, and an alarm is raised', async (t) => {
  const { h, order } = await startPayments(t, 'http');
  const waiting = await order('cus_error_before');
  await waiting.operate('cancel');
  await sql`UPDATE gateway_payment SET expires_at = now() - interval '25 hours', next_check_at = now()`.execute(
    h.database.db,
  );
  const gateway: Gateway = {
    charge: () => fail('nothing is charged any more'),
    find: async () => ({ status: 'unknown' }),
    refund: async () => 'done',
    findRefund: async () => 'done',
  };
  const log = pino({ level: 'silent' });
  const common = { database: h.database, gatewayTimeoutMs: 1000, log, gateway };
  const settlement = createSettlement({
    ...common,
    houseAccounts: await loadHouseAccounts(h.database.db),
    publicUrl: () => h.url,
    onCatalogueChanged: () => {},
  });
  const alarms: string[] = [];
  const worker = new OrderWorker({
    ...common,
    payments: { settlement, gateway },
    onCatalogueChanged() {},
    nowMs: () => 0,
    onAlarm: (alarm) => alarms.push(alarm),
  });
  await worker.run();
  await worker.close();
  deepEqual(alarms, ['abandoned']);
});

/** A busy machine may reject some of so many concurrent orders, which then retry. */
async function orderUntilDecided(reseller: Reseller, item: unknown): Promise<ApiResponse> {
  const key = randomUUID();
  for (;;) {
    const response = await reseller.order(item, key);
    if (response.status !== 503 && response.status !== 409) return response;
    await sleep(100);
  }
}

async function countUnits(h: Awaited<ReturnType<typeof startPayments>>['h'], state: string): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    SELECT count(*)::integer AS units FROM unit WHERE state = ${state}`.execute(h.database.db);
  return rows[0]?.units ?? 0;
}
