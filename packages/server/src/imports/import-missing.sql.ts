/** A window of rows at a time, so that no statement is long. A132, A270, A271. */
import { must } from '@keyport/core/assert';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../db/schema.ts';

const WINDOW_ROWS = 10_000;
export type ChangedOffer = { readonly id: string; readonly productId: number };
export type MissingOffer = { readonly offerId: string };
export type MissingUnit = { readonly offerId: string; readonly unitId: number };

/** `last`: where the next window begins; null: at the end. */
export type Window<Missing, Place> = {
  readonly missing: readonly Missing[];
  /** Everything that the import covers and is on sale, missing or not. */
  readonly onSaleCount: number;
  readonly last: Place | null;
};

// OFFSET 0 keeps it a lookup per row: a join could read all that was seen for every window.
const seen = (run: number, thing: string, key: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (
    SELECT FROM import_seen WHERE run = ${run}::bigint AND thing = ${thing} AND key = ${key} OFFSET 0)`;

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

/** Active offers that the import leaves out. */
export async function listMissingOffers(
  db: Db,
  kind: keyof typeof OFFERS_OF,
  run: number,
  after: string | undefined,
): Promise<Window<MissingOffer, string>> {
  const { isInScope, isNamed } = OFFERS_OF[kind](run);
  const { rows } = await sql<Window<MissingOffer, string>>`
    WITH looked_at AS (
      SELECT id, product_id, seller_id, status FROM offer
      ${after === undefined ? sql`` : sql`WHERE id > ${after}::uuid`} ORDER BY id LIMIT ${WINDOW_ROWS}
    ), on_sale AS MATERIALIZED (
      SELECT id, ${isNamed} AS is_named FROM looked_at WHERE status = 'active' AND ${isInScope}
    )
    SELECT (SELECT id FROM looked_at ORDER BY id DESC LIMIT 1) AS last,
      (SELECT count(*) FROM on_sale) AS "onSaleCount", coalesce(
        (SELECT jsonb_agg(jsonb_build_object('offerId', id) ORDER BY id) FROM on_sale WHERE NOT is_named),
        '[]') AS missing`.execute(db);
  return must(rows[0], 'SELECT without FROM gives one row');
}

export type UnitPlace = { readonly offerId: string; readonly id: number };

/** Unsold keys that the import leaves out. Index: stock_key_offer_ix. */
export async function listMissingUnits(
  db: Db,
  run: number,
  after: UnitPlace | undefined,
): Promise<Window<MissingUnit, UnitPlace>> {
  const place = after ?? { offerId: '00000000-0000-0000-0000-000000000000', id: 0 };
  // By id: numbers change when others are withdrawn.
  const { rows } = await sql<Window<MissingUnit, UnitPlace>>`
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
          WHERE NOT is_named), '[]') AS missing`.execute(db);
  return must(rows[0], 'SELECT without FROM gives one row');
}

/** Where a window of what imports took off sale ended: the run that did it, and the row. */
export type TakenPlace<Id> = { readonly run: number; readonly id: Id };

/** Offers that other runs paused and that the import leaves out too. Index: offer_paused_by_import_ix. */
export async function listPausedBefore(
  db: Db,
  kind: keyof typeof OFFERS_OF,
  run: number,
  after: TakenPlace<string> | undefined,
): Promise<TakenWindow<{ offerId: string }, string>> {
  const { isInScope, isNamed } = OFFERS_OF[kind](run);
  const isBehind = after && sql`AND (paused_by_import, id) > (${after.run}::bigint, ${after.id}::uuid)`;
  const { rows } = await sql<TakenWindow<{ offerId: string }, string>>`
    WITH looked_at AS (
      SELECT id, product_id, seller_id, paused_by_import AS taken_by FROM offer
      WHERE paused_by_import IS NOT NULL ${isBehind ?? sql``} ORDER BY paused_by_import, id LIMIT ${WINDOW_ROWS}
    )
    SELECT ${lastTaken} AS last, coalesce((SELECT jsonb_agg(jsonb_build_object('offerId', id) ORDER BY id)
      FROM looked_at WHERE taken_by <> ${run}::bigint AND ${isInScope}
        AND NOT ${isNamed}), '[]') AS missing`.execute(db);
  return must(rows[0], 'SELECT without FROM gives one row');
}

/** Keys that other runs withdrew and that the import leaves out too. Index: stock_key_withdrawn_by_import_ix. */
export async function listWithdrawnBefore(
  db: Db,
  run: number,
  after: TakenPlace<number> | undefined,
): Promise<TakenWindow<MissingUnit, number>> {
  const isBehind = after && sql`AND (withdrawn_by_import, id) > (${after.run}::bigint, ${after.id}::bigint)`;
  const { rows } = await sql<TakenWindow<MissingUnit, number>>`
    WITH looked_at AS (
      SELECT id, offer_id, code_mac, withdrawn_by_import AS taken_by FROM stock_key
      WHERE withdrawn_by_import IS NOT NULL ${isBehind ?? sql``}
      ORDER BY withdrawn_by_import, id LIMIT ${WINDOW_ROWS}
    )
    SELECT ${lastTaken} AS last, coalesce((
      SELECT jsonb_agg(jsonb_build_object('unitId', id, 'offerId', offer_id) ORDER BY offer_id, id) FROM looked_at
      WHERE taken_by <> ${run}::bigint AND ${seen(run, 'offer', sql`uuid_send(offer_id)`)}
          AND NOT ${seen(run, 'code', sql`code_mac`)}), '[]') AS missing`.execute(db);
  return must(rows[0], 'SELECT without FROM gives one row');
}

type TakenWindow<Missing, Id> = {
  readonly last: TakenPlace<Id> | null;
  readonly missing: readonly Missing[];
};

const lastTaken = sql`(
  SELECT jsonb_build_object('run', taken_by, 'id', id) FROM looked_at ORDER BY taken_by DESC, id DESC LIMIT 1)`;

/** The offers are locked and stay paused. */
export async function keepPaused(tx: Tx, lockedIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE offer SET paused_by_import = NULL
    WHERE id = ANY (${[...lockedIds]}::uuid[]) AND paused_by_import IS NOT NULL`.execute(tx);
}

