import type { AuditAction } from '@keyport/contract/operators/audit-actions';
import { must } from '@keyport/core/assert';
import { type ApiError, conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../db/schema.ts';
import type { OperationRequest, WriteEffect } from '../operations/operation.ts';
import { NO_EFFECT } from '../operations/write-effect.ts';
import { findOffer, type OfferRow, type ProductRow, type SellerRow } from './catalogue.sql.ts';
import {
  formatOffer,
  formatProduct,
  type KeyStock,
  type Rejection,
  readKeys,
  showOffer,
  type Written as WrittenRows,
  writeKeys,
  writeOffers,
  writeProducts,
  writeSellers,
} from './catalogue.ts';

/** `isVisible`: to resellers. */
type Listed<Data> = { readonly status: 200 | 201; readonly data: Data; readonly isVisible: boolean };

export async function putSeller(tx: Tx, acting: Acting, row: SellerRow) {
  const written = await writeSellers(tx, [row]);
  return recordPut(tx, acting, { action: 'seller.put', row, written, show: () => row });
}

export async function putProduct(tx: Tx, acting: Acting, product: ProductRow, publicUrl: string) {
  const row = formatProduct(product, publicUrl);
  const written = await writeProducts(tx, [product]);
  return recordPut(tx, acting, { action: 'product.put', row, written, show: () => row });
}

export async function putOffer(tx: Tx, acting: Acting, offer: OfferRow) {
  const written = await writeOffers(tx, [offer]);
  return recordPut(tx, acting, {
    action: 'offer.put',
    row: formatOffer(offer),
    written,
    show: async () => showOffer(must(await findOffer(tx, offer.id), 'an offer that was put exists')),
  });
}

async function recordPut<Data>(
  tx: Tx,
  acting: Acting,
  put: {
    readonly action: AuditAction;
    readonly row: Record<string, unknown>;
    readonly written: WrittenRows;
    readonly show: () => Data | Promise<Data>;
  },
): Promise<Listed<Data>> {
  const { outcomes, changedProductIds } = put.written;
  const outcome = must(outcomes[0], 'a row has an outcome');
  if (typeof outcome !== 'string') throw deriveError(outcome);
  await audit(tx, acting, put.action, { data: { ...put.row, outcome } });
  const data = await put.show();
  await logChanges(tx, { productIds: changedProductIds });
  return { status: outcome === 'created' ? 201 : 200, data, isVisible: changedProductIds.length > 0 };
}

function deriveError({ code, field, message }: Rejection): ApiError {
  return code === 'validation-error'
    ? invalidField(`body.${field}`, message)
    : conflict(`${field} ${message}.`);
}

export async function addKeys(tx: Tx, stock: KeyStock, request: OperationRequest<'addKeys'>) {
  const offer = requireFound(await findOffer(tx, request.params.offerId), 'offer');
  const given = request.body.keys.map((key) => ({ ...key, offerId: offer.id }));
  const { codes, trimmed } = readKeys(given, (index) => `body.keys[${index}].code`);
  const { added, duplicates, changedProductIds } = await writeKeys(tx, stock, codes);
  await audit(tx, request, 'keys.add', { data: { offerId: offer.id, added, duplicates } });
  await logChanges(tx, { productIds: changedProductIds });
  const { available: before } = offer.units;
  const effect: WriteEffect = {
    preview: {
      ...NO_EFFECT,
      units: { ...NO_EFFECT.units, added },
      stock: added === 0 ? [] : [{ offerId: offer.id, before, after: before + added }],
    },
    state: ['keys', offer.id, added, duplicates],
    codes: { given: added + duplicates, found: duplicates },
  };
  return { data: { added, duplicates, trimmed }, effect };
}
