import { prepareStatement, type Session } from '../db/engines/prepared.ts';
import { FOLDED_THROUGH } from './catalogue-clock.sql.ts';
import { PRODUCT_COLUMNS, type ProductRow } from './feed.sql.ts';

// Index: product_stamp_pkey. Reads only the part of the log not yet folded into the stamps.
const LIST_BY_ID = prepareStatement<ProductRow>(
  'list_products_by_id',
  `WITH recent AS MATERIALIZED (
      SELECT product_id, max(log.stamp - (cardinality(product_ids) - place) * interval '1 microsecond') AS stamp
      FROM change_log AS log CROSS JOIN unnest(product_ids) WITH ORDINALITY AS changed (product_id, place)
      WHERE log.stamp > ${FOLDED_THROUGH} AND product_id = ANY ($1::bigint[])
      GROUP BY product_id
    ), stamped AS (
      SELECT product_id, greatest(product_stamp.stamp, recent.stamp) AS stamp, first_stamp
      FROM product_stamp LEFT JOIN recent USING (product_id)
      WHERE product_id = ANY ($1::bigint[])
    )
    SELECT ${PRODUCT_COLUMNS} FROM stamped JOIN product ON product.id = stamped.product_id`,
);

// Index: product_stamp_pkey.
const LIST_IDS = prepareStatement<{ readonly id: number }>(
  'list_stamped_ids',
  `SELECT product_id AS id FROM product_stamp WHERE product_id > $1::bigint ORDER BY product_id LIMIT $2::bigint`,
);

/** Lists products that were ever on offer, in any order. */
export function listProductsById(session: Session, ids: readonly number[]): Promise<ProductRow[]> {
  return LIST_BY_ID.send(session, [ids]);
}

export async function listStampedIds(
  session: Session,
  range: { readonly afterId: number; readonly limit: number },
): Promise<number[]> {
  const rows = await LIST_IDS.send(session, [range.afterId, range.limit]);
  return rows.map(({ id }) => id);
}
