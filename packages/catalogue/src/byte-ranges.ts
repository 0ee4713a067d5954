const CACHE_LINE_BYTES = 64;

/** Prefetching this few ranges gains nothing. */
const UNFETCHED_COUNT_MAX = 2;

/** Sources may change after this turn of the event loop. */
export class ByteRanges {
  readonly #sources: Buffer[] = [];
  readonly #bounds: number[] = [];
  #sizeBytes = 0;
  /** Keeps the compiler from dropping the reads. */
  prefetched = 0;

  static from(bytes: Buffer): ByteRanges {
    const ranges = new ByteRanges();
    ranges.add(bytes, 0, bytes.length);
    return ranges;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get count(): number {
    return this.#sources.length;
  }

  get isEmpty(): boolean {
    return this.#sizeBytes === 0;
  }

  add(source: Buffer, start: number, end: number): void {
    const last = this.#sources.length - 1;
    if (last >= 0 && this.#sources[last] === source && this.#bounds[last * 2 + 1] === start) {
      this.#bounds[last * 2 + 1] = end;
    } else {
      this.#sources.push(source);
      this.#bounds.push(start, end);
    }
    this.#sizeBytes += end - start;
  }

  copyTo(target: Buffer, at: number): number {
    if (this.#sources.length > UNFETCHED_COUNT_MAX) this.#prefetch();
    let end = at;
    for (let index = 0; index < this.#sources.length; index += 1) {
      const [from, to] = [this.#bounds[index * 2] ?? 0, this.#bounds[index * 2 + 1] ?? 0];
      this.#sources[index]?.copy(target, end, from, to);
      end += to - from;
    }
    return end;
  }

  /** Makes the processor load several ranges in parallel. */
  #prefetch(): void {
    let sum = 0;
    for (let index = 0; index < this.#sources.length; index += 1) {
      const source = this.#sources[index];
      if (source === undefined) continue;
      const to = this.#bounds[index * 2 + 1] ?? 0;
      for (let at = this.#bounds[index * 2] ?? 0; at < to; at += CACHE_LINE_BYTES) sum += source[at] ?? 0;
    }
    this.prefetched = sum;
  }
}
