/**
 * `logChanges` is a transaction's last step before COMMIT: it locks the clock until then, so stamps follow the
 * commit order (A8).
 */
import { must } from '@keyport/core/assert';
import type { NewEvent } from '@keyport/core/events';
import { prepareStatement, type Session } from '../db/engines/prepared.ts';
import { declareColumns } from '../db/row-columns.ts';
import { execute, onlyRow, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros, microsText } from '../db/timestamps.ts';
import { positionText, stampText } from '../stream-position.sql.ts';
import { foldedUpTo } from '../sums/sums.sql.ts';

// Stamps are a microsecond apart, so each can be a cursor. first_stamp, set once, gives the insertion order.
const LOG_CHANGES = prepareStatement<never>(
  'log_changes',
  `WITH logged AS (
      INSERT INTO change_log (stamp, product_ids, order_ids, events)
      VALUES (draw_stamps(greatest(1, cardinality($1::bigint[]))), $1, '{}', $2::jsonb)
      RETURNING stamp
    )
    INSERT INTO product_stamp (product_id, stamp, first_stamp)
    SELECT id, first_stamp, first_stamp
    FROM logged CROSS JOIN unnest($1::bigint[]) WITH ORDINALITY AS changed (id, place)
    CROSS JOIN LATERAL (SELECT stamp - (cardinality($1::bigint[]) - place) * interval '1 microsecond' AS first_stamp) AS drawn
    ON CONFLICT (product_id) DO NOTHING`,
);

const SOLD_OFFERS = declareColumns<SoldOffer>({
  product_id: ['bigint', ({ productId }) => productId],
  offer_id: ['uuid', ({ id }) => id],
  quantity: ['integer', ({ quantity }) => quantity],
});
const COMPLETE_ORDERS = declareColumns<CompleteOrder>({
  order_id: ['bigint', ({ id }) => id],
  account_id: ['uuid', ({ accountId }) => accountId],
});

const LOG_SOLD = prepareStatement<never>(
  'log_sold',
  `INSERT INTO change_log (stamp, product_ids, offer_ids, quantities, order_ids, account_ids, events)
    VALUES (draw_stamps(greatest(1, cardinality($1::bigint[]))), $1, $2::uuid[], $3::integer[], $4::bigint[], $5::uuid[],
      $6::jsonb)`,
);

const LOG_EVENTS = prepareStatement<{ readonly stampMicros: number }>(
  'log_events',
  `INSERT INTO change_log (stamp, product_ids, order_ids, events) VALUES (draw_stamps(1), '{}', '{}', $1::jsonb)
    RETURNING ${microsText('stamp')} AS "stampMicros"`,
);

export type Changes = {
  readonly productIds?: readonly (string | number)[];
  readonly events?: readonly NewEvent[];
};

/** Locks the clock: wait for no other lock afterwards. */
export async function logChanges(tx: Tx, { productIds = [], events = [] }: Changes): Promise<void> {
  if (productIds.length + events.length > 0)
    await LOG_CHANGES.execute(tx, [[...new Set(productIds.map(Number))], toJson(events)]);
}

export type SoldOffer = { readonly id: string; readonly productId: string; readonly quantity: number };

/** A committed transaction of orders only. The log has no stamp between `afterMicros` and `stampMicros`. */
export type OrdersOnlyChange = {
  readonly stampMicros: number;
  readonly afterMicros: number;
  readonly offers: readonly SoldOffer[];
};

// Not part of LOG_SOLD, whose snapshot may be older than the clock's lock. Index: change_log_pkey.
const LAST_STAMPS = prepareStatement<{ readonly stamp: number }>(
  'last_stamps',
  `SELECT ${microsText('stamp')} AS stamp FROM change_log ORDER BY change_log.stamp DESC LIMIT 2`,
);

type CompleteOrder = { readonly id: string; readonly accountId: string };

type PlacedOrders = {
  readonly offers: readonly SoldOffer[];
  readonly completeOrders: readonly CompleteOrder[];
  readonly events: readonly NewEvent[];
};

