/**
 * All products in memory: one rendered buffer for each, and arrays by slot, which is the place in the insertion order.
 * Reads and changes are synchronous, so a reader sees all of a change or none. R6, R7, A15.
 */
import { isDeepStrictEqual } from 'node:util';
import { OFFERS_PER_PRODUCT_MAX } from '@keyport/contract/formats';
import { must } from '@keyport/core/assert';
import { ChangeOrder } from './change-order.ts';
import {
  type CatalogueProduct,
  compareOffers,
  computeTotal,
  type ListedOffer,
  type Listing,
  type PreparedProduct,
  readListing,
  render,
} from './render.ts';
import { firstAtOrAbove, grown, SortedSlots } from './sorted-slots.ts';
import { Tag } from './tag.ts';

export type OfferFilter = {
  readonly maxPriceMinor: number | undefined;
  readonly totalQuantityMin: number | undefined;
};

export type CatalogueQuery = OfferFilter & {
  /** Ids of 14 digits, possibly with duplicates; undefined selects all products. */
  readonly productIds: readonly string[] | undefined;
  readonly orderableOnly: boolean;
  /** Inclusive. */
  readonly updatedFromMicros: number | undefined;
  readonly updatedToMicros: number | undefined;
  /** Selects only products after this slot. */
  readonly afterSlot?: number | undefined;
  readonly offset: number;
  readonly limit: number;
};

/** The parts of a body, which never change. */
export type ProductLookUp = {
  readonly parts: readonly Buffer[];
  /** The same on every node. */
  readonly tag: string;
};

export type CataloguePage = ProductLookUp & { readonly totalResults: number };

export type ProductSummary = {
  /** The product's JSON up to `minPrice`, without the closing brace. */
  readonly members: Buffer;
  readonly stampMicros: number;
  readonly detailsVersion: number;
};

export type Newcomer = { readonly id: number; readonly firstStampMicros: number };

export type CatalogueChange =
  /** The product as on a page, with a comma before it. */
  | { readonly stampMicros: number; readonly piece: Buffer }
  | { readonly stampMicros: number; readonly removedId: string };

export type CatalogueChanges = {
  readonly changes: readonly CatalogueChange[];
  readonly throughMicros: number;
  readonly hasMore: boolean;
};

/** Beyond this share of the catalogue, looking at every product is cheaper than sorting those that changed. */
const SORTED_SHARE = 16;

const CHANGES_LOOKED_AT_MAX = 20_000;

/** Bounds are inclusive, or infinite. */
type Conditions = {
  readonly from: number;
  readonly to: number;
  /** EUR cents; more expensive offers are ignored. */
  readonly maxPrice: number;
  /** Units of the remaining offers. */
  readonly minQuantity: number;
  readonly orderableOnly: boolean;
};

/** The columns repeat what filters need, because looking into a million objects would take tens of milliseconds. */
class Store {
  readonly products: PreparedProduct[] = [];
  readonly slots = new Map<number, number>();
  readonly listed = new SortedSlots();
  readonly changes = new ChangeOrder((slot) => this.stamps[slot] ?? 0);
  /** 0 for products that are only admitted. */
  stamps = new Float64Array(1024);
  /** NaN for unlisted products, which therefore match no price. */
  cheapest = new Float64Array(1024);
  quantities = new Int32Array(1024);
  orderable = new Uint8Array(1024);
  /** The listings' bytes: a page reads them without the products, whose objects are all over the memory. */
  readonly bodies: (Buffer | undefined)[] = [];
  throughMicros = 0;

  append({ id, firstStampMicros }: Newcomer): number {
    const slot = this.products.length;
    if (slot === this.stamps.length) {
      this.stamps = grown(this.stamps);
      this.cheapest = grown(this.cheapest);
      this.quantities = grown(this.quantities);
      this.orderable = grown(this.orderable);
    }
    this.products.push({
      id,
      stampMicros: 0,
      firstStampMicros,
      detailsVersion: 0,
      isOrderable: false,
      listing: undefined,
    });
    this.cheapest[slot] = Number.NaN;
    this.bodies.push(undefined);
    this.slots.set(id, slot);
    return slot;
  }

