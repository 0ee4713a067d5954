import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { CHECK_IDS } from '@keyport/contract/sandbox/checks';
import { type TestContext, test } from 'vitest';
import { startHarness } from '../../server/test/support/harness.ts';
import type { Keyport } from '../src/keyport.ts';
import { CatalogueMirror } from '../src/node/catalogue-mirror.ts';
import { createOrderOnce } from '../src/node/once.ts';
import { KeyportError } from '../src/requests/errors.ts';
import { verifyWebhook } from '../src/verify-webhook.ts';
import { toKeyport, watchedFetch } from './support.ts';

test('forced outcomes are survived or reported, no order is placed twice, and every check passes', async (t) => {
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
  const keyport = toKeyport(h, reseller);
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
  const held = await keyport.orders.create(item, { scenario: 'held, lost-answer' });
  equal(held.status, 'held');
  const early = await keyport.orders.keys(held.id).catch((thrown: unknown) => thrown);
  ok(early instanceof KeyportError && early.is('order-not-complete'), String(early));
  equal((await keyport.sandbox.releaseOrder(held.id, { reason: 'reviewed' })).status, 'complete');
  const [delivered] = await keyport.orders.keys(held.id);
  ok(delivered !== undefined);
  const codes = delivered.keys.map(({ code }) => code);
  const claimed = { orderId: held.id, itemId: delivered.item.id, codes, reason: 'already-used' } as const;
  equal((await keyport.claims.create(claimed)).status, 'open');
  equal((await reseller.get('/orders')).body.meta.totalResults, survived.length + 1);
  for (const code of ['max-price-exceeded', 'insufficient-funds', 'offer-not-available'] as const) {
    // Uses a new offer each time: repeating an order that was too expensive would be this client's mistake.
    const other = await h.seed.listing();
    const refused = { manual: { offerId: other.offerId, quantity: 1, maxPrice: '10.00' } };
    const error = await keyport.orders
      .create(refused, { scenario: `error:${code}` })
      .catch((thrown: unknown) => thrown);
    ok(error instanceof KeyportError && error.is(code), `${code}: ${String(error)}`);
  }
  await rejects(keyport.orders.get('2174556001234567'), /no such order/);
  equal((await keyport.account.get({ scenario: 'error:unauthorized' })).id, reseller.accountId);
  const { id: reservationId } = await keyport.reservations.create(item);
  await keyport.reservations.release(reservationId);
  await createOrderOnce(keyport, join(folder, 'order.json'), item, { scenario: 'lost-answer' });
  const mirror = new CatalogueMirror(keyport, join(folder, 'catalogue.ndjson'));
  for (let count = 0; count < 3; count += 1) await mirror.sync();
  equal((await keyport.products.details(productIds)).length, 25);
  for await (const _ of keyport.products.list());

  const received = await receiveWebhooks(t, keyport);
  const data = await keyport.sandbox.checkup();
  deepEqual(
    data.checks.filter(({ status }) => status !== 'passed'),
    [],
  );
  deepEqual([data.checks.length, data.seen, data.score], [CHECK_IDS.length, CHECK_IDS.length, 100]);
  deepEqual(received, ['webhook.test']);
});

test('sandbox has a method for each operation of the sandbox', async (t) => {
  const h = await startHarness(t);
  const { offerId } = await h.seed.listing({ price: '2.00', stock: 5 });
  const { fetch, sent } = watchedFetch();
  const { orders, sandbox, account, reservations } = toKeyport(
    h,
    await h.seed.reseller({ balance: '50.00' }),
    { fetch },
  );
  const reason = 'rehearsal';
  const item = { manual: { offerId, quantity: 1, maxPrice: '2.00' } };
  const unpaid = async () => {
    const error = await orders
      .create(item, { scenario: 'pending-payment' })
      .catch((thrown: unknown) => thrown);
    ok(error instanceof KeyportError && error.is('order-not-paid'), String(error));
    return error.data.orderId;
  };
  const first = await unpaid();
  equal((await sandbox.holdOrder(first, { reason })).status, 'held');
  equal((await sandbox.releaseOrder(first, { reason })).status, 'pending_payment');
  equal((await sandbox.cancelOrder(first, { reason })).status, 'canceled');
  const second = await unpaid();
  equal((await sandbox.settleOrder(second, { outcome: 'paid' })).status, 'complete');
  equal((await sandbox.refundOrder(second, { reason })).status, 'closed');
  const third = await orders.create(item);
  await sandbox.advanceOrder(third.id, { hours: 49 });
  const late = await orders.keys(third.id).catch((thrown: unknown) => thrown);
  ok(late instanceof KeyportError && late.is('order-expired'), String(late));
  const { id } = await reservations.create(item);
  equal((await sandbox.advanceReservation(id, { seconds: 900 })).status, 'expired');
  await rejects(
    sandbox.decideClaim(`clm_${'0'.repeat(32)}`, { decisions: [{ keyId: '1', decision: 'reject' }] }),
    /claim/,
  );
  equal((await sandbox.updateOffer(offerId, { price: '1.50' })).price, '1.50');
  equal((await sandbox.updateAccount({ balance: '7.00' })).balance, '7.00');
  equal((await account.get()).balance, '7.00');
  equal((await sandbox.checkup({ since: new Date(Date.now() + 60_000).toISOString() })).requests, 0);
  const called = sent.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
  const operations = OPERATION_LIST.filter(({ path }) => path.startsWith('/sandbox/'));
  for (const { method, path } of operations) {
    const pattern = new RegExp(`^${method} ${path.replace(/\{\w+\}/, '[^/]+')}$`);
    ok(
      called.some((one) => pattern.test(one)),
      `${method} ${path}`,
    );
  }
});

/** Returns the types of the events that it handled. */
async function receiveWebhooks(t: TestContext, keyport: Keyport): Promise<readonly string[]> {
  const handled: string[] = [];
  const known = new Set<string>();
  let secret = '';
  const server = createServer(async (request, response) => {
    try {
      const event = await verifyWebhook({ body: await text(request), headers: request.headers, secret });
      if (!known.has(event.id)) handled.push(event.type);
      known.add(event.id);
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const endpoint = await keyport.webhookEndpoints.create({ url: `http://127.0.0.1:${port}/`, types: ['*'] });
  ({ secret } = endpoint);
  return handled;
}