/** Offers must be active and their products must have a stamp (I37). Does not wait for earlier statements. */
export async function sendPlacedOrders(
  session: Session,
  { offers, completeOrders, events }: PlacedOrders,
): Promise<OrdersOnlyChange> {
  const sold = [...SOLD_OFFERS.arrays(offers), ...COMPLETE_ORDERS.arrays(completeOrders)];
  const logged = LOG_SOLD.send(session, [...sold, toJson(events)]);
  const stamps = LAST_STAMPS.send(session, []);
  await logged;
  const [own, before] = await stamps;
  return { stampMicros: own?.stamp ?? 0, afterMicros: before?.stamp ?? 0, offers };
}

/** Returns the events' stamp in microseconds. Locks the clock. */
export async function logEvents(tx: Tx, events: readonly NewEvent[]): Promise<number> {
  const [logged] = await LOG_EVENTS.execute(tx, [toJson(events)]);
  return must(logged, 'logged events have a stamp').stampMicros;
}

function toJson(events: readonly NewEvent[]): string | null {
  return events.length === 0 ? null : JSON.stringify(events);
}

export type CatalogueClock = {
  readonly epoch: string;
  readonly lastStampMicros: number;
};

export function loadCatalogueClock(db: Db): Promise<CatalogueClock> {
  return onlyRow<CatalogueClock>(db)`
    SELECT catalogue_epoch AS epoch, ${deriveMicros('(SELECT max(stamp) FROM change_log)')} AS "lastStampMicros"
    FROM installation`;
}

export async function beginCatalogueEpoch(tx: Tx, epoch: string): Promise<void> {
  await execute(tx)`UPDATE installation SET catalogue_epoch = ${epoch}`;
}

/** product_stamp has the stamps of the log up to this one. */
export const FOLDED_THROUGH = stampText(positionText('stamp'));
const FOLD_LOCK = `hashtextextended('keyport/fold-stamps', 0)`;

/** Returns the number of folded rows, at most `limit`; 0 while another node folds. */
export function foldStamps(tx: Tx, limit: number): Promise<number> {
  return onlyValue<{ count: number }>(tx)`
    WITH clock AS MATERIALIZED (
      SELECT ${sql.raw(FOLDED_THROUGH)} AS folded_through WHERE pg_try_advisory_xact_lock(${sql.raw(FOLD_LOCK)})
    ), unfolded AS MATERIALIZED (
      SELECT stamp, product_ids FROM change_log WHERE stamp > (SELECT folded_through FROM clock)
      ORDER BY stamp LIMIT ${limit}
    ), folded AS (
      UPDATE product_stamp SET stamp = latest.stamp
      FROM (
        SELECT product_id, max(stamp - (cardinality(product_ids) - place) * interval '1 microsecond') AS stamp
        FROM unfolded CROSS JOIN unnest(product_ids) WITH ORDINALITY AS changed (product_id, place)
        GROUP BY product_id ORDER BY product_id
      ) AS latest
      WHERE product_stamp.product_id = latest.product_id AND product_stamp.stamp < latest.stamp
    ), moved AS (
      UPDATE stream_position SET position = (SELECT ${deriveMicros('max(stamp)')} FROM unfolded)
      WHERE stream = 'stamp' AND EXISTS (SELECT FROM unfolded)
    )
    SELECT count(*)::integer AS count FROM unfolded`;
}

/** Nodes that keep up read the log more often than this. */
const LOG_RETENTION = sql.raw(`10 * interval '1 minute'`);

/** Returns the number of deleted rows. Keeps the newest expired row, the oldest position of nodes that keep up. */
export function pruneChangeLog(tx: Tx, limit: number): Promise<number> {
  return execute(tx)`
    DELETE FROM change_log WHERE stamp = ANY (ARRAY (
      SELECT stamp FROM change_log
      WHERE stamp < (SELECT max(stamp) FROM change_log WHERE stamp < clock_timestamp() - ${LOG_RETENTION})
        AND stamp < ${sql.raw(FOLDED_THROUGH)} AND stamp < ${sql.raw(stampText(positionText('event')))}
        AND stamp < ${foldedUpTo('change')}
      ORDER BY stamp LIMIT ${limit}))`;
}
