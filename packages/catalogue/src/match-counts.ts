/** A block's count is cached until the block changes. */
import { must } from '@keyport/core/assert';
import type { Block, Conditions } from './block.ts';

const ENTRIES_MAX = 32;

type Entry = {
  counts: Int32Array;
  versions: Float64Array;
};

export type MatchPosition = {
  readonly total: number;
  /** The block with the wanted rank; below 0 if no more than `rank` products match. */
  readonly blockNumber: number;
  readonly rankInBlock: number;
};

export class MatchCounts {
  readonly #entries = new Map<string, Entry>();

  find(blocks: readonly Block[], wanted: Conditions, rank: number): MatchPosition {
    const { counts, versions } = this.#entryFor(wanted, blocks.length);
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
      if (blockNumber < 0 && rank < total + count) {
        blockNumber = number;
        rankInBlock = rank - total;
      }
      total += count;
    }
    return { total, blockNumber, rankInBlock };
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
