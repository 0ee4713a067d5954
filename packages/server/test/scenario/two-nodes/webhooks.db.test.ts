/** A314. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { auto } from '../../support/harness.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { startReceiver, waitUntil } from '../../support/webhook-receiver.ts';

const ORDERS = 60;

test('orders of both nodes are delivered to every endpoint, each once', async (t) => {
  const { h, toNode } = await startTwoNodes(t);
  const { productId } = await h.seed.listing({ stock: ORDERS * 2 });
  const resellers = [
    await h.seed.reseller({ balance: '10000.00' }),
    await h.seed.reseller({ balance: '10000.00' }),
  ];
  const receivers = await Promise.all(
    resellers.flatMap(({ token }) =>
      [1, 2].map(async () => {
        const receiver = await startReceiver(t);
        const body = { url: receiver.url, types: ['order.complete'] };
        const created = await h.call('POST', '/export/v1/webhook-endpoints', { token, body });
        equal(created.status, 201);
        return { token, receiver };
      }),
    ),
  );
  const placed = await Promise.all(
    Array.from({ length: ORDERS }, async (_, index) => {
      const reseller = resellers[index % 2]?.at(toNode(Math.floor(index / 2)).url);
      const response = await reseller?.order(auto(productId), randomUUID());
      equal(response?.status, 201);
      return { token: reseller?.token, id: response?.body.data.id };
    }),
  );
  for (const { token, receiver } of receivers) {
    const expected = placed.filter((order) => order.token === token).map(({ id }) => id);
    await waitUntil(async () => receiver.received.length >= expected.length, 'all orders');
    const ids = receiver.received.map(({ event }) => event.data.order.id);
    deepEqual(ids.toSorted(), expected.toSorted());
  }
  const pending = async () => {
    const { rows } = await sql`SELECT FROM webhook_delivery WHERE next_attempt_at IS NOT NULL`.execute(
      h.database.db,
    );
    return rows.length === 0;
  };
  await waitUntil(pending, 'every result to be recorded');
});

test('a delivery that a node claimed before it died is sent when the claim lapses', async (t) => {
  const { h } = await startTwoNodes(t);
  const { productId } = await h.seed.listing({ stock: 10 });
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const receiver = await startReceiver(t);
  const body = { url: receiver.url, types: ['*'] };
  await h.call('POST', '/export/v1/webhook-endpoints', { token: reseller.token, body });
  await reseller.order(auto(productId));
  const { db } = h.database;
  const isRecorded = async () => {
    const { rows } = await sql`SELECT FROM webhook_delivery WHERE is_delivered`.execute(db);
    return rows.length === 1;
  };
  await waitUntil(isRecorded, 'the result');
  const arrivedAtMs: number[] = [];
  receiver.respond((response) => {
    arrivedAtMs.push(Date.now());
    response.writeHead(204).end();
  });
  const { rows } = await sql<{ lapsesAtMs: number }>`
    UPDATE webhook_delivery SET is_delivered = false, next_attempt_at = now(),
      claimed_until = now() + interval '2 seconds'
    RETURNING extract(epoch FROM claimed_until)::float8 * 1000 AS "lapsesAtMs"`.execute(db);
  await waitUntil(isRecorded, 'the result of the second attempt');
  equal(arrivedAtMs.length, 1);
  const [atMs = 0] = arrivedAtMs;
  ok(atMs >= Math.floor(rows[0]?.lapsesAtMs ?? Number.NaN), `sent at ${atMs}`);
});
