/** What the feed reads: products with the offers that can be bought, in stamp order or in insertion order. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { microsOf, timestampOf } from '../db/moments.ts';
import type { Schema } from '../db/schema.ts';
import { type CatalogueProduct, compareOffers } from './catalogue.ts';

type Row = {
  id: string;
  position: number;
  name: string;
  details_version: number;
  stamp: number;
  /** [id, price in cents, units] */
  offers: [string, number, number][] | null;
};

/** Products stamped after `cursorMicros`, oldest stamp first. Index: product_stamp_uq. */
export function listChangedProducts(
  db: Kysely<Schema>,
  range: { readonly cursorMicros: number; readonly limit: number },
): Promise<CatalogueProduct[]> {
  return listProducts(
    db,
    sql`WHERE product_stamp.stamp > ${timestampOf(range.cursorMicros)} ORDER BY product_stamp.stamp LIMIT ${range.limit}`,
  );
}

/** Products after a position, in insertion order. Index: product_position_uq. */
export function listProductsInOrder(
  db: Kysely<Schema>,
  range: { readonly afterPosition: number; readonly limit: number },
): Promise<CatalogueProduct[]> {
  return listProducts(
    db,
    sql`WHERE product.position > ${range.afterPosition} ORDER BY product.position LIMIT ${range.limit}`,
  );
}

async function listProducts(db: Kysely<Schema>, range: RawBuilder<unknown>): Promise<CatalogueProduct[]> {
  const { rows } = await sql<Row>`
    SELECT product.id::text, product.position, product.name, product.details_version,
      ${microsOf('product_stamp.stamp')} AS stamp, listed.offers
    FROM product_stamp JOIN product ON product.id = product_stamp.product_id
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_array(offer.id, offer.price_minor, offer.available_text + offer.available_image)) AS offers
      FROM offer
      WHERE offer.product_id = product.id AND offer.status = 'active'
        AND offer.available_text + offer.available_image > 0
    ) AS listed
    ${range}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    position: row.position,
    name: row.name,
    detailsVersion: row.details_version,
    stampMicros: row.stamp,
    offers: (row.offers ?? [])
      .map(([id, priceMinor, quantity]) => ({ id, priceMinor, quantity }))
      .sort(compareOffers),
  }));
}

/** The newest stamp that is visible, microseconds since the epoch; 0 for an empty catalogue. */
export async function loadNewestStamp(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ stamp: number | null }>`
    SELECT ${microsOf('max(stamp)')} AS stamp FROM product_stamp`.execute(db);
  return rows[0]?.stamp ?? 0;
}

/** The channel on which nodes tell each other that there are new stamps; a hint only. */
export const CATALOGUE_CHANNEL = 'keyport_catalogue';

/** `node` is who tells, so that it need not listen to itself. */
export async function notifyCatalogue(db: Kysely<Schema>, node: string): Promise<void> {
  await sql`SELECT pg_notify(${CATALOGUE_CHANNEL}, ${node})`.execute(db);
}
