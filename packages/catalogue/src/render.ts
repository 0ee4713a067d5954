/** A product is rendered once and sent many times. */
import { CURRENCY, OFFERS_PER_PRODUCT_MAX, TOTAL_QUANTITY_MAX } from '@keyport/contract/formats';
import { digitCount, PieceWriter } from './piece-writer.ts';

export type ListedOffer = {
  readonly id: string;
  readonly priceMinor: number;
  readonly quantity: number;
};

export type CatalogueProduct = {
  /** 14 digits. */
  readonly id: number;
  readonly name: string;
  /** Increases in the order of visibility (A8). */
  readonly stampMicros: number;
  readonly firstStampMicros: number;
  /** Increases when the details change. */
  readonly detailsVersion: number;
  /** False if the API excludes the product from checkout. */
  readonly isOrderable: boolean;
  readonly offers: readonly ListedOffer[];
};

export type PreparedProduct = Omit<CatalogueProduct, 'name' | 'offers'> & {
  readonly listing: Listing | undefined;
};

export type Listing = {
  readonly cheapestMinor: number;
  readonly highestPriceMinor: number;
  readonly totalQuantity: number;
  readonly piece: Piece;
  /** Price and quantity of each offer, each followed by a blank; empty if all prices are equal. */
  readonly prices: Bytes;
};

export type Bytes = { readonly chunk: Buffer; readonly start: number; readonly length: number };

/** A comma, the element of the list with `minPrice` and `offers` last, and blanks. */
export type Piece = Bytes & {
  readonly minPriceAt: number;
  readonly offersAt: number;
};

/** Maximum bytes: a product without name and offers, an offer, a character, a price with its quantity. */
const PIECE_LENGTH_MAX = 256;
const OFFER_LENGTH_MAX = 128;
const CHARACTER_LENGTH_MAX = 6;
const PRICES_LENGTH_MAX = 34;

/** A blank replaces each missing digit, so that the length rarely changes. */
const PRICE_LENGTH_USUAL = 6;
const QUANTITY_LENGTH_USUAL = 4;

const writer = new PieceWriter();

export function prepareProduct(product: CatalogueProduct): PreparedProduct {
  const { name: _name, offers, ...kept } = product;
  return { ...kept, listing: offers.length === 0 ? undefined : prepareListing(product) };
}

function prepareListing(product: CatalogueProduct): Listing {
  const { offers } = product;
  const total = totalQuantity(offers);
  const cheapestMinor = offers[0]?.priceMinor ?? 0;
  const highestPriceMinor = offers.at(-1)?.priceMinor ?? 0;
  const piece = writePiece(product, total);
  const prices = writePrices(cheapestMinor === highestPriceMinor ? [] : offers);
  return { cheapestMinor, highestPriceMinor, totalQuantity: total, piece, prices };
}

export function writePiece(
  product: Pick<CatalogueProduct, 'id' | 'name' | 'stampMicros' | 'offers'>,
  total: number,
): Piece {
  const { id, name, stampMicros, offers } = product;
  const count = Math.min(offers.length, OFFERS_PER_PRODUCT_MAX);
  const cheapestMinor = offers[0]?.priceMinor ?? 0;
  writer.begin(PIECE_LENGTH_MAX + name.length * CHARACTER_LENGTH_MAX + count * OFFER_LENGTH_MAX);
  const { chunk, position: start } = writer;
  writer.ascii(',{"id":"');
  writer.number(id);
  writer.ascii('","name":');
  writer.string(name);
  writer.ascii(',"totalQuantity":');
  writer.number(total);
  writer.ascii(',"updatedAt":"');
  writer.dateTime(stampMicros);
  writer.ascii('","currency":"');
  writer.ascii(CURRENCY);
  writer.ascii('"');
  const minPriceAt = writer.position - start;
  writer.ascii(',"minPrice":"');
  writer.price(cheapestMinor);
  writer.ascii('"');
  const offersAt = writer.position - start;
  // The cheapest price appears twice.
  let blanks = missing(digitCount(total), QUANTITY_LENGTH_USUAL) + missingOfPrice(cheapestMinor);
  for (let index = 0; index < count; index += 1) {
    const offer = offers[index];
    if (offer === undefined) break;
    writer.ascii(index === 0 ? ',"offers":[{"id":"' : ',{"id":"');
    writer.ascii(offer.id);
    writer.ascii('","price":"');
    writer.price(offer.priceMinor);
    writer.ascii('","quantity":');
    writer.number(offer.quantity);
    writer.ascii('}');
    blanks += missing(digitCount(offer.quantity), QUANTITY_LENGTH_USUAL) + missingOfPrice(offer.priceMinor);
  }
  writer.ascii(']}');
  writer.blanks(blanks);
  return { chunk, start, length: writer.position - start, minPriceAt, offersAt };
}

function writePrices(offers: readonly ListedOffer[]): Bytes {
  writer.begin(offers.length * PRICES_LENGTH_MAX);
  const { chunk, position: start } = writer;
  for (const { priceMinor, quantity } of offers) {
    writer.number(priceMinor);
    writer.blanks(1);
    writer.number(quantity);
    writer.blanks(1);
  }
  return { chunk, start, length: writer.position - start };
}

function missing(length: number, usual: number): number {
  return length < usual ? usual - length : 0;
}

/** A price has a point and at least three digits. */
function missingOfPrice(priceMinor: number): number {
  return missing(Math.max(3, digitCount(priceMinor)) + 1, PRICE_LENGTH_USUAL);
}

function totalQuantity(offers: readonly ListedOffer[]): number {
  let total = 0;
  for (const offer of offers) total += offer.quantity;
  return Math.min(total, TOTAL_QUANTITY_MAX);
}

export function compareOffers(left: ListedOffer, right: ListedOffer): number {
  return (
    left.priceMinor - right.priceMinor || right.quantity - left.quantity || (left.id < right.id ? -1 : 1)
  );
}
