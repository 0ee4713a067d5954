/** Writes a PUT or an import's lines in the caller's transaction, which stamps changed products last. R23. */

import { withPublicUrl } from '@keyport/catalogue/details-cache';
import type { IMPORT_LINES } from '@keyport/contract/catalogue/imports';
import type {
  CatalogueProduct,
  OfferBody,
  ProductBody,
  SellerBody,
} from '@keyport/contract/catalogue/listings';
import { CATALOGUE_DETAILS, REQUIREMENT_LEVELS, REQUIREMENTS } from '@keyport/contract/catalogue/products';
import { toMembers } from '@keyport/contract/schema';
import { must } from '@keyport/core/assert';
import { formatMinor, toMinor } from '@keyport/core/money';
import { readCode } from '@keyport/core/product-code';
import { toSlug } from '@keyport/core/slug';
import { brokenRule } from '@keyport/http/validation/query';
import { validationError } from '@keyport/http/validation/validation';
import type { Static } from 'typebox';
import type { Tx } from '../db/schema.ts';
import type { Custody, NewCode } from '../stock/product-keys.ts';
import { type LockedOffer, listHeldCodes, lockOffers } from '../stock/stock.sql.ts';
import * as sql from './catalogue.sql.ts';

/** `field`, a field of the row, and `message` together form the sentence of the error. */
export type Rejection = {
  readonly code: 'validation-error' | 'conflict';
  readonly field: string;
  readonly message: string;
};

type Outcome = 'created' | 'changed' | 'unchanged' | Rejection;

export type Written = {
  readonly outcomes: readonly Outcome[];
  /** Products with a change that resellers can see. */
  readonly changedProductIds: readonly number[];
};

type SealedKey = Awaited<ReturnType<Custody['sealCodes']>>[number];

export type KeyStock = Pick<Custody, 'sealCodes' | 'codeMacs'> & {
  readonly insertSealedKeys: (
    tx: Tx,
    rows: readonly SealedKey[],
    importRun?: number,
  ) => Promise<{
    readonly added: number;
    readonly duplicates: number;
    readonly addedByOffer: readonly {
      readonly offerId: string;
      readonly text: number;
      readonly image: number;
    }[];
  }>;
};

export type OfferChange = {
  readonly index: number;
  readonly offer: sql.OfferRow;
  /** Null if the offer is new. */
  readonly before: sql.OfferTerms | null;
};

export type WrittenOffers = Written & { readonly changes: readonly OfferChange[] };

export type WrittenKeys = {
  /** In the order of the codes. */
  readonly codeMacs: readonly Buffer[];
  readonly added: number;
  readonly duplicates: number;
  readonly changedProductIds: readonly number[];
};

export type KeyLine = Static<(typeof IMPORT_LINES)['keys']>;
type PriceLine = Static<(typeof IMPORT_LINES)['prices']>;

export type PriceRow = Pick<sql.OfferRow, 'priceMinor'> & {
  readonly [Name in 'id' | 'productId' | 'sellerId' | 'status']: sql.OfferRow[Name] | undefined;
};

export function sellerRow(id: string, body: SellerBody): sql.SellerRow {
  return { id: id.toLowerCase(), name: body.name };
}

export function productRow(id: string, body: ProductBody): sql.ProductRow {
  const { name, checkoutClass } = body;
  return { id: Number(id), name, checkoutClass, details: toDetails(id, body) };
}

export function offerRow(id: string, body: OfferBody): sql.OfferRow {
  return {
    id: id.toLowerCase(),
    productId: Number(body.productId),
    sellerId: body.sellerId.toLowerCase(),
    priceMinor: toMinor(body.price),
    status: body.status,
  };
}

export function priceRow({ id, productId, sellerId, price, status }: PriceLine): PriceRow {
  return {
    id: id?.toLowerCase(),
    productId: productId === undefined ? undefined : Number(productId),
    sellerId: sellerId?.toLowerCase(),
    priceMinor: toMinor(price),
    status,
  };
}

export function formatProduct(
  { id, name, checkoutClass, details }: sql.ProductRow,
  publicUrl: string,
): CatalogueProduct {
  const shown: sql.ProductDetails = JSON.parse(withPublicUrl(JSON.stringify(details), publicUrl));
  return { id: String(id), name, ...shown, checkoutClass };
}

export function formatOffer({ id, productId, sellerId, priceMinor, status }: sql.OfferRow) {
  return { id, productId: String(productId), sellerId, price: formatMinor(priceMinor), status };
}

export function showOffer({ units, ...offer }: sql.CountedOffer) {
  return { ...formatOffer(offer), quantity: units.available, units };
}

