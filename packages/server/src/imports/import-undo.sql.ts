/** Callers lock the offers, in the order of their ids, before any change here. */

import { plainArray } from '../db/engines/prepared.ts';
import { allRows, allValues, execute, onlyRow } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import type { OfferChange } from '../listings/catalogue.ts';
import type { MissingOffer, MissingUnit } from './import-missing.sql.ts';
import { CAN_UNDO, IS_FREE } from './import-runs.sql.ts';

/** Runs in the changes' transaction. A row keeps the state before the first change. */
export async function insertOfferChanges(
  tx: Tx,
  run: number,
  changes: readonly OfferChange[],
): Promise<void> {
  const changed = changes.filter(
    ({ offer, before }) => before?.priceMinor !== offer.priceMinor || before.status !== offer.status,
  );
  if (changed.length === 0) return;
  await execute(tx)`
    INSERT INTO import_offer (run, offer_id, price_before, status_before, price_after, status_after, next_unit)
    SELECT ${run}::bigint, id, price_before, status_before, price_minor, status, next_unit FROM unnest(
      ${plainArray(changed.map(({ offer }) => offer.id))}::uuid[],
      ${plainArray(changed.map(({ before }) => before?.priceMinor ?? null))}::bigint[],
      ${plainArray(changed.map(({ before }) => before?.status ?? null))}::text[]
    ) AS input (id, price_before, status_before) JOIN offer USING (id)
    ORDER BY id
    ON CONFLICT (run, offer_id) DO UPDATE SET price_after = excluded.price_after,
      status_after = excluded.status_after`;
}

/** Index: order_offer_ix. */
const IS_ORDERED = sql`(offer.next_unit > import_offer.next_unit OR EXISTS (
  SELECT FROM "order" WHERE "order".offer_id = offer.id AND first_unit IS NULL AND created_at >= import_offer.at))`;
const IS_AS_IMPORTED = sql`(offer.price_minor, offer.status) = (import_offer.price_after, import_offer.status_after)`;

export type UndoState = {
  readonly offersToUndo: number;
  readonly keysToUndo: number;
  readonly added: number;
  readonly ordered: number;
  readonly changed: number;
  readonly firstOrdered: string | null;
  readonly firstChanged: string | null;
  readonly sold: number;
  readonly withdrawnBefore: number;
  readonly changedBack: number;
  readonly paused: number;
  readonly withdrawn: number;
  readonly kept: number;
};

/** Indexes: import_offer_pkey, stock_key_added_by_import_ix. */
export function readUndoState(db: Db, run: number): Promise<UndoState> {
  return onlyRow<UndoState>(db)`
    WITH offers AS MATERIALIZED (
      SELECT offer_id, price_before IS NULL AS is_added, outcome,
        outcome IS NULL AND ${IS_ORDERED} AS is_ordered,
        outcome IS NULL AND NOT ${IS_AS_IMPORTED} AS is_changed
      FROM import_offer JOIN offer ON offer.id = offer_id WHERE run = ${run}
    ), keys AS MATERIALIZED (
      SELECT state FROM unit
      WHERE added_by_import = ${run} AND EXISTS (SELECT FROM import_run WHERE import_run.number = ${run} AND ${CAN_UNDO})
    ), offer_counts AS (
      SELECT count(*) FILTER (WHERE outcome IS NULL) AS "offersToUndo",
        count(*) FILTER (WHERE outcome IS NULL AND is_added) AS added,
        count(*) FILTER (WHERE is_ordered) AS ordered,
        count(*) FILTER (WHERE is_changed) AS changed,
        min(offer_id::text) FILTER (WHERE is_ordered) AS "firstOrdered",
        min(offer_id::text) FILTER (WHERE is_changed) AS "firstChanged",
        count(*) FILTER (WHERE outcome = 'undone' AND NOT is_added) AS "changedBack",
        count(*) FILTER (WHERE outcome = 'undone' AND is_added) AS paused,
        count(*) FILTER (WHERE outcome = 'kept') AS kept_offers
      FROM offers
    ), key_counts AS (
      SELECT count(*) AS "keysToUndo", count(*) FILTER (WHERE state IN ('reserved', 'sold')) AS sold,
        count(*) FILTER (WHERE state = 'withdrawn') AS "withdrawnBefore"
      FROM keys
    )
    SELECT offer_counts.*, key_counts.*, undone_keys AS withdrawn, kept_offers + kept_keys AS kept
    FROM import_run, offer_counts, key_counts WHERE import_run.number = ${run}`;
}

