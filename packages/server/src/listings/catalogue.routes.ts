/** Puts and shows sellers, products and offers, and adds keys to an offer. R23; what is written: catalogue.ts. */
import type { AuditAction } from '@keyport/contract/operators/audit';
import { must } from '@keyport/core/assert';
import { ApiError, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, auditRecord } from '../audit/action.ts';
import { insertAudit } from '../audit/append-audit.sql.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import type { OperationHandlers, WriteWork } from '../operations/operation.ts';
import { NO_EFFECT } from '../operations/write-effect.ts';
import { findOffer, findProduct, findSeller } from './catalogue.sql.ts';
import {
  formatOffer,
  formatProduct,
  type KeyStock,
  newCode,
  offerRow,
  productRow,
  type Rejection,
  sellerRow,
  showOffer,
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
  readonly publicUrl: () => string;
};

export function buildCatalogueHandlers(
  deps: CatalogueDeps,
): Pick<
  OperationHandlers,
  'putSeller' | 'getSeller' | 'putProduct' | 'getCatalogueProduct' | 'putOffer' | 'getOffer' | 'addKeys'
> {
  const { database, stock, onCatalogueChanged, publicUrl } = deps;
  return {
    putSeller(request) {
      const row = sellerRow(request.params.sellerId, request.body);
      const write = (tx: Tx) => writeSellers(tx, [row]);
      return put(deps, request, { action: 'seller.put', data: row, write, load: () => row });
    },

    async getSeller({ params }) {
      const seller = await findSeller(database.kysely, params.sellerId);
      return { status: 200, data: requireFound(seller, 'seller') };
    },

    putProduct(request) {
      const row = productRow(request.params.productId, request.body);
      const data = formatProduct(row, publicUrl());
      const write = (tx: Tx) => writeProducts(tx, [row]);
      return put(deps, request, { action: 'product.put', data, write, load: () => data });
    },

    async getCatalogueProduct({ params }) {
      const product = await findProduct(database.kysely, Number(params.productId));
      return { status: 200, data: formatProduct(requireFound(product, 'product'), publicUrl()) };
    },

    putOffer(request) {
      const row = offerRow(request.params.offerId, request.body);
      return put(deps, request, {
        action: 'offer.put',
        data: formatOffer(row),
        write: (tx) => writeOffers(tx, [row]),
        async load(tx) {
          return showOffer(must(await findOffer(tx, row.id), 'an offer that was put exists'));
        },
      });
    },

    async getOffer({ params }) {
      const offer = requireFound(await findOffer(database.kysely, params.offerId), 'offer');
      return { status: 200, data: showOffer(offer) };
    },

    addKeys: (request) => async (tx) => {
      const offer = requireFound(await findOffer(tx, request.params.offerId), 'offer');
      const codes = request.body.keys.map((key) => newCode({ ...key, offerId: offer.id }));
      const written = await writeKeys(tx, stock, codes);
      const data = { offerId: offer.id, added: written.added, duplicates: written.duplicates };
      await insertAudit(tx, auditRecord(request, 'keys.add', { data }));
      await logChanges(tx, { productIds: written.changedProductIds });
      const { added, duplicates } = written;
      return {
        status: 201,
        data: { added, duplicates },
        effect: {
          preview: {
            ...NO_EFFECT,
            units: { ...NO_EFFECT.units, added },
            stock:
              added === 0
                ? []
                : [
                    {
                      offerId: offer.id,
                      before: offer.units.available,
                      after: offer.units.available + added,
                    },
                  ],
          },
          state: ['keys', offer.id, added, duplicates],
          codes: { given: added + duplicates, found: duplicates },
        },
        ...(added > 0 ? { onCommitted: onCatalogueChanged } : {}),
      };
    },
  };
}

/** Writes one row with its audit entry. The work throws what rejects the row. */
function put<Data>(
  { onCatalogueChanged }: CatalogueDeps,
  request: Acting,
  change: {
    readonly action: AuditAction;
    readonly data: Record<string, unknown>;
    readonly write: (tx: Tx) => Promise<Written>;
    /** The answer, once the row is written. */
    readonly load: (tx: Tx) => Data | Promise<Data>;
  },
): WriteWork<Data> {
  return async (tx) => {
    const { outcomes, changedProductIds } = await change.write(tx);
    const [outcome] = outcomes;
    if (typeof outcome !== 'string') throw errorOf(must(outcome, 'a row has an outcome'));
    await insertAudit(tx, auditRecord(request, change.action, { data: { ...change.data, outcome } }));
    const data = await change.load(tx);
    await logChanges(tx, { productIds: changedProductIds });
    return {
      status: outcome === 'created' ? 201 : 200,
      data,
      ...(changedProductIds.length > 0 ? { onCommitted: onCatalogueChanged } : {}),
    };
  };
}

function errorOf({ code, field, message }: Rejection): ApiError {
  if (code === 'validation-error') return invalidField(`body.${field}`, message);
  return new ApiError('conflict', { message: `${field} ${message}.` });
}
