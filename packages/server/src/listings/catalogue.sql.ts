/**
 * Ids of the given rows must be distinct and in lower case. Rows are locked in the order of their ids; then
 * the caller locks the catalogue clock. Nothing is ever deleted.
 */
import type { CatalogueProduct } from '@keyport/contract/catalogue/listings';
import type { CheckoutClass } from '@keyport/core/orders/checkout-class';
import { plainArray } from '../db/engines/prepared.ts';
import { allRows, execute, firstRow } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import type { WordIndex } from '../db/search.sql.ts';
import { sql } from '../db/sql.ts';
import type { LockedOffer } from '../stock/stock.sql.ts';

export const SELLER_WORDS: WordIndex = {
  table: 'seller',
  statistics: 'seller_words_ix',
  words: sql`search_words(seller.name)`,
};
export const PRODUCT_WORDS: WordIndex = {
  table: 'product',
  statistics: 'product',
  words: sql`product.words`,
};

export type SellerRow = { readonly id: string; readonly name: string };
export type ProductDetails = Omit<CatalogueProduct, 'id' | 'name' | 'checkoutClass'>;

export type ProductRow = {
  readonly id: number;
  readonly name: string;
  readonly checkoutClass: CheckoutClass;
  /** Has every member; a member is null if the product lacks it. */
  readonly details: ProductDetails;
};

export type OfferRow = Omit<LockedOffer, 'available' | 'isPausedByImport'>;

/** A row that was inserted or changed. */
export type Saved<Id> = { readonly id: Id; readonly isNew: boolean };

// xmax = 0 means inserted: this transaction locked only rows that ON CONFLICT updated.

export function saveSellers(tx: Tx, sellers: readonly SellerRow[]): Promise<Saved<string>[]> {
  return allRows<Saved<string>>(tx)`
    INSERT INTO seller (id, name)
    SELECT id, name FROM unnest(
      ${sellers.map(({ id }) => id)}::uuid[],
      ${sellers.map(({ name }) => name)}::text[]
    ) AS input (id, name)
    ORDER BY id
    ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE seller.name <> excluded.name
    RETURNING id, xmax = 0 AS "isNew"`;
}

export async function saveProducts(tx: Tx, products: readonly ProductRow[]): Promise<Saved<number>[]> {
  const ids = products.map(({ id }) => id);
  // Locks by id first, because the INSERT follows the order of `products`, which becomes the insertion order.
  await execute(tx)`
    SELECT FROM product WHERE id = ANY (${plainArray(ids)}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`;
  return allRows<Saved<number>>(tx)`
    INSERT INTO product (id, name, checkout_class, details)
    SELECT id, name, checkout_class, details FROM ${productInput(products)}
    ORDER BY place
    ON CONFLICT (id) DO UPDATE SET
      name = excluded.name,
      checkout_class = excluded.checkout_class,
      details = excluded.details,
      details_version = product.details_version + 1
    WHERE (product.name, product.checkout_class, product.details)
      <> (excluded.name, excluded.checkout_class, excluded.details)
    RETURNING id, xmax = 0 AS "isNew"`;
}

/** Returns what saveProducts would return. */
export function previewProducts(tx: Tx, products: readonly ProductRow[]): Promise<Saved<number>[]> {
  return allRows<Saved<number>>(tx)`
    SELECT input.id, product.id IS NULL AS "isNew"
    FROM ${productInput(products)} LEFT JOIN product ON product.id = input.id
    WHERE product.id IS NULL OR (product.name, product.checkout_class, product.details)
      <> (input.name, input.checkout_class, input.details)`;
}

function productInput(products: readonly ProductRow[]) {
  // Sent as one document, because in an array each product would be quoted again.
  const rows = products.map(({ id, name, checkoutClass, details }) => [id, name, checkoutClass, details]);
  return sql`(
      SELECT (row ->> 0)::bigint AS id, row ->> 1 AS name, row ->> 2 AS checkout_class, row -> 3 AS details, place
      FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS line (row, place)
    ) AS input`;
}

export type OfferTerms = Pick<OfferRow, 'priceMinor' | 'status'>;

type SavedOffer = Saved<string> & { readonly before: OfferTerms | null };

/** Products and sellers must exist. An offer never moves to a different product or seller. */
export async function saveOffers(tx: Tx, offers: readonly OfferRow[]): Promise<SavedOffer[]> {
  const input = offerInput(offers);
  const inserted = await allRows<Saved<string> & { before: null }>(tx)`
    INSERT INTO offer (id, product_id, seller_id, price_minor, status) SELECT * FROM ${input} ORDER BY id
    ON CONFLICT (id) DO NOTHING
    RETURNING id, true AS "isNew", NULL AS before`;
  if (inserted.length === offers.length) return inserted;
  const changed = await allRows<Saved<string> & { before: OfferTerms }>(tx)`
    WITH wanted AS MATERIALIZED (
      SELECT offer.id, input.price_minor, input.status, ${OFFER_TERMS} AS before FROM ${input}
      JOIN offer USING (id, product_id, seller_id)
      WHERE ${IS_OFFER_CHANGED}
      ORDER BY offer.id FOR NO KEY UPDATE OF offer
    )
    UPDATE offer SET price_minor = wanted.price_minor, status = wanted.status, paused_by_import = NULL
    FROM wanted WHERE offer.id = wanted.id
    RETURNING offer.id, false AS "isNew", wanted.before`;
  return [...inserted, ...changed];
}

