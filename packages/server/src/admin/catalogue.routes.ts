/** Puts and shows sellers, products and offers, and adds keys to an offer. Decisions section 9; what is written: catalogue.ts. */
import { must } from '@keyport/core/assert';
import { formatMinor } from '@keyport/core/money';
import type { Transaction } from 'kysely';
import { insertAudit } from '../db/audit.sql.ts';
import { stampProducts } from '../db/catalogue-clock.sql.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { ApiError, invalidField } from '../http/api-error.ts';
import type { OperationHandlers } from '../http/operation.ts';
import { type Acting, auditRecord } from './action.ts';
import { findOffer, findProduct, findSeller, type OfferRow } from './catalogue.sql.ts';
import {
  type KeyStock,
  newCode,
  offerRow,
  productRow,
  type Refusal,
  sellerRow,
  type Written,
  writeKeys,
  writeOffers,
  writeProducts,
  writeSellers,
} from './catalogue.ts';

export type CatalogueDeps = {
  readonly database: Database;
  readonly stock: KeyStock;
  /** Called after commit when resellers can see something new (A16). */
  readonly onCatalogueChanged: () => void;
};

export function buildCatalogueHandlers(
  deps: CatalogueDeps,
): Pick<
  OperationHandlers,
  'putSeller' | 'getSeller' | 'putProduct' | 'getCatalogueProduct' | 'putOffer' | 'getOffer' | 'addKeys'
> {
  const { database, stock, onCatalogueChanged } = deps;
  return {
    async putSeller(request) {
      const row = sellerRow(request.params.sellerId, request.body);
      const status = await put(deps, request, {
        action: 'seller.put',
        data: row,
        write: (tx) => writeSellers(tx, [row]),
      });
      return { status, data: row };
    },

    async getSeller({ params }) {
      const seller = await findSeller(database.kysely, params.sellerId);
      if (seller === undefined) throw notFound('seller');
      return { status: 200, data: seller };
    },

    async putProduct(request) {
      const row = productRow(request.params.productId, request.body);
      const data = formatProduct(row);
      const status = await put(deps, request, {
        action: 'product.put',
        data,
        write: (tx) => writeProducts(tx, [row]),
      });
      return { status, data };
    },

    async getCatalogueProduct({ params }) {
      const product = await findProduct(database.kysely, Number(params.productId));
      if (product === undefined) throw notFound('product');
      return { status: 200, data: formatProduct(product) };
    },

    async putOffer(request) {
      const row = offerRow(request.params.offerId, request.body);
      const status = await put(deps, request, {
        action: 'offer.put',
        data: formatOffer(row),
        write: (tx) => writeOffers(tx, [row]),
      });
      const { quantity } = must(await findOffer(database.kysely, row.id), 'an offer is never deleted');
      return { status, data: { ...formatOffer(row), quantity } };
    },

    async getOffer({ params }) {
      const offer = await findOffer(database.kysely, params.offerId);
      if (offer === undefined) throw notFound('offer');
      return { status: 200, data: { ...formatOffer(offer), quantity: offer.quantity } };
    },

    async addKeys(request) {
      const { added, duplicates } = await runTransaction(database, {}, async (tx) => {
        const offer = await findOffer(tx, request.params.offerId);
        if (offer === undefined) throw notFound('offer');
        const codes = request.body.keys.map((key) => newCode({ ...key, offerId: offer.id }));
        const written = await writeKeys(tx, stock, codes);
        const data = { offerId: offer.id, added: written.added, duplicates: written.duplicates };
        await insertAudit(tx, auditRecord(request, 'keys.add', { data }));
        await stampProducts(tx, written.changedProductIds);
        return written;
      });
      if (added > 0) onCatalogueChanged();
      return { status: 201, data: { added, duplicates } };
    },
  };
}

/** Writes one row with its audit entry, and returns the status of the answer. Throws what refuses the row. */
async function put(
  { database, onCatalogueChanged }: CatalogueDeps,
  request: Acting,
  change: {
    action: string;
    data: Record<string, unknown>;
    write: (tx: Transaction<Schema>) => Promise<Written>;
  },
): Promise<200 | 201> {
  const { outcome, isVisible } = await runTransaction(database, {}, async (tx) => {
    const { outcomes, changedProductIds } = await change.write(tx);
    const [outcome] = outcomes;
    if (typeof outcome !== 'string') throw errorOf(must(outcome, 'a row has an outcome'));
    await insertAudit(tx, auditRecord(request, change.action, { data: { ...change.data, outcome } }));
    await stampProducts(tx, changedProductIds);
    return { outcome, isVisible: changedProductIds.length > 0 };
  });
  if (isVisible) onCatalogueChanged();
  return outcome === 'created' ? 201 : 200;
}

function errorOf({ code, field, message }: Refusal): ApiError {
  if (code === 'validation-error') return invalidField(`body.${field}`, message);
  return new ApiError('conflict', { message: `${field} ${message}.` });
}

function notFound(thing: string): ApiError {
  return new ApiError('not-found', { message: `There is no ${thing} with this id.` });
}

function formatProduct(product: { id: number; name: string; checkoutClass: string; details: unknown }) {
  const { id, name, checkoutClass, details } = product;
  return { id: String(id), name, ...(typeof details === 'object' ? details : {}), checkoutClass };
}

function formatOffer({ id, productId, sellerId, priceMinor, status }: OfferRow) {
  return { id, productId: String(productId), sellerId, price: formatMinor(priceMinor), status };
}
