/** Reads tables in windows of rows, so that no statement takes long. A132, A271. */

import { allRows, allValues, execute, onlyRow } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';

const WINDOW_ROWS = 10_000;
export type ChangedOffer = { readonly id: string; readonly productId: number };
export type MissingOffer = { readonly offerId: string };
export type MissingUnit = { readonly offerId: string; readonly unitId: number };

/** The next window begins after `last`; null if this was the last one. */
export type Window<Missing, Place> = {
  readonly missing: readonly Missing[];
  /** Offers or units on sale that the import covers, missing or not. */
  readonly onSaleCount: number;
  readonly last: Place | null;
};

// OFFSET 0 forces a lookup per row: a join could read all seen rows per window.
const seen = (run: number, kind: string, key: Sql) =>
  sql<boolean>`EXISTS (
    SELECT FROM import_seen WHERE run = ${run}::bigint AND kind = ${kind} AND key = ${key} OFFSET 0)`;

const seenSeller = (run: number) => seen(run, 'seller', sql`uuid_send(seller_id)`);
const ofSellers = (run: number) => ({
  isInScope: seenSeller(run),
  isNamed: seen(run, 'offer', sql`uuid_send(id)`),
});

const OFFERS_OF = {
  sellers: (run: number) => ({ isInScope: sql`true`, isNamed: seenSeller(run) }),
  products(run: number) {
    return { isInScope: sql`true`, isNamed: seen(run, 'product', sql`int8send(product_id)`) };
  },
  offers: ofSellers,
  prices: ofSellers,
} as const;

/** Lists active offers that the import left out. */
export function listMissingOffers(
  db: Db,
  kind: keyof typeof OFFERS_OF,
  run: number,
  after: string | undefined,
): Promise<Window<MissingOffer, string>> {
  const { isInScope, isNamed } = OFFERS_OF[kind](run);
  return onlyRow<Window<MissingOffer, string>>(db)`
    WITH looked_at AS (
      SELECT id, product_id, seller_id, status FROM offer
      ${after === undefined ? sql`` : sql`WHERE id > ${after}::uuid`} ORDER BY id LIMIT ${WINDOW_ROWS}
    ), on_sale AS MATERIALIZED (
      SELECT id, ${isNamed} AS is_named FROM looked_at WHERE status = 'active' AND ${isInScope}
    )
    SELECT (SELECT id FROM looked_at ORDER BY id DESC LIMIT 1) AS last,
      (SELECT count(*) FROM on_sale) AS "onSaleCount", coalesce(
        (SELECT jsonb_agg(jsonb_build_object('offerId', id) ORDER BY id) FROM on_sale WHERE NOT is_named),
        '[]') AS missing`;
}

export type UnitPlace = { readonly offerId: string; readonly id: number };

/** Lists unsold units that the import left out. Index: stock_key_offer_ix. */
export function listMissingUnits(
  db: Db,
  run: number,
  after: UnitPlace | undefined,
): Promise<Window<MissingUnit, UnitPlace>> {
  const place = after ?? { offerId: '00000000-0000-0000-0000-000000000000', id: 0 };
  // Ordered by id, because a unit's number changes when others are withdrawn.
  return onlyRow<Window<MissingUnit, UnitPlace>>(db)`
    WITH looked_at AS (
      SELECT id, offer_id, kind, number, is_withdrawn, code_mac FROM stock_key
      WHERE (offer_id, id) > (${place.offerId}::uuid, ${place.id}::bigint)
      ORDER BY offer_id, id LIMIT ${WINDOW_ROWS}
    ), on_sale AS MATERIALIZED (
      SELECT looked_at.id, offer_id, ${seen(run, 'code', sql`code_mac`)} AS is_named
      FROM looked_at JOIN offer ON offer.id = offer_id
      WHERE NOT is_withdrawn AND (kind = 'image' OR number >= next_unit)
        AND ${seen(run, 'offer', sql`uuid_send(offer_id)`)}
    )
    SELECT (SELECT jsonb_build_object('offerId', offer_id, 'id', id) FROM looked_at
        ORDER BY offer_id DESC, id DESC LIMIT 1) AS last,
      (SELECT count(*) FROM on_sale) AS "onSaleCount", coalesce(
        (SELECT jsonb_agg(jsonb_build_object('unitId', id, 'offerId', offer_id) ORDER BY offer_id, id) FROM on_sale
          WHERE NOT is_named), '[]') AS missing`;
}

/** A window's last row, and the run that took it off sale. */
export type TakenPlace<Id> = { readonly run: number; readonly id: Id };