/** Returns false if a request works on the run or the run was already undone. */
export async function beginUndo(tx: Tx, run: number): Promise<boolean> {
  return (
    (await execute(tx)`
    UPDATE import_run SET undone_at = clock_timestamp(), finished_at = coalesce(finished_at, clock_timestamp())
    WHERE number = ${run} AND undone_at IS NULL AND ${IS_FREE}`) > 0
  );
}

export function listOffersToUndo(db: Db, run: number, count: number): Promise<MissingOffer[]> {
  return allRows<MissingOffer>(db)`
    SELECT offer_id AS "offerId" FROM import_offer WHERE run = ${run} AND outcome IS NULL
    ORDER BY offer_id LIMIT ${count}`;
}

/** Resets offers that are still as imported, and pauses added offers. */
export function undoOffers(tx: Tx, run: number, lockedIds: readonly string[]): Promise<string[]> {
  return allValues<{ id: string }>(tx)`
    WITH change AS MATERIALIZED (
      SELECT offer_id, price_before, status_before, ${IS_AS_IMPORTED} AND NOT ${IS_ORDERED} AS can_undo
      FROM import_offer JOIN offer ON offer.id = offer_id
      WHERE run = ${run}::bigint AND offer_id = ANY (${plainArray(lockedIds)}::uuid[]) AND outcome IS NULL
    ), marked AS (
      UPDATE import_offer SET outcome = CASE WHEN can_undo THEN 'undone' ELSE 'kept' END
      FROM change WHERE run = ${run}::bigint AND import_offer.offer_id = change.offer_id
    )
    UPDATE offer SET price_minor = coalesce(price_before, price_minor), status = coalesce(status_before, 'paused'),
      paused_by_import = NULL
    FROM change WHERE offer.id = change.offer_id AND can_undo
    RETURNING offer.id`;
}

export function listKeysToUndo(db: Db, run: number, count: number): Promise<MissingUnit[]> {
  return allRows<MissingUnit>(db)`
    SELECT id AS "unitId", offer_id AS "offerId" FROM stock_key
    WHERE added_by_import = ${run} ORDER BY id LIMIT ${count}`;
}

/** The offers must be locked. */
export function listUnsold(tx: Tx, unitIds: readonly number[]): Promise<number[]> {
  return allValues<{ id: number }>(tx)`
    SELECT id FROM unit WHERE id = ANY (${plainArray(unitIds)}::bigint[])
      AND state = 'available'`;
}

/** No unit was sold, so withdrawn codes may be added again, perhaps for a different offer. */
export async function markKeys(
  tx: Tx,
  run: number,
  unitIds: readonly number[],
  withdrawnIds: readonly number[],
): Promise<void> {
  const undone = plainArray(withdrawnIds);
  await execute(tx)`
    WITH marked AS (
      UPDATE stock_key SET added_by_import = NULL,
        code_mac = CASE WHEN id = ANY (${undone}::bigint[]) THEN sha256(code_mac || int8send(id)) ELSE code_mac END
      WHERE id = ANY (${plainArray(unitIds)}::bigint[]) AND added_by_import = ${run} RETURNING id
    ), counted AS (
      SELECT count(*) FILTER (WHERE id = ANY (${undone}::bigint[])) AS undone, count(*) AS all_keys FROM marked
    )
    UPDATE import_run SET undone_keys = undone_keys + undone, kept_keys = kept_keys + all_keys - undone
    FROM counted WHERE number = ${run}`;
}
