/** Reads products with the offers that can be bought (A15). */

import type { StoredDetails } from '@keyport/catalogue/details-cache';
import { type CatalogueProduct, compareOffers, type ListedOffer } from '@keyport/catalogue/render';
import { must } from '@keyport/core/assert';
import { plainArray, prepareStatement, type Session } from '../db/engines/prepared.ts';
import { allRows, execute, onlyValue } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { microsText, toTimestamp } from '../db/timestamps.ts';
import type { SoldOffer } from './catalogue-clock.sql.ts';

export type ProductRow = {
  readonly id: number;
  readonly name: string;
  readonly details_version: number;
  readonly is_orderable: boolean;
  readonly stamp: number;
  readonly first_stamp: number;
  /** `id price quantity` of each offer, comma-separated; null if there is none. */
  readonly offers: string | null;
};

const OFFERS_TEXT = `string_agg(offer.id || ' ' || offer.price_minor || ' '
    || (offer.available_text + offer.available_image), ',')`;
const CAN_BE_BOUGHT = `offer.status = 'active' AND offer.available_text + offer.available_image > 0`;

function columnsWith(offers: string): string {
  return `stamped.product_id AS id, product.name, product.details_version,
    product.checkout_class = 'standard' AS is_orderable,
    ${microsText('stamped.stamp')} AS stamp, ${microsText('stamped.first_stamp')} AS first_stamp,
    ${offers} AS offers`;
}

/** Selected from `product_stamp` or `stamped_product AS stamped JOIN product`. */
export const PRODUCT_COLUMNS = columnsWith(
  `(SELECT ${OFFERS_TEXT} FROM offer WHERE offer.product_id = stamped.product_id AND ${CAN_BE_BOUGHT})`,
);

export type LogEntry = {
  /** The stamp of its last product, in microseconds; each earlier product's stamp is one lower. */
  readonly stamp: number;
  readonly productIds: readonly number[];
  /** If the entry contains only sales, each product's offer with its remaining units. */
  readonly sold: readonly Pick<SoldOffer, 'id' | 'quantity'>[] | undefined;
};

type LogRow = {
  readonly stamp: number;
  readonly product_ids: string;
  readonly offer_ids: string | null;
  readonly quantities: string | null;
};

// Index: change_log_pkey.
const LIST_LOG = prepareStatement<LogRow>(
  'list_change_log',
  `SELECT ${microsText('stamp')} AS stamp, array_to_string(product_ids, ',') AS product_ids,
      array_to_string(offer_ids, ',') AS offer_ids, array_to_string(quantities, ',') AS quantities
    FROM change_log
    WHERE stamp >= to_timestamp(0) + $1::bigint * interval '1 microsecond' ORDER BY change_log.stamp`,
);

// Index: change_log_pkey.
const LOG_BEGINS = prepareStatement<{ readonly stamp: number }>(
  'change_log_begins',
  `SELECT ${microsText('stamp')} AS stamp FROM change_log ORDER BY change_log.stamp LIMIT 1`,
);

// Index: product_stamp_pkey.
const LIST_CHANGED = prepareStatement<ProductRow>(
  'list_changed_products',
  `SELECT ${PRODUCT_COLUMNS}
    FROM unnest($1::bigint[]) AS changed (id)
    CROSS JOIN LATERAL (SELECT * FROM product_stamp WHERE product_id = changed.id LIMIT 1) AS stamped
    CROSS JOIN LATERAL (SELECT * FROM product WHERE product.id = changed.id LIMIT 1) AS product`,
);

/** In commit order; undefined if the log lacks changes after `afterMicros`. */
export async function listLog(session: Session, afterMicros: number): Promise<LogEntry[] | undefined> {
  const rows = (await LIST_LOG.send(session, [afterMicros])).map(viewLogRow);
  // The oldest rows are removed first: if the last row read still exists, so do all later ones.
  if (rows[0]?.stamp === afterMicros) return rows.slice(1);
  const [first] = await LOG_BEGINS.send(session, []);
  return first === undefined || first.stamp > afterMicros ? undefined : rows;
}

function viewLogRow({ stamp, product_ids, offer_ids, quantities }: LogRow): LogEntry {
  const left = quantities?.split(',');
  return {
    stamp,
    productIds: product_ids === '' ? [] : product_ids.split(',').map(Number),
    sold: offer_ids?.split(',').map((id, index) => ({ id, quantity: Number(left?.[index]) })),
  };
}

export function listChangedProducts(session: Session, ids: readonly number[]): Promise<ProductRow[]> {
  return LIST_CHANGED.send(session, [plainArray(ids)]);
}

export async function declareProducts(session: Session): Promise<void> {
  // Reads each table once, in any order: a look-up for each of a million products took ten times as long. Cursors
  // are planned for their first rows otherwise.
  await session.query(`SET LOCAL cursor_tuple_fraction = 1;
    DECLARE catalogue NO SCROLL CURSOR FOR SELECT ${columnsWith('listed.offers')}
      FROM product_stamp AS stamped
      JOIN product ON product.id = stamped.product_id
      LEFT JOIN (SELECT offer.product_id, ${OFFERS_TEXT} AS offers FROM offer WHERE ${CAN_BE_BOUGHT}
        GROUP BY offer.product_id) AS listed ON listed.product_id = stamped.product_id`);
}

export async function fetchProducts(session: Session, count: number): Promise<ProductRow[]> {
  const { rows } = await session.query<ProductRow>(`FETCH ${count} FROM catalogue`);
  return rows;
}

export function toProduct(row: ProductRow): CatalogueProduct {
  return {
    id: row.id,
    name: row.name,
    stampMicros: row.stamp,
    firstStampMicros: row.first_stamp,
    detailsVersion: row.details_version,
    isOrderable: row.is_orderable,
    offers: row.offers === null ? [] : toOffers(row.offers),
  };
}

const UUID_LENGTH = 36;
const ZERO = 0x30;

/** Parses by character: at a start, splitting the text of every offer would cost several times as much. */
function toOffers(text: string): ListedOffer[] {
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

export async function loadFoldedThrough(session: Session): Promise<number> {
  const { rows } = await session.query<{ stamp: number }>(
    `SELECT position AS stamp FROM stream_position WHERE stream = 'stamp'`,
  );
  return must(rows[0], 'the catalogue has one clock').stamp;
}

/** Seconds since the oldest change after `afterMicros`, or 0. Index: change_log_pkey. */
export function loadAgeAfter(db: Db, afterMicros: number): Promise<number> {
  return onlyValue<{ age: number }>(db)`
    SELECT coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(stamp))), 0)::double precision AS age
    FROM change_log WHERE stamp > ${toTimestamp(afterMicros)} AND product_ids <> '{}'`;
}

export const CATALOGUE_CHANNEL = 'keyport_catalogue';

/** `node` is the sender, which ignores its own messages. */
export async function notifyCatalogue(db: Db, node: string): Promise<void> {
  await execute(db)`SELECT pg_notify(${CATALOGUE_CHANNEL}, ${node})`;
}

/** Index: primary key. */
export function listDetails(db: Db, productIds: readonly number[]): Promise<StoredDetails[]> {
  return allRows<StoredDetails>(db)`
    SELECT id, details_version AS version, details FROM product
    WHERE id = ANY(${[...productIds]}::bigint[])`;
}
