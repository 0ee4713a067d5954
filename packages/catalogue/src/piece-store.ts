/**
 * One slab outside the garbage collector's heap, so that serving a page is mostly one copy. A piece that
 * outgrows its room moves to the end. A full slab is rebuilt in slot order.
 */
import type { Bytes } from './render.ts';

/** In bytes. */
const SLAB_SIZE_MIN = 1 << 16;

/** A new slab has room for future slots: at most this many times the current bytes. */
const GROWTH_MAX = 16;

const MOVED_MIN = 64;

/** A 16th of a new slab stays free for pieces that grow. */
const FREE_SHARE = 16;

export class PieceStore {
  readonly #slotCountMax: number;
  readonly #expectedBytes: number;
  #slab: Buffer = Buffer.alloc(0);
  #freeAt = 0;
  #slotCount = 0;
  /** Pieces moved since the slab was built, now and at the last `tidy`. */
  #movedCount = 0;
  #movedBefore = 0;
  /** Start and length (0: none) by slot, read together. */
  readonly #pieces: Uint32Array;
  /** Bytes to which a piece can grow in place. */
  readonly #rooms: Uint32Array;

  constructor(slotCountMax: number, expectedBytes = 0) {
    this.#slotCountMax = slotCountMax;
    this.#expectedBytes = expectedBytes;
    this.#pieces = new Uint32Array(slotCountMax * 2);
    this.#rooms = new Uint32Array(slotCountMax);
  }

  get sizeBytes(): number {
    return this.#slab.length;
  }

  get slab(): Buffer {
    return this.#slab;
  }

  get usedBytes(): number {
    return this.#freeAt;
  }

  /** Also the end of the previous piece, if the two are adjacent. */
  startOf(slot: number): number {
    return this.#pieces[slot * 2] ?? 0;
  }

  lengthOf(slot: number): number {
    return this.#pieces[slot * 2 + 1] ?? 0;
  }

  /** Valid only until the next `put`: copy the bytes before then. */
  view(start: number, end: number): Buffer {
    return this.#slab.subarray(start, end);
  }

  put(slot: number, { chunk, start, length }: Bytes): void {
    const isNext = slot >= this.#slotCount;
    if (isNext) this.#slotCount = slot + 1;
    if (length > (this.#rooms[slot] ?? 0)) {
      if (!isNext) this.#movedCount += 1;
      this.#allot(slot, length);
    }
    this.#pieces[slot * 2 + 1] = length;
    chunk.copy(this.#slab, this.startOf(slot), start, start + length);
  }

  holds(slot: number, { chunk, start, length }: Bytes): boolean {
    if (this.lengthOf(slot) !== length) return false;
    if (length === 0) return true;
    const held = this.startOf(slot);
    return chunk.compare(this.#slab, held, held + length, start, start + length) === 0;
  }

  clear(slot: number): void {
    this.#pieces[slot * 2 + 1] = 0;
  }

  /** Rebuilds if many pieces moved, but none since the last call. */
  tidy(): boolean {
    const isResting = this.#movedCount === this.#movedBefore;
    this.#movedBefore = this.#movedCount;
    const isNeeded = isResting && this.#movedCount >= MOVED_MIN;
    if (isNeeded) this.#rebuild();
    return isNeeded;
  }

  #allot(slot: number, length: number): void {
    if (this.#freeAt + length > this.#slab.length) {
      this.#rebuild(slot, length);
      return;
    }
    this.#pieces[slot * 2] = this.#freeAt;
    this.#rooms[slot] = length;
    this.#freeAt += length;
  }

  /** Leaves room for the piece of `slot`, if any. */
  #rebuild(slot = -1, length = 0): void {
    const old = this.#slab;
    this.#movedCount = 0;
    if (slot >= 0) this.#pieces[slot * 2 + 1] = 0;
    let used = length;
    for (let each = 0; each < this.#slotCount; each += 1) used += this.lengthOf(each);
    const growth = Math.min(GROWTH_MAX, this.#slotCountMax / this.#slotCount);
    const expected = old.length === 0 ? Math.max(length, this.#expectedBytes) : used * growth;
    const size = Math.ceil(expected * (1 + 1 / FREE_SHARE));
    this.#slab = Buffer.allocUnsafeSlow(Math.max(SLAB_SIZE_MIN, size));
    this.#freeAt = 0;
    for (let each = 0; each < this.#slotCount; each += 1) {
      const kept = this.lengthOf(each);
      if (kept > 0) old.copy(this.#slab, this.#freeAt, this.startOf(each), this.startOf(each) + kept);
      const room = each === slot ? length : kept;
      this.#pieces[each * 2] = this.#freeAt;
      this.#rooms[each] = room;
      this.#freeAt += room;
    }
  }
}
