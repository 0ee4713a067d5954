/** The slots of products in the order of their last changes. */
import { firstAtOrAbove } from './sorted-slots.ts';

/** Entries of products that changed again are dropped once they are this many times as many as the products. */
const ENTRIES_PER_PRODUCT_MAX = 2;
const ENTRIES_MIN = 1024;

export class ChangeOrder {
  #stamps: number[] = [];
  #slots: number[] = [];
  readonly #toStamp: (slot: number) => number;

  constructor(toStamp: (slot: number) => number) {
    this.#toStamp = toStamp;
  }

  /** 0 before the first change. */
  get newestStamp(): number {
    return this.#stamps.at(-1) ?? 0;
  }

  /** `stamp` is higher than all before. */
  append(stamp: number, slot: number, productCount: number): void {
    this.#stamps.push(stamp);
    this.#slots.push(slot);
    if (this.#stamps.length > ENTRIES_MIN + productCount * ENTRIES_PER_PRODUCT_MAX) this.#drop();
  }

  /** For a catalogue that was filled in another order. No two products have the same stamp. */
  fill(productCount: number): void {
    const toSlot = new Map<number, number>();
    for (let slot = 0; slot < productCount; slot += 1) toSlot.set(this.#toStamp(slot), slot);
    // The sort of a typed array takes a tenth of the time of one that compares slots.
    const sorted = Float64Array.from(toSlot.keys()).sort();
    this.#stamps = Array.from(sorted);
    this.#slots = this.#stamps.map((stamp) => toSlot.get(stamp) ?? 0);
  }

  /** At most so many entries lie in the range, of which some are out of date. */
  countUpTo(range: { readonly from: number; readonly to: number }): number {
    return firstAtOrAbove(this.#stamps, range.to + 1) - firstAtOrAbove(this.#stamps, range.from);
  }

  /**
   * Visits products until it has read `lookedAtMax` entries or `visit` returns false. Returns the stamp after which to
   * continue; undefined at the end.
   */
  read(
    range: { readonly from: number; readonly to: number; readonly lookedAtMax: number },
    visit: (slot: number, stamp: number) => boolean,
  ): number | undefined {
    const first = firstAtOrAbove(this.#stamps, range.from);
    for (let index = first; index < this.#stamps.length; index += 1) {
      const stamp = this.#stamps[index] ?? 0;
      if (stamp > range.to) return undefined;
      const slot = this.#slots[index] ?? 0;
      const goesOn = this.#toStamp(slot) !== stamp || visit(slot, stamp);
      if (!goesOn || index - first + 1 >= range.lookedAtMax) return stamp;
    }
    return undefined;
  }

  #drop(): void {
    const isCurrent = (_: number, index: number) =>
      this.#toStamp(this.#slots[index] ?? 0) === this.#stamps[index];
    const [stamps, slots] = [this.#stamps.filter(isCurrent), this.#slots.filter(isCurrent)];
    this.#stamps = stamps;
    this.#slots = slots;
  }
}
