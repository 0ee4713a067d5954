/**
 * Cuts the stream of an import into records, one line each or, for CSV, as many lines as its quotes span. Works on
 * bytes and keeps no more than one record, so memory does not grow with the import. What a record means is none of its
 * business (import-lines.ts).
 */

/** Longer records are thrown away as they arrive: no product of the contract needs a tenth of it. */
export const RECORD_SIZE_BYTES_MAX = 1_048_576;

/** From `line` to `lastLine`. `bytes` without the line's end; undefined when it is longer than RECORD_SIZE_BYTES_MAX. */
export type ImportRecord = {
  readonly line: number;
  readonly lastLine: number;
  readonly bytes: Buffer | undefined;
};

/** How a CSV source is written; both are single ASCII characters. */
export type CsvDialect = { readonly delimiter: string; readonly quote: string };

/** What the service takes (RFC 4180). */
export const CSV: CsvDialect = { delimiter: ',', quote: '"' };

const PRINTABLE_FROM = 0x21;

/** Looks at bytes only. In UTF-8 every byte of a character that is not ASCII is above them. */
export function isBlank({ bytes }: ImportRecord): boolean {
  return bytes?.every((byte) => byte < PRINTABLE_FROM) ?? false;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Finds where a record ends; keeps between chunks what it must know of the record's beginning. */
type EndFinder = {
  /** Index of the line feed that ends the record, or -1; `chunk` is read from `start` on. */
  find(chunk: Buffer, start: number): number;
  /** Line feeds that were passed inside the record; counting starts again. */
  takeInnerLineCount(): number;
  /** Forgets an open quote: the next line feed ends the record. */
  giveUp(): void;
};

/** The records of the stream, blank ones too; `line` counts from 1 and is the record's first line. */
export async function* cutRecords(
  chunks: AsyncIterable<Buffer>,
  format: 'lines' | CsvDialect,
): AsyncGenerator<ImportRecord> {
  const finder = format === 'lines' ? lineEndFinder() : csvEndFinder(format);
  const pending = new PendingRecord();
  let line = 1;
  for await (const chunk of chunks) {
    let start = 0;
    while (start < chunk.length) {
      const end = finder.find(chunk, start);
      pending.add(chunk.subarray(start, end === -1 ? chunk.length : end));
      // An open quote would swallow the rest of the import; the lines after a record that is too long are tried again.
      if (pending.isTooLong) finder.giveUp();
      if (end === -1) break;
      const lastLine = line + finder.takeInnerLineCount();
      yield { line, lastLine, bytes: pending.take() };
      line = lastLine + 1;
      start = end + 1;
    }
  }
  if (!pending.isEmpty) {
    yield { line, lastLine: line + finder.takeInnerLineCount(), bytes: pending.take() };
  }
}

/** The record that is being read, in the pieces in which it arrived. */
class PendingRecord {
  #pieces: Buffer[] = [];
  #sizeBytes = 0;

  get isEmpty(): boolean {
    return this.#sizeBytes === 0;
  }

  get isTooLong(): boolean {
    return this.#sizeBytes > RECORD_SIZE_BYTES_MAX;
  }

  add(piece: Buffer): void {
    this.#sizeBytes += piece.length;
    if (this.isTooLong) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  /** The record without a carriage return at its end; undefined when it was too long. The next one begins. */
  take(): Buffer | undefined {
    const [first, ...others] = this.#pieces;
    const bytes = first !== undefined && others.length === 0 ? first : Buffer.concat(this.#pieces);
    const isTooLong = this.isTooLong;
    this.#pieces = [];
    this.#sizeBytes = 0;
    if (isTooLong) return undefined;
    return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
  }
}

function lineEndFinder(): EndFinder {
  return {
    find: (chunk, start) => chunk.indexOf(LINE_FEED, start),
    takeInnerLineCount: () => 0,
    giveUp: () => {},
  };
}

/** As RFC 4180: a quote opens at the start of a field only, and two quotes in a quoted field are one. */
function csvEndFinder(dialect: CsvDialect): EndFinder {
  const quote = dialect.quote.charCodeAt(0);
  const delimiter = dialect.delimiter.charCodeAt(0);
  let innerLineCount = 0;
  let isFieldStart = true;
  let isQuoted = false;
  // In a quoted field: the last byte was a quote, which either closes the field or is the first of two.
  let hasQuoteBefore = false;

  function step(byte: number): boolean {
    if (isQuoted && !hasQuoteBefore) {
      hasQuoteBefore = byte === quote;
      if (byte === LINE_FEED) innerLineCount += 1;
      return false;
    }
    if (isQuoted && byte === quote) {
      hasQuoteBefore = false;
      return false;
    }
    isQuoted = isFieldStart && byte === quote;
    hasQuoteBefore = false;
    isFieldStart = byte === delimiter || byte === LINE_FEED;
    return byte === LINE_FEED;
  }

  return {
    find(chunk, start) {
      for (let index = start; index < chunk.length; index += 1) {
        if (step(chunk[index] ?? LINE_FEED)) return index;
      }
      return -1;
    },
    takeInnerLineCount() {
      const count = innerLineCount;
      innerLineCount = 0;
      return count;
    },
    giveUp() {
      isQuoted = false;
      hasQuoteBefore = false;
    },
  };
}
