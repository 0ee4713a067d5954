import { allRows, allValues } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';

/** On sale. The offers must be distinct and locked. Indexes: stock_key_number_uq, stock_key_image_ix. */
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