/** Lists offers that other runs paused and this run left out. Index: offer_paused_by_import_ix. */
export function listPausedBefore(
  db: Db,
  kind: keyof typeof OFFERS_OF,
  run: number,
  after: TakenPlace<string> | undefined,
): Promise<TakenWindow<{ offerId: string }, string>> {
  const { isInScope, isNamed } = OFFERS_OF[kind](run);
  const isBehind = after && sql`AND (paused_by_import, id) > (${after.run}::bigint, ${after.id}::uuid)`;
  return onlyRow<TakenWindow<{ offerId: string }, string>>(db)`
    WITH looked_at AS (
      SELECT id, product_id, seller_id, paused_by_import AS taken_by FROM offer
      WHERE paused_by_import IS NOT NULL ${isBehind ?? sql``} ORDER BY paused_by_import, id LIMIT ${WINDOW_ROWS}
    )
    SELECT ${lastTaken} AS last, coalesce((SELECT jsonb_agg(jsonb_build_object('offerId', id) ORDER BY id)
      FROM looked_at WHERE taken_by <> ${run}::bigint AND ${isInScope}
        AND NOT ${isNamed}), '[]') AS missing`;
}

/** Lists units that other runs withdrew and this run left out. Index: stock_key_withdrawn_by_import_ix. */
export function listWithdrawnBefore(
  db: Db,
  run: number,
  after: TakenPlace<number> | undefined,
): Promise<TakenWindow<MissingUnit, number>> {
  const isBehind = after && sql`AND (withdrawn_by_import, id) > (${after.run}::bigint, ${after.id}::bigint)`;
  return onlyRow<TakenWindow<MissingUnit, number>>(db)`
    WITH looked_at AS (
      SELECT id, offer_id, code_mac, withdrawn_by_import AS taken_by FROM stock_key
      WHERE withdrawn_by_import IS NOT NULL ${isBehind ?? sql``}
      ORDER BY withdrawn_by_import, id LIMIT ${WINDOW_ROWS}
    )
    SELECT ${lastTaken} AS last, coalesce((
      SELECT jsonb_agg(jsonb_build_object('unitId', id, 'offerId', offer_id) ORDER BY offer_id, id) FROM looked_at
      WHERE taken_by <> ${run}::bigint AND ${seen(run, 'offer', sql`uuid_send(offer_id)`)}
          AND NOT ${seen(run, 'code', sql`code_mac`)}), '[]') AS missing`;
}

type TakenWindow<Missing, Id> = {
  readonly last: TakenPlace<Id> | null;
  readonly missing: readonly Missing[];
};

const lastTaken = sql`(
  SELECT jsonb_build_object('run', taken_by, 'id', id) FROM looked_at ORDER BY taken_by DESC, id DESC LIMIT 1)`;

/** Forgets that imports paused these locked offers, so that no import resumes them. */
export async function keepPaused(tx: Tx, lockedIds: readonly string[]): Promise<void> {
  await execute(tx)`
    UPDATE offer SET paused_by_import = NULL
    WHERE id = ANY (${[...lockedIds]}::uuid[]) AND paused_by_import IS NOT NULL`;
}

/** Pauses the active offers of `ids` and returns them. The caller has locked them. */
export function pauseOffers(tx: Tx, run: number, ids: readonly string[]): Promise<ChangedOffer[]> {
  return allRows<ChangedOffer>(tx)`
    UPDATE offer SET status = 'paused', paused_by_import = ${run}::bigint
    WHERE id = ANY (${[...ids]}::uuid[]) AND status = 'active'
    RETURNING id, product_id AS "productId"`;
}

/** Lists offers that the run paused and that have not changed since. Index: offer_paused_by_import_ix. */
export function listPausedOffers(db: Db, run: number, count: number): Promise<MissingOffer[]> {
  return allRows<MissingOffer>(db)`
    SELECT id AS "offerId" FROM offer WHERE paused_by_import = ${run}::bigint
    ORDER BY id LIMIT ${count}`;
}

/** Resumes the offers that the run paused and returns them. The caller has locked them. */
export function resumeOffers(tx: Tx, run: number, lockedIds: readonly string[]): Promise<ChangedOffer[]> {
  return allRows<ChangedOffer>(tx)`
    UPDATE offer SET status = 'active', paused_by_import = NULL
    WHERE id = ANY (${[...lockedIds]}::uuid[]) AND paused_by_import = ${run}::bigint
    RETURNING id, product_id AS "productId"`;
}

/** Index: stock_key_withdrawn_by_import_ix. */
export function listWithdrawnUnits(db: Db, run: number, count: number): Promise<MissingUnit[]> {
  return allRows<MissingUnit>(db)`
    SELECT id AS "unitId", offer_id AS "offerId" FROM stock_key
    WHERE withdrawn_by_import = ${run}::bigint ORDER BY id LIMIT ${count}`;
}

/** The caller has locked the offers. */
export function listReturnable(tx: Tx, run: number, unitIds: readonly number[]): Promise<number[]> {
  return allValues<{ id: number }>(tx)`
    SELECT id FROM stock_key
    WHERE id = ANY (${[...unitIds]}::bigint[]) AND withdrawn_by_import = ${run}::bigint`;
}