/** Returns what saveOffers would return. Inserting offers only to roll back would slow dry runs down. */
export function previewOffers(tx: Tx, offers: readonly OfferRow[]): Promise<SavedOffer[]> {
  return allRows<SavedOffer>(tx)`
    SELECT input.id, offer.id IS NULL AS "isNew", CASE WHEN offer.id IS NOT NULL THEN ${OFFER_TERMS} END AS before
    FROM ${offerInput(offers)} LEFT JOIN offer ON offer.id = input.id
    WHERE offer.id IS NULL
      OR ((offer.product_id, offer.seller_id) = (input.product_id, input.seller_id) AND ${IS_OFFER_CHANGED})`;
}

function offerInput(offers: readonly OfferRow[]) {
  return sql`unnest(
      ${plainArray(offers.map(({ id }) => id))}::uuid[],
      ${plainArray(offers.map(({ productId }) => productId))}::bigint[],
      ${plainArray(offers.map(({ sellerId }) => sellerId))}::uuid[],
      ${plainArray(offers.map(({ priceMinor }) => priceMinor))}::bigint[],
      ${plainArray(offers.map(({ status }) => status))}::text[]
    ) AS input (id, product_id, seller_id, price_minor, status)`;
}

const OFFER_TERMS = sql`json_build_object('priceMinor', offer.price_minor, 'status', offer.status)`;
const IS_OFFER_CHANGED = sql`((offer.price_minor, offer.status) <> (input.price_minor, input.status)
  OR offer.paused_by_import IS NOT NULL)`;

export async function existingProducts(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await allRows<{ id: number }>(db)`
    SELECT id FROM product WHERE id = ANY (${plainArray(ids)}::bigint[])`;
  return new Set(rows.map(({ id }) => id));
}

export async function existingSellers(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await allRows<{ id: string }>(db)`
    SELECT id FROM seller WHERE id = ANY (${plainArray(ids)}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

type OfferOwner = Pick<OfferRow, 'id' | 'productId' | 'sellerId'>;

export function listOfferOwners(db: Db, ids: readonly string[]): Promise<OfferOwner[]> {
  return allRows<OfferOwner>(db)`
    SELECT id, product_id AS "productId", seller_id AS "sellerId" FROM offer
    WHERE id = ANY (${plainArray(ids)}::uuid[])`;
}

/** Index: offer_product_ix. */
export async function listOffersOf(
  db: Db,
  pairs: readonly { readonly productId: number | undefined; readonly sellerId: string | undefined }[],
): Promise<OfferOwner[]> {
  if (pairs.length === 0) return [];
  return allRows<OfferOwner>(db)`
    SELECT DISTINCT offer.id, offer.product_id AS "productId", offer.seller_id AS "sellerId"
    FROM unnest(
      ${plainArray(pairs.map(({ productId }) => productId ?? null))}::bigint[],
      ${plainArray(pairs.map(({ sellerId }) => sellerId ?? null))}::uuid[]
    ) AS pair (product_id, seller_id)
    JOIN offer ON offer.product_id = pair.product_id AND offer.seller_id = pair.seller_id`;
}

/** The offers must be locked. Returns how many were updated. */
export function updateOffers(
  tx: Tx,
  offers: readonly Pick<OfferRow, 'id' | 'priceMinor' | 'status'>[],
): Promise<number> {
  return execute(tx)`
    UPDATE offer SET price_minor = input.price_minor, status = input.status, paused_by_import = NULL
    FROM unnest(
      ${plainArray(offers.map(({ id }) => id))}::uuid[],
      ${plainArray(offers.map(({ priceMinor }) => priceMinor))}::bigint[],
      ${plainArray(offers.map(({ status }) => status))}::text[]
    ) AS input (id, price_minor, status)
    WHERE offer.id = input.id`;
}

export function findSeller(db: Db, id: string): Promise<SellerRow | undefined> {
  return firstRow<SellerRow>(db)`SELECT id, name FROM seller WHERE id = ${id}`;
}

export function findProduct(db: Db, id: number): Promise<ProductRow | undefined> {
  return firstRow<ProductRow>(db)`
    SELECT id, name, checkout_class AS "checkoutClass", details FROM product WHERE id = ${id}`;
}

export type UnitCounts = {
  readonly available: number;
  readonly reserved: number;
  readonly sold: number;
  readonly withdrawn: number;
};

export type CountedOffer = OfferRow & { readonly units: UnitCounts };

/** From unit_count. Index: order_offer_ix. */
export const UNIT_COUNTS = sql<UnitCounts>`
  json_build_object('available', available, 'reserved', reserved, 'sold', sold, 'withdrawn', withdrawn)`;

export function findOffer(db: Db, id: string): Promise<CountedOffer | undefined> {
  return firstRow<CountedOffer>(db)`
    SELECT id, product_id AS "productId", seller_id AS "sellerId", price_minor AS "priceMinor", status,
      ${UNIT_COUNTS} AS units
    FROM offer JOIN unit_count ON offer_id = id WHERE id = ${id}`;
}

export async function countUnits(db: Db, offerIds: readonly string[]): Promise<Map<string, UnitCounts>> {
  const rows = await allRows<{ offerId: string; units: UnitCounts }>(db)`
    SELECT offer_id AS "offerId", ${UNIT_COUNTS} AS units FROM unit_count
    WHERE offer_id = ANY (${plainArray(offerIds)}::uuid[])`;
  return new Map(rows.map(({ offerId, units }) => [offerId, units]));
}
