/**
 * Operators, resellers and the workers of two nodes act on one order concurrently: the outcome is an allowed
 * one, with matching money and units, and every caller gets the same result. R25, A41, A46, A100, A119; R12,
 * R20; I6, I9, I16, I20, I22, I25, I34.
 */
import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { verifyInvariants } from '../../../src/verify/verify.ts';
import { readBooks } from '../../support/books.ts';
import { testEngine } from '../../support/database.ts';
import { type ApiResponse, manual } from '../../support/harness.ts';
import { createOrderRecorder, tally } from '../../support/order-recorder.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const { h, nodes, toNode } = await startTwoNodes(wholeFile, { KEYPORT_GATEWAY_TIMEOUT_MS: '1500' });
const recorder = createOrderRecorder(h);

const PATIENCE_MS = 120_000;

const onPostgres = { skip: testEngine === 'embedded' };

const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

afterEach(async () => {
  await recorder.assertConsistent();
  const broken = (await verifyInvariants(h.database)).filter((result) => result.broken > 0);
  deepEqual(broken, []);
});

async function placeOrder(account: Record<string, unknown> = {}) {
  const reseller = await h.seed.reseller({ balance: '100.00', account });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 2 });
  const key = randomUUID();
  const item = manual(offerId, { quantity: 2 });
  const response = await recorder.order(reseller, item, key);
  const id: string = response.body.data?.id ?? response.body.error.data.orderId;
  return {
    reseller,
    id,
    key,
    response,
    repeat: (url: string) => reseller.at(url).order(item, key),
    act: (url: string, action: string, body: Record<string, unknown> = {}) =>
      h.callAt(url, 'POST', `/admin/v1/orders/${id}/${action}`, {
        token: h.operatorToken,
        body: { reason: 'race', ...body },
        headers: { 'idempotency-key': randomUUID() },
      }),
    keys: (url: string) => reseller.at(url).get(`/orders/${id}/keys`),
    books: () => readBooks(h, { accountId: reseller.accountId, offerId }),
    status: async (): Promise<string> => (await reseller.get(`/orders/${id}`)).body.data.status,
  };
}

type Placed = Awaited<ReturnType<typeof placeOrder>>;

const gatewayAccount = (gatewayCustomer: string) => ({ paymentMethod: 'gateway', gatewayCustomer });

async function settleOnBoth(): Promise<void> {
  await makePaymentsDue();
  await Promise.all(nodes.map((node) => node.runOrderWorker()));
  // A call may just have waited for a round already in progress.
  await makePaymentsDue();
  await Promise.all(nodes.map((node) => node.runOrderWorker()));
}

async function makePaymentsDue(): Promise<void> {
  await sql`UPDATE gateway_payment SET next_check_at = now() WHERE state = 'open'`.execute(h.database.db);
}

async function untilWaiting(count: number): Promise<void> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; ) {
    const { rows } = await sql<{ waiting: number }>`
      SELECT count(DISTINCT pid) AS waiting FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database()`.execute(h.database.db);
    if ((rows[0]?.waiting ?? 0) >= count) return;
    await sleep(5);
  }
  fail(`${count} sessions wait for a lock`);
}

test('keys read at one node during a refund to stock at the other are handed out or restocked, never both', async () => {
  const orders = await times(30, () => placeOrder());
  const outcomes = await Promise.all(
    orders.map(async (order, index) => {
      const [keys, refund] = await Promise.all([
        order.keys(toNode(index).url),
        order.act(toNode(index + 1).url, 'refund', { returnToStock: true }),
      ]);
      return { order, keys, refund };
    }),
  );
  for (const { order, keys, refund } of outcomes) await assertReadOrRestocked(order, keys, refund);
});

test('a refund that had to wait for a read of the keys takes it into account', onPostgres, async () => {
  const order = await placeOrder();
  const blocker = await h.database.connect();
  await blocker.query('BEGIN; LOCK TABLE key_reveal IN SHARE MODE');
  const keys = order.keys(nodes[0].url);
  await untilWaiting(1);
  const refund = order.act(nodes[1].url, 'refund', { returnToStock: true });
  await untilWaiting(2);
  await blocker.query('COMMIT');
  blocker.release();
  await assertReadOrRestocked(order, await keys, await refund);
});

async function assertReadOrRestocked(order: Placed, keys: ApiResponse, refund: ApiResponse): Promise<void> {
  const { units, balanceMinor } = await order.books();
  const outcome = [keys.status, refund.status, units, balanceMinor];
  const isRead = keys.status === 200;
  deepEqual(
    outcome,
    isRead ? [200, 409, { sold: 2 }, 8000] : [400, 200, { available: 2 }, 10_000],
    'the keys were handed out, or the units are back on sale',
  );
}