/** Pauses and returns the active ones; the caller has locked them. */
export async function pauseOffers(tx: Tx, run: number, ids: readonly string[]): Promise<ChangedOffer[]> {
  const { rows } = await sql<ChangedOffer>`
    UPDATE offer SET status = 'paused', paused_by_import = ${run}::bigint
    WHERE id = ANY (${[...ids]}::uuid[]) AND status = 'active'
    RETURNING id, product_id AS "productId"`.execute(tx);
  return rows;
}

/** Unchanged since. Index: offer_paused_by_import_ix. */
export async function listPausedOffers(db: Db, run: number, count: number): Promise<MissingOffer[]> {
  const { rows } = await sql<MissingOffer>`
    SELECT id AS "offerId" FROM offer WHERE paused_by_import = ${run}::bigint
    ORDER BY id LIMIT ${count}`.execute(db);
  return rows;
}

/** Resumes and returns those that the run paused; the caller has locked them. */
export async function resumeOffers(
  tx: Tx,
  run: number,
  lockedIds: readonly string[],
): Promise<ChangedOffer[]> {
  const { rows } = await sql<ChangedOffer>`
    UPDATE offer SET status = 'active', paused_by_import = NULL
    WHERE id = ANY (${[...lockedIds]}::uuid[]) AND paused_by_import = ${run}::bigint
    RETURNING id, product_id AS "productId"`.execute(tx);
  return rows;
}

/** Index: stock_key_withdrawn_by_import_ix. */
export async function listWithdrawnUnits(db: Db, run: number, count: number): Promise<MissingUnit[]> {
  const { rows } = await sql<MissingUnit>`
    SELECT id AS "unitId", offer_id AS "offerId" FROM stock_key
    WHERE withdrawn_by_import = ${run}::bigint ORDER BY id LIMIT ${count}`.execute(db);
  return rows;
}

/** The offers are locked. */
export async function listReturnable(tx: Tx, run: number, unitIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM stock_key
    WHERE id = ANY (${[...unitIds]}::bigint[]) AND withdrawn_by_import = ${run}::bigint`.execute(tx);
  return rows.map(({ id }) => id);
}