export async function writeSellers(tx: Tx, rows: readonly sql.SellerRow[]): Promise<Written> {
  const saved = savedById(await sql.saveSellers(tx, rows));
  // Resellers do not see sellers' names.
  return { outcomes: rows.map(({ id }) => toOutcome(saved.get(id))), changedProductIds: [] };
}

/** The order of the rows becomes the insertion order of new products. */
export async function writeProducts(
  tx: Tx,
  rows: readonly sql.ProductRow[],
  save: typeof sql.saveProducts = sql.saveProducts,
): Promise<Written> {
  const byId = savedById(await save(tx, rows));
  return {
    outcomes: rows.map(({ id }) => toOutcome(byId.get(id))),
    // Products are stamped in this order.
    changedProductIds: rows.flatMap(({ id }) => (byId.has(id) ? [id] : [])),
  };
}

/** Rejects unknown products and sellers, and an offer that would move to a different product or seller. */
export async function writeOffers(
  tx: Tx,
  rows: readonly sql.OfferRow[],
  save: typeof sql.saveOffers = sql.saveOffers,
): Promise<WrittenOffers> {
  const productIds = rows.map(({ productId }) => productId);
  const products = await sql.existingProducts(tx, productIds);
  const sellerIds = rows.map(({ sellerId }) => sellerId);
  const sellers = await sql.existingSellers(tx, sellerIds);
  const sound = rows.filter(({ productId, sellerId }) => products.has(productId) && sellers.has(sellerId));
  const saved = savedById(await save(tx, sound));
  const unsavedIds = sound.flatMap(({ id }) => (saved.has(id) ? [] : [id]));
  const owners = await sql.listOfferOwners(tx, unsavedIds);
  const ownersById = new Map(owners.map((owner) => [owner.id, owner]));
  const outcomes = rows.map((row): Outcome => {
    if (!products.has(row.productId)) return unknownReference('productId', 'product');
    if (!sellers.has(row.sellerId)) return unknownReference('sellerId', 'seller');
    const owner = ownersById.get(row.id) ?? row;
    if (owner.productId !== row.productId) return moved('productId', String(owner.productId));
    if (owner.sellerId !== row.sellerId) return moved('sellerId', owner.sellerId);
    return toOutcome(saved.get(row.id));
  });
  const changes = rows.flatMap((offer, index) => {
    const written = saved.get(offer.id);
    return written === undefined ? [] : [{ index, offer, before: written.before }];
  });
  return { outcomes, changes, changedProductIds: distinct(changes.map(({ offer }) => offer.productId)) };
}

/** Rejects rows that name no offer, or several. Returns the named offers. */
export async function writePrices(
  tx: Tx,
  rows: readonly PriceRow[],
  { isRehearsal = false } = {},
): Promise<WrittenOffers & { readonly offers: readonly sql.OfferRow[] }> {
  const unnamed = rows.filter(({ id }) => id === undefined);
  const toIds = Map.groupBy(await sql.listOffersOf(tx, unnamed), toPair);
  const ids = rows.map((row) => row.id ?? (toIds.get(toPair(row)) ?? []).map(({ id }) => id));
  const offers = await lockOffers(tx, distinct(ids.flat()));
  const changes = new Map<string, OfferChange>();
  const outcomes = rows.map((row, index): Outcome => {
    const [id, ...others] = [ids[index] ?? []].flat();
    const offer = id === undefined ? undefined : offers.get(id);
    if (others.length > 0) return ambiguous(others.length + 1);
    if (offer === undefined) return row.id === undefined ? NOT_OFFERED : unknownReference('id', 'offer');
    const { productId = offer.productId, sellerId = offer.sellerId } = row;
    if (productId !== offer.productId) return moved('productId', String(offer.productId));
    if (sellerId !== offer.sellerId) return moved('sellerId', offer.sellerId);
    const next = priced(offer, row);
    if (next === undefined) return 'unchanged';
    offers.set(offer.id, next);
    changes.set(offer.id, { index, offer: next, before: changes.get(offer.id)?.before ?? offer });
    return 'changed';
  });
  const changed = [...changes.values()].map(({ offer }) => offer);
  if (changed.length > 0 && !isRehearsal) await sql.updateOffers(tx, changed);
  const changedProductIds = distinct(changed.map(({ productId }) => productId));
  return { outcomes, changedProductIds, changes: [...changes.values()], offers: [...offers.values()] };
}

const toPair = ({ productId, sellerId }: Pick<PriceRow, 'productId' | 'sellerId'>) =>
  `${productId}/${sellerId}`;

