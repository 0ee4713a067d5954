/** Pages of the catalogue's tables, each a range of their keys: every page takes the same time, however far behind. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { OfferRow, ProductRow, SellerRow } from './catalogue.sql.ts';

/** The rows behind the key `after`, at most `count`; `after` undefined: from the beginning. */
type Range<Key> = { readonly after: Key | undefined; readonly count: number };

/** No condition for a filter that is not given, so that an index on its column can be used for one that is. */
function filters(conditions: Readonly<Record<string, RawBuilder<unknown> | undefined>>): RawBuilder<unknown> {
  const given = Object.entries(conditions).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`AND ${sql.ref(column)} = ${value}`],
  );
  return sql.join(given, sql` `);
}

/** No condition for the first page: it begins with the smallest key, whatever that is. */
function isBehind(after: string | undefined): RawBuilder<unknown> {
  return after === undefined ? sql`true` : sql`id > ${after}::uuid`;
}

export async function listSellers(db: Db, { after, count }: Range<string>): Promise<SellerRow[]> {
  const { rows } = await sql<SellerRow>`
    SELECT id, name FROM seller WHERE ${isBehind(after)} ORDER BY id LIMIT ${count}`.execute(db);
  return rows;
}

export async function listProducts(
  db: Db,
  { after = 0, count }: Range<number>,
  { checkoutClass }: { readonly checkoutClass: string | undefined },
): Promise<ProductRow[]> {
  const wanted = filters({
    checkout_class: checkoutClass === undefined ? undefined : sql`${checkoutClass}::text`,
  });
  const { rows } = await sql<ProductRow>`
    SELECT id, name, checkout_class AS "checkoutClass", details FROM product
    WHERE id > ${after}::bigint ${wanted} ORDER BY id LIMIT ${count}`.execute(db);
  return rows;
}

/** Indexes: offer_seller_ix, offer_product_ix, offer_pkey. */
export async function listOffers(
  db: Db,
  { after, count }: Range<string>,
  filter: {
    readonly sellerId: string | undefined;
    readonly productId: number | undefined;
    readonly status: string | undefined;
  },
): Promise<(OfferRow & { readonly quantity: number })[]> {
  const { sellerId, productId, status } = filter;
  const wanted = filters({
    seller_id: sellerId === undefined ? undefined : sql`${sellerId}::uuid`,
    product_id: productId === undefined ? undefined : sql`${productId}::bigint`,
    status: status === undefined ? undefined : sql`${status}::text`,
  });
  const { rows } = await sql<OfferRow & { quantity: number }>`
    SELECT id, product_id AS "productId", seller_id AS "sellerId", price_minor AS "priceMinor", status,
      available_text + available_image AS quantity
    FROM offer WHERE ${isBehind(after)} ${wanted} ORDER BY id LIMIT ${count}`.execute(db);
  return rows;
}

export type ListedKey = {
  readonly id: number;
  readonly offerId: string;
  readonly kind: 'text' | 'image';
  readonly state: 'available' | 'reserved' | 'sold' | 'withdrawn';
  readonly orderId: string | null;
  readonly dataKeyId: number;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
};

/** Index: stock_key_offer_ix. */
export async function listKeys(
  db: Db,
  offerId: string,
  { after = 0, count }: Range<number>,
  { state, kind }: { readonly state: string | undefined; readonly kind: string | undefined },
): Promise<ListedKey[]> {
  const wanted = filters({
    'unit.state': state === undefined ? undefined : sql`${state}::text`,
    'unit.kind': kind === undefined ? undefined : sql`${kind}::text`,
  });
  const { rows } = await sql<ListedKey>`
    SELECT id, offer_id AS "offerId", kind, state, order_id::text AS "orderId", data_key_id AS "dataKeyId", nonce, ciphertext
    FROM unit
    WHERE offer_id = ${offerId}::uuid AND id > ${after}::bigint ${wanted}
    ORDER BY id LIMIT ${count}`.execute(db);
  return rows;
}
