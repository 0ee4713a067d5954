/**
 * The lines of an import that were sent and not yet committed, by their numbers: what a rejected one looked like is
 * known here and nowhere else. As many as the service has in hand, so memory does not grow with the import.
 */

export type SentLine = {
  /** Of its first line in the source, from 1. */
  readonly line: number;
  /** Without the line's end; undefined when it was too long to be kept. */
  readonly bytes: Uint8Array | undefined;
  /** Why it was sent as a line that will be rejected: it could not be mapped. */
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

  /** In the order of their numbers. Those of an earlier import that is continued with are not kept. */
  add(line: SentLine): void {
    if (line.line > this.#doneLine) this.#lines.push(line);
  }

  /** Undefined when nothing is known of it. */
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

/** This many are left in place before the others move up. */
const FORGOTTEN_COUNT_MAX = 4_096;
