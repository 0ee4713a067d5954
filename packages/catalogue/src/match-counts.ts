/** A block's count is cached until the block changes. */
import { must } from '@keyport/core/assert';
import { type Block, blockOf, type Conditions, placeOf } from './block.ts';

const ENTRIES_MAX = 32;

type Entry = {
  counts: Int32Array;
  versions: Float64Array;
};

type Wanted = {
  /** Matches after this slot count; all if undefined. */
  readonly afterSlot?: number | undefined;
  /** The rank of the wanted product among these matches, from 0. */
  readonly offset: number;
};

export type MatchPosition = {
  readonly total: number;
  /** The block with the wanted rank; below 0 if no more than `offset` products match. */
  readonly blockNumber: number;
  readonly rankInBlock: number;
};

export class MatchCounts {
  readonly #entries = new Map<string, Entry>();

  find(blocks: readonly Block[], wanted: Conditions, { afterSlot = -1, offset }: Wanted): MatchPosition {
    const { counts, versions } = this.#entryFor(wanted, blocks.length);
    const lastRead = afterSlot < 0 ? -1 : blockOf(afterSlot);
    let skipped = 0;
    let total = 0;
    let blockNumber = -1;
    let rankInBlock = 0;
    for (let number = 0; number < blocks.length; number += 1) {
      const block = must(blocks[number], 'a block');
      if (versions[number] !== block.version) {
        counts[number] = block.countMatches(wanted);
        versions[number] = block.version;
      }
      const count = counts[number] ?? 0;
      if (number === lastRead) skipped = total + block.countMatches(wanted, placeOf(afterSlot) + 1);
      if (blockNumber < 0 && number >= lastRead && skipped + offset < total + count) {
        blockNumber = number;
        rankInBlock = skipped + offset - total;
      }
      total += count;
    }
    return { total: total - skipped, blockNumber, rankInBlock };
  }

  clear(): void {
    this.#entries.clear();
  }

  #entryFor({ from, to, maxPrice, minQuantity, orderableOnly }: Conditions, blockCount: number): Entry {
    const key = `${from} ${to} ${maxPrice} ${minQuantity} ${orderableOnly}`;
    let entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry === undefined) entry = { counts: new Int32Array(0), versions: new Float64Array(0) };
    if (entry.counts.length < blockCount) {
      const counts = new Int32Array(blockCount);
      const versions = new Float64Array(blockCount).fill(-1);
      counts.set(entry.counts);
      versions.set(entry.versions);
      entry = { counts, versions };
    }
    this.#entries.set(key, entry);
    const [longestUnused] = this.#entries.keys();
    if (this.#entries.size > ENTRIES_MAX && longestUnused !== undefined) this.#entries.delete(longestUnused);
    return entry;
  }
}
