/**
 * The catalogue in memory: every read of it is answered from here, from bytes prepared when an offer changed. It keeps
 * insertion order for ever (A15) and never decides an order. feed.ts keeps it in step with the database.
 * Spec: "3. Get product offers (list)", "4. Get single product with offers".
 */

import { ListedCount } from './listed-count.ts';
import { PieceStore } from './piece-store.ts';
import { type ListedOffer, type ListedProduct, renderProduct, totalQuantity } from './render.ts';

/** A product as the feed delivers it; without offers it keeps its place and is not listed (A5). */
export type CatalogueProduct = ListedProduct & {
  /** Insertion order: unique, growing, not without gaps. */
  readonly position: number;
  /** Grows when the details change. */
  readonly detailsVersion: number;
};

/** What remains of a product's offers must satisfy these (A4). */
export type OfferFilter = {
  /** EUR cents; only offers at or below it. */
  readonly maxPriceMinor: number | undefined;
  /** Only products with at least this many units left. */
  readonly totalQuantityMin: number | undefined;
};

export type CatalogueQuery = OfferFilter & {
  /** Distinct 14-digit ids; undefined: all products. */
  readonly productIds: readonly string[] | undefined;
  /** Inclusive bounds, microseconds since the epoch. */
  readonly updatedFromMicros: number | undefined;
  readonly updatedToMicros: number | undefined;
  /** How many matches come before the page, and how many are on it. */
  readonly offset: number;
  readonly limit: number;
};

export type CataloguePage = {
  readonly totalResults: number;
  /** One or more products each, with a comma before every one: a page is their concatenation without its first byte. */
  readonly pieces: readonly Buffer[];
};

export class Catalogue {
  /** By slot, in insertion order. */
  #products: CatalogueProduct[] = [];
  #pieces = new PieceStore();
  /** Stamps of the listed products; NaN for the others, so that no comparison holds. */
  #stamps = new Float64Array(1024);
  #listed = new ListedCount();
  #slots = new Map<string, number>();

  /** Products on offer. */
  get listedCount(): number {
    return this.#listed.total;
  }

  /** Products known, on offer or not. */
  get productCount(): number {
    return this.#products.length;
  }

  /** A product that is on offer. */
  find(productId: string): CatalogueProduct | undefined {
    const product = this.#products[this.#slots.get(productId) ?? -1];
    return product === undefined || product.offers.length === 0 ? undefined : product;
  }

