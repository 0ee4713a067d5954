/**
 * The catalogue clock (A8). A transaction that changes what resellers see of a product calls `stampProducts` as the last step
 * before COMMIT: the clock's row stays locked until the commit, so the order of stamps is the order of commits.
 */
import { must } from '@keyport/core/assert';
import { sql } from 'kysely';
import { prepareStatement, type Session } from './prepared.ts';
import type { Db, Tx } from './schema.ts';
import { microsOf } from './timestamps.ts';

// Distinct stamps a microsecond apart, so that a stamp alone is a cursor; the first product gets the lowest.
// first_stamp is set once and never again: it is the insertion order (A15), and grows from commit to commit.
const TICK = `tick AS (
      UPDATE catalogue_clock
      SET last_stamp = greatest(clock_timestamp(), last_stamp + interval '1 microsecond')
        + (cardinality($1::bigint[]) - 1) * interval '1 microsecond'
      RETURNING last_stamp
    ), given AS (
      SELECT changed.id, last_stamp - (cardinality($1::bigint[]) - changed.place) * interval '1 microsecond' AS stamp
      FROM tick, unnest($1::bigint[]) WITH ORDINALITY AS changed (id, place)
    )`;

const STAMP = prepareStatement<never>(
  'stamp_products',
  `WITH ${TICK}
    INSERT INTO product_stamp (product_id, stamp, first_stamp) SELECT id, stamp, stamp FROM given
    ON CONFLICT (product_id) DO UPDATE SET stamp = excluded.stamp`,
);

// An UPDATE costs an order less than the INSERT above.
const STAMP_AGAIN = prepareStatement<never>(
  'stamp_products_again',
  `WITH ${TICK}, stamped AS (
      UPDATE product_stamp SET stamp = given.stamp FROM given WHERE product_id = given.id RETURNING 1
    )
    SELECT must_equal('products stamped', (SELECT count(*) FROM stamped), cardinality($1::bigint[]))`,
);

/**
 * Gives every product a stamp of its own, above every stamp given before, in the order of the ids. Locks catalogue_clock:
 * no other lock may be taken in the transaction afterwards.
 */
export async function stampProducts(tx: Tx, productIds: readonly (string | number)[]): Promise<void> {
  if (productIds.length > 0) await STAMP.execute(tx, [distinct(productIds)]);
}

/**
 * The same of products on offer, which have a stamp (I37), sent without waiting for what was sent before it. `productIds` is not
 * empty.
 */
export function sendStamps(session: Session, productIds: readonly (string | number)[]): Promise<unknown> {
  return STAMP_AGAIN.send(session, [distinct(productIds)]);
}

export type CatalogueClock = {
  /** Which history the stamps belong to (A127): a lower-case UUID. */
  readonly epoch: string;
  /** No visible stamp is above it, microseconds since the epoch. */
  readonly lastStampMicros: number;
};

export async function loadCatalogueClock(db: Db): Promise<CatalogueClock> {
  const { rows } = await sql<CatalogueClock>`
    SELECT epoch, ${microsOf('last_stamp')} AS "lastStampMicros" FROM catalogue_clock`.execute(db);
  return must(rows[0], 'the catalogue has one clock');
}

/** Locks catalogue_clock: no other lock may be taken in the transaction afterwards. */
export async function beginCatalogueEpoch(tx: Tx, epoch: string): Promise<void> {
  await sql`UPDATE catalogue_clock SET epoch = ${epoch}`.execute(tx);
}

function distinct(productIds: readonly (string | number)[]): number[] {
  return [...new Set(productIds.map(Number))];
}
