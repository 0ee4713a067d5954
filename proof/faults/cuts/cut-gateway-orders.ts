/**
 * The transactions that place an order and settle its payment are cut off at every message. R26, A41, A100.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { manual } from '../../../packages/server/test/support/harness.ts';
import type { Report, Run, Scenario } from '../scenario.ts';
import { opensOrder, preparesOrder } from './cut-orders.ts';
import { cutEverywhere, postgresIsMissing } from './cuts.ts';
import type { WireMessage } from './cuts-framing.ts';
import { type Command, openOffer, type Place, persist, type Subject } from './cuts-lane.ts';

const PRICE_MINOR = 100;

const PLACING: Subject = {
  opens: opensOrder,
  uses: preparesOrder,
  connections: ['first', 'later'],
  prepare: openShop,
};

const SETTLING: Subject = {
  opens: locksOrder,
  connections: ['any'],
  prepare: openShop,
};

export const cutGatewayOrders: Scenario = {
  name: 'cut-gateway-orders',
  promise:
    'wherever the connection breaks, an order paid through a provider is charged once and delivered once, and a retry with its key replays it',
  count: 1,
  obstacle: postgresIsMissing,
  async run(run: Run): Promise<Report> {
    const placing = await cutEverywhere(run, PLACING);
    const settling = await cutEverywhere(run, SETTLING);
    return { placing, settling };
  },
};

/** The first statement after the BEGIN of a transaction that changes an order. */
function locksOrder({ type, bytes }: WireMessage): boolean {
  return type === 'P' && bytes.includes('FOR NO KEY UPDATE OF account');
}

/** The worker runs after every request without a response. */
async function openShop(place: Place): Promise<Command> {
  const { h, admin, actionCountMax } = place;
  const account = { paymentMethod: 'gateway', gatewayCustomer: 'sim_ok' };
  const reseller = await h.seed.reseller({ account });
  const { offerId } = await openOffer(place, PRICE_MINOR, actionCountMax);
  const item = manual(offerId);
  let orderCount = 0;

  return async (onFirstResponse) => {
    const key = randomUUID();
    orderCount += 1;
    const responses = await persist(async (attempt) => {
      if (attempt === 0) return reseller.order(item, key);
      // The worker checks payments every five seconds.
      await admin.query(`UPDATE gateway_payment SET next_check_at = now() WHERE state = 'open'`);
      await h.service.runOrderWorker();
      return reseller.order(item, key);
    }, onFirstResponse);
    const repeated = (await persist(() => reseller.order(item, key))).at(-1);
    assert.equal(repeated?.status, 200);
    assert.deepEqual(repeated.body.data, responses.at(-1)?.body.data);
    assert.equal(repeated.body.data.status, 'complete');
    await assertPaidOnce(admin, { accountId: reseller.accountId, offerId, key, orderCount });
    return responses.map(({ status }) => status);
  };
}

async function assertPaidOnce(
  admin: Client,
  scope: { accountId: string; offerId: string; key: string; orderCount: number },
): Promise<void> {
  const { accountId, offerId, key, orderCount } = scope;
  const { rows } = await admin.query(
    `WITH of_key AS (SELECT * FROM "order" WHERE account_id = $1 AND idempotency_key = $2)
    SELECT
      (SELECT json_agg(status) FROM of_key) AS "ordersOfKey",
      (SELECT count(*)::int FROM rejected_order
        WHERE account_id = $1 AND idempotency_key = $2) AS "rejectionsOfKey",
      (SELECT json_agg(json_build_array(state, response_status)) FROM gateway_payment
        WHERE order_id IN (SELECT id FROM of_key)) AS payments,
      (SELECT json_agg(json_build_array(kind, amount_minor)) FROM ledger_transfer
        WHERE order_id IN (SELECT id FROM of_key)) AS transfers,
      (SELECT count(*)::int FROM "order" WHERE account_id = $1) AS orders,
      (SELECT count(*)::int FROM unit WHERE offer_id = $3 AND state <> 'available') AS taken,
      (SELECT next_unit - 1 FROM offer WHERE id = $3) AS numbered`,
    [accountId, key, offerId],
  );
  assert.deepEqual(rows[0], {
    ordersOfKey: ['complete'],
    rejectionsOfKey: 0,
    payments: [['paid', 201]],
    transfers: [['charge', PRICE_MINOR]],
    orders: orderCount,
    taken: orderCount,
    numbered: orderCount,
  });
}
