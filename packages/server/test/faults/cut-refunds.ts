/** A refund is cut off everywhere: however often the operator asks for it, the money goes back once. I9. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { manual } from '../support/harness.ts';
import { locksOrder } from './cut-gateway-orders.ts';
import { cutEverywhere, postgresIsMissing } from './cuts.ts';
import { type Deed, type Place, persist, type Subject } from './cuts-lane.ts';
import type { Scenario } from './scenario.ts';

const LANE_COUNT = 8;
const PRICE_MINOR = 100;
const STOCK = 5;

const REFUND: Subject = {
  opens: locksOrder,
  connections: ['any'],
  prepare: openShop,
};

export const cutRefunds: Scenario = {
  name: 'cut-refunds',
  promise: 'a refund that is cut off anywhere and asked for again: the money and the unit go back once',
  count: 1,
  obstacle: postgresIsMissing,
  run: (run) => cutEverywhere(run, REFUND, { laneCount: LANE_COUNT }),
};

/** One reseller and one offer; the deed is an order and its refund, which puts its unit back to stock. */
async function openShop({ h, otherUrl, admin }: Place): Promise<Deed> {
  const reseller = await h.seed.reseller({ balance: '1.00' });
  const { accountId } = reseller;
  const { offerId } = await h.seed.listing({ price: (PRICE_MINOR / 100).toFixed(2), stock: STOCK });
  const body = { reason: 'cut off', returnToStock: true };

  return async (onFirstAnswer) => {
    // The balance is enough for one order: the refund before has come back, or this is refused.
    const key = randomUUID();
    const ordered = await persist(() => reseller.order(manual(offerId), key));
    assert.ok((ordered.at(-1)?.status ?? 500) < 400, JSON.stringify(ordered.at(-1)?.body));
    const orderId: string = ordered.at(-1)?.body.data.id;
    const answers = await persist(
      (attempt) =>
        h.callAt(attempt === 0 ? h.url : otherUrl, 'POST', `/admin/v1/orders/${orderId}/refund`, {
          token: h.operatorToken,
          body,
        }),
      onFirstAnswer,
    );
    // 409 says that it is done already: by an attempt whose answer was lost.
    const statuses = answers.map(({ status }) => status);
    assert.ok([200, 409].includes(statuses.at(-1) ?? 0));
    assert.ok(statuses.at(-1) === 200 || statuses.length > 1);
    await assertRefundedOnce(admin, { orderId, accountId, offerId });
    return statuses;
  };
}

async function assertRefundedOnce(
  admin: Client,
  { orderId, accountId, offerId }: { orderId: string; accountId: string; offerId: string },
): Promise<void> {
  const { rows } = await admin.query(
    `SELECT
      (SELECT status FROM "order" WHERE id = $1) AS status,
      (SELECT json_agg(json_build_array(kind, amount_minor) ORDER BY id) FROM ledger_transfer
        WHERE order_id = $1) AS transfers,
      (SELECT count(*)::int FROM audit_entry WHERE order_id = $1 AND action = 'order.refund') AS "auditEntries",
      (SELECT balance_minor::int FROM account WHERE id = $2) AS "balanceMinor",
      (SELECT count(*)::int FROM stock_key WHERE offer_id = $3 AND state = 'available') AS available`,
    [orderId, accountId, offerId],
  );
  assert.deepEqual(rows[0], {
    status: 'closed',
    transfers: [
      ['charge', PRICE_MINOR],
      ['refund', PRICE_MINOR],
    ],
    auditEntries: 1,
    balanceMinor: PRICE_MINOR,
    available: STOCK,
  });
}
