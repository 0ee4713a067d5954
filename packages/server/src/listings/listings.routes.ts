import type { Database } from '../db/engines/database.ts';
import { type OperationHandlers, replyOk } from '../operations/operation.ts';
import type { Custody } from '../stock/product-keys.ts';
import { type KeyStock, offerRow, productRow, sellerRow } from './catalogue.ts';
import { changeOffer, changeOffers, readChanges } from './change-offers.ts';
import { addKeys, putOffer, putProduct, putSeller } from './put-listing.ts';
import {
  readOffer,
  readOfferHistory,
  readOfferKeys,
  readOffers,
  readProduct,
  readProducts,
  readSeller,
  readSellers,
} from './read-listings.ts';

type Handled =
  | 'putSeller'
  | 'getSeller'
  | 'putProduct'
  | 'getCatalogueProduct'
  | 'putOffer'
  | 'getOffer'
  | 'addKeys'
  | 'updateOffer'
  | 'changeOffers'
  | 'listSellers'
  | 'listCatalogueProducts'
  | 'listOffers'
  | 'listOfferKeys'
  | 'listOfferHistory';

export function buildListingHandlers(deps: {
  readonly database: Database;
  readonly stock: KeyStock & Pick<Custody, 'openCodes'>;
  /** Called after the commit, when resellers can see a change. */
  readonly onCatalogueChanged: () => void;
  readonly publicUrl: () => string;
  readonly lowStockUnits: number;
}): Pick<OperationHandlers, Handled> {
  const { database, stock, onCatalogueChanged, publicUrl, lowStockUnits } = deps;
  const { db } = database;
  const announced = <Listed extends { readonly isVisible: boolean }>({ isVisible, ...written }: Listed) => ({
    ...written,
    ...(isVisible && { onCommitted: onCatalogueChanged }),
  });
  return {
    getSeller: ({ params }) => replyOk(readSeller(db, params.sellerId)),
    getCatalogueProduct: ({ params }) => replyOk(readProduct(db, params.productId, publicUrl())),
    getOffer: ({ params }) => replyOk(readOffer(db, params.offerId)),
    putSeller(request) {
      const row = sellerRow(request.params.sellerId, request.body);
      return async (tx) => announced(await putSeller(tx, request, row));
    },
    putProduct(request) {
      const row = productRow(request.params.productId, request.body);
      return async (tx) => announced(await putProduct(tx, request, row, publicUrl()));
    },
    putOffer(request) {
      const row = offerRow(request.params.offerId, request.body);
      return async (tx) => announced(await putOffer(tx, request, row));
    },
    addKeys: (request) => async (tx) => {
      const { data, effect } = await addKeys(tx, stock, request);
      return announced({ status: 201 as const, data, effect, isVisible: data.added > 0 });
    },
    updateOffer: (request) => async (tx) =>
      announced(await changeOffer(tx, stock, request, { ...request.params, ...request.body })),
    changeOffers(request) {
      const { reason } = request.body;
      const changes = readChanges(request.body.changes);
      return async (tx) => announced(await changeOffers(tx, stock, { ...request, reason }, changes));
    },
    listSellers: ({ query }) => readSellers(database, query),
    listCatalogueProducts: ({ query }) => readProducts(database, query, publicUrl()),
    listOffers: ({ query }) => readOffers(database, query, lowStockUnits),
    listOfferKeys: (request) => readOfferKeys(database, request, stock.openCodes),
    listOfferHistory: (request) => readOfferHistory(database, request),
  };
}
