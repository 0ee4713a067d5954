/**
 * The responses of the listed products as bytes, one piece per slot, laid side by side in slabs outside the garbage
 * collector's young generation. Neighbours in the catalogue are neighbours in memory, so that a page is mostly one copy.
 * A piece that changes is overwritten where it stands, filled up with blanks, which JSON allows between elements.
 */
import { must } from '@keyport/core/assert';

const SLAB_SIZE_BYTES = 1 << 20;

/** Room for a price, a quantity and a stamp that get longer, per piece. */
const SLACK_SIZE_BYTES = 16;

const BLANK = 0x20;

export class PieceStore {
  readonly #slabs: Buffer[] = [];
  /** Where the last slab is free. */
  #freeAt = SLAB_SIZE_BYTES;
  /** By slot: the number of the slab, and where in it the piece stands. */
  #slabOf = new Int32Array(1024);
  #startOf = new Int32Array(1024);
  /** Room of the piece, blanks included; 0: the slot never had one. */
  #roomOf = new Int32Array(1024);
  #isFilled = new Uint8Array(1024);
  /** Room that no slot uses any more. */
  #lostBytes = 0;
  #usedBytes = 0;

  /** More room is lost than used: worth laying everything anew. */
  get isWasteful(): boolean {
    return this.#lostBytes > this.#usedBytes + SLAB_SIZE_BYTES;
  }

  has(slot: number): boolean {
    return this.#isFilled[slot] === 1;
  }

  put(slot: number, piece: string | Buffer): void {
    const length = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
    if (slot >= this.#isFilled.length) this.#grow(slot + 1);
    if (this.#room(slot) < length) this.#allot(slot, length);
    const slab = this.#slab(slot);
    const start = this.#start(slot);
    if (typeof piece === 'string') slab.write(piece, start);
    else piece.copy(slab, start);
    slab.fill(BLANK, start + length, start + this.#room(slot));
    this.#isFilled[slot] = 1;
  }

  /** Takes the piece away; its room is kept for the next one. */
  clear(slot: number): void {
    if (slot < this.#isFilled.length) this.#isFilled[slot] = 0;
  }

  /** The pieces of these slots, which all have one, in their order; what stands side by side comes as one view. */
  views(slots: readonly number[]): Buffer[] {
    const views: Buffer[] = [];
    for (let index = 0; index < slots.length; ) {
      const slot = slots[index] ?? 0;
      const slab = this.#slabOf[slot];
      const start = this.#start(slot);
      let end = start;
      for (; index < slots.length; index += 1) {
        const next = slots[index] ?? 0;
        if (this.#slabOf[next] !== slab || this.#start(next) !== end) break;
        end += this.#room(next);
      }
      views.push(this.#slab(slot).subarray(start, end));
    }
    return views;
  }

  #slab(slot: number): Buffer {
    return must(this.#slabs[this.#slabOf[slot] ?? -1], 'the slab of a piece');
  }

  #start(slot: number): number {
    return this.#startOf[slot] ?? 0;
  }

  #room(slot: number): number {
    return this.#roomOf[slot] ?? 0;
  }

  #allot(slot: number, length: number): void {
    const room = length + SLACK_SIZE_BYTES;
    if (this.#freeAt + room > SLAB_SIZE_BYTES) {
      this.#slabs.push(Buffer.allocUnsafeSlow(Math.max(SLAB_SIZE_BYTES, room)));
      this.#freeAt = 0;
    }
    this.#lostBytes += this.#room(slot);
    this.#usedBytes += room - this.#room(slot);
    this.#slabOf[slot] = this.#slabs.length - 1;
    this.#startOf[slot] = this.#freeAt;
    this.#roomOf[slot] = room;
    this.#freeAt += room;
  }

  #grow(slotCount: number): void {
    const grown = (array: Int32Array) => {
      const bigger = new Int32Array(Math.max(slotCount, array.length * 2));
      bigger.set(array);
      return bigger;
    };
    this.#slabOf = grown(this.#slabOf);
    this.#startOf = grown(this.#startOf);
    this.#roomOf = grown(this.#roomOf);
    const filled = new Uint8Array(this.#roomOf.length);
    filled.set(this.#isFilled);
    this.#isFilled = filled;
  }
}
