/**
 * Takes unsold keys of one or many offers out of stock. The offers are locked first (catalogue.sql.ts): available units
 * of a locked offer need no lock of their own (placement.sql.ts). The caller stamps the products last.
 */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';

type Tx = Transaction<Schema>;

/**
 * The ids of this many available units of each offer, those added last first; fewer when there are fewer. Offers are
 * distinct. Index: stock_key_available_ix.
 */
export async function listYoungestUnits(
  tx: Tx,
  wanted: readonly {
    readonly offerId: string;
    readonly quantity: number;
    /** Undefined: of both kinds. */
    readonly kind: 'text' | 'image' | undefined;
  }[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT unit.id FROM unnest(
      ${wanted.map(({ offerId }) => offerId)}::uuid[],
      ${wanted.map(({ quantity }) => quantity)}::integer[],
      ${wanted.map(({ kind }) => kind ?? null)}::text[]
    ) AS wanted (offer_id, quantity, kind)
    CROSS JOIN LATERAL (
      SELECT id FROM stock_key
      WHERE offer_id = wanted.offer_id AND state = 'available' AND (wanted.kind IS NULL OR kind = wanted.kind)
      ORDER BY id DESC
      LIMIT wanted.quantity
    ) AS unit`.execute(tx);
  return rows.map(({ id }) => id);
}

export type HeldCode = {
  readonly unitId: number;
  readonly offerId: string;
  readonly state: 'available' | 'reserved' | 'sold' | 'withdrawn';
  /** The order that has the unit; null when none has. */
  readonly orderId: string | null;
};

/** What the service holds under each hash of a code, in their order; undefined: nothing. Index: stock_key_code_mac_uq. */
export async function listHeldCodes(tx: Tx, codeMacs: readonly Buffer[]): Promise<(HeldCode | undefined)[]> {
  const { rows } = await sql<{ [Name in keyof HeldCode]: HeldCode[Name] | null }>`
    SELECT stock_key.id AS "unitId", stock_key.offer_id AS "offerId", stock_key.state,
      order_item.order_id::text AS "orderId"
    FROM unnest(${[...codeMacs]}::bytea[]) WITH ORDINALITY AS wanted (code_mac, place)
    LEFT JOIN stock_key ON stock_key.code_mac = wanted.code_mac
    LEFT JOIN order_item ON order_item.id = stock_key.order_item_id
    ORDER BY wanted.place`.execute(tx);
  return rows.map(({ unitId, offerId, state, orderId }) =>
    unitId === null || offerId === null || state === null ? undefined : { unitId, offerId, state, orderId },
  );
}

export type OfferUnits = { readonly offerId: string; readonly units: number };

/**
 * Withdraws those of the units that are available units of the locked offers, and counts them out of their offers (I25).
 * `importRun`: what withdraws them, for returnUnits. Returns how many of each offer.
 */
export async function withdrawUnits(
  tx: Tx,
  lockedOfferIds: readonly string[],
  unitIds: readonly number[],
  importRun?: number,
): Promise<OfferUnits[]> {
  const { rows } = await sql<OfferUnits>`
    WITH gone AS (
      UPDATE stock_key SET state = 'withdrawn', withdrawn_by_import = ${importRun ?? null}::bigint
      WHERE id = ANY (${[...unitIds]}::bigint[]) AND offer_id = ANY (${[...lockedOfferIds]}::uuid[])
        AND state = 'available'
      RETURNING offer_id, kind
    ), counts AS (
      SELECT offer_id, count(*) AS units, count(*) FILTER (WHERE kind = 'text') AS text,
        count(*) FILTER (WHERE kind = 'image') AS image
      FROM gone GROUP BY offer_id
    ), counted AS (
      UPDATE offer SET available_text = available_text - counts.text,
        available_image = available_image - counts.image
      FROM counts WHERE offer.id = counts.offer_id
    )
    SELECT offer_id AS "offerId", units FROM counts ORDER BY offer_id`.execute(tx);
  return rows;
}

/** Units of the locked offers that an import withdrew stay withdrawn, whatever becomes of the import. */
export async function keepWithdrawn(
  tx: Tx,
  lockedOfferIds: readonly string[],
  unitIds: readonly number[],
): Promise<void> {
  if (unitIds.length === 0) return;
  await sql`
    UPDATE stock_key SET withdrawn_by_import = NULL
    WHERE id = ANY (${[...unitIds]}::bigint[]) AND offer_id = ANY (${[...lockedOfferIds]}::uuid[])
      AND withdrawn_by_import IS NOT NULL`.execute(tx);
}
