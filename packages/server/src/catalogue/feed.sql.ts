/**
 * What the feed reads: products with the offers that can be bought, in the order of their stamps, or all of them in
 * insertion order (A15). Offers travel as one text a product, which costs both sides less than JSON.
 */
import { sql } from 'kysely';
import { prepareStatement, type Session } from '../db/prepared.ts';
import type { Db } from '../db/schema.ts';
import { timestampOf } from '../db/timestamps.ts';
import { type CatalogueProduct, compareOffers, type ListedOffer } from './render.ts';

export type ProductRow = {
  readonly id: number;
  readonly name: string;
  readonly details_version: number;
  /** Microseconds since the epoch. */
  readonly stamp: number;
  readonly first_stamp: number;
  /** `id price quantity` of each offer, with commas between them; null without offers. */
  readonly offers: string | null;
};

/** With the transaction that gave the stamp. */
export type ChangedRow = ProductRow & { readonly transaction: string };

const MICROS = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;

/** Of `product_stamp AS stamped JOIN product`. */
export const PRODUCT_COLUMNS = `stamped.product_id AS id, product.name, product.details_version,
    ${MICROS('stamped.stamp')} AS stamp, ${MICROS('stamped.first_stamp')} AS first_stamp,
    (SELECT string_agg(offer.id || ' ' || offer.price_minor || ' ' || (offer.available_text + offer.available_image), ',')
      FROM offer WHERE offer.product_id = stamped.product_id AND offer.status = 'active'
        AND offer.available_text + offer.available_image > 0) AS offers`;

// Index: product_stamp_uq.
const LIST_CHANGED = prepareStatement<ChangedRow>(
  'list_changed_products',
  `SELECT ${PRODUCT_COLUMNS}, stamped.xmin::text AS transaction
    FROM product_stamp AS stamped JOIN product ON product.id = stamped.product_id
    WHERE stamped.stamp > to_timestamp(0) + $1::bigint * interval '1 microsecond'
    ORDER BY stamped.stamp LIMIT $2::bigint`,
);

// Index: product_stamp_uq; first_stamp is checked on the rows.
const LIST_NEWCOMERS = prepareStatement<{ readonly id: number; readonly first_stamp: number }>(
  'list_newcomers',
  `SELECT product_id AS id, ${MICROS('first_stamp')} AS first_stamp FROM product_stamp
    WHERE stamp > to_timestamp(0) + $1::bigint * interval '1 microsecond'
      AND first_stamp > to_timestamp(0) + $2::bigint * interval '1 microsecond'
      AND first_stamp < to_timestamp(0) + $3::bigint * interval '1 microsecond'`,
);

// Index only: product_stamp_uq. Looks at no more entries than it has to.
const COUNT_CHANGED = prepareStatement<{ readonly count: number }>(
  'count_changed_products',
  `SELECT count(*) AS count FROM (
      SELECT 1 FROM product_stamp WHERE stamp > to_timestamp(0) + $1::bigint * interval '1 microsecond' LIMIT $2::bigint
    ) AS changed`,
);

/** Products stamped after `afterMicros`, oldest stamp first. */
export function listChangedProducts(
  session: Session,
  range: { readonly afterMicros: number; readonly limit: number },
): Promise<ChangedRow[]> {
  return LIST_CHANGED.send(session, [range.afterMicros, range.limit]);
}

/** Whether more than `count` products were stamped after `afterMicros`. */
export async function hasMoreChanged(
  session: Session,
  range: { readonly afterMicros: number; readonly count: number },
): Promise<boolean> {
  const [found] = await COUNT_CHANGED.send(session, [range.afterMicros, range.count + 1]);
  return (found?.count ?? 0) > range.count;
}

export type NewcomersRange = {
  readonly afterMicros: number;
  readonly firstAboveMicros: number;
  readonly firstBelowMicros: number;
};

/** Products stamped after `afterMicros` that came into the catalogue between the two others. Reads all of the former. */
export function listNewcomers(
  session: Session,
  range: NewcomersRange,
): Promise<{ readonly id: number; readonly first_stamp: number }[]> {
  return LIST_NEWCOMERS.send(session, [range.afterMicros, range.firstAboveMicros, range.firstBelowMicros]);
}

/** Declares a cursor over all products in insertion order, for `fetchProducts` of the same transaction. */
export async function declareProducts(session: Session): Promise<void> {
  // Only the narrow rows are sorted (OFFSET 0 keeps it so), and everything else is looked up as they come: the first
  // products arrive after a second, and this process works on them while the server finds the next.
  await session.query(`SET LOCAL jit = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
    DECLARE catalogue NO SCROLL CURSOR FOR SELECT ${PRODUCT_COLUMNS}
      FROM (SELECT * FROM product_stamp ORDER BY first_stamp, product_id OFFSET 0) AS stamped
      JOIN product ON product.id = stamped.product_id`);
}

/** The next `count` products of the cursor, fewer at its end. */
export async function fetchProducts(session: Session, count: number): Promise<ProductRow[]> {
  const { rows } = await session.query<ProductRow>(`FETCH ${count} FROM catalogue`);
  return rows;
}

export function productOf(row: ProductRow): CatalogueProduct {
  return {
    id: row.id,
    name: row.name,
    stampMicros: row.stamp,
    firstStampMicros: row.first_stamp,
    detailsVersion: row.details_version,
    offers: row.offers === null ? [] : offersOf(row.offers),
  };
}

const UUID_LENGTH = 36;
const ZERO = 0x30;

/** By character: splitting the text costs several times as much, and a start does this for every offer. */
function offersOf(text: string): ListedOffer[] {
  const offers: ListedOffer[] = [];
  let isSorted = true;
  for (let at = 0; at < text.length; ) {
    const id = text.slice(at, at + UUID_LENGTH);
    at += UUID_LENGTH + 1;
    let priceMinor = 0;
    for (; text[at] !== ' '; at += 1) priceMinor = priceMinor * 10 + text.charCodeAt(at) - ZERO;
    at += 1;
    let quantity = 0;
    for (; at < text.length && text[at] !== ','; at += 1) {
      quantity = quantity * 10 + text.charCodeAt(at) - ZERO;
    }
    at += 1;
    const last = offers.at(-1);
    const offer = { id, priceMinor, quantity };
    isSorted &&= last === undefined || compareOffers(last, offer) < 0;
    offers.push(offer);
  }
  return isSorted ? offers : offers.sort(compareOffers);
}

/** Seconds since the oldest stamp above `afterMicros` was given; 0 when there is none. Index: product_stamp_uq. */
export async function loadAgeAfter(db: Db, afterMicros: number): Promise<number> {
  const { rows } = await sql<{ age: number }>`
    SELECT coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(stamp))), 0)::double precision AS age
    FROM product_stamp WHERE stamp > ${timestampOf(afterMicros)}`.execute(db);
  return rows[0]?.age ?? 0;
}

/** The channel on which nodes notify each other of new stamps; a hint only. */
export const CATALOGUE_CHANNEL = 'keyport_catalogue';

/** `node` is the sender, so that it need not listen to itself. */
export async function notifyCatalogue(db: Db, node: string): Promise<void> {
  await sql`SELECT pg_notify(${CATALOGUE_CHANNEL}, ${node})`.execute(db);
}
