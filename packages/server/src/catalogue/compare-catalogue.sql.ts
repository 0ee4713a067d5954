/** What the comparison of the catalogue with the database reads. */
import { prepareStatement, type Session } from '../db/prepared.ts';
import { PRODUCT_COLUMNS, type ProductRow } from './feed.sql.ts';

// Index: product_stamp_pkey.
const LIST_BY_ID = prepareStatement<ProductRow>(
  'list_products_by_id',
  `SELECT ${PRODUCT_COLUMNS}
    FROM stamped_product AS stamped JOIN product ON product.id = stamped.product_id
    WHERE stamped.product_id = ANY ($1::bigint[])`,
);

// Index: product_stamp_pkey.
const LIST_IDS = prepareStatement<{ readonly id: number }>(
  'list_stamped_ids',
  `SELECT product_id AS id FROM product_stamp WHERE product_id > $1::bigint ORDER BY product_id LIMIT $2::bigint`,
);

/** Those of the products that were ever on offer, in any order. */
export function listProductsById(session: Session, ids: readonly number[]): Promise<ProductRow[]> {
  return LIST_BY_ID.send(session, [ids]);
}

/** Products that were ever on offer, by id. */
export async function listStampedIds(
  session: Session,
  range: { readonly afterId: number; readonly limit: number },
): Promise<number[]> {
  const rows = await LIST_IDS.send(session, [range.afterId, range.limit]);
  return rows.map(({ id }) => id);
}
