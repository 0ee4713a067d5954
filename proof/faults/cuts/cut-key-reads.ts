/** No code leaves the service unrecorded. A46, I34. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { manual } from '../../../packages/server/test/support/harness.ts';
import type { Scenario } from '../scenario.ts';
import { cutEverywhere, postgresIsMissing } from './cuts.ts';
import { type Command, openOffer, type Place, persist, type Subject } from './cuts-lane.ts';

const UNITS_EACH = 2;
const PRICE_MINOR = 100;

const KEY_READ: Subject = {
  // The first statement that differs from other transactions: BEGIN is the same in all.
  opens: ({ type, bytes }) =>
    type === 'P' && bytes.includes('FROM "order" WHERE') && bytes.includes('FOR SHARE'),
  connections: ['any'],
  prepare: openShop,
};

export const cutKeyReads: Scenario = {
  name: 'cut-key-reads',
  promise: 'a read of keys that is cut off anywhere returns only codes that are recorded as read',
  count: 1,
  obstacle: postgresIsMissing,
  run: (run) => cutEverywhere(run, KEY_READ),
};

async function openShop(place: Place): Promise<Command> {
  const { h, admin, actionCountMax } = place;
  const reseller = await h.seed.reseller({ balance: '100000.00' });
  const offer = await openOffer(place, PRICE_MINOR, actionCountMax * UNITS_EACH);
  const { offerId } = offer;
  const codes = new Set(offer.codes);

  return async (onFirstResponse) => {
    const key = randomUUID();
    const ordered = await persist(() => reseller.order(manual(offerId, { quantity: UNITS_EACH }), key));
    const orderId: string = ordered.at(-1)?.body.data.id;
    const responses = await persist(() => reseller.get(`/orders/${orderId}/keys`), onFirstResponse);
    const returned: string[] = responses.at(-1)?.body.data[0].keys.map((key: { code: string }) => key.code);
    assert.equal(returned.length, UNITS_EACH);
    for (const code of returned)
      assert.ok(codes.delete(code), 'a code of this offer, returned for one order only');
    await assertOnRecord(admin, orderId);
    return responses.map(({ status }) => status);
  };
}

async function assertOnRecord(admin: Client, orderId: string): Promise<void> {
  const { rows } = await admin.query(
    `SELECT
      (SELECT count(*) > 0 FROM audit_entry WHERE order_id = $1 AND action = 'keys.read') AS "isOnRecord",
      (SELECT count(*)::int FROM key_reveal WHERE order_id = $1) AS "revealedUnits"`,
    [orderId],
  );
  assert.deepEqual(rows[0], { isOnRecord: true, revealedUnits: UNITS_EACH });
}
