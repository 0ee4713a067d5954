/**
 * The terms of an order: what it is placed with and every response shows. INSERT, SELECT, replay and the response to a
 * new order come from these tables. A new term is a line here, a column of the schema, a member of the contract and one of
 * `buildOrder`. A term that the reseller sends is also a member of `LineTerms`, whose type then names `parseLine` and
 * `viewPlaced`, and a part of the fingerprint (A38).
 */
import type { PlacedOrder } from '@keyport/core/orders/place-order';
import type { Element, ElementType } from '../db/engines/binary-array.ts';
import { type Sql, sql } from '../db/sql.ts';

type Term = readonly [column: string, type: ElementType, placed: (order: PlacedOrder) => Element];
type Terms = Readonly<Record<string, Term>>;

const ORDER = {
  discountMinor: ['discount_minor', 'bigint', (order) => order.price.discountMinor],
  totalPriceMinor: ['total_price_minor', 'bigint', (order) => order.price.totalPriceMinor],
  reference: ['reference', 'text', (order) => order.command.line.reference ?? null],
} as const satisfies Terms;

/** An order that is placed here has one item. */
const ITEM = {
  offerId: ['offer_id', 'uuid', (order) => order.offer.id],
  productName: ['product_name', 'text', (order) => order.product.name],
  sellerName: ['seller_name', 'text', (order) => order.offer.sellerName],
  unitPriceMinor: ['unit_price_minor', 'bigint', (order) => order.offer.priceMinor],
} as const satisfies Terms;

type Values<Table extends Terms> = { readonly [Name in keyof Table]: ReturnType<Table[Name][2]> };

export type OrderTerms = Values<typeof ORDER>;
export type ItemTerms = Values<typeof ITEM>;

export function placedTerms(order: PlacedOrder): { readonly order: OrderTerms; readonly item: ItemTerms } {
  return { order: toValues(ORDER, order), item: toValues(ITEM, order) };
}

function toValues<Table extends Terms>(terms: Table, order: PlacedOrder): Values<Table> {
  const values = Object.entries(terms).map(([name, [, , placed]]) => [name, placed(order)]);
  return Object.fromEntries(values);
}

const ALL: readonly Term[] = [...Object.values(ORDER), ...Object.values(ITEM)];

/** For `declareColumns`. */
export const TERM_COLUMNS = Object.fromEntries(
  ALL.map(([column, type, placed]) => [column, [type, placed] as const]),
);

export const TERM_NAMES = ALL.map(([column]) => column).join(', ');

export function selectOrderTerms(table: string): string {
  return selected(table, ORDER);
}

export function selectItemTerms(table: string): string {
  return selected(table, ITEM);
}

function selected(table: string, terms: Terms): string {
  return Object.entries(terms)
    .map(([name, [column]]) => `${table}.${column} AS "${name}"`)
    .join(', ');
}

/** Arguments of `json_build_object`. */
export const ITEM_TERMS_JSON: Sql = sql.raw(
  Object.entries(ITEM)
    .map(([name, [column]]) => `'${name}', ${column}`)
    .join(', '),
);
