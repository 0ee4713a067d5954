/** The lines that were sent and not committed yet: only this process has the text of a rejected one. */

export type SentLine = {
  /** The number of its first line in the source, from 1. */
  readonly line: number;
  /** Without the line's end; undefined when it was too long to be kept. */
  readonly bytes: Uint8Array | undefined;
  /** The reason why it could not be mapped: the service rejects the line sent in its place. */
  readonly problem?: string | undefined;
};

export class SentLines {
  #lines: SentLine[] = [];
  /** Those before it are done. */
  #start = 0;
  #doneLine = 0;

  get count(): number {
    return this.#lines.length - this.#start;
  }

  /** In the order of their numbers. Those that an earlier attempt committed are not kept. */
  add(line: SentLine): void {
    if (line.line > this.#doneLine) this.#lines.push(line);
  }

  /** Undefined for a line that is not here. */
  find(line: number): SentLine | undefined {
    let low = this.#start;
    let high = this.#lines.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lines[middle]?.line ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    const found = this.#lines[low];
    return found?.line === line ? found : undefined;
  }

  /** All up to this one are done. */
  forgetUpTo(line: number): void {
    this.#doneLine = Math.max(this.#doneLine, line);
    while (this.#start < this.#lines.length && (this.#lines[this.#start]?.line ?? 0) <= line)
      this.#start += 1;
    if (this.#start < FORGOTTEN_COUNT_MAX) return;
    this.#lines = this.#lines.slice(this.#start);
    this.#start = 0;
  }
}

/** This many done lines stay before the array is cut. */
const FORGOTTEN_COUNT_MAX = 4_096;