  set(slot: number, product: PreparedProduct): void {
    const { listing } = product;
    const wasListed = this.listingAt(slot) !== undefined;
    this.products[slot] = product;
    this.stamps[slot] = product.stampMicros;
    this.cheapest[slot] = listing?.cheapestMinor ?? Number.NaN;
    this.quantities[slot] = listing?.totalQuantity ?? 0;
    this.orderable[slot] = product.isOrderable ? 1 : 0;
    this.bodies[slot] = listing?.bytes;
    if (listing !== undefined && !wasListed) this.listed.add(slot);
    if (listing === undefined && wasListed) this.listed.remove(slot);
  }

  at(slot: number): PreparedProduct {
    return must(this.products[slot], 'a product of a slot');
  }

  listingAt(slot: number): Listing | undefined {
    return this.products[slot]?.listing;
  }

  matches(slot: number, wanted: Conditions): boolean {
    if (!((this.cheapest[slot] ?? Number.NaN) <= wanted.maxPrice)) return false;
    const stamp = this.stamps[slot] ?? 0;
    if (stamp < wanted.from || stamp > wanted.to) return false;
    if (wanted.orderableOnly && this.orderable[slot] !== 1) return false;
    if ((this.quantities[slot] ?? 0) < wanted.minQuantity) return false;
    const listing = this.listingAt(slot);
    if (wanted.minQuantity <= 1 || listing === undefined || !isPartial(listing, wanted.maxPrice)) return true;
    return computeTotal(offersUpTo(readListing(listing).offers, wanted.maxPrice)) >= wanted.minQuantity;
  }
}

export class Catalogue {
  #store = new Store();
  readonly #tag = new Tag();
  readonly #listeners = new Set<() => void>();

  get listedCount(): number {
    return this.#store.listed.count;
  }

  get productCount(): number {
    return this.#store.products.length;
  }

  /** 0 before the first change. */
  get newestStampMicros(): number {
    return this.#store.changes.newestStamp;
  }

  get throughMicros(): number {
    return this.#store.throughMicros;
  }

  set throughMicros(stampMicros: number) {
    this.#store.throughMicros = stampMicros;
  }

  /** Returns 0 for an unknown product. */
  toStamp(productId: number): number {
    const slot = this.toSlot(productId);
    return slot === undefined ? 0 : this.#store.at(slot).stampMicros;
  }

  /** The place in the insertion order, from 0. */
  toSlot(productId: number): number | undefined {
    return this.#store.slots.get(productId);
  }

  /** Returns ids in insertion order from `start`; fewer at the end. */
  idsFrom(start: number, count: number): number[] {
    return this.#store.products.slice(start, start + count).map(({ id }) => id);
  }

  /** `left` maps offer ids to quantities. Returns undefined if the product must be read from the database. */
  sold(id: number, stampMicros: number, left: ReadonlyMap<string, number>): CatalogueProduct | undefined {
    const slot = this.toSlot(id);
    const listing = slot === undefined ? undefined : this.#store.listingAt(slot);
    if (slot === undefined || listing === undefined) return undefined;
    const { name, offers } = readListing(listing);
    if (![...left.keys()].every((sold) => offers.some((offer) => offer.id === sold))) return undefined;
    const remaining = offers
      .map((offer) => ({ ...offer, quantity: left.get(offer.id) ?? offer.quantity }))
      .filter(({ quantity }) => quantity > 0)
      .sort(compareOffers);
    const { listing: _, ...product } = this.#store.at(slot);
    return { ...product, stampMicros, name, offers: remaining };
  }

