/** Product responses as JSON texts, written by hand because they are prepared once and sent a thousand times. Pure. */
import { CURRENCY, OFFERS_PER_PRODUCT_MAX, TOTAL_QUANTITY_MAX } from '@keyport/contract/formats';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';

/** An offer that can be bought: active, with stock. */
export type ListedOffer = {
  readonly id: string;
  /** EUR cents. */
  readonly priceMinor: number;
  /** Units available, at least 1. */
  readonly quantity: number;
};

/** A product as the feed delivers it; without offers it keeps its place and is not listed (A5). */
export type CatalogueProduct = {
  /** 14 digits. */
  readonly id: number;
  readonly name: string;
  /** A8, microseconds since the epoch. */
  readonly stampMicros: number;
  /** Insertion order (A15): the stamp that it got first. */
  readonly firstStampMicros: number;
  /** Grows when the details change. */
  readonly detailsVersion: number;
  /** Cheapest first; equal prices: the larger quantity, then the lower id (A31). */
  readonly offers: readonly ListedOffer[];
};

/** What the catalogue keeps of a product: everything that costs time to make is made. */
export type PreparedProduct = Omit<CatalogueProduct, 'name' | 'offers'> & {
  /** Undefined without offers. */
  readonly listing: Listing | undefined;
};

export type Listing = {
  readonly cheapestMinor: number;
  readonly dearestMinor: number;
  /** A5. */
  readonly totalQuantity: number;
  /** A comma and the element of the list, with `minPrice` and `offers` at its end. */
  readonly piece: string;
  /** Bytes of the piece with the blanks that follow it. */
  readonly pieceLength: number;
  /** Where in the bytes the commas before `minPrice` and before `offers` are. */
  readonly minPriceAt: number;
  readonly offersAt: number;
  /** Price and quantity of every offer in turn, as numbers between blanks; empty when all have one price. */
  readonly offers: string;
};

/** Digits of most numbers; a blank after the piece stands for each one less, so that its length seldom changes. */
const PRICE_LENGTH_USUAL = 6;
const QUANTITY_LENGTH_USUAL = 4;

/** Makes ready what is kept of the product. */
export function prepareProduct(product: CatalogueProduct): PreparedProduct {
  const { id, stampMicros, firstStampMicros, detailsVersion, offers } = product;
  const listing = offers.length === 0 ? undefined : prepareListing(product);
  return { id, stampMicros, firstStampMicros, detailsVersion, listing };
}

function prepareListing(product: CatalogueProduct): Listing {
  const { offers } = product;
  const total = totalQuantity(offers);
  const parts = renderParts({ ...product, updatedAt: formatDateTime(product.stampMicros) }, total, offers);
  const piece = parts.head + parts.minPrice + parts.offers;
  const cheapestMinor = offers[0]?.priceMinor ?? 0;
  const dearestMinor = offers.at(-1)?.priceMinor ?? 0;
  const minPriceAt = Buffer.byteLength(parts.head);
  const offersAt = minPriceAt + parts.minPrice.length;
  return {
    cheapestMinor,
    dearestMinor,
    totalQuantity: total,
    piece,
    // All that follows the name is ASCII.
    pieceLength: offersAt + parts.offers.length + blanksAfter(total, offers),
    minPriceAt,
    offersAt,
    offers: cheapestMinor === dearestMinor ? '' : renderNumbers(offers),
  };
}

/** A comma and an element of the list in three parts: without the middle it is a ProductWithOffers. Spec: Product. */
export function renderParts(
  product: { readonly id: number | string; readonly name: string; readonly updatedAt: string },
  total: number,
  offers: readonly ListedOffer[],
): { readonly head: string; readonly minPrice: string; readonly offers: string } {
  const { id, name, updatedAt } = product;
  return {
    head: `,{"id":"${id}","name":${JSON.stringify(name)},"totalQuantity":${total},"updatedAt":"${updatedAt}","currency":"${CURRENCY}"`,
    minPrice: `,"minPrice":"${formatMinor(offers[0]?.priceMinor ?? 0)}"`,
    offers: `,"offers":${renderOffers(offers)}}`,
  };
}

/** A function of what is shown alone: the same product has the same bytes on every node. */
function blanksAfter(total: number, offers: readonly ListedOffer[]): number {
  let blanks = missing(digitCount(total), QUANTITY_LENGTH_USUAL);
  // The cheapest price is shown twice.
  blanks += missing(priceLength(offers[0]?.priceMinor ?? 0), PRICE_LENGTH_USUAL);
  for (const { priceMinor, quantity } of cheapest(offers)) {
    blanks += missing(priceLength(priceMinor), PRICE_LENGTH_USUAL);
    blanks += missing(digitCount(quantity), QUANTITY_LENGTH_USUAL);
  }
  return blanks;
}

/** With a point, and at least three digits. */
function priceLength(priceMinor: number): number {
  return Math.max(3, digitCount(priceMinor)) + 1;
}

function missing(length: number, usual: number): number {
  return length < usual ? usual - length : 0;
}

function digitCount(whole: number): number {
  let count = 1;
  for (let rest = whole; rest >= 10; rest = Math.floor(rest / 10)) count += 1;
  return count;
}

/** Units over these offers, as the contract reports them: at most a million (A5). */
function totalQuantity(offers: readonly Pick<ListedOffer, 'quantity'>[]): number {
  let total = 0;
  for (const offer of offers) total += offer.quantity;
  return Math.min(total, TOTAL_QUANTITY_MAX);
}

/** Cheapest first; equal prices: the larger quantity, then the lower id (A31). */
export function compareOffers(left: ListedOffer, right: ListedOffer): number {
  return (
    left.priceMinor - right.priceMinor || right.quantity - left.quantity || (left.id < right.id ? -1 : 1)
  );
}

function cheapest(offers: readonly ListedOffer[]): readonly ListedOffer[] {
  return offers.length > OFFERS_PER_PRODUCT_MAX ? offers.slice(0, OFFERS_PER_PRODUCT_MAX) : offers;
}

function renderOffers(offers: readonly ListedOffer[]): string {
  let text = '';
  for (const { id, priceMinor, quantity } of cheapest(offers)) {
    text += `${text === '' ? '[' : ','}{"id":"${id}","price":"${formatMinor(priceMinor)}","quantity":${quantity}}`;
  }
  return `${text}]`;
}

function renderNumbers(offers: readonly ListedOffer[]): string {
  let text = '';
  for (const { priceMinor, quantity } of offers) text += `${priceMinor} ${quantity} `;
  return text;
}
