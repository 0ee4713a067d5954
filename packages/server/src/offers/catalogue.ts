/**
 * The catalogue in memory: every read of it is answered from here, from bytes prepared when an offer changed. It keeps
 * insertion order for ever (A15) and never decides an order. feed.ts keeps it in step with the database.
 * Spec: "3. Get product offers (list)", "4. Get single product with offers".
 */

import { ListedCount } from './listed-count.ts';
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
  /** Each element is a comma and a product as JSON, so that a page is a concatenation without its first byte. */
  readonly pieces: readonly Buffer[];
};

export class Catalogue {
  /** By slot, in insertion order. */
  #products: CatalogueProduct[] = [];
  #bytes: (Buffer | undefined)[] = [];
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
      else this.#set(slot, product, pieceOf(product));
    }
    const [first] = newcomers.sort((left, right) => left.position - right.position);
    const last = this.#products.at(-1);
    if (first === undefined) return;
    if (last === undefined || last.position < first.position) {
      for (const product of newcomers) this.#set(this.#products.length, product, pieceOf(product));
    } else this.#insertBetween(newcomers);
  }

  page(query: CatalogueQuery): CataloguePage {
    const hasOfferFilter = query.maxPriceMinor !== undefined || query.totalQuantityMin !== undefined;
    if (query.productIds !== undefined) return this.#pageOfIds(query, query.productIds);
    if (hasOfferFilter) return this.#pageByScan(query, (slot) => this.#matchOffers(slot, query));
    if (query.updatedFromMicros !== undefined || query.updatedToMicros !== undefined) {
      return this.#pageByScan(query, (slot) => this.#bytes[slot]);
    }
    return this.#pageOfAll(query);
  }

  #set(slot: number, product: CatalogueProduct, piece: Buffer | undefined): void {
    this.#products[slot] = product;
    this.#slots.set(product.id, slot);
    this.#bytes[slot] = piece;
    if (slot >= this.#stamps.length) {
      const grown = new Float64Array(this.#stamps.length * 2);
      grown.set(this.#stamps);
      this.#stamps = grown;
    }
    this.#stamps[slot] = piece === undefined ? Number.NaN : product.stampMicros;
    this.#listed.set(slot, piece !== undefined);
  }

  /**
   * A transaction that drew its positions early may commit late; its products then belong between others. Seldom, so
   * everything is laid anew, with the pieces that are there.
   */
  #insertBetween(newcomers: readonly CatalogueProduct[]): void {
    const known = this.#products.map((product, slot) => ({ product, piece: this.#bytes[slot] }));
    const all = [...known, ...newcomers.map((product) => ({ product, piece: pieceOf(product) }))];
    all.sort((left, right) => left.product.position - right.product.position);
    this.#products = [];
    this.#bytes = [];
    this.#listed = new ListedCount();
    for (const [slot, { product, piece }] of all.entries()) this.#set(slot, product, piece);
  }

  #pageOfAll({ offset, limit }: CatalogueQuery): CataloguePage {
    const pieces: Buffer[] = [];
    let slot = this.#listed.find(offset) ?? this.#products.length;
    for (; slot < this.#products.length && pieces.length < limit; slot += 1) {
      const piece = this.#bytes[slot];
      if (piece !== undefined) pieces.push(piece);
    }
    return { totalResults: this.#listed.total, pieces };
  }

  #pageByScan(query: CatalogueQuery, pieceAt: (slot: number) => Buffer | undefined): CataloguePage {
    const from = query.updatedFromMicros ?? Number.NEGATIVE_INFINITY;
    const to = query.updatedToMicros ?? Number.POSITIVE_INFINITY;
    const end = query.offset + query.limit;
    const stamps = this.#stamps;
    const slotCount = this.#products.length;
    const needsPiece = query.maxPriceMinor !== undefined || query.totalQuantityMin !== undefined;
    const pieces: Buffer[] = [];
    let matched = 0;
    for (let slot = 0; slot < slotCount; slot += 1) {
      const stamp = stamps[slot] ?? Number.NaN;
      if (!(stamp >= from && stamp <= to)) continue;
      const isOnPage = matched >= query.offset && matched < end;
      if (!isOnPage && !needsPiece) {
        matched += 1;
        continue;
      }
      const piece = pieceAt(slot);
      if (piece === undefined) continue;
      if (isOnPage) pieces.push(piece);
      matched += 1;
    }
    return { totalResults: matched, pieces };
  }

  #pageOfIds(query: CatalogueQuery, productIds: readonly string[]): CataloguePage {
    const from = query.updatedFromMicros ?? Number.NEGATIVE_INFINITY;
    const to = query.updatedToMicros ?? Number.POSITIVE_INFINITY;
    const slots = productIds.flatMap((id) => this.#slots.get(id) ?? []).sort((left, right) => left - right);
    const matching = slots.flatMap((slot) => {
      const stamp = this.#stamps[slot] ?? Number.NaN;
      return stamp >= from && stamp <= to ? (this.#matchOffers(slot, query) ?? []) : [];
    });
    return {
      totalResults: matching.length,
      pieces: matching.slice(query.offset, query.offset + query.limit),
    };
  }

  #matchOffers(slot: number, filter: OfferFilter): Buffer | undefined {
    const product = this.#products[slot];
    if (product === undefined) return undefined;
    const remaining = remainingProduct(product, filter);
    if (remaining === undefined) return undefined;
    return remaining.offers.length === product.offers.length ? this.#bytes[slot] : pieceOf(remaining);
  }
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

/** Undefined for a product that is not on offer. */
function pieceOf(product: ListedProduct): Buffer | undefined {
  return product.offers.length === 0 ? undefined : Buffer.from(`,${renderProduct(product)}`);
}