test('one order refunded from both nodes concurrently is refunded once', async () => {
  const orders = await times(20, () => placeOrder());
  for (const order of orders) {
    const responses = await times(4, (index) => order.act(toNode(index).url, 'refund'));
    deepEqual(tally(responses), { 200: 1, conflict: 3 });
    equal((await order.books()).balanceMinor, 10_000);
  }
});

test('a held order released and refunded at two nodes concurrently is delivered and paid, or refunded', async () => {
  const orders = await times(20, () => placeOrder({ holdOrders: true }));
  await Promise.all(
    orders.map(async (order, index) => {
      const [release, refund] = await Promise.all([
        order.act(toNode(index).url, 'release'),
        order.act(toNode(index + 1).url, 'refund', { returnToStock: true }),
      ]);
      const { units, balanceMinor } = await order.books();
      equal(refund.status, 200, 'a held or a complete order whose keys were never read can be refunded');
      ok([200, 409].includes(release.status));
      deepEqual([units, balanceMinor], [{ available: 2 }, 10_000]);
    }),
  );
});

test('one held order released from both nodes concurrently is delivered once', async () => {
  const orders = await times(20, () => placeOrder({ holdOrders: true }));
  for (const order of orders) {
    const responses = await times(4, (index) => order.act(toNode(index).url, 'release'));
    deepEqual(tally(responses), { 200: 1, conflict: 3 });
    deepEqual((await order.books()).units, { sold: 2 });
  }
});

test("a read of keys during the order's release returns all of them or the order-not-complete error", async () => {
  const orders = await times(20, () => placeOrder({ holdOrders: true }));
  await Promise.all(
    orders.map(async (order, index) => {
      const [keys] = await Promise.all([
        order.keys(toNode(index).url),
        order.act(toNode(index + 1).url, 'release'),
      ]);
      if (keys.status === 200) equal(keys.body.data[0].keys.length, 2);
      else equal(keys.body.error.code, 'order-not-complete');
    }),
  );
});

test('a waiting order that two nodes change while both workers settle it has one end and matching money', async () => {
  const orders = await times(24, () => placeOrder(gatewayAccount('sim_late')));
  await Promise.all([
    settleOnBoth(),
    ...orders.map(async (order, index) => {
      const actions = ['hold', 'release', 'cancel'];
      const responses = await times(3, (turn) =>
        order.act(toNode(index + turn).url, actions[(index + turn) % 3] ?? 'hold'),
      );
      ok(responses.every(({ status }) => [200, 409].includes(status)));
    }),
  ]);
  await settleOnBoth();
  for (const order of orders) {
    if ((await order.status()) === 'held') equal((await order.act(nodes[0].url, 'release')).status, 200);
  }
  await settleOnBoth();
  for (const order of orders) {
    const { transfers, units } = await order.books();
    // The deposit of the account is a transfer too.
    deepEqual(
      [transfers - 1, units],
      (await order.status()) === 'canceled' ? [2, { available: 2 }] : [1, { sold: 2 }],
      'charged and delivered, or charged late and refunded',
    );
  }
});

test('payments that the workers of both nodes settle concurrently are each charged and delivered once', async () => {
  const orders = await times(20, () => placeOrder(gatewayAccount('sim_late')));
  await settleOnBoth();
  for (const order of orders) {
    const { transfers, units } = await order.books();
    deepEqual([transfers - 1, units], [1, { sold: 2 }]);
  }
});

test('a caller gets the stored result if the other node settles the payment while the request still waits', async () => {
  const reseller = await h.seed.reseller({ account: gatewayAccount('sim_late') });
  const { offerId } = await h.seed.listing({ price: '10.00', stock: 20 });
  const keys = Array.from({ length: 10 }, () => randomUUID());
  const waiting = keys.map((key) => reseller.at(nodes[0].url).order(manual(offerId), key));
  await untilPlaced(reseller.accountId, keys.length);
  await makePaymentsDue();
  await nodes[1].runOrderWorker();
  await makePaymentsDue();
  await nodes[1].runOrderWorker();
  const responses = await Promise.all(waiting);
  for (const [index, response] of responses.entries()) {
    const again = await reseller.at(nodes[1].url).order(manual(offerId), keys[index]);
    deepEqual(
      [again.status, again.body.data, again.body.error],
      [response.status === 201 ? 200 : response.status, response.body.data, response.body.error],
    );
  }
});

async function untilPlaced(accountId: string, count: number): Promise<void> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; ) {
    const { orders } = await readBooks(h, { accountId });
    if (orders === count) return;
    await sleep(5);
  }
  fail(`${count} orders are placed`);
}
