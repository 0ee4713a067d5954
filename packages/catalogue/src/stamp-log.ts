/** Entries are in stamp order. An entry is live while its stamp is the product's current one. */
import { must } from '@keyport/core/assert';

const CHUNK_SIZE = 4096;

/** Adjacent chunks are merged if together they have at most this many live entries. */
const MERGED_SIZE_MAX = (CHUNK_SIZE * 3) / 4;

/** Entries that are sorted or appended without a pause. */
const STEP_SIZE = 1 << 17;

type Chunk = {
  readonly stamps: Float64Array;
  readonly slots: Int32Array;
  size: number;
  liveCount: number;
};

export class StampLog {
  readonly #chunks: Chunk[] = [];
  readonly #stampOf: (slot: number) => number;

  constructor(stampOf: (slot: number) => number) {
    this.#stampOf = stampOf;
  }

  get newestStamp(): number {
    const last = this.#chunks.at(-1);
    return last === undefined ? 0 : stampAt(last, last.size - 1);
  }

  get sizeMax(): number {
    return this.#chunks.length * CHUNK_SIZE;
  }

  append(stamp: number, slot: number): void {
    let last = this.#chunks.at(-1);
    if (last?.size === CHUNK_SIZE && last.liveCount <= MERGED_SIZE_MAX) {
      // A product that keeps changing then has only one entry.
      last = this.#merge(this.#chunks.length - 1, 1);
    }
    if (last === undefined || last.size === CHUNK_SIZE) {
      last = emptyChunk();
      this.#chunks.push(last);
    }
    add(last, stamp, slot);
  }

  /** The log must be empty. Awaits `pause` every few milliseconds. */
  async fill(slotCount: number, pause: () => Promise<void>): Promise<void> {
    const stamps = new Float64Array(slotCount);
    for (let slot = 0; slot < slotCount; slot += 1) stamps[slot] = this.#stampOf(slot);
    const sorted = await sortByStamp(stamps, pause);
    for (let index = 0; index < slotCount; index += 1) {
      const slot = sorted[index] ?? 0;
      this.append(stamps[slot] ?? 0, slot);
      if (index % STEP_SIZE === 0) await pause();
    }
  }

  retire(stamp: number): void {
    const number = this.#chunkOf(stamp);
    const chunk = must(this.#chunks[number], 'the chunk of an entry');
    chunk.liveCount -= 1;
    const [before, after] = [this.#chunks[number - 1], this.#chunks[number + 1]];
    if (after !== undefined && chunk.liveCount + after.liveCount <= MERGED_SIZE_MAX) this.#merge(number, 2);
    else if (before !== undefined && chunk.liveCount + before.liveCount <= MERGED_SIZE_MAX) {
      this.#merge(number - 1, 2);
    }
  }

  /**
   * Visits live entries until it has read `lookedAtMax` entries or `visit` returns false. Returns the stamp
   * after which to continue; undefined at the end.
   */
  read(
    range: { readonly from: number; readonly to: number; readonly lookedAtMax: number },
    visit: (slot: number, stamp: number) => boolean,
  ): number | undefined {
    let lookedAt = 0;
    for (let number = Math.max(0, this.#chunkOf(range.from)); number < this.#chunks.length; number += 1) {
      const chunk = must(this.#chunks[number], 'a chunk of the log');
      for (let index = firstAtOrAbove(chunk, range.from); index < chunk.size; index += 1) {
        const stamp = stampAt(chunk, index);
        if (stamp > range.to) return undefined;
        const slot = chunk.slots[index] ?? 0;
        const goesOn = this.#stampOf(slot) !== stamp || visit(slot, stamp);
        lookedAt += 1;
        if (!goesOn || lookedAt >= range.lookedAtMax) return stamp;
      }
    }
    return undefined;
  }

  /** Counts entries, live or not. */
  hasMoreThan(countMax: number, range: { readonly from: number; readonly to: number }): boolean {
    const first = Math.max(0, this.#chunkOf(range.from));
    const last = this.#chunkOf(range.to);
    let count = 0;
    for (let number = first; number <= last && count <= countMax; number += 1) {
      const chunk = must(this.#chunks[number], 'a chunk of the log');
      const start = number === first ? firstAtOrAbove(chunk, range.from) : 0;
      const end = number === last ? firstAtOrAbove(chunk, range.to + 1) : chunk.size;
      count += end - start;
    }
    return count > countMax;
  }

  /** Returns the stamp of the first such entry, live or not; Infinity if there is none. */
  firstAtOrAfter(stamp: number): number {
    for (let number = Math.max(0, this.#chunkOf(stamp)); number < this.#chunks.length; number += 1) {
      const chunk = must(this.#chunks[number], 'a chunk of the log');
      const index = firstAtOrAbove(chunk, stamp);
      if (index < chunk.size) return stampAt(chunk, index);
    }
    return Number.POSITIVE_INFINITY;
  }

  #chunkOf(stamp: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = must(this.#chunks[middle], 'a chunk of the log');
      if (stampAt(chunk, 0) <= stamp) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #merge(first: number, count: number): Chunk | undefined {
    const merged = emptyChunk();
    for (const chunk of this.#chunks.slice(first, first + count)) {
      for (let index = 0; index < chunk.size; index += 1) {
        const stamp = stampAt(chunk, index);
        const slot = chunk.slots[index] ?? 0;
        if (this.#stampOf(slot) === stamp) add(merged, stamp, slot);
      }
    }
    const isEmpty = merged.size === 0;
    this.#chunks.splice(first, count, ...(isEmpty ? [] : [merged]));
    return isEmpty ? undefined : merged;
  }
}

/** A merge sort with pauses, since the built-in sort would block the event loop. */
async function sortByStamp(stamps: Float64Array, pause: () => Promise<void>): Promise<Int32Array> {
  const count = stamps.length;
  let sorted = new Int32Array(count);
  for (let slot = 0; slot < count; slot += 1) sorted[slot] = slot;
  let merged = new Int32Array(count);
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0, done = 0; start < count; start += width * 2) {
      const end = Math.min(start + width * 2, count);
      mergeRuns(stamps, sorted, merged, { start, middle: Math.min(start + width, count), end });
      if (end - done < STEP_SIZE) continue;
      done = end;
      await pause();
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

function mergeRuns(
  stamps: Float64Array,
  source: Int32Array,
  target: Int32Array,
  { start, middle, end }: { readonly start: number; readonly middle: number; readonly end: number },
): void {
  let left = start;
  let right = middle;
  for (let index = start; index < end; index += 1) {
    const one = source[left] ?? 0;
    const other = source[right] ?? 0;
    const takesLeft = right >= end || (left < middle && (stamps[one] ?? 0) <= (stamps[other] ?? 0));
    target[index] = takesLeft ? one : other;
    if (takesLeft) left += 1;
    else right += 1;
  }
}

function emptyChunk(): Chunk {
  return {
    stamps: new Float64Array(CHUNK_SIZE),
    slots: new Int32Array(CHUNK_SIZE),
    size: 0,
    liveCount: 0,
  };
}

function add(chunk: Chunk, stamp: number, slot: number): void {
  chunk.stamps[chunk.size] = stamp;
  chunk.slots[chunk.size] = slot;
  chunk.size += 1;
  chunk.liveCount += 1;
}

function stampAt(chunk: Chunk, index: number): number {
  return chunk.stamps[index] ?? 0;
}

function firstAtOrAbove(chunk: Chunk, stamp: number): number {
  let low = 0;
  let high = chunk.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (stampAt(chunk, middle) < stamp) low = middle + 1;
    else high = middle;
  }
  return low;
}
