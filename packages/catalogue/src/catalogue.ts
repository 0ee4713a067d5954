/**
 * Reads and changes are synchronous, so a reader sees all of a change or none. A reader must copy the bytes
 * before it awaits anything. R6, R7, A15.
 */
import { must } from '@keyport/core/assert';
import { BLOCK_SIZE, Block, blockOf, type Conditions, placeOf } from './block.ts';
import { ByteRanges } from './byte-ranges.ts';
import { MatchCounts } from './match-counts.ts';
import { ProductIndex } from './product-index.ts';
import type { CatalogueProduct, PreparedProduct } from './render.ts';
import { StampLog } from './stamp-log.ts';
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

export type CataloguePage = {
  readonly totalResults: number;
  readonly ranges: ByteRanges;
  /** The same on every node. */
  readonly tag: string;
};

export type ProductLookUp = Pick<CataloguePage, 'ranges' | 'tag'>;

export type ProductSummary = {
  /** The product's JSON up to `minPrice`, without the closing brace. */
  readonly slab: Buffer;
  readonly start: number;
  readonly end: number;
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

/** Beyond this share of the catalogue, scanning is cheaper than collecting and sorting. */
const COLLECTED_SHARE = 64;
const COLLECTED_MIN = 512;

const COLLECTIONS_MAX = 32;

const CHANGES_LOOKED_AT_MAX = 20_000;

type Store = {
  readonly blocks: Block[];
  readonly index: ProductIndex;
  readonly log: StampLog;
  listedCounts: Int32Array;
  listedCount: number;
  productCount: number;
  throughMicros: number;
};

export class Catalogue {
  #store = emptyStore();
  readonly #counts = new MatchCounts();
  readonly #collected = new Map<string, Int32Array>();
  readonly #tag = new Tag();
  #slots = new Int32Array(100);
  readonly #listeners = new Set<() => void>();
  /** Keeps the compiler from dropping the reads. */
  prefetched = 0;

  get listedCount(): number {
    return this.#store.listedCount;
  }

  get productCount(): number {
    return this.#store.productCount;
  }

  /** 0 before the first change. */
  get newestStampMicros(): number {
    return this.#store.log.newestStamp;
  }

  get throughMicros(): number {
    return this.#store.throughMicros;
  }

  set throughMicros(stampMicros: number) {
    this.#store.throughMicros = stampMicros;
  }

  /** Returns 0 for an unknown product. */
  stampOf(productId: number): number {
    const slot = this.#store.index.find(productId);
    return slot < 0 ? 0 : stampIn(this.#store.blocks, slot);
  }

  /** The place in the insertion order, from 0. */
  slotOf(productId: number): number | undefined {
    const slot = this.#store.index.find(productId);
    return slot < 0 ? undefined : slot;
  }

  /** Returns ids in insertion order from `start`; fewer at the end. */
  idsFrom(start: number, count: number): number[] {
    const { blocks, productCount } = this.#store;
    const ids: number[] = [];
    const end = Math.min(start + count, productCount);
    for (let slot = start; slot < end; slot += 1) ids.push(blockAt(blocks, slot).ids[placeOf(slot)] ?? 0);
    return ids;
  }

  /** `left` maps offer ids to quantities. Returns undefined if the product must be read from the database. */
  sold(id: number, stampMicros: number, left: ReadonlyMap<string, number>): CatalogueProduct | undefined {
    const slot = this.slotOf(id);
    if (slot === undefined) return undefined;
    const block = blockAt(this.#store.blocks, slot);
    const sold = block.sold(placeOf(slot), left);
    if (sold === undefined) return undefined;
    const detailsVersion = block.detailsVersions[placeOf(slot)] ?? 0;
    const isOrderable = block.isOrderable(placeOf(slot));
    return { id, stampMicros, firstStampMicros: stampMicros, detailsVersion, isOrderable, ...sold };
  }

  holds(product: PreparedProduct): boolean {
    const slot = this.slotOf(product.id);
    return slot !== undefined && blockAt(this.#store.blocks, slot).holds(placeOf(slot), product);
  }

  onApplied(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Appends unlisted products to the insertion order. To apply products in parts, admit all first. */
  admit(products: readonly Newcomer[]): void {
    const store = this.#store;
    const newcomers = products.filter(({ id }) => store.index.find(id) < 0);
    newcomers.sort((one, other) => one.firstStampMicros - other.firstStampMicros || one.id - other.id);
    for (const newcomer of newcomers) append(store, newcomer);
  }

  apply(products: readonly PreparedProduct[]): void {
    this.admit(products);
    const { index, blocks, log } = this.#store;
    for (const product of products) {
      const slot = index.find(product.id);
      const stampBefore = stampIn(blocks, slot);
      // After a load the latest changes arrive a second time.
      if (product.stampMicros <= stampBefore) continue;
      set(this.#store, slot, product);
      if (stampBefore > 0) log.retire(stampBefore);
      log.append(product.stampMicros, slot);
    }
    this.#changed();
  }

  /** Takes products in insertion order while no one reads. `finishFilling` must follow. */
  fill(product: PreparedProduct): void {
    set(this.#store, append(this.#store, product), product);
  }

  /** Awaits `pause` every few milliseconds. */
  async finishFilling(pause: () => Promise<void>): Promise<void> {
    await this.#store.log.fill(this.#store.productCount, pause);
    this.#changed();
  }

  /** Rebuilds grown blocks; awaits `pause` after each. */
  async tidy(pause: () => Promise<void>): Promise<void> {
    for (const block of this.#store.blocks) if (block.pieces.tidy()) await pause();
  }

  /** `other` must not be used afterwards. */
  takeOver(other: Catalogue): void {
    this.#store = other.#store;
    this.#counts.clear();
    this.#changed();
  }

  page(query: CatalogueQuery): CataloguePage {
    const { log, productCount } = this.#store;
    const wanted = conditionsOf(query);
    if (query.productIds !== undefined) {
      const count = this.#findSlots(query.productIds, wanted);
      return this.#pageOfSlots(query, wanted, this.#slots, count);
    }
    const isByUpdate = query.updatedFromMicros !== undefined || query.updatedToMicros !== undefined;
    const collectedMax = Math.max(COLLECTED_MIN, productCount / COLLECTED_SHARE);
    if (isByUpdate && !log.hasMoreThan(collectedMax, wanted)) {
      const slots = this.#slotsByUpdate(wanted);
      return this.#pageOfSlots(query, wanted, slots, slots.length);
    }
    const { maxPriceMinor, totalQuantityMin, orderableOnly, afterSlot } = query;
    const isFiltered = maxPriceMinor !== undefined || totalQuantityMin !== undefined || orderableOnly;
    if (isByUpdate || isFiltered || afterSlot !== undefined) return this.#pageByCounts(query, wanted);
    return this.#pageOfAll(query, wanted);
  }

  /** Undefined if too few offers match the filter. */
  lookUp(productId: string, filter: OfferFilter): ProductLookUp | undefined {
    const { index, blocks } = this.#store;
    const slot = index.find(Number(productId));
    if (slot < 0) return undefined;
    const block = blockAt(blocks, slot);
    const place = placeOf(slot);
    const wanted = conditionsOf(filter);
    if (!block.matches(place, wanted)) return undefined;
    this.#tag.begin(1);
    this.#tag.add(block.stamps[place] ?? 0);
    const ranges = new ByteRanges();
    if (block.isPartial(place, wanted.maxPrice)) {
      const partial = block.renderPartial(place, wanted.maxPrice);
      this.#tag.add(partial.mark);
      const { chunk, start, length, minPriceAt, offersAt } = partial;
      ranges.add(chunk, start + 1, start + minPriceAt);
      ranges.add(chunk, start + offersAt, start + length);
    } else {
      const { slab } = block.pieces;
      const start = block.pieces.startOf(place);
      ranges.add(slab, start + 1, start + (block.minPriceAt[place] ?? 0));
      ranges.add(slab, start + (block.offersAt[place] ?? 0), block.endOf(place));
    }
    return { ranges, tag: this.#tag.end() };
  }

  summaries(productIds: readonly number[]): (ProductSummary | undefined)[] {
    this.#prefetch(productIds);
    return productIds.map((id) => this.#summary(id));
  }

  #summary(productId: number): ProductSummary | undefined {
    const { index, blocks } = this.#store;
    const slot = index.find(productId);
    if (slot < 0) return undefined;
    const block = blockAt(blocks, slot);
    const place = placeOf(slot);
    if (!block.isListed(place)) return undefined;
    const start = block.pieces.startOf(place);
    return {
      slab: block.pieces.slab,
      start: start + 1,
      end: start + (block.offersAt[place] ?? 0),
      stampMicros: block.stamps[place] ?? 0,
      detailsVersion: block.detailsVersions[place] ?? 0,
    };
  }

  /** Skips removals up to `removalsAfterMicros`, because the reader never had those products. */
  changesAfter(query: {
    readonly afterMicros: number;
    readonly removalsAfterMicros: number;
    readonly limit: number;
  }): CatalogueChanges {
    const { blocks, log } = this.#store;
    const changes: CatalogueChange[] = [];
    const range = {
      from: query.afterMicros + 1,
      to: Number.POSITIVE_INFINITY,
      lookedAtMax: CHANGES_LOOKED_AT_MAX,
    };
    const stoppedAt = log.read(range, (slot, stampMicros) => {
      const block = blockAt(blocks, slot);
      const place = placeOf(slot);
      if (block.isListed(place)) {
        const start = block.pieces.startOf(place);
        const piece = block.pieces.view(start, start + block.pieces.lengthOf(place));
        changes.push({ stampMicros, piece });
      } else if (stampMicros > query.removalsAfterMicros) {
        changes.push({ stampMicros, removedId: String(block.ids[place]) });
      }
      return changes.length < query.limit;
    });
    const throughMicros = stoppedAt ?? Math.max(query.afterMicros, log.newestStamp);
    return { changes, throughMicros, hasMore: throughMicros < log.newestStamp };
  }

  #changed(): void {
    this.#collected.clear();
    for (const listener of this.#listeners) listener();
  }

  #findSlots(productIds: readonly string[], wanted: Conditions): number {
    const { index, blocks } = this.#store;
    const slots = this.#roomForSlots(productIds.length);
    const ids = productIds.map(Number);
    this.#prefetch(ids);
    let count = 0;
    for (const id of ids) {
      const slot = index.find(id);
      if (slot < 0 || !blockAt(blocks, slot).matches(placeOf(slot), wanted)) continue;
      let place = count;
      while (place > 0 && (slots[place - 1] ?? 0) > slot) place -= 1;
      if (place > 0 && slots[place - 1] === slot) continue;
      // For a handful of slots, copyWithin and sort cost more than this loop.
      for (let each = count; each > place; each -= 1) slots[each] = slots[each - 1] ?? 0;
      slots[place] = slot;
      count += 1;
    }
    return count;
  }

  /** Without this, the search waits for each product in turn to reach the processor's cache. */
  #prefetch(ids: readonly number[]): void {
    const { index, blocks } = this.#store;
    const slots = ids.map((id) => index.guess(id));
    let sum = 0;
    for (const slot of slots) if (slot >= 0) sum += blockAt(blocks, slot).touch(placeOf(slot));
    this.prefetched = sum;
  }

  #slotsByUpdate(wanted: Conditions): Int32Array {
    const { blocks, log } = this.#store;
    const range = this.#narrowed(wanted);
    const key = `${range.from} ${range.to} ${wanted.maxPrice} ${wanted.minQuantity} ${wanted.orderableOnly}`;
    const known = this.#collected.get(key);
    if (known !== undefined) return known;
    const slots: number[] = [];
    log.read({ ...range, lookedAtMax: Number.POSITIVE_INFINITY }, (slot) => {
      if (blockAt(blocks, slot).matches(placeOf(slot), wanted)) slots.push(slot);
      return true;
    });
    const sorted = Int32Array.from(slots).sort();
    if (this.#collected.size === COLLECTIONS_MAX) this.#collected.clear();
    this.#collected.set(key, sorted);
    return sorted;
  }

  /** Rounds the times without changing the result, so that similar queries share it. */
  #narrowed({ from, to }: Conditions): { readonly from: number; readonly to: number } {
    const { log } = this.#store;
    return { from: log.firstAtOrAfter(from), to: to >= log.newestStamp ? Number.POSITIVE_INFINITY : to };
  }

  #pageOfSlots(
    { offset, limit, afterSlot = -1 }: CatalogueQuery,
    { maxPrice }: Conditions,
    slots: Int32Array,
    count: number,
  ): CataloguePage {
    let skipped = 0;
    while (skipped < count && (slots[skipped] ?? 0) <= afterSlot) skipped += 1;
    const start = skipped + offset;
    return this.#page(slots, {
      start,
      end: Math.min(start + limit, count),
      total: count - skipped,
      maxPrice,
    });
  }

  #pageByCounts(query: CatalogueQuery, wanted: Conditions): CataloguePage {
    const { blocks } = this.#store;
    const narrowed = { ...wanted, ...this.#narrowed(wanted) };
    const found = this.#counts.find(blocks, narrowed, query);
    const slots = this.#roomForSlots(query.limit);
    let count = 0;
    let toSkip = found.rankInBlock;
    for (let number = found.blockNumber; number >= 0 && number < blocks.length; number += 1) {
      const block = must(blocks[number], 'a block');
      for (let place = 0; place < BLOCK_SIZE && count < query.limit; place += 1) {
        if (!block.matches(place, narrowed)) continue;
        if (toSkip > 0) toSkip -= 1;
        else {
          slots[count] = number * BLOCK_SIZE + place;
          count += 1;
        }
      }
      if (count === query.limit) break;
    }
    return this.#page(slots, { start: 0, end: count, total: found.total, maxPrice: wanted.maxPrice });
  }

  #pageOfAll({ offset, limit }: CatalogueQuery, wanted: Conditions): CataloguePage {
    const { blocks, listedCounts, listedCount } = this.#store;
    const slots = this.#roomForSlots(limit);
    let count = 0;
    let rank = offset;
    let number = 0;
    for (; number < blocks.length && rank >= (listedCounts[number] ?? 0); number += 1) {
      rank -= listedCounts[number] ?? 0;
    }
    for (; number < blocks.length && count < limit; number += 1, rank = 0) {
      if (listedCounts[number] === 0) continue;
      const block = must(blocks[number], 'a block');
      for (let place = block.placeOfListed(rank); place < BLOCK_SIZE && count < limit; place += 1) {
        if (!block.isListed(place)) continue;
        slots[count] = number * BLOCK_SIZE + place;
        count += 1;
      }
    }
    return this.#page(slots, { start: 0, end: count, total: listedCount, maxPrice: wanted.maxPrice });
  }

  #roomForSlots(count: number): Int32Array {
    if (count > this.#slots.length) this.#slots = new Int32Array(count);
    return this.#slots;
  }

  #page(
    slots: Int32Array,
    { start: first, end, total, maxPrice }: { start: number; end: number; total: number; maxPrice: number },
  ): CataloguePage {
    const { blocks } = this.#store;
    const ranges = new ByteRanges();
    const tag = this.#tag;
    tag.begin(total);
    for (let index = first; index < end; index += 1) {
      const slot = slots[index] ?? 0;
      const block = blockAt(blocks, slot);
      const place = placeOf(slot);
      tag.add(block.stamps[place] ?? 0);
      const comma = index === first ? 1 : 0;
      if (maxPrice < Number.POSITIVE_INFINITY && block.isPartial(place, maxPrice)) {
        const { chunk, start, length, mark } = block.renderPartial(place, maxPrice);
        tag.add(mark);
        ranges.add(chunk, start + comma, start + length);
      } else {
        const start = block.pieces.startOf(place);
        ranges.add(block.pieces.slab, start + comma, start + block.pieces.lengthOf(place));
      }
    }
    return { totalResults: total, ranges, tag: tag.end() };
  }
}

function emptyStore(): Store {
  const blocks: Block[] = [];
  return {
    blocks,
    index: new ProductIndex((slot) => blockAt(blocks, slot).ids[placeOf(slot)] ?? 0),
    log: new StampLog((slot) => stampIn(blocks, slot)),
    listedCounts: new Int32Array(16),
    listedCount: 0,
    productCount: 0,
    throughMicros: 0,
  };
}

function blockAt(blocks: readonly Block[], slot: number): Block {
  return must(blocks[blockOf(slot)], 'the block of a slot');
}

function stampIn(blocks: readonly Block[], slot: number): number {
  return blockAt(blocks, slot).stamps[placeOf(slot)] ?? 0;
}

function append(store: Store, { id }: Pick<Newcomer, 'id'>): number {
  const slot = store.productCount;
  if (blockOf(slot) === store.blocks.length) addBlock(store);
  blockAt(store.blocks, slot).ids[placeOf(slot)] = id;
  store.index.add(id, slot);
  store.productCount += 1;
  return slot;
}

function addBlock(store: Store): void {
  store.blocks.push(new Block(store.blocks.at(-1)));
  if (store.blocks.length <= store.listedCounts.length) return;
  const grown = new Int32Array(store.listedCounts.length * 2);
  grown.set(store.listedCounts);
  store.listedCounts = grown;
}

function set(store: Store, slot: number, product: PreparedProduct): void {
  const block = blockAt(store.blocks, slot);
  const listedBefore = block.listedCount;
  block.set(placeOf(slot), product);
  store.listedCounts[blockOf(slot)] = block.listedCount;
  store.listedCount += block.listedCount - listedBefore;
}

function conditionsOf(query: OfferFilter & Partial<CatalogueQuery>): Conditions {
  return {
    from: query.updatedFromMicros ?? Number.NEGATIVE_INFINITY,
    to: query.updatedToMicros ?? Number.POSITIVE_INFINITY,
    maxPrice: query.maxPriceMinor ?? Number.POSITIVE_INFINITY,
    minQuantity: query.totalQuantityMin ?? 1,
    orderableOnly: query.orderableOnly ?? false,
  };
}
