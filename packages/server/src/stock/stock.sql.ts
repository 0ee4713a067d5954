/**
 * Text units on sale are numbered from next_unit (inclusive) to end_unit (exclusive), without a gap. Changes
 * need the offer's lock. Index: stock_key_number_uq.
 */
import { plainArray } from '../db/engines/prepared.ts';
import { allRows, allValues, execute } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';

export type LockedOffer = {
  readonly id: string;
  readonly productId: number;
  readonly sellerId: string;
  readonly priceMinor: number;
  readonly status: 'active' | 'paused';
  readonly available: { readonly text: number; readonly image: number };
  readonly isPausedByImport: boolean;
};

export async function lockOffers(tx: Tx, ids: readonly string[]): Promise<Map<string, LockedOffer>> {
  const rows = await allRows<LockedOffer>(tx)`
    SELECT id, product_id AS "productId", seller_id AS "sellerId", price_minor AS "priceMinor", status,
      json_build_object('text', available_text, 'image', available_image) AS available,
      paused_by_import IS NOT NULL AS "isPausedByImport"
    FROM offer
    WHERE id = ANY (${plainArray([...new Set(ids)])}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  return new Map(rows.map((offer) => [offer.id, offer]));
}

export type OfferUnits = { readonly offerId: string; readonly units: number };

/** Numbers the units after those on sale. The offers must be locked. */
export function putOnSale(tx: Tx, unitIds: readonly number[]): Promise<OfferUnits[]> {
  return allRows<OfferUnits>(tx)`
    WITH returned AS (
      SELECT stock_key.id, offer_id, kind, is_withdrawn,
        CASE WHEN kind = 'text'
          THEN end_unit - 1 + row_number() OVER (PARTITION BY offer_id, kind ORDER BY stock_key.id) END AS number
      FROM stock_key JOIN offer ON offer.id = offer_id
      WHERE stock_key.id = ANY (${plainArray(unitIds)}::bigint[])
    ), moved AS (
      UPDATE stock_key SET number = returned.number, is_withdrawn = false, withdrawn_by_import = NULL, refunded_at = NULL
      FROM returned WHERE stock_key.id = returned.id
      RETURNING stock_key.offer_id, stock_key.kind, returned.is_withdrawn
    ), counts AS (
      SELECT offer_id, count(*) AS units, count(*) FILTER (WHERE kind = 'text') AS text,
        count(*) FILTER (WHERE kind = 'image') AS image, count(*) FILTER (WHERE is_withdrawn) AS withdrawn
      FROM moved GROUP BY offer_id
    ), counted AS (
      UPDATE offer SET end_unit = end_unit + counts.text, available_image = available_image + counts.image,
        withdrawn_units = withdrawn_units - counts.withdrawn
      FROM counts WHERE offer.id = counts.offer_id
    )
    SELECT offer_id AS "offerId", units FROM counts ORDER BY offer_id`;
}

/** The offers must be locked. `importRun`: the import that withdraws the units. */
export async function takeOffSale(
  tx: Tx,
  unitIds: readonly number[],
  importRun: number | undefined,
): Promise<OfferUnits[]> {
  const rows = await allRows<{ offerId: string; number: number | null }>(tx)`
    WITH gone AS (
      SELECT stock_key.id, number FROM stock_key JOIN offer ON offer.id = offer_id
      WHERE stock_key.id = ANY (${plainArray(unitIds)}::bigint[]) AND NOT is_withdrawn
        AND (kind = 'image' OR number >= next_unit)
    )
    UPDATE stock_key SET is_withdrawn = true, number = NULL, withdrawn_by_import = ${importRun ?? null}::bigint
    FROM gone WHERE stock_key.id = gone.id
    RETURNING offer_id AS "offerId", gone.number`;
  const gaps = rows.flatMap(({ offerId, number }) => (number === null ? [] : [{ offerId, number }]));
  await closeGaps(tx, gaps);
  if (rows.length === 0) return [];
  const gone = Array.from(
    Map.groupBy(rows, ({ offerId }) => offerId),
    ([offerId, units]) => ({
      offerId,
      units: units.length,
      images: units.filter(({ number }) => number === null).length,
    }),
  );
  await execute(tx)`
    UPDATE offer SET available_image = available_image - gone.images, withdrawn_units = withdrawn_units + gone.units
    FROM unnest(${plainArray(gone.map(({ offerId }) => offerId))}::uuid[],
      ${plainArray(gone.map(({ units }) => units))}::integer[], ${plainArray(gone.map(({ images }) => images))}::integer[])
      AS gone (offer_id, units, images)
    WHERE offer.id = gone.offer_id`;
  return gone.map(({ offerId, units }) => ({ offerId, units }));
}

/** For units of orders. The offers must be locked. */
export async function withdrawSold(
  tx: Tx,
  unitIds: readonly number[],
  { isRefund }: { readonly isRefund: boolean },
): Promise<void> {
  await execute(tx)`
    WITH gone AS (
      UPDATE stock_key SET is_withdrawn = true, number = NULL,
        refunded_at = CASE WHEN ${isRefund} THEN statement_timestamp() ELSE refunded_at END
      WHERE id = ANY (${plainArray(unitIds)}::bigint[])
      RETURNING offer_id
    )
    UPDATE offer SET withdrawn_units = withdrawn_units + counts.units
    FROM (SELECT offer_id, count(*)::integer AS units FROM gone GROUP BY offer_id) AS counts
    WHERE offer.id = counts.offer_id`;
}

/** Moves the last units on sale to these unused numbers. */
export async function closeGaps(
  tx: Tx,
  gaps: readonly { readonly offerId: string; readonly number: number }[],
): Promise<void> {
  if (gaps.length === 0) return;
  await execute(tx)`
    WITH gap AS (
      SELECT * FROM unnest(${plainArray(gaps.map(({ offerId }) => offerId))}::uuid[],
        ${plainArray(gaps.map(({ number }) => number))}::integer[]) AS gap (offer_id, number)
    ), shrunk AS (
      SELECT offer.id, end_unit, end_unit - gaps AS new_end
      FROM (SELECT offer_id, count(*)::integer AS gaps FROM gap GROUP BY offer_id) AS counts
      JOIN offer ON offer.id = counts.offer_id
    ), hole AS (
      SELECT gap.offer_id, gap.number, row_number() OVER (PARTITION BY gap.offer_id ORDER BY gap.number) AS place
      FROM gap JOIN shrunk ON shrunk.id = gap.offer_id WHERE gap.number < new_end
    ), last AS (
      SELECT stock_key.id, shrunk.id AS offer_id,
        row_number() OVER (PARTITION BY shrunk.id ORDER BY stock_key.number) AS place
      FROM shrunk JOIN stock_key ON stock_key.offer_id = shrunk.id AND stock_key.number >= new_end
    ), moved AS (
      UPDATE stock_key SET number = hole.number
      FROM hole JOIN last USING (offer_id, place) WHERE stock_key.id = last.id
    )
    UPDATE offer SET end_unit = new_end FROM shrunk WHERE offer.id = shrunk.id`;
}

/** Units stay withdrawn even if the import that withdrew them is undone. The offers must be locked. */
export async function keepWithdrawn(
  tx: Tx,
  lockedOfferIds: readonly string[],
  unitIds: readonly number[],
): Promise<void> {
  if (unitIds.length === 0) return;
  await execute(tx)`
    UPDATE stock_key SET withdrawn_by_import = NULL
    WHERE id = ANY (${[...unitIds]}::bigint[]) AND offer_id = ANY (${[...lockedOfferIds]}::uuid[])
      AND withdrawn_by_import IS NOT NULL`;
}

export type HeldCode = {
  readonly unitId: number;
  readonly offerId: string;
  readonly state: 'available' | 'reserved' | 'sold' | 'withdrawn';
  readonly orderId: string | null;
};

/** In the order of the hashes; undefined for an unknown code. Index: stock_key_code_mac_uq. */
export async function listHeldCodes(tx: Tx, codeMacs: readonly Buffer[]): Promise<(HeldCode | undefined)[]> {
  const rows = await allRows<{ [Name in keyof HeldCode]: HeldCode[Name] | null }>(tx)`
    SELECT unit.id AS "unitId", unit.offer_id AS "offerId", unit.state, unit.order_id::text AS "orderId"
    FROM unnest(${[...codeMacs]}::bytea[]) WITH ORDINALITY AS wanted (code_mac, place)
    LEFT JOIN unit ON unit.code_mac = wanted.code_mac
    ORDER BY wanted.place`;
  return rows.map(({ unitId, offerId, state, orderId }) =>
    unitId === null || offerId === null || state === null ? undefined : { unitId, offerId, state, orderId },
  );
}

/** Units on sale. The offers must be distinct and locked. Indexes: stock_key_number_uq, stock_key_image_ix. */
export function listYoungestUnits(
  tx: Tx,
  wanted: readonly {
    readonly offerId: string;
    readonly quantity: number;
    /** Undefined: both. */
    readonly kind: 'text' | 'image' | undefined;
  }[],
): Promise<number[]> {
  return allValues<{ id: number }>(tx)`
    SELECT unit.id FROM unnest(
      ${wanted.map(({ offerId }) => offerId)}::uuid[],
      ${wanted.map(({ quantity }) => quantity)}::integer[],
      ${wanted.map(({ kind }) => kind ?? null)}::text[]
    ) AS wanted (offer_id, quantity, kind)
    JOIN offer ON offer.id = wanted.offer_id
    CROSS JOIN LATERAL (
      (SELECT id FROM stock_key
        WHERE offer_id = offer.id AND number >= offer.next_unit AND wanted.kind IS DISTINCT FROM 'image'
        ORDER BY number DESC LIMIT wanted.quantity)
      UNION ALL
      (SELECT id FROM stock_key
        WHERE offer_id = offer.id AND kind = 'image' AND NOT is_withdrawn AND wanted.kind IS DISTINCT FROM 'text'
        ORDER BY id DESC LIMIT wanted.quantity)
      ORDER BY id DESC LIMIT wanted.quantity
    ) AS unit`;
}
