/**
 * Open addressing outside the garbage collector's heap. Shards grow one by one, so that growth copies little.
 */

const SHARD_COUNT = 256;
const SHARD_SIZE_MIN = 16;

export class ProductIndex {
  /** Slots plus one; 0 marks a free place. */
  readonly #shards: Int32Array[] = Array.from({ length: SHARD_COUNT }, () => new Int32Array(SHARD_SIZE_MIN));
  readonly #counts = new Int32Array(SHARD_COUNT);
  readonly #idOf: (slot: number) => number;

  constructor(idOf: (slot: number) => number) {
    this.#idOf = idOf;
  }

  /** Returns -1 for an unknown id. Ids are whole numbers below 2^53. */
  find(id: number): number {
    const hash = hashOf(id);
    const shard = this.#shard(hash >>> 24);
    const mask = shard.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const slot = (shard[place] ?? 0) - 1;
      if (slot < 0 || this.#idOf(slot) === id) return slot;
    }
  }

  /** Usually the product's slot; -1 if the place is free. */
  guess(id: number): number {
    const hash = hashOf(id);
    const shard = this.#shard(hash >>> 24);
    return (shard[hash & (shard.length - 1)] ?? 0) - 1;
  }

  add(id: number, slot: number): void {
    const hash = hashOf(id);
    const number = hash >>> 24;
    const count = (this.#counts[number] ?? 0) + 1;
    this.#counts[number] = count;
    if (count * 2 > this.#shard(number).length) this.#grow(number);
    place(this.#shard(number), hash, slot);
  }

  #shard(number: number): Int32Array {
    return this.#shards[number] ?? EMPTY;
  }

  #grow(number: number): void {
    const old = this.#shard(number);
    const grown = new Int32Array(old.length * 2);
    for (const entry of old) {
      if (entry > 0) place(grown, hashOf(this.#idOf(entry - 1)), entry - 1);
    }
    this.#shards[number] = grown;
  }
}

const EMPTY = new Int32Array(1);

function place(shard: Int32Array, hash: number, slot: number): void {
  const mask = shard.length - 1;
  let at = hash & mask;
  while ((shard[at] ?? 0) > 0) at = (at + 1) & mask;
  shard[at] = slot + 1;
}

function hashOf(id: number): number {
  let hash = (id | 0) ^ Math.imul(Math.floor(id / 4_294_967_296), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
