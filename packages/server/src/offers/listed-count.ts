/**
 * Which slots are listed, so that the n-th listed one is found in logarithmic time although products run out and come
 * back (A15). A Fenwick tree (binary indexed tree) of counts over a growing array of slots.
 */
export class ListedCount {
  /** One-based; tree[i] counts the listed slots of the range that ends at slot i-1. Its length is a power of two + 1. */
  #tree = new Int32Array(1025);
  #isListed = new Uint8Array(1024);
  #total = 0;

  get total(): number {
    return this.#total;
  }

  isListed(slot: number): boolean {
    return this.#isListed[slot] === 1;
  }

  set(slot: number, isListed: boolean): void {
    if (slot >= this.#isListed.length) this.#grow(slot + 1);
    if (this.isListed(slot) === isListed) return;
    const delta = isListed ? 1 : -1;
    this.#isListed[slot] = isListed ? 1 : 0;
    this.#total += delta;
    for (let node = slot + 1; node < this.#tree.length; node += node & -node) {
      this.#tree[node] = this.#count(node) + delta;
    }
  }

  /** The slot of the n-th listed one (from 0), or undefined when there are fewer. */
  find(rank: number): number | undefined {
    if (rank < 0 || rank >= this.#total) return undefined;
    let node = 0;
    let left = rank;
    for (let step = this.#tree.length - 1; step > 0; step >>= 1) {
      const next = node + step;
      if (next < this.#tree.length && this.#count(next) <= left) {
        node = next;
        left -= this.#count(next);
      }
    }
    return node;
  }

  #count(node: number): number {
    return this.#tree[node] ?? 0;
  }

  #grow(slotCount: number): void {
    let capacity = this.#isListed.length;
    while (capacity < slotCount) capacity *= 2;
    const listed = new Uint8Array(capacity);
    listed.set(this.#isListed);
    this.#isListed = listed;
    this.#tree = new Int32Array(capacity + 1);
    for (let slot = 0; slot < capacity; slot += 1) {
      const node = slot + 1;
      this.#tree[node] = this.#count(node) + (listed[slot] ?? 0);
      const parent = node + (node & -node);
      if (parent <= capacity) this.#tree[parent] = this.#count(parent) + this.#count(node);
    }
  }
}
