/** A362. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { manual, startHarness } from '../../support/harness.ts';
import { readList } from '../../support/lists.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile, { KEYPORT_GATEWAY_TIMEOUT_MS: '20' });
const { db } = h.database;
const { offerId } = await h.seed.listing({ price: '10.00', stock: 5 });
const payer = await h.seed.reseller({ account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' } });
const orderId = (await payer.order(manual(offerId))).body.error.data.orderId;
const nodeId = randomUUID();

test('200: a fault is one incident, which ends with the fault', async () => {
  deepEqual(await readList(h, '/incidents'), []);
  await sql`UPDATE gateway_payment SET expires_at = now() - interval '1 hour'
    WHERE order_id = ${orderId}::bigint`.execute(db);
  await sql`INSERT INTO master_key_holder (node_id, version, started_at, seen_at, master_key_ids)
    SELECT ${nodeId}, '0.3.0', now() - interval '1 hour', now() - interval '5 minutes', master_key_ids
    FROM master_key_holder LIMIT 1`.execute(db);
  await Promise.all([h.service.noteIncidents(), h.service.noteIncidents()]);
  await h.service.noteIncidents();
  const [first, second, ...others] = (await readList(h, '/incidents?sort=beganAt')).toSorted((one, other) =>
    one.kind < other.kind ? 1 : -1,
  );
  deepEqual(others, []);
  const { id: _id, beganAt, ...payment } = first;
  ok(beganAt <= new Date(Date.now() + 1_000).toISOString());
  deepEqual(payment, {
    kind: 'payment',
    subject: orderId,
    title: orderId,
    accountId: payer.accountId,
    endedAt: null,
  });
  deepEqual([second.kind, second.subject, second.accountId], ['node', nodeId, null]);
  await sql`UPDATE gateway_payment SET expires_at = now() + interval '1 hour'`.execute(db);
  await h.service.noteIncidents();
  deepEqual(
    (await readList(h, '/incidents?open=true')).map(({ kind }) => kind),
    ['node'],
  );
  const [ended] = await readList(h, '/incidents?open=false');
  equal(ended.subject, orderId);
  ok(ended.endedAt >= ended.beganAt);
  await sql`DELETE FROM master_key_holder WHERE node_id = ${nodeId}`.execute(db);
});

test('200: filters by kind and by period return the incidents that overlap the period', async () => {
  await h.service.noteIncidents();
  equal((await readList(h, '/incidents?kind=import')).length, 0);
  equal((await readList(h, '/incidents?kind=payment')).length, 1);
  const past = new Date(Date.now() - 86_400_000).toISOString();
  const future = new Date(Date.now() + 86_400_000).toISOString();
  equal((await readList(h, `/incidents?from=${past}`)).length, 2);
  equal((await readList(h, `/incidents?to=${past}`)).length, 0);
  equal((await readList(h, `/incidents?from=${future}`)).length, 0);
});