  /** Ignores the place in the insertion order. */
  holds(product: PreparedProduct): boolean {
    const slot = this.toSlot(product.id);
    if (slot === undefined) return false;
    const { firstStampMicros } = product;
    return isDeepStrictEqual({ ...this.#store.at(slot), firstStampMicros }, product);
  }

  onApplied(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Appends unlisted products to the insertion order. To apply products in parts, admit all first. */
  admit(products: readonly Newcomer[]): void {
    const store = this.#store;
    const newcomers = products.filter(({ id }) => !store.slots.has(id));
    for (const newcomer of newcomers.sort(compareFirstStamps)) store.append(newcomer);
  }

  apply(products: readonly PreparedProduct[]): void {
    this.admit(products);
    const store = this.#store;
    for (const product of products) {
      const slot = must(store.slots.get(product.id), 'the slot of an admitted product');
      // After a load the latest changes arrive a second time.
      if (product.stampMicros <= store.at(slot).stampMicros) continue;
      store.set(slot, product);
      store.changes.append(product.stampMicros, slot, store.products.length);
    }
    this.#changed();
  }

  /** Fills an empty catalogue. Sorts `products`. */
  fill(products: PreparedProduct[]): void {
    for (const product of products.sort(compareFirstStamps))
      this.#store.set(this.#store.append(product), product);
    this.#store.changes.fill(this.#store.products.length);
    this.#changed();
  }

  /** `other` must not be used afterwards. */
  takeOver(other: Catalogue): void {
    this.#store = other.#store;
    this.#changed();
  }

  page(query: CatalogueQuery): CataloguePage {
    const store = this.#store;
    const { offset, limit, afterSlot = -1 } = query;
    const wanted = toConditions(query);
    const candidates = this.#candidates(query, wanted);
    const first = firstAtOrAbove(candidates, afterSlot + 1);
    if (!isFiltered(query)) {
      const slots = candidates.subarray(first + offset, first + offset + limit);
      return this.#page(slots, candidates.length - first, wanted);
    }
    const slots: number[] = [];
    let total = 0;
    for (let index = first; index < candidates.length; index += 1) {
      const slot = candidates[index] ?? 0;
      if (!store.matches(slot, wanted)) continue;
      if (total >= offset && slots.length < limit) slots.push(slot);
      total += 1;
    }
    return this.#page(slots, total, wanted);
  }

  /** Undefined if too few offers match the filter. */
  lookUp(productId: string, filter: OfferFilter): ProductLookUp | undefined {
    const slot = this.toSlot(Number(productId));
    const wanted = toConditions(filter);
    if (slot === undefined || !this.#store.matches(slot, wanted)) return undefined;
    this.#tag.begin(1);
    const { bytes, minPriceAt, offersAt } = this.#rendered(slot, wanted);
    return { parts: [bytes.subarray(1, minPriceAt), bytes.subarray(offersAt)], tag: this.#tag.end() };
  }

  summaries(productIds: readonly number[]): (ProductSummary | undefined)[] {
    return productIds.map((id) => {
      const slot = this.toSlot(id);
      const listing = slot === undefined ? undefined : this.#store.listingAt(slot);
      if (slot === undefined || listing === undefined) return undefined;
      const { stampMicros, detailsVersion } = this.#store.at(slot);
      return { members: listing.bytes.subarray(1, listing.offersAt), stampMicros, detailsVersion };
    });
  }

  /** Skips removals up to `removalsAfterMicros`, because the reader never had those products. */
  changesAfter(query: {
    readonly afterMicros: number;
    readonly removalsAfterMicros: number;
    /** Products that cannot be ordered count as removed. */
    readonly orderableOnly: boolean;
    readonly limit: number;
  }): CatalogueChanges {
    const store = this.#store;
    const found: CatalogueChange[] = [];
    const range = {
      from: query.afterMicros + 1,
      to: Number.POSITIVE_INFINITY,
      lookedAtMax: CHANGES_LOOKED_AT_MAX,
    };
    const stoppedAt = store.changes.read(range, (slot, stampMicros) => {
      const { id, listing } = store.at(slot);
      if (listing !== undefined && (!query.orderableOnly || store.orderable[slot] === 1))
        found.push({ stampMicros, piece: listing.bytes });
      else if (stampMicros > query.removalsAfterMicros) found.push({ stampMicros, removedId: String(id) });
      return found.length < query.limit;
    });
    const throughMicros = stoppedAt ?? Math.max(query.afterMicros, this.newestStampMicros);
    return { changes: found, throughMicros, hasMore: throughMicros < this.newestStampMicros };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Ascending slots, among which are all that match. */
  #candidates({ productIds }: CatalogueQuery, wanted: Conditions): Int32Array {
    const { slots, listed, changes } = this.#store;
    if (productIds !== undefined) {
      const known = new Set(productIds.map((id) => slots.get(Number(id)) ?? -1));
      known.delete(-1);
      return Int32Array.from(known).sort();
    }
    const isByUpdate = wanted.from > Number.NEGATIVE_INFINITY || wanted.to < Number.POSITIVE_INFINITY;
    if (!isByUpdate || changes.countUpTo(wanted) > listed.count / SORTED_SHARE) return listed.all;
    const updated: number[] = [];
    changes.read({ ...wanted, lookedAtMax: Number.POSITIVE_INFINITY }, (slot) => updated.push(slot) > 0);
    return Int32Array.from(updated).sort();
  }

  #page(slots: ArrayLike<number>, totalResults: number, wanted: Conditions): CataloguePage {
    this.#tag.begin(totalResults);
    const parts: Buffer[] = [];
    for (let index = 0; index < slots.length; index += 1) {
      const slot = slots[index] ?? 0;
      const bytes =
        wanted.maxPrice === Number.POSITIVE_INFINITY ? this.#whole(slot) : this.#rendered(slot, wanted).bytes;
      parts.push(index === 0 ? bytes.subarray(1) : bytes);
    }
    return { totalResults, parts, tag: this.#tag.end() };
  }

  /** The product of a slot that matches. Adds it to the tag. */
  #whole(slot: number): Buffer {
    this.#tag.add(this.#store.stamps[slot] ?? 0);
    return must(this.#store.bodies[slot], 'a product that matches is listed');
  }

  /** The product of a slot that matches, with only the offers up to the maximum price. Adds it to the tag. */
  #rendered(slot: number, { maxPrice }: Conditions) {
    const { id, stampMicros, listing } = this.#store.at(slot);
    this.#tag.add(stampMicros);
    const whole = must(listing, 'a product that matches is listed');
    if (!isPartial(whole, maxPrice)) return whole;
    const { name, offers } = readListing(whole);
    const left = offersUpTo(offers, maxPrice);
    // Distinguishes the partial pieces of one version.
    this.#tag.add(computeTotal(left) * 8 + Math.min(left.length, OFFERS_PER_PRODUCT_MAX));
    return render({ id, name, stampMicros, offers: left }, Buffer.allocUnsafe);
  }
}

function compareFirstStamps(one: Newcomer, other: Newcomer): number {
  return one.firstStampMicros - other.firstStampMicros || one.id - other.id;
}

function isPartial({ highestPriceMinor }: Listing, maxPrice: number): boolean {
  return highestPriceMinor > maxPrice;
}

function offersUpTo(offers: readonly ListedOffer[], maxPrice: number): ListedOffer[] {
  return offers.filter(({ priceMinor }) => priceMinor <= maxPrice);
}

/** Otherwise every listed product matches. */
function isFiltered(query: CatalogueQuery): boolean {
  const { productIds, orderableOnly, updatedFromMicros, updatedToMicros, maxPriceMinor, totalQuantityMin } =
    query;
  const given = [productIds, updatedFromMicros, updatedToMicros, maxPriceMinor, totalQuantityMin];
  return orderableOnly || given.some((value) => value !== undefined);
}

function toConditions(query: OfferFilter & Partial<CatalogueQuery>): Conditions {
  return {
    from: query.updatedFromMicros ?? Number.NEGATIVE_INFINITY,
    to: query.updatedToMicros ?? Number.POSITIVE_INFINITY,
    maxPrice: query.maxPriceMinor ?? Number.POSITIVE_INFINITY,
    minQuantity: query.totalQuantityMin ?? 1,
    orderableOnly: query.orderableOnly ?? false,
  };
}
