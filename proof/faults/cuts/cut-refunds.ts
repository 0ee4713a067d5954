/** Operator writes are cut off everywhere and retried with their key. I9, A205. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { type ApiResponse, manual } from '../../../packages/server/test/support/harness.ts';
import type { Scenario } from '../scenario.ts';
import { cutEverywhere, postgresIsMissing } from './cuts.ts';
import type { WireMessage } from './cuts-framing.ts';
import { type Command, openOffer, type Place, persist, type Subject } from './cuts-lane.ts';

const PRICE_MINOR = 100;

const REFUND: Subject = { opens: locksWriteKey, connections: ['any'], prepare: prepareRefunds };

export const cutRefunds: Scenario = {
  name: 'cut-refunds',
  promise: 'a refund of one of two units, cut off anywhere and retried with its key, is booked once',
  count: 1,
  obstacle: postgresIsMissing,
  run: (run) => cutEverywhere(run, REFUND),
};

const WITHDRAWAL: Subject = { opens: locksWriteKey, connections: ['any'], prepare: prepareWithdrawals };

export const cutWithdrawals: Scenario = {
  name: 'cut-withdrawals',
  promise: 'a withdrawal of one key, cut off anywhere and retried with its key, withdraws one',
  count: 1,
  obstacle: postgresIsMissing,
  run: (run) => cutEverywhere(run, WITHDRAWAL),
};

/** The first statement after the BEGIN of a write with a key. */
function locksWriteKey({ type, bytes }: WireMessage): boolean {
  return type === 'P' && bytes.includes('AS "isLocked"');
}

/** An order of two units and the refund of one, which stays with the order. */
async function prepareRefunds(place: Place): Promise<Command> {
  const { h, admin, actionCountMax } = place;
  const stock = 2 * actionCountMax;
  const reseller = await h.seed.reseller({ balance: ((stock * PRICE_MINOR) / 100).toFixed(2) });
  const { offerId } = await openOffer(place, PRICE_MINOR, stock);

  return async (onFirstResponse) => {
    const orderKey = randomUUID();
    const ordered = await persist(() => reseller.order(manual(offerId, { quantity: 2 }), orderKey));
    const orderId: string =
      ordered.at(-1)?.body.data?.id ?? assert.fail(JSON.stringify(ordered.at(-1)?.body));
    const body = { reason: 'cut off', items: [{ id: `${orderId}01`, quantity: 1 }] };
    const responses = await writeOnce(place, `/orders/${orderId}/refund`, body, onFirstResponse);
    await assertRefundedOnce(admin, orderId);
    return responses.map(({ status }) => status);
  };
}

async function prepareWithdrawals(place: Place): Promise<Command> {
  const { admin, actionCountMax: stock } = place;
  const { offerId } = await openOffer(place, PRICE_MINOR, stock);
  let actionCount = 0;

  return async (onFirstResponse) => {
    const body = { reason: 'cut off', quantity: 1 };
    const responses = await writeOnce(place, `/offers/${offerId}/keys/withdraw`, body, onFirstResponse);
    actionCount += 1;
    const { rows } = await admin.query(
      `SELECT count(*) FILTER (WHERE state = 'withdrawn')::int AS withdrawn,
        count(*) FILTER (WHERE state = 'available')::int AS available FROM unit WHERE offer_id = $1`,
      [offerId],
    );
    assert.deepEqual(rows[0], { withdrawn: actionCount, available: stock - actionCount });
    return responses.map(({ status }) => status);
  };
}

/** Asserts that all successes are equal, and at most one is not a replay. */
async function writeOnce(
  { h }: Place,
  path: string,
  body: object,
  onFirstResponse: () => void,
): Promise<ApiResponse[]> {
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => h.call('POST', `/admin/v1${path}`, { token: h.operatorToken, body, headers });
  const responses = await persist(send, onFirstResponse);
  const successes = [...responses, ...(await persist(send))].filter(({ status }) => status < 400);
  assert.ok(successes.length >= 2, JSON.stringify(responses.at(-1)?.body));
  for (const response of successes) {
    assert.deepEqual([response.status, response.body.data], [200, successes[0]?.body.data]);
  }
  assert.ok(successes.filter((response) => !response.headers.has('idempotent-replayed')).length <= 1);
  assert.equal(successes.at(-1)?.headers.get('idempotent-replayed'), 'true');
  return responses;
}

async function assertRefundedOnce(admin: Client, orderId: string): Promise<void> {
  const { rows } = await admin.query(
    `SELECT
      (SELECT status FROM "order" WHERE id = $1) AS status,
      (SELECT json_agg(json_build_array(kind, amount_minor) ORDER BY id) FROM ledger_transfer
        WHERE order_id = $1) AS transfers,
      (SELECT quantity_refunded FROM order_item WHERE order_id = $1) AS refunded,
      (SELECT count(*)::int FROM audit_entry WHERE order_id = $1 AND action = 'order.refund') AS "auditEntries"`,
    [orderId],
  );
  assert.deepEqual(rows[0], {
    status: 'complete',
    transfers: [
      ['charge', 2 * PRICE_MINOR],
      ['refund', PRICE_MINOR],
    ],
    refunded: 1,
    auditEntries: 1,
  });
}