  /** Puts in new products, at their places in the insertion order, and replaces known ones. */
  apply(products: readonly CatalogueProduct[]): void {
    const newcomers: CatalogueProduct[] = [];
    for (const product of products) {
      const slot = this.#slots.get(product.id);
      if (slot === undefined) newcomers.push(product);
      else this.#set(slot, product);
    }
    const [first] = newcomers.sort((left, right) => left.position - right.position);
    const last = this.#products.at(-1);
    if (first === undefined || last === undefined || last.position < first.position) {
      for (const product of newcomers) this.#set(this.#products.length, product);
    } else this.#layAnew(newcomers);
    if (this.#pieces.isWasteful) this.#layAnew([]);
  }

  page(query: CatalogueQuery): CataloguePage {
    if (query.productIds !== undefined) return this.#pageByOffers(query, this.#slotsOf(query.productIds));
    if (query.maxPriceMinor !== undefined || query.totalQuantityMin !== undefined) {
      return this.#pageByOffers(query, this.#products.keys());
    }
    if (query.updatedFromMicros !== undefined || query.updatedToMicros !== undefined) {
      return this.#pageByUpdate(query);
    }
    return this.#pageOfAll(query);
  }

  #set(slot: number, product: CatalogueProduct): void {
    const isListed = product.offers.length > 0;
    this.#products[slot] = product;
    this.#slots.set(product.id, slot);
    if (isListed) this.#pieces.put(slot, pieceOf(product));
    else this.#pieces.clear(slot);
    if (slot >= this.#stamps.length) {
      const grown = new Float64Array(this.#stamps.length * 2);
      grown.set(this.#stamps);
      this.#stamps = grown;
    }
    this.#stamps[slot] = isListed ? product.stampMicros : Number.NaN;
    this.#listed.set(slot, isListed);
  }

  /**
   * Lays everything side by side again, with the newcomers at their places: a transaction that drew its positions early
   * may commit late, and its products then belong between others. Seldom; reads the whole catalogue.
   */
  #layAnew(newcomers: readonly CatalogueProduct[]): void {
    const all = [...this.#products, ...newcomers].sort((left, right) => left.position - right.position);
    this.#products = [];
    this.#pieces = new PieceStore();
    this.#listed = new ListedCount();
    for (const [slot, product] of all.entries()) this.#set(slot, product);
  }

  #pageOfAll({ offset, limit }: CatalogueQuery): CataloguePage {
    const slots: number[] = [];
    let slot = this.#listed.find(offset) ?? this.#products.length;
    for (; slot < this.#products.length && slots.length < limit; slot += 1) {
      if (this.#pieces.has(slot)) slots.push(slot);
    }
    return { totalResults: this.#listed.total, pieces: this.#pieces.views(slots) };
  }

  /** All slots whose product was updated in the range; exact totals come with the scan. */
  #pageByUpdate(query: CatalogueQuery): CataloguePage {
    const { from, to } = boundsOf(query);
    const end = query.offset + query.limit;
    const stamps = this.#stamps;
    const slotCount = this.#products.length;
    const slots: number[] = [];
    let matched = 0;
    for (let slot = 0; slot < slotCount; slot += 1) {
      const stamp = stamps[slot] ?? Number.NaN;
      if (!(stamp >= from && stamp <= to)) continue;
      if (matched >= query.offset && matched < end) slots.push(slot);
      matched += 1;
    }
    return { totalResults: matched, pieces: this.#pieces.views(slots) };
  }

  /** As above among the given slots, with the offers that the filter leaves (A4). */
  #pageByOffers(query: CatalogueQuery, slots: Iterable<number>): CataloguePage {
    const { from, to } = boundsOf(query);
    const pieces: Buffer[] = [];
    let matched = 0;
    for (const slot of slots) {
      const stamp = this.#stamps[slot] ?? Number.NaN;
      const product = this.#products[slot];
      if (product === undefined || !(stamp >= from && stamp <= to)) continue;
      const remaining = remainingProduct(product, query);
      if (remaining === undefined) continue;
      const isOnPage = matched >= query.offset && matched < query.offset + query.limit;
      matched += 1;
      if (!isOnPage) continue;
      if (remaining === product) pieces.push(...this.#pieces.views([slot]));
      else pieces.push(Buffer.from(pieceOf(remaining)));
    }
    return { totalResults: matched, pieces };
  }

  #slotsOf(productIds: readonly string[]): number[] {
    return productIds.flatMap((id) => this.#slots.get(id) ?? []).sort((left, right) => left - right);
  }
}

function boundsOf(query: CatalogueQuery): { readonly from: number; readonly to: number } {
  return {
    from: query.updatedFromMicros ?? Number.NEGATIVE_INFINITY,
    to: query.updatedToMicros ?? Number.POSITIVE_INFINITY,
  };
}

/** The product with the offers that the filter leaves, or undefined when it leaves none or too few units (A4). */
export function remainingProduct<Listed extends ListedProduct>(
  product: Listed,
  filter: OfferFilter,
): Listed | undefined {
  const { maxPriceMinor, totalQuantityMin } = filter;
  const offers =
    maxPriceMinor === undefined
      ? product.offers
      : product.offers.filter((offer) => offer.priceMinor <= maxPriceMinor);
  if (offers.length === 0 || totalQuantity(offers) < (totalQuantityMin ?? 1)) return undefined;
  return offers.length === product.offers.length ? product : { ...product, offers };
}

/** Cheapest first; equal prices: the larger quantity, then the lower id (A31). */
export function compareOffers(left: ListedOffer, right: ListedOffer): number {
  return (
    left.priceMinor - right.priceMinor || right.quantity - left.quantity || (left.id < right.id ? -1 : 1)
  );
}

function pieceOf(product: ListedProduct): string {
  return `,${renderProduct(product)}`;
}
