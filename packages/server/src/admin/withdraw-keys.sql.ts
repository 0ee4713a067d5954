/**
 * Takes unsold keys out of stock. The offer is locked first: available units of a locked offer need no lock of their
 * own (placement.sql.ts). The caller stamps the product last.
 */
import { must } from '@keyport/core/assert';
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';

type Tx = Transaction<Schema>;

export type LockedOffer = {
  readonly id: string;
  readonly productId: number;
  readonly available: { readonly text: number; readonly image: number };
};

export async function lockOffer(tx: Tx, offerId: string): Promise<LockedOffer | undefined> {
  const row = await tx
    .selectFrom('offer')
    .select(['id', 'product_id', 'available_text', 'available_image'])
    .where('id', '=', offerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const available = { text: row.available_text, image: row.available_image };
  return { id: row.id, productId: row.product_id, available };
}

/** The ids of so many available units, those added last first. Index: stock_key_available_ix. */
export async function listYoungestUnits(
  tx: Tx,
  offerId: string,
  wanted: { readonly quantity: number; readonly kinds: readonly ('text' | 'image')[] },
): Promise<number[]> {
  const rows = await tx
    .selectFrom('stock_key')
    .select('id')
    .where('offer_id', '=', offerId)
    .where('state', '=', 'available')
    .where('kind', 'in', wanted.kinds)
    .orderBy('id', 'desc')
    .limit(wanted.quantity)
    .execute();
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

/** Withdraws the available units with these ids and counts them out of their locked offer (I25); returns how many. */
export async function withdrawUnits(tx: Tx, offerId: string, unitIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    WITH gone AS (
      UPDATE stock_key SET state = 'withdrawn'
      WHERE id = ANY (${[...unitIds]}::bigint[]) AND offer_id = ${offerId}::uuid AND state = 'available'
      RETURNING kind
    ), counted AS (
      UPDATE offer SET
        available_text = available_text - (SELECT count(*) FROM gone WHERE kind = 'text'),
        available_image = available_image - (SELECT count(*) FROM gone WHERE kind = 'image')
      WHERE id = ${offerId}::uuid
    )
    SELECT count(*)::integer AS units FROM gone`.execute(tx);
  return must(rows[0], 'a count gives one row').units;
}
