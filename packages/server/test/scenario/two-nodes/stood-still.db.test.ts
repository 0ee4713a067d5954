/**
 * A node hangs between reading and writing until the database ends its session and the other node has used
 * the same Idempotency-Key. R26, A40, A41.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { must } from '@keyport/core/assert';
import { afterEach, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { verifyInvariants } from '../../../src/verify/verify.ts';
import { testEngine } from '../../support/database.ts';
import { manual, type Reseller } from '../../support/harness.ts';
import { createOrderRecorder } from '../../support/order-recorder.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const onPostgres = { skip: testEngine === 'embedded' };

const { h, nodes, link } = await startTwoNodes(wholeFile, {}, { isLinked: true });
const [goingOn, standing] = nodes;
const recorder = createOrderRecorder(h);

afterEach(async () => {
  await recorder.assertConsistent();
  const broken = (await verifyInvariants(h.database)).filter((result) => result.broken > 0);
  deepEqual(broken, []);
});

/** Orders at the node that then hangs, does `whileHung`, and lets it continue. Returns its response. */
async function orderWhileHung(
  reseller: Reseller,
  request: { readonly item: unknown; readonly key: string },
  whileHung: () => Promise<void>,
) {
  const hold = must(link, 'the link of the second node').holdAt('insert_batch');
  const response = recorder.order(reseller.at(standing.url), request.item, request.key);
  await hold.held;
  await endHungSession();
  await whileHung();
  hold.release();
  return response;
}

/**
 * Does what idle_in_transaction_session_timeout does after 10 s; other sessions are idle for a moment only.
 */
async function endHungSession(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isEnded: boolean }>`
      SELECT pg_terminate_backend(pid, 10000) AS "isEnded" FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction'
        AND state_change < clock_timestamp() - interval '300 milliseconds'`.execute(h.database.db);
    ok(rows.length <= 1, 'one session hangs');
    if (rows.length === 1) return deepEqual(rows, [{ isEnded: true }]);
  }
}

for (const [name, funds] of [
  ['a balance', { balance: '100.00' }],
  ['the payment provider', { account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_ok' } }],
] as const) {
  test(
    `the other node places the order, paid from ${name}, and both return that order with one 201`,
    onPostgres,
    async () => {
      const reseller = await h.seed.reseller(funds);
      const { offerId } = await h.seed.listing({ price: '10.00', stock: 2 });
      const request = { item: manual(offerId), key: randomUUID() };
      let id = '';
      const response = await orderWhileHung(reseller, request, async () => {
        const placed = await recorder.order(reseller.at(goingOn.url), request.item, request.key);
        equal(placed.status, 201);
        id = placed.body.data.id;
      });
      deepEqual([response.status, response.body.data?.id], [200, id]);
      equal(response.headers.get('idempotent-replayed'), 'true');
      const { data } = (await reseller.get('/orders')).body;
      deepEqual(
        data.map((order: { id: string }) => order.id),
        [id],
      );
    },
  );
}

test(
  'the other node rejects the order because the offer is gone, and both return that rejection',
  onPostgres,
  async () => {
    const reseller = await h.seed.reseller({ balance: '100.00' });
    const { offerId, productId, sellerId } = await h.seed.listing({ price: '10.00', stock: 2 });
    const request = { item: manual(offerId), key: randomUUID() };
    const codes: string[] = [];
    const response = await orderWhileHung(reseller, request, async () => {
      await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price: '10.00', status: 'paused' });
      const refused = await recorder.order(reseller.at(goingOn.url), request.item, request.key);
      codes.push(refused.body.error.code);
    });
    codes.push(response.body.error?.code);
    deepEqual(codes, ['offer-not-available', 'offer-not-available']);
    equal(response.headers.get('idempotent-replayed'), 'true');
    deepEqual((await reseller.get('/orders')).body.data, []);
  },
);
