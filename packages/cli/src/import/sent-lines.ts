export type SentLine = {
  readonly line: number;
  /** Without the line ending; undefined if the line is too long to keep. */
  readonly bytes: Uint8Array | undefined;
  /** Why mapping failed; the service then rejects the line that is sent instead. */
  readonly problem?: string | undefined;
};

/** Lines that are not committed yet: only this process has the text of a rejected line. */
export class SentLines {
  /** In ascending order. */
  readonly #lines = new Map<number, SentLine>();
  #doneLine = 0;

  get count(): number {
    return this.#lines.size;
  }

  /** Skips lines that an earlier attempt committed. */
  add(line: SentLine): void {
    if (line.line > this.#doneLine) this.#lines.set(line.line, line);
  }

  find(line: number): SentLine | undefined {
    return this.#lines.get(line);
  }

  forgetUpTo(doneLine: number): void {
    this.#doneLine = Math.max(this.#doneLine, doneLine);
    for (const line of this.#lines.keys()) {
      if (line > doneLine) return;
      this.#lines.delete(line);
    }
  }
}
