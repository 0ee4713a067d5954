/** The catalogue grows by whole blocks, so growth copies nothing. Only changed blocks are counted again. */
import { OFFERS_PER_PRODUCT_MAX, TOTAL_QUANTITY_MAX } from '@keyport/contract/formats';
import { PieceStore } from './piece-store.ts';
import {
  type CatalogueProduct,
  compareOffers,
  type ListedOffer,
  type Listing,
  type Piece,
  type PreparedProduct,
  writePiece,
} from './render.ts';

const BLOCK_BITS = 12;
export const BLOCK_SIZE = 1 << BLOCK_BITS;
const PLACE_MASK = BLOCK_SIZE - 1;

export const blockOf = (slot: number) => slot >>> BLOCK_BITS;
export const placeOf = (slot: number) => slot & PLACE_MASK;

/** Bounds are inclusive, or infinite. */
export type Conditions = {
  readonly from: number;
  readonly to: number;
  /** EUR cents; more expensive offers are ignored. */
  readonly maxPrice: number;
  /** Units of the remaining offers. */
  readonly minQuantity: number;
  readonly orderableOnly: boolean;
};

/** A product with only the offers up to a maximum price. */
export type PartialPiece = Piece & {
  /** Distinguishes the partial pieces of one version. */
  readonly mark: number;
};

const HIDDEN = '';

const BLANK = 0x20;
const ZERO = 0x30;

export class Block {
  readonly ids = new Float64Array(BLOCK_SIZE);
  /** Includes unlisted products; 0 for products that are only admitted. */
  readonly stamps = new Float64Array(BLOCK_SIZE);
  readonly pieces: PieceStore;
  readonly minPriceAt = new Uint32Array(BLOCK_SIZE);
  readonly offersAt = new Uint32Array(BLOCK_SIZE);
  readonly detailsVersions = new Int32Array(BLOCK_SIZE);
  readonly cheapest = new Float64Array(BLOCK_SIZE);
  readonly highestPrice = new Float64Array(BLOCK_SIZE);
  readonly quantities = new Int32Array(BLOCK_SIZE);
  readonly #prices: PieceStore;
  readonly #listed = new Int32Array(BLOCK_SIZE / 32);
  readonly #orderable = new Int32Array(BLOCK_SIZE / 32);
  #listedCount = 0;
  #version = 0;

  /** `before` predicts the size of this block. */
  constructor(before: Block | undefined) {
    this.pieces = new PieceStore(BLOCK_SIZE, before?.pieces.usedBytes);
    this.#prices = new PieceStore(BLOCK_SIZE, before === undefined ? 0 : before.#prices.usedBytes);
  }

  get listedCount(): number {
    return this.#listedCount;
  }

  /** Differs after every change. */
  get version(): number {
    return this.#version;
  }

