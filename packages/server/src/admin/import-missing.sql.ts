/**
 * Finds what an import with deleteMissing did not see, a window of rows at a time so that no statement is long, and
 * takes it off sale. A132.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** Rows that one statement looks at. */
const WINDOW_ROWS = 10_000;

export type MissingOffer = { readonly id: string; readonly productId: number };
export type MissingUnit = { readonly id: number; readonly offerId: string };

/** What was missing among the rows of a window; `last` is where the next one begins, undefined at the end. */
export type Window<Missing, Place> = {
  readonly missing: readonly Missing[];
  readonly last: Place | undefined;
};

// OFFSET 0 keeps it a look-up per row: as a join it could read all that was seen for every window.
const seen = (run: number, thing: string, key: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (
    SELECT FROM import_seen WHERE run = ${run}::bigint AND thing = ${thing} AND key = ${key} OFFSET 0)`;

const IS_MISSING = {
  sellers: (run: number) => sql`NOT ${seen(run, 'seller', sql`uuid_send(seller_id)`)}`,
  products: (run: number) => sql`NOT ${seen(run, 'product', sql`int8send(product_id)`)}`,
  offers: (run: number) =>
    sql`${seen(run, 'seller', sql`uuid_send(seller_id)`)} AND NOT ${seen(run, 'offer', sql`uuid_send(id)`)}`,
} as const;

/** Active offers that the import of sellers, products or offers leaves out, behind the offer `after`. */
export async function listMissingOffers(
  db: Kysely<Schema>,
  kind: keyof typeof IS_MISSING,
  run: number,
  after: string | undefined,
): Promise<Window<MissingOffer, string>> {
  const { rows } = await sql<{ last: string | null; missing: MissingOffer[] }>`
    WITH looked_at AS (
      SELECT id, product_id, seller_id, status FROM offer
      WHERE id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid ORDER BY id LIMIT ${WINDOW_ROWS}
    )
    SELECT (SELECT id FROM looked_at ORDER BY id DESC LIMIT 1) AS last, coalesce(
      (SELECT jsonb_agg(jsonb_build_object('id', id, 'productId', product_id) ORDER BY id) FROM looked_at
        WHERE status = 'active' AND ${IS_MISSING[kind](run)}), '[]') AS missing`.execute(db);
  return { missing: rows[0]?.missing ?? [], last: rows[0]?.last ?? undefined };
}

export type UnitPlace = { readonly offerId: string; readonly kind: string; readonly id: number };

/** Unsold keys that the import of keys leaves out, of the offers that it names. Index: stock_key_available_ix. */
export async function listMissingUnits(
  db: Kysely<Schema>,
  run: number,
  after: UnitPlace | undefined,
): Promise<Window<MissingUnit, UnitPlace>> {
  const place = after ?? { offerId: '00000000-0000-0000-0000-000000000000', kind: '', id: 0 };
  const { rows } = await sql<{ last: UnitPlace | null; missing: MissingUnit[] }>`
    WITH looked_at AS (
      SELECT id, offer_id, kind, code_mac FROM stock_key
      WHERE state = 'available' AND (offer_id, kind, id) > (${place.offerId}::uuid, ${place.kind}, ${place.id}::bigint)
      ORDER BY offer_id, kind, id LIMIT ${WINDOW_ROWS}
    )
    SELECT (SELECT jsonb_build_object('offerId', offer_id, 'kind', kind, 'id', id) FROM looked_at
        ORDER BY offer_id DESC, kind DESC, id DESC LIMIT 1) AS last, coalesce(
      (SELECT jsonb_agg(jsonb_build_object('id', id, 'offerId', offer_id) ORDER BY offer_id, id) FROM looked_at
        WHERE ${seen(run, 'offer', sql`uuid_send(offer_id)`)} AND NOT ${seen(run, 'code', sql`code_mac`)}),
      '[]') AS missing`.execute(db);
  return { missing: rows[0]?.missing ?? [], last: rows[0]?.last ?? undefined };
}

/** Pauses those of the offers that are still active, and returns them; they are locked by the caller. */
export async function pauseOffers(tx: Transaction<Schema>, ids: readonly string[]): Promise<MissingOffer[]> {
  const { rows } = await sql<MissingOffer>`
    UPDATE offer SET status = 'paused' WHERE id = ANY (${[...ids]}::uuid[]) AND status = 'active'
    RETURNING id, product_id AS "productId"`.execute(tx);
  return rows;
}
