/** A303, A127. */
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { decodeEventCursor, encodeEventCursor } from '../../../src/events/event-cursor.ts';
import { eventIdAt, eventMicros } from '../../../src/events/event-id.ts';
import { allEvents, askForEvents, cursorOfNow, readEvents } from '../../support/events.ts';
import { auto, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);
const HOUR_MICROS = 3_600_000_000;

async function assertExpired(reseller: Parameters<typeof askForEvents>[0], cursor: string): Promise<void> {
  for (const wait of [0, 30]) {
    const { status, body } = await askForEvents(reseller, { cursor, wait });
    deepEqual([status, body.error?.code], [410, 'cursor-expired']);
  }
}

test('a cursor that precedes deleted events has expired, and a read without a cursor returns the remaining events', async () => {
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  const { productId } = await h.seed.listing({ stock: 20 });
  for (let count = 0; count < 3; count += 1) await reseller.order(auto(productId));
  await h.service.eventsWritten();
  const { meta } = await readEvents(reseller, { limit: 2 });
  const [, second, third] = await allEvents(h, reseller);
  ok(second !== undefined && third !== undefined);
  const shift = async (type: string, days: number) => {
    // An event's id contains its time, so a smaller id makes the event older.
    const micros = days * 24 * HOUR_MICROS;
    await sql`UPDATE event SET id = id - (${micros}::bigint << 10), type = ${type}
      WHERE id = (SELECT min(id) FROM event WHERE account_id = ${reseller.accountId}::uuid AND type = 'order.complete')`.execute(
      h.database.db,
    );
  };
  await shift('order.held', 31);
  await shift('order.closed', 29);
  await h.service.forgetOld();
  await assertExpired(
    reseller,
    encodeEventCursor(
      {
        ...must(decodeEventCursor(meta.nextCursor, reseller.accountId)),
        afterId: eventIdAt(Date.now() * 1000 - 32 * 24 * HOUR_MICROS),
      },
      reseller.accountId,
    ),
  );
  const rest = await allEvents(h, reseller);
  deepEqual(
    rest.map(({ type }) => type),
    ['order.closed', 'order.complete'],
  );
  deepEqual((await readEvents(reseller, { cursor: meta.nextCursor })).data.length, 1);
  // The changed events no longer match their orders, so they are deleted, as if another month had passed.
  await sql`WITH deleted AS (DELETE FROM event)
    UPDATE stream_position SET position = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint << 10
    WHERE stream = 'forgotten-event'`.execute(h.database.db);
});

test('a cursor from before restart-feeds, or from after the point to which a backup was restored, has expired', async () => {
  const reseller = await h.seed.reseller();
  const cursor = await cursorOfNow(h, reseller);
  const known = must(decodeEventCursor(cursor, reseller.accountId));
  const ahead = { ...known, afterId: eventIdAt(eventMicros(known.afterId) + HOUR_MICROS) };
  await assertExpired(reseller, encodeEventCursor(ahead, reseller.accountId));
  await h.operate('POST', '/catalogue/restart-feeds', { reason: 'test' });
  await assertExpired(reseller, cursor);
  deepEqual((await readEvents(reseller)).data, []);
});

function must<Value>(value: Value | undefined): Value {
  ok(value !== undefined);
  return value;
}