  isListed(place: number): boolean {
    return hasBit(this.#listed, place);
  }

  isOrderable(place: number): boolean {
    return hasBit(this.#orderable, place);
  }

  set(place: number, product: PreparedProduct): void {
    this.stamps[place] = product.stampMicros;
    this.detailsVersions[place] = product.detailsVersion;
    this.#version += 1;
    if (product.listing === undefined) this.pieces.clear(place);
    else this.#putListing(place, product.listing);
    this.#setListed(place, product.listing !== undefined);
    if (this.isOrderable(place) !== product.isOrderable) flipBit(this.#orderable, place);
  }

  holds(place: number, { stampMicros, detailsVersion, isOrderable, listing }: PreparedProduct): boolean {
    if (this.stamps[place] !== stampMicros || this.detailsVersions[place] !== detailsVersion) return false;
    if (this.isOrderable(place) !== isOrderable) return false;
    if (listing === undefined) return !this.isListed(place);
    return (
      this.isListed(place) &&
      this.cheapest[place] === listing.cheapestMinor &&
      this.highestPrice[place] === listing.highestPriceMinor &&
      this.quantities[place] === listing.totalQuantity &&
      this.minPriceAt[place] === listing.piece.minPriceAt &&
      this.offersAt[place] === listing.piece.offersAt &&
      this.pieces.holds(place, listing.piece) &&
      this.#prices.holds(place, listing.prices)
    );
  }

  /** Loads the numbers that a page needs into the processor's cache; the returned sum is meaningless. */
  touch(place: number): number {
    return (this.ids[place] ?? 0) + (this.stamps[place] ?? 0) + this.pieces.startOf(place);
  }

  /** The place of the n-th listed product (from 0). */
  placeOfListed(rank: number): number {
    if (this.#listedCount === BLOCK_SIZE) return rank;
    let left = rank;
    let word = 0;
    for (; ; word += 1) {
      const count = bitCount(this.#listed[word] ?? 0);
      if (left < count) break;
      left -= count;
    }
    let bits = this.#listed[word] ?? 0;
    for (; left > 0; left -= 1) bits &= bits - 1;
    return word * 32 + 31 - Math.clz32(bits & -bits);
  }

  matches(place: number, wanted: Conditions): boolean {
    const stamp = this.stamps[place] ?? 0;
    if (stamp < wanted.from || stamp > wanted.to || !this.isListed(place)) return false;
    if (wanted.orderableOnly && !this.isOrderable(place)) return false;
    // Reads only what it needs, since the data is rarely in the processor's cache.
    const hasMaxPrice = wanted.maxPrice < Number.POSITIVE_INFINITY;
    if (hasMaxPrice && (this.cheapest[place] ?? 0) > wanted.maxPrice) return false;
    if (wanted.minQuantity <= 1) return true;
    if ((this.quantities[place] ?? 0) < wanted.minQuantity) return false;
    if (!hasMaxPrice || !this.isPartial(place, wanted.maxPrice)) return true;
    return this.#quantityUpTo(place, wanted.maxPrice, wanted.minQuantity) >= wanted.minQuantity;
  }

  /** Counts the matches among the first places. */
  countMatches(wanted: Conditions, places = BLOCK_SIZE): number {
    const isByStamp = wanted.from > Number.NEGATIVE_INFINITY || wanted.to < Number.POSITIVE_INFINITY;
    if (places === BLOCK_SIZE && wanted.minQuantity <= 1 && !wanted.orderableOnly) {
      // Reading only one array is several times as fast.
      if (!isByStamp) return this.#countWithin(this.cheapest, Number.NEGATIVE_INFINITY, wanted.maxPrice);
      if (wanted.maxPrice === Number.POSITIVE_INFINITY) {
        return this.#countWithin(this.stamps, wanted.from, wanted.to);
      }
    }
    let count = 0;
    for (let place = 0; place < places; place += 1) {
      if (this.matches(place, wanted)) count += 1;
    }
    return count;
  }

  isPartial(place: number, maxPrice: number): boolean {
    return (this.highestPrice[place] ?? 0) > maxPrice;
  }

  /** An offer at or below the price must exist. */
  renderPartial(place: number, maxPrice: number): PartialPiece {
    const { name, offers } = this.#shown(place);
    const total = Math.min(this.#quantityUpTo(place, maxPrice), TOTAL_QUANTITY_MAX);
    const left = offers.filter(({ priceMinor }) => priceMinor <= maxPrice);
    const product = { id: this.ids[place] ?? 0, name, stampMicros: this.stamps[place] ?? 0, offers: left };
    return { ...writePiece(product, total), mark: total * 8 + left.length };
  }

  /** `left` maps offer ids to quantities. Returns undefined if the ids of hidden offers are needed. */
  sold(
    place: number,
    left: ReadonlyMap<string, number>,
  ): Pick<CatalogueProduct, 'name' | 'offers'> | undefined {
    if (!this.isListed(place)) return undefined;
    const { name, offers: shown } = this.#shown(place);
    const offers = this.#allOffers(place, shown);
    if (offers === undefined || ![...left.keys()].every((id) => shown.some((offer) => offer.id === id)))
      return undefined;
    const remaining = offers
      .map((offer) => ({ ...offer, quantity: left.get(offer.id) ?? offer.quantity }))
      .filter(({ quantity }) => quantity > 0)
      .sort(compareOffers);
    const isKnown = remaining.slice(0, OFFERS_PER_PRODUCT_MAX).every(({ id }) => id !== HIDDEN);
    return isKnown ? { name, offers: remaining } : undefined;
  }

  /** Hidden offers get empty ids. Returns undefined if the hidden offers are unknown. */
  #allOffers(place: number, shown: readonly ListedOffer[]): readonly ListedOffer[] | undefined {
    const total = this.quantities[place] ?? 0;
    if (total === TOTAL_QUANTITY_MAX) return undefined;
    if (shown.reduce((sum, { quantity }) => sum + quantity, 0) === total) return shown;
    const prices = this.#prices.startOf(place);
    const numbers = this.#prices
      .view(prices, prices + this.#prices.lengthOf(place))
      .toString()
      .split(' ')
      .map(Number);
    const hidden: ListedOffer[] = [];
    for (let at = shown.length * 2; at + 1 < numbers.length; at += 2)
      hidden.push({ id: HIDDEN, priceMinor: numbers[at] ?? 0, quantity: numbers[at + 1] ?? 0 });
    return hidden.length === 0 ? undefined : [...shown, ...hidden];
  }

  #shown(place: number): { readonly name: string; readonly offers: readonly ListedOffer[] } {
    const start = this.pieces.startOf(place);
    const text = this.pieces.view(start + 1, start + this.pieces.lengthOf(place)).toString();
    const { name, offers }: RenderedPiece = JSON.parse(text);
    return {
      name,
      offers: offers.map(({ id, price, quantity }) => ({
        id,
        priceMinor: Number(price.replace('.', '')),
        quantity,
      })),
    };
  }

  /** Excludes trailing blanks. */
  endOf(place: number): number {
    let end = this.pieces.startOf(place) + this.pieces.lengthOf(place);
    const bytes = this.pieces.slab;
    while (bytes[end - 1] === BLANK) end -= 1;
    return end;
  }

  get sizeBytes(): number {
    return this.pieces.sizeBytes + this.#prices.sizeBytes;
  }

  #countWithin(numbers: Float64Array, from: number, to: number): number {
    let count = 0;
    for (let word = 0; word < this.#listed.length; word += 1) {
      const bits = this.#listed[word] ?? 0;
      if (bits === 0) continue;
      for (let bit = 0; bit < 32; bit += 1) {
        const number = numbers[word * 32 + bit] ?? 0;
        if (number >= from && number <= to) count += (bits >>> bit) & 1;
      }
    }
    return count;
  }

  #putListing(place: number, listing: Listing): void {
    this.cheapest[place] = listing.cheapestMinor;
    this.highestPrice[place] = listing.highestPriceMinor;
    this.quantities[place] = listing.totalQuantity;
    this.minPriceAt[place] = listing.piece.minPriceAt;
    this.offersAt[place] = listing.piece.offersAt;
    this.pieces.put(place, listing.piece);
    if (listing.prices.length === 0) this.#prices.clear(place);
    else this.#prices.put(place, listing.prices);
  }

  #setListed(place: number, isListed: boolean): void {
    if (this.isListed(place) === isListed) return;
    flipBit(this.#listed, place);
    this.#listedCount += isListed ? 1 : -1;
  }

  /** Stops at `neededMax`. Only for products whose offers differ in price. */
  #quantityUpTo(place: number, maxPrice: number, neededMax = Number.POSITIVE_INFINITY): number {
    const prices = this.#prices;
    const bytes = prices.slab;
    const end = prices.startOf(place) + prices.lengthOf(place);
    let total = 0;
    let price = -1;
    let number = 0;
    for (let position = prices.startOf(place); position < end && total < neededMax; position += 1) {
      const byte = bytes[position] ?? 0;
      if (byte !== BLANK) {
        number = number * 10 + byte - ZERO;
        continue;
      }
      if (price >= 0) {
        total += number;
        price = -1;
      } else if (number > maxPrice) break;
      else price = number;
      number = 0;
    }
    return total;
  }
}

type RenderedPiece = {
  readonly name: string;
  readonly offers: readonly { readonly id: string; readonly price: string; readonly quantity: number }[];
};

function hasBit(words: Int32Array, place: number): boolean {
  return (((words[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1;
}

function flipBit(words: Int32Array, place: number): void {
  const word = place >>> 5;
  words[word] = (words[word] ?? 0) ^ (1 << (place & 31));
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
