import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { invalidField, requireFound } from '@keyport/http/replies/api-error';
import type { Database } from '../db/engines/database.ts';
import type { Db } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { listResponse, readListPage, toOrder } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { maskCode } from '../stock/mask-code.ts';
import type { Custody } from '../stock/product-keys.ts';
import { findOffer, findProduct, findSeller } from './catalogue.sql.ts';
import { formatProduct, showOffer } from './catalogue.ts';
import * as sql from './catalogue-lists.sql.ts';

type Query<Name extends 'listSellers' | 'listCatalogueProducts' | 'listOffers'> =
  OperationRequest<Name>['query'];

const toId = ({ id }: { readonly id: string | number }) => id;

export async function readSeller(db: Db, id: string) {
  return requireFound(await findSeller(db, id), 'seller');
}

export async function readProduct(db: Db, id: string, publicUrl: string) {
  return formatProduct(requireFound(await findProduct(db, Number(id)), 'product'), publicUrl);
}

export async function readOffer(db: Db, id: string) {
  return showOffer(requireFound(await findOffer(db, id), 'offer'));
}

const FOUND_PRODUCTS_MAX = 1_000;

export function findProductIds(database: Database, words: string): Promise<readonly string[]> {
  return runTransaction(database, {}, (tx) => sql.findProductIds(tx, words.trim(), FOUND_PRODUCTS_MAX));
}

export function readSellers(database: Database, query: Query<'listSellers'>) {
  const list = sql.sellersList(query.query, toOrder(query.sort ?? 'id'));
  return listResponse(database, {
    name: 'sellers',
    query,
    list,
    load: sql.loadSellers,
    toId,
    format: (seller) => seller,
  });
}

export function readProducts(database: Database, query: Query<'listCatalogueProducts'>, publicUrl: string) {
  return listResponse(database, {
    name: 'products',
    query,
    list: sql.productsList(query, toOrder(query.sort ?? 'id')),
    load: sql.loadProducts,
    toId,
    format: ({ activeOffers, quantity, minPriceMinor, ...product }) => ({
      ...formatProduct(product, publicUrl),
      activeOffers,
      quantity,
      minPrice: minPriceMinor === null ? null : formatMinor(minPriceMinor),
    }),
  });
}

/** `lowStockUnits`: at most this many are running out. */
export function readOffers(database: Database, query: Query<'listOffers'>, lowStockUnits: number) {
  const order = toOrder(query.sort ?? 'id');
  if (order.by === 'price' && query.productId === undefined)
    throw invalidField('query.sort', 'can be by price only together with productId');
  const scarceUnitsMax = query.runningOut === undefined ? undefined : lowStockUnits;
  return listResponse(database, {
    name: 'offers',
    query,
    list: sql.offersList({ ...query, scarceUnitsMax }, order),
    load: sql.loadOffers,
    toId,
    format: ({ productName, sellerName, ...offer }) => ({ ...showOffer(offer), productName, sellerName }),
  });
}

export async function readOfferKeys(
  database: Database,
  { params, query }: OperationRequest<'listOfferKeys'>,
  openCodes: Custody['openCodes'],
) {
  const { id: offerId } = requireFound(await findOffer(database.db, params.offerId), 'offer');
  const list = sql.keysList(offerId, query, toOrder(query.sort ?? 'id'));
  const wanted = { name: `keys/${offerId}`, query, list, load: sql.loadKeys, toId };
  const { rows, meta } = await readListPage(database, wanted);
  const codes = await openCodes(database.db, rows);
  const data = rows.map(({ id, kind, state, orderId }, index) => {
    return { id: String(id), kind, state, maskedCode: maskCode(codes[index] ?? ''), orderId };
  });
  return { status: 200, data, meta };
}

export async function readOfferHistory(
  database: Database,
  { params, query }: OperationRequest<'listOfferHistory'>,
) {
  const { id } = requireFound(await findOffer(database.db, params.offerId), 'offer');
  return listResponse(database, {
    name: `offer-history/${id}`,
    query,
    list: sql.offerHistoryList(id, query.sort !== 'ASC'),
    load: sql.loadOfferVersions,
    toId,
    format: ({ atMicros, priceMinor, status }) => {
      return { at: formatDateTime(atMicros), price: formatMinor(priceMinor), status };
    },
  });
}
