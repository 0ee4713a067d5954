/** A record is a line; in CSV, quotes can span several. Memory holds only one record at a time. */

/** Longer records are dropped; no product needs a tenth of this size (A56). */
export const RECORD_SIZE_BYTES_MAX = 1_048_576;

export type CsvDialect = {
  /** One ASCII character. */
  readonly delimiter: string;
  readonly quote: string;
  /** Accepts quotes anywhere and rows of any width, as spreadsheets do. */
  readonly isLenient?: boolean;
};

export const CSV: CsvDialect = { delimiter: ',', quote: '"' };

/** `bytes` excludes the line ending; undefined if the record is too long. */
export type ImportRecord = {
  readonly line: number;
  readonly lastLine: number;
  readonly bytes: Uint8Array | undefined;
};

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const PRINTABLE_FROM = 0x21;
type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Skips blank records. `line` is the record's first line, from 1. */
export async function* cutRecords(
  chunks: Chunks,
  format: 'lines' | CsvDialect,
): AsyncGenerator<ImportRecord> {
  const cutter = new RecordCutter(format);
  for await (const chunk of chunks) yield* cutter.push(chunk);
  const last = cutter.take();
  if (last !== undefined) yield last;
}

export function* cutWhole(bytes: Uint8Array, format: 'lines' | CsvDialect): Generator<ImportRecord> {
  const cutter = new RecordCutter(format);
  yield* cutter.push(bytes);
  const last = cutter.take();
  if (last !== undefined) yield last;
}

class RecordCutter {
  readonly #finder: EndFinder;
  #pieces: Uint8Array[] = [];
  #sizeBytes = 0;
  #line = 1;

  constructor(format: 'lines' | CsvDialect) {
    this.#finder = format === 'lines' ? lineEndFinder() : csvEndFinder(format);
  }

  *push(chunk: Uint8Array): Generator<ImportRecord> {
    let start = 0;
    while (start < chunk.length) {
      const end = this.#finder.find(chunk, start);
      this.#add(chunk.subarray(start, end === -1 ? chunk.length : end));
      // An open quote would swallow the rest of the import.
      if (this.#isTooLong) this.#finder.giveUp();
      if (end === -1) return;
      const record = this.take();
      if (record !== undefined) yield record;
      start = end + 1;
    }
  }

  /** Undefined if the record is blank. */
  take(): ImportRecord | undefined {
    const line = this.#line;
    const lastLine = line + this.#finder.takeInnerLineCount();
    const bytes = this.#isTooLong ? undefined : withoutReturn(joined(this.#pieces, this.#sizeBytes));
    this.#line = lastLine + 1;
    this.#pieces = [];
    this.#sizeBytes = 0;
    return bytes !== undefined && isBlank(bytes) ? undefined : { line, lastLine, bytes };
  }

  get #isTooLong(): boolean {
    return this.#sizeBytes > RECORD_SIZE_BYTES_MAX;
  }

  #add(piece: Uint8Array): void {
    this.#sizeBytes += piece.length;
    if (this.#isTooLong) this.#pieces = [];
    else this.#pieces.push(piece);
  }
}

function joined(pieces: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const [first, ...others] = pieces;
  if (first !== undefined && others.length === 0) return first;
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

function withoutReturn(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}

/** In UTF-8, every non-ASCII byte is greater than the blank ones. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < PRINTABLE_FROM);
}

/** Keeps its place in a record between chunks. */
type EndFinder = {
  /** Index of the line feed that ends the record, or -1. */
  find(chunk: Uint8Array, start: number): number;
  /** Counts line feeds inside the record; resets the count. */
  takeInnerLineCount(): number;
  /** Forgets an open quote. */
  giveUp(): void;
};

function lineEndFinder(): EndFinder {
  return {
    find: (chunk, start) => chunk.indexOf(LINE_FEED, start),
    takeInnerLineCount: () => 0,
    giveUp: () => {},
  };
}

/** RFC 4180: a quote at a field's start opens it; two quotes stand for one. */
function csvEndFinder(dialect: CsvDialect): EndFinder {
  const quote = dialect.quote.charCodeAt(0);
  const delimiter = dialect.delimiter.charCodeAt(0);
  let innerLineCount = 0;
  let isFieldStart = true;
  let isQuoted = false;
  // A quote within quotes closes the field or is the first of two.
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
