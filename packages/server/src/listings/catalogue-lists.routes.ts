/** Lists sellers, products, offers, and the keys and the past prices of an offer. A274. */
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { invalidField, requireFound } from '@keyport/http/replies/api-error';
import type { Database } from '../db/engines/database.ts';
import { orderOf, readListPage } from '../operations/list-page.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { maskCode } from '../stock/mask-code.ts';
import type { Custody } from '../stock/product-keys.ts';
import { findOffer } from './catalogue.sql.ts';
import { formatProduct, showOffer } from './catalogue.ts';
import {
  keysList,
  type ListedKey,
  loadKeys,
  loadOffers,
  loadOfferVersions,
  loadProducts,
  loadSellers,
  offerHistoryList,
  offersList,
  productsList,
  sellersList,
} from './catalogue-lists.sql.ts';

const idOf = ({ id }: { readonly id: string | number }) => id;

export type CatalogueListDeps = {
  readonly database: Database;
  readonly openCodes: Custody['openCodes'];
  /** At most so many units are low stock. */
  readonly lowStockUnits: number;
  readonly publicUrl: () => string;
};

type CatalogueListHandlers = Pick<
  OperationHandlers,
  'listSellers' | 'listCatalogueProducts' | 'listOffers' | 'listOfferKeys' | 'listOfferHistory'
>;

export function buildCatalogueListHandlers({
  database,
  openCodes,
  lowStockUnits,
  publicUrl,
}: CatalogueListDeps): CatalogueListHandlers {
  return {
    async listSellers({ query }) {
      const list = sellersList(query.query, orderOf(query.sort ?? 'id'));
      const { rows, meta } = await readListPage(database, {
        name: 'sellers',
        query,
        list,
        load: loadSellers,
        idOf,
      });
      return { status: 200, data: rows, meta };
    },

    async listCatalogueProducts({ query }) {
      const list = productsList(query, orderOf(query.sort ?? 'id'));
      const wanted = { name: 'products', query, list, load: loadProducts, idOf };
      const { rows, meta } = await readListPage(database, wanted);
      const data = rows.map(({ activeOffers, quantity, minPriceMinor, ...product }) => ({
        ...formatProduct(product, publicUrl()),
        activeOffers,
        quantity,
        minPrice: minPriceMinor === null ? null : formatMinor(minPriceMinor),
      }));
      return { status: 200, data, meta };
    },

    async listOffers({ query }) {
      const order = orderOf(query.sort ?? 'id');
      if (order.by === 'price' && query.productId === undefined)
        throw invalidField('query.sort', 'can be by price only together with productId');
      const scarceUnitsMax = query.runningOut === undefined ? undefined : lowStockUnits;
      const list = offersList({ ...query, scarceUnitsMax }, order);
      const { rows, meta } = await readListPage(database, {
        name: 'offers',
        query,
        list,
        load: loadOffers,
        idOf,
      });
      const data = rows.map(({ productName, sellerName, ...offer }) => ({
        ...showOffer(offer),
        productName,
        sellerName,
      }));
      return { status: 200, data, meta };
    },

    async listOfferKeys({ params, query }) {
      const offer = requireFound(await findOffer(database.kysely, params.offerId), 'offer');
      const list = keysList(offer.id, query, orderOf(query.sort ?? 'id'));
      const wanted = { name: `keys/${offer.id}`, query, list, load: loadKeys, idOf };
      const { rows, meta } = await readListPage(database, wanted);
      const codes = await openCodes(database.kysely, rows);
      return { status: 200, data: rows.map((key, index) => formatKey(key, codes[index] ?? '')), meta };
    },

    async listOfferHistory({ params, query }) {
      const offer = requireFound(await findOffer(database.kysely, params.offerId), 'offer');
      const list = offerHistoryList(offer.id, query.sort !== 'ASC');
      const wanted = { name: `offer-history/${offer.id}`, query, list, load: loadOfferVersions, idOf };
      const { rows, meta } = await readListPage(database, wanted);
      const data = rows.map(({ atMicros, priceMinor, status }) => {
        return { at: formatDateTime(atMicros), price: formatMinor(priceMinor), status };
      });
      return { status: 200, data, meta };
    },
  };
}

function formatKey({ id, kind, state, orderId }: ListedKey, code: string) {
  return { id: String(id), kind, state, maskedCode: maskCode(code), orderId };
}