/** Undefined if nothing changes. An offer that an import paused as missing is resumed. */
function priced(offer: LockedOffer, { priceMinor, status }: PriceRow): LockedOffer | undefined {
  const { isPausedByImport } = offer;
  const next = status ?? (isPausedByImport ? 'active' : offer.status);
  if (!isPausedByImport && priceMinor === offer.priceMinor && next === offer.status) return undefined;
  return { ...offer, priceMinor, status: next, isPausedByImport: false };
}

/** Every offer must exist, with its id in lower case. Known codes count as duplicates. */
export async function writeKeys(
  tx: Tx,
  stock: KeyStock,
  codes: readonly NewCode[],
  importRun?: number,
): Promise<WrittenKeys> {
  // Codes are sealed before the offers are locked, because orders wait for those locks.
  const sealed = await stock.sealCodes(tx, codes);
  const offers = await lockOffers(tx, distinct(codes.map(({ offerId }) => offerId)));
  const { added, duplicates, addedByOffer } = await stock.insertSealedKeys(tx, sealed, importRun);
  const changed = addedByOffer.map(({ offerId }) => must(offers.get(offerId), 'a locked offer').productId);
  const codeMacs = sealed.map(({ codeMac }) => codeMac);
  return { codeMacs, added, duplicates, changedProductIds: distinct(changed) };
}

/** Returns the counts of writeKeys without sealing the codes. */
export async function previewKeys(tx: Tx, stock: KeyStock, codes: readonly NewCode[]): Promise<WrittenKeys> {
  const codeMacs = stock.codeMacs(codes.map(({ code }) => code));
  const held = await listHeldCodes(tx, codeMacs);
  const added = distinct(
    codeMacs.flatMap((mac, index) => (held[index] === undefined ? [mac.toString('hex')] : [])),
  ).length;
  return { codeMacs, added, duplicates: codes.length - added, changedProductIds: [] };
}

export type GivenKeys = { readonly codes: readonly NewCode[]; readonly trimmed: number };

/** Reads the codes of new keys. Throws validation-error, with the field that `toField` names. A105. */
export function readKeys(keys: readonly KeyLine[], toField: (index: number) => string): GivenKeys {
  const read = keys.map(readKey);
  const problems = read.flatMap((key, index) =>
    'problem' in key ? brokenRule(toField(index), key.problem) : [],
  );
  if (problems.length > 0) throw validationError(problems);
  const sound = read.flatMap((key) => ('problem' in key ? [] : key));
  return { codes: sound.map(({ row }) => row), trimmed: sound.filter(({ isTrimmed }) => isTrimmed).length };
}

export function readKey({ offerId, code: text, kind = 'text' }: KeyLine) {
  const read = readCode(text);
  if ('problem' in read) return read;
  const { code, isTrimmed } = read;
  return { row: { offerId: offerId.toLowerCase(), code, kind } satisfies NewCode, isTrimmed };
}

const NO_DETAILS = toMembers(Object.keys(CATALOGUE_DETAILS) as (keyof typeof CATALOGUE_DETAILS)[], null);

/** Missing members become null, as in ProductDetail. */
function toDetails(id: string, body: ProductBody): sql.ProductDetails {
  const { name, checkoutClass: _checkoutClass, ...given } = body;
  const slug = given.slug ?? toSlug(name, id);
  return { ...NO_DETAILS, ...given, slug, requirements: toRequirements(given.requirements ?? null) };
}

function toRequirements(requirements: NonNullable<ProductBody['requirements']> | null) {
  if (requirements === null) return null;
  const levels = REQUIREMENT_LEVELS.flatMap((level) => {
    const given = requirements[level];
    if (given === undefined) return [];
    return [[level, Object.fromEntries(REQUIREMENTS.map((name) => [name, given[name] ?? null]))] as const];
  });
  return Object.fromEntries(levels);
}

function savedById<Id, Row extends sql.Saved<Id>>(rows: readonly Row[]): Map<Id, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function toOutcome(saved: { readonly isNew: boolean } | undefined): Outcome {
  if (saved === undefined) return 'unchanged';
  return saved.isNew ? 'created' : 'changed';
}

export function unknownReference(field: string, thing: string): Rejection {
  return {
    code: 'validation-error',
    field,
    message: `names no ${thing} in the catalogue; add the ${thing} first`,
  };
}

const NOT_OFFERED: Rejection = {
  code: 'validation-error',
  field: 'productId',
  message: 'is not offered by this seller; add the offer first',
};

function ambiguous(offers: number): Rejection {
  const message = `is in ${offers} offers of this seller; name the offer by its id`;
  return { code: 'validation-error', field: 'productId', message };
}

function moved(field: string, current: string): Rejection {
  const message = `is ${current} and cannot change; give the other offer a new id and pause this one`;
  return { code: 'conflict', field, message };
}

function distinct<Id>(ids: readonly Id[]): Id[] {
  return [...new Set(ids)];
}
