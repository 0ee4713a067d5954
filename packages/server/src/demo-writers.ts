/** Lets the demo be written by the functions behind the operator's imports, so that its rows are like everybody's. */

import {
  type KeyStock,
  newCode,
  offerRow,
  productRow,
  sellerRow,
  writeKeys,
  writeOffers,
  writeProducts,
  writeSellers,
} from './catalogue/admin/catalogue.ts';
import type { DemoWriters } from './demo/seed.ts';
import { buildOrder } from './orders/order-response.ts';

export function buildDemoWriters(stock: KeyStock): DemoWriters {
  return {
    async writeSellers(tx, sellers) {
      await writeSellers(
        tx,
        sellers.map((seller) => sellerRow(seller.id, seller)),
      );
    },
    async writeProducts(tx, products) {
      await writeProducts(
        tx,
        products.map((product) => productRow(product.id, product)),
      );
    },
    async writeOffers(tx, offers) {
      await writeOffers(
        tx,
        offers.map((offer) => offerRow(offer.id, offer)),
      );
    },
    async writeKeys(tx, keys) {
      await writeKeys(tx, stock, keys.map(newCode));
    },
    async insertUnits(tx, offerId, codes) {
      const sealed = await stock.sealCodes(
        tx,
        codes.map((code) => ({ offerId, code, kind: 'text' as const })),
      );
      await stock.insertSealedKeys(tx, sealed);
      return sealed.map((unit) => unit.id);
    },
    buildBody: (order) => JSON.stringify({ data: buildOrder({ ...order, currency: 'EUR', decimals: 2 }) }),
  };
}
