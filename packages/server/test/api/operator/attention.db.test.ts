import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { manual, startHarness } from '../../support/harness.ts';
import { importOrders } from '../../support/imported-orders.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { foldSums } from '../../support/sums.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile, {
  KEYPORT_GATEWAY_TIMEOUT_MS: '20',
  KEYPORT_LOW_STOCK_UNITS: '2',
  KEYPORT_APPROVAL_ABOVE: '10.00',
});

const attention = () => h.operate('GET', '/attention');
const NOTHING = { count: 0, amount: '0.00', oldestAt: null };

test('200: shows held orders, open payments and refunds with their total amount and the oldest time', async () => {
  const { heldOrders, openPayments, openRefunds } = await attention();
  deepEqual(heldOrders, NOTHING);
  deepEqual(openPayments, { ...NOTHING, overdue: 0 });
  deepEqual(openRefunds, NOTHING);
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 50 });
  const reviewed = await h.seed.reseller({ balance: '100.00', account: { holdOrders: true } });
  const first = (await reviewed.order(manual(offerId, { quantity: 2 }))).body.data;
  await reviewed.order(manual(offerId));
  const payer = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' },
  });
  const waiting = (await payer.order(manual(offerId, { quantity: 3 }))).body.error.data.orderId;
  const after = await attention();
  deepEqual(after.heldOrders, { count: 2, amount: '30.00', oldestAt: first.createdAt });
  const { createdAt } = await h.operate('GET', `/orders/${waiting}`);
  deepEqual(after.openPayments, { count: 1, amount: '30.00', oldestAt: createdAt, overdue: 0 });
  await h.operate('POST', `/orders/${first.id}/release`, { reason: 'test' });
  // No one can release an imported order.
  await importOrders(h, reviewed.accountId, [{ status: 'held' }]);
  equal((await attention()).heldOrders.count, 1);
});

test('200: shows writes that wait for a second operator to those who may approve them', async () => {
  deepEqual((await attention()).approvals, NOTHING);
  const { accountId } = await h.seed.reseller({ balance: '100.00' });
  const approval = await h.operate('POST', `/accounts/${accountId}/payouts`, {
    amount: '12.00',
    reference: 'p-1',
  });
  deepEqual((await attention()).approvals, NOTHING, 'the requester cannot approve it');
  const seenBy = async (role: string) => {
    const { body } = await h.call('GET', '/admin/v1/attention', { token: await operatorClient(h, role) });
    return body.data.approvals;
  };
  const { requestedAt: oldestAt } = approval;
  deepEqual(await seenBy('admin'), { count: 1, amount: '12.00', oldestAt });
  for (const role of ['viewer', 'support']) deepEqual(await seenBy(role), NOTHING, role);
});

test('200: shows offers on sale that have sold units and have few or none left', async () => {
  const buyer = await h.seed.reseller({ balance: '1000.00' });
  const low = await h.seed.listing({ price: '1.00', stock: 3 });
  const out = await h.seed.listing({ price: '1.00', stock: 2 });
  const many = await h.seed.listing({ price: '1.00', stock: 30 });
  await h.seed.listing({ price: '1.00', stock: 1 });
  for (const [listing, quantity] of [
    [low, 1],
    [out, 2],
    [many, 1],
  ] as const)
    equal((await buyer.order(manual(listing.offerId, { quantity }))).status, 201);
  await foldSums(h);
  const { stock } = await attention();
  deepEqual([stock.soldOut, stock.low, stock.unitsMax], [1, 1, 2]);
  deepEqual(
    stock.offers.map(({ offerId, units }: { offerId: string; units: number }) => [offerId, units]),
    [
      [out.offerId, 0],
      [low.offerId, 2],
    ],
  );
  const listed = async (more = '') =>
    (await h.operate('GET', `/offers?runningOut=true${more}`)).map(({ id }: { id: string }) => id);
  deepEqual(await listed(), [low.offerId, out.offerId].toSorted());
  deepEqual(await listed('&quantityMax=0'), [out.offerId]);
  deepEqual(await listed(`&sellerId=${low.sellerId}`), [low.offerId]);
  deepEqual(await listed(`&query=${out.productId}`), [out.offerId]);
  deepEqual(await listed(`&productId=${low.productId}&sort=price`), [low.offerId]);
  await h.operate('PATCH', `/offers/${low.offerId}`, { status: 'paused' });
  await h.operate('POST', `/offers/${out.offerId}/keys`, {
    keys: Array.from({ length: 3 }, (_, index) => ({
      kind: 'text',
      code: `RESTOCK-${out.offerId}-${index}`,
    })),
  });
  const later = (await attention()).stock;
  deepEqual([later.soldOut, later.low, later.offers], [0, 0, []]);
  deepEqual(await listed(), []);
});

test('200: shows webhook endpoints that fail, and those that the service disabled', async () => {
  const { accountId, token } = await h.seed.reseller();
  const ids: string[] = [];
  for (const path of ['failing', 'gone', 'resting', 'well']) {
    const body = { url: `http://127.0.0.1:9/${path}`, types: ['order.complete'] };
    ids.push((await h.call('POST', '/export/v1/webhook-endpoints', { token, body })).body.data.id);
  }
  const [failing, gone, resting] = ids;
  await h.call('PATCH', `/export/v1/webhook-endpoints/${resting}`, { token, body: { status: 'disabled' } });
  await sql`UPDATE webhook_endpoint SET failing_since = clock_timestamp() - interval '1 hour'
    WHERE id = ${failing}`.execute(h.database.db);
  await sql`UPDATE webhook_endpoint SET disabled_reason = 'It returned 410 Gone.' WHERE id = ${gone}`.execute(
    h.database.db,
  );
  const { endpoints } = await attention();
  deepEqual([endpoints.failing, endpoints.disabled], [1, 1]);
  deepEqual(
    endpoints.items.map(({ id }: { id: string }) => id),
    [failing, gone],
  );
  const [shown] = endpoints.items;
  deepEqual([shown.accountId, shown.url], [accountId, 'http://127.0.0.1:9/failing']);
  ok(Date.parse(shown.failingSince) < Date.now());
});

test('200: shows invariants that the last check found violated, with the start of the violation', async () => {
  deepEqual((await attention()).invariants, []);
  await sql`UPDATE verify_schedule SET finished_at = clock_timestamp(), duration_ms = 5, checked = 9,
    broken = '{"I3": 2, "I6": 0}', unchecked = '{I5}', broken_since = '{"I3": 1767225600000000}'`.execute(
    h.database.db,
  );
  const { invariants } = await attention();
  deepEqual(
    invariants.map(({ id, broken, brokenSince }: Record<string, unknown>) => [id, broken, brokenSince]),
    [['I3', 2, '2026-01-01T00:00:00.000000Z']],
  );
  const { lastVerification } = await h.operate('GET', '/system');
  const { durationMs, checked, broken, unchecked } = lastVerification;
  deepEqual([durationMs, checked, broken, unchecked], [5, 9, ['I3'], ['I5']]);
  deepEqual(
    lastVerification.invariants.map(({ id, broken: rows }: Record<string, unknown>) => [id, rows]),
    [
      ['I3', 2],
      ['I5', null],
      ['I6', 0],
    ],
  );
});
