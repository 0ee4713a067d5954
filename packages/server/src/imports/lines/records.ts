/** Memory holds one chunk and one record: a line, or in CSV a row, whose quotes can span several lines. */
import { Parser } from 'csv-parse';

/** Longer records are dropped; no product needs a tenth of this size (A130). */
export const RECORD_SIZE_BYTES_MAX = 1_048_576;
const TOO_LONG = `is longer than ${RECORD_SIZE_BYTES_MAX / 1024} KiB`;

/** A predicate whose subject is the record, without a period. */
export type Problem = { readonly problem: string };

/** `line` is the first line of the record, counted from 1. */
export type ImportRecord<Content> = {
  readonly line: number;
  readonly lastLine: number;
  readonly sizeBytes: number;
  readonly content: Content | Problem;
};

export type Chunks = AsyncIterable<Buffer>;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Skips blank lines. */
export async function* cutLines(chunks: Chunks): AsyncGenerator<ImportRecord<string>> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let pieces: Buffer[] = [];
  let sizeBytes = 0;
  let line = 0;
  const add = (piece: Buffer) => {
    sizeBytes += piece.length;
    if (sizeBytes > RECORD_SIZE_BYTES_MAX) pieces = [];
    else pieces.push(piece);
  };
  const take = (): ImportRecord<string>[] => {
    line += 1;
    const content = toContent(Buffer.concat(pieces));
    const record = { line, lastLine: line, sizeBytes, content };
    pieces = [];
    sizeBytes = 0;
    return content === '' ? [] : [record];
  };
  const toContent = (bytes: Buffer): string | Problem => {
    if (sizeBytes > RECORD_SIZE_BYTES_MAX) return { problem: `${TOO_LONG}: make it shorter` };
    try {
      const text = decoder.decode(bytes);
      return (line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text).trim();
    } catch {
      return { problem: NOT_UTF_8 };
    }
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      yield* take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (sizeBytes > 0) yield* take();
}

const NOT_UTF_8 = 'is not valid UTF-8; write it in UTF-8';
const INVALID = '\uFFFD';

export type CsvDialect = {
  readonly delimiter: string;
  readonly quote: string;
  readonly encoding?: string | undefined;
};

export const CSV: CsvDialect = { delimiter: ',', quote: '"' };

/**
 * Returns the rows of a CSV file, with quotes anywhere, as spreadsheets accept them. Skips rows without text. A
 * row that is too long (usually a quote is missing) is dropped with the rest of its chunk, because its end is
 * unknown.
 */
export async function* cutRows(
  chunks: Chunks,
  dialect: CsvDialect,
): AsyncGenerator<ImportRecord<readonly string[]>> {
  let parser: RowParser | undefined;
  let lineEnd = LINE_FEED;
  /** Line ends in the chunks so far. */
  let ended = 0;
  /** The last line of the records so far. */
  let last = 0;
  let isFirst = true;
  let isDropping = false;

  function* records(rows: readonly string[][]): Generator<ImportRecord<readonly string[]>> {
    for (const cells of rows) {
      const line = last + 1;
      const text = cells.join('');
      last = line + countLineEnds(text);
      if (text.trim() === '') continue;
      const content = text.includes(INVALID) ? { problem: NOT_UTF_8 } : cells;
      yield { line, lastLine: last, sizeBytes: text.length, content };
    }
  }

  function dropped(): ImportRecord<readonly string[]> {
    const line = last + 1;
    last = Math.max(line, ended);
    const problem =
      last === line
        ? `${TOO_LONG}: make it shorter`
        : `${TOO_LONG} and extends to line ${last}: close its quote, or make it shorter`;
    return { line, lastLine: last, sizeBytes: RECORD_SIZE_BYTES_MAX, content: { problem } };
  }

  for await (const chunk of decoded(chunks, dialect.encoding)) {
    // Excel on a Mac can save CSV without line feeds.
    if (isFirst && !chunk.includes(LINE_FEED) && chunk.includes(CARRIAGE_RETURN)) lineEnd = CARRIAGE_RETURN;
    isFirst = false;
    let rest = chunk;
    if (isDropping) {
      const end = chunk.indexOf(lineEnd);
      if (end === -1) continue;
      ended += 1;
      rest = chunk.subarray(end + 1);
      isDropping = false;
      yield dropped();
    }
    parser ??= new RowParser(dialect, lineEnd);
    const error = await parser.feed(rest);
    yield* records(parser.take());
    if (error === undefined) {
      ended += countBytes(rest, lineEnd);
      continue;
    }
    parser = undefined;
    const end = rest.lastIndexOf(lineEnd);
    ended += countBytes(rest, lineEnd);
    // The bytes after the last line end of the chunk belong to the next record.
    const next = rest.subarray(end + 1);
    if (end === -1) {
      isDropping = true;
      continue;
    }
    yield dropped();
    parser = new RowParser(dialect, lineEnd);
    await parser.feed(next);
  }
  if (isDropping) yield dropped();
  const error = await parser?.end();
  yield* records(parser?.take() ?? []);
  if (error === undefined) return;
  const problem = 'is not valid CSV: a quote is not closed';
  yield { line: last + 1, lastLine: Math.max(last + 1, ended), sizeBytes: 0, content: { problem } };
}

class RowParser {
  #rows: string[][] = [];
  readonly #parser: Parser;

  constructor({ delimiter, quote }: CsvDialect, lineEnd: number) {
    this.#parser = new Parser({
      bom: true,
      delimiter,
      quote,
      escape: quote,
      relax_quotes: true,
      relax_column_count: true,
      record_delimiter: lineEnd === LINE_FEED ? ['\r\n', '\n'] : '\r',
      max_record_size: RECORD_SIZE_BYTES_MAX,
      // Records are collected here, because a stream that fails drops what was not read yet.
      on_record: (row: string[]) => {
        this.#rows.push(row);
        return null;
      },
    });
    this.#parser.on('error', () => {}).resume();
  }

  feed(chunk: Buffer): Promise<Error | undefined> {
    return new Promise((resolve) => this.#parser.write(chunk, (error) => resolve(error ?? undefined)));
  }

  end(): Promise<Error | undefined> {
    return new Promise((resolve) => {
      this.#parser
        .once('error', resolve)
        .once('end', () => resolve(undefined))
        .end();
    });
  }

  take(): string[][] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}

/** Returns UTF-8. A byte order mark decides if no encoding is given. */
async function* decoded(chunks: Chunks, encoding: string | undefined): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of withHead(chunks)) {
    if (isFirst) {
      const name = encoding ?? markedEncoding(chunk);
      if (name !== 'utf-8') decoder = new TextDecoder(name);
    }
    isFirst = false;
    if (chunk.length > 0)
      yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
}

const HEAD_SIZE_BYTES = 65_536;

/** The first chunk has a line end, or 64 KiB, or everything: it decides about encoding and line ends. */
async function* withHead(chunks: Chunks): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === undefined) yield chunk;
    else {
      head = Buffer.concat([head, chunk]);
      if (!chunk.includes(LINE_FEED) && head.length < HEAD_SIZE_BYTES) continue;
      yield head;
      head = undefined;
    }
  }
  if (head !== undefined) yield head;
}

function markedEncoding(chunk: Buffer): string {
  const mark = chunk.subarray(0, 2).toString('hex');
  return mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
}

function countBytes(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count += 1;
  return count;
}

function countLineEnds(text: string): number {
  return /[\r\n]/.test(text) ? (text.match(/\r\n|\n|\r/g)?.length ?? 0) : 0;
}

const QUOTED_MAX = 60;

export function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}
