import type { OperationName } from '@keyport/contract/operations';
import { isProductId } from '@keyport/core/ids';
import { plainArray } from '../db/engines/prepared.ts';
import { allOf, type List, numberKey, type Search, textKey, uuidKey } from '../db/keyset.sql.ts';
import { allRows, allValues } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { findByWords, matchesUuid, matchesWords, searchWords } from '../db/search.sql.ts';
import { type Sql, sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';
import type { OperationRequest } from '../operations/operation.ts';
import type { SealedKey } from '../stock/product-keys.sql.ts';
import { isRunningLow, LAST_SOLD } from '../sums/scarce-offers.sql.ts';
import {
  type CountedOffer,
  type OfferRow,
  PRODUCT_WORDS,
  type ProductRow,
  SELLER_WORDS,
  type SellerRow,
  UNIT_COUNTS,
} from './catalogue.sql.ts';

type Query<Name extends OperationName> = OperationRequest<Name>['query'];
type Order = { readonly by: 'id' | 'name' | 'price'; readonly isDescending: boolean };
const byName = (column: string) => textKey(sql`sort_name(${sql.identifier(column)}) COLLATE "C"`);

function given(conditions: readonly (Sql | false)[]): Sql[] {
  return conditions.filter((condition) => condition !== false);
}

/** Indexes: seller_pkey, seller_name_ix, seller_words_ix. */
export function sellersList(query: string | undefined, { by, isDescending }: Order): List {
  return {
    from: sql`seller`,
    alias: 'seller',
    key: by === 'name' ? [byName('seller.name'), uuidKey('seller.id')] : [uuidKey('seller.id')],
    isDescending,
    search: query === undefined ? undefined : searchSellers(query),
  };
}

/** Indexes: product_pkey, product_name_ix, product_words_ix. */
export function productsList(
  { query, checkoutClass }: Query<'listCatalogueProducts'>,
  { by, isDescending }: Order,
): List {
  return {
    from: sql`product`,
    alias: 'product',
    key: by === 'name' ? [byName('product.name'), numberKey('product.id')] : [numberKey('product.id')],
    isDescending,
    filters: given([checkoutClass !== undefined && sql`checkout_class = ${checkoutClass}`]),
    search: query === undefined ? undefined : searchProducts(query),
  };
}

function searchSellers(query: string): Search {
  return searchWords(SELLER_WORDS, query, matchesUuid(sql`seller.id`, query));
}

function searchProducts(query: string): Search {
  const id = isProductId(query) ? sql`product.id = ${query}::bigint` : undefined;
  return searchWords(PRODUCT_WORDS, query, id);
}

/** Unsorted; some of them if more have these words. */
export async function findProductIds(tx: Tx, query: string, max: number): Promise<readonly string[]> {
  if (isProductId(query)) return [query];
  const found = await findByWords(tx, PRODUCT_WORDS, query, max);
  return (
    found ??
    allValues<{ id: string }>(tx)`
      SELECT id::text FROM product WHERE ${matchesWords(PRODUCT_WORDS.words, query)} LIMIT ${max}`
  );
}

type OfferFilter = Query<'listOffers'> & {
  /** Finds active offers that sold recently and have at most this many units. */
  readonly scarceUnitsMax: number | undefined;
};

/** Matches the offers that alert operators. */
function isScarce(unitsMax: number): Sql {
  return sql`(offer.id = ANY (ARRAY (SELECT offer_id FROM (${LAST_SOLD}) AS sold)) AND ${isRunningLow(unitsMax)})`;
}

/** Indexes: offer_id_ix, offer_seller_ix, offer_product_ix; product_words_ix for words. */
export function offersList(filter: OfferFilter, { by, isDescending }: Order): List {
  const { query, sellerId, productId, status, quantityMax, scarceUnitsMax } = filter;
  const few = given([
    productId !== undefined && sql`offer.product_id = ${productId}::bigint`,
    scarceUnitsMax !== undefined && isScarce(scarceUnitsMax),
  ]);
  const ofSeller = given([sellerId !== undefined && sql`offer.seller_id = ${sellerId}::uuid`]);
  const filters = given([
    ...(few.length === 0 && query !== undefined ? ofSeller : []),
    status !== undefined && sql`offer.status = ${status}`,
    quantityMax !== undefined && sql`available_text + available_image <= ${quantityMax}`,
  ]);
  const key = by === 'price' ? [numberKey('offer.price_minor'), uuidKey('offer.id')] : [uuidKey('offer.id')];
  const shared = { from: sql`offer`, alias: 'offer', key, isDescending };
  const asked = query === undefined ? undefined : searchOffers(query);
  // A product's offers and scarce offers are few. A seller's offers have an index in the list's order.
  if (few.length > 0) {
    const condition = allOf([...few, ...ofSeller, ...(asked === undefined ? [] : [asked.condition])]);
    return { ...shared, filters, search: { condition } };
  }
  if (asked === undefined) return { ...shared, scanned: ofSeller, filters };
  return { ...shared, filters, search: asked };
}

/** Finds offers by the product's name, or by the id of an offer, product or seller. */
function searchOffers(query: string): Search {
  const ids = [sql`offer.id`, sql`offer.seller_id`].flatMap((column) => matchesUuid(column, query) ?? []);
  const matches = (ofProducts: Sql) => sql`(${sql.join([ofProducts, ...ids], sql` OR `)})`;
  const products = searchProducts(query);
  return {
    condition: matches(
      sql`EXISTS (SELECT FROM product WHERE product.id = offer.product_id AND ${products.condition})`,
    ),
    async toIndexed(tx) {
      const found = await products.toIndexed?.(tx);
      // The array makes PostgreSQL look up the offers by index, regardless of the planner's estimates.
      return found && matches(sql`offer.product_id = ANY (ARRAY (SELECT id FROM product WHERE ${found}))`);
    },
  };
}

/** Index: stock_key_offer_ix. */
export function keysList(offerId: string, asked: Query<'listOfferKeys'>, { isDescending }: Order): List {
  const { query, state, kind } = asked;
  return {
    from: sql`unit`,
    alias: 'unit',
    key: [numberKey('unit.id')],
    isDescending,
    scanned: [sql`unit.offer_id = ${offerId}::uuid`],
    filters: given([
      state !== undefined && sql`unit.state = ${state}`,
      kind !== undefined && sql`unit.kind = ${kind}`,
      query !== undefined && sql`${query.trim()} IN (unit.id::text, unit.order_id::text)`,
    ]),
  };
}

/** Index: offer_log_offer_ix. */
export function offerHistoryList(offerId: string, isDescending: boolean): List {
  return {
    from: sql`offer_log`,
    alias: 'offer_log',
    key: [numberKey('offer_log.id')],
    isDescending,
    scanned: [sql`offer_log.offer_id = ${offerId}::uuid`],
  };
}

export function loadSellers(db: Db, ids: readonly string[]): Promise<SellerRow[]> {
  return allRows<SellerRow>(db)`
    SELECT id, name FROM seller WHERE id = ANY (${plainArray(ids)}::uuid[])`;
}

export type ListedProductRow = ProductRow & {
  readonly activeOffers: number;
  readonly quantity: number;
  readonly minPriceMinor: number | null;
};

/** Index: offer_product_ix. */
export function loadProducts(db: Db, ids: readonly string[]): Promise<ListedProductRow[]> {
  return allRows<ListedProductRow>(db)`
    SELECT id, name, checkout_class AS "checkoutClass", details, on_sale.*
    FROM product CROSS JOIN LATERAL (
      SELECT count(*) AS "activeOffers", coalesce(sum(available_text + available_image), 0)::bigint AS quantity,
        min(price_minor) FILTER (WHERE available_text + available_image > 0) AS "minPriceMinor"
      FROM offer WHERE product_id = product.id AND status = 'active'
    ) AS on_sale
    WHERE id = ANY (${plainArray(ids)}::bigint[])`;
}

export type ListedOfferRow = CountedOffer & { readonly productName: string; readonly sellerName: string };

export function loadOffers(db: Db, ids: readonly string[]): Promise<ListedOfferRow[]> {
  return allRows<ListedOfferRow>(db)`
    SELECT offer.id, product_id AS "productId", seller_id AS "sellerId", price_minor AS "priceMinor", status,
      ${UNIT_COUNTS} AS units, product.name AS "productName", seller.name AS "sellerName"
    FROM offer JOIN unit_count ON offer_id = offer.id JOIN product ON product.id = product_id JOIN seller ON seller.id = seller_id
    WHERE offer.id = ANY (${plainArray(ids)}::uuid[])`;
}

export type ListedKey = Omit<SealedKey, 'codeMac'> & {
  readonly state: 'available' | 'reserved' | 'sold' | 'withdrawn';
  readonly orderId: string | null;
};

export function loadKeys(db: Db, ids: readonly string[]): Promise<ListedKey[]> {
  return allRows<ListedKey>(db)`
    SELECT id, offer_id AS "offerId", kind, state, order_id::text AS "orderId", data_key_id AS "dataKeyId", nonce, ciphertext
    FROM unit WHERE id = ANY (${plainArray(ids)}::bigint[])`;
}

export type OfferVersionRow = Pick<OfferRow, 'priceMinor' | 'status'> & {
  readonly id: number;
  readonly atMicros: number;
};

export function loadOfferVersions(db: Db, ids: readonly string[]): Promise<OfferVersionRow[]> {
  return allRows<OfferVersionRow>(db)`
    SELECT id, price_minor AS "priceMinor", status, ${deriveMicros('at')} AS "atMicros"
    FROM offer_log WHERE id = ANY (${plainArray(ids)}::bigint[])`;
}
