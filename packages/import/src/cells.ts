import { CSV, type CsvDialect, cutWhole, type ImportRecord, RECORD_SIZE_BYTES_MAX } from './records.ts';

/** A predicate whose subject is a record or cell, without a period. */
export type Problem = { readonly problem: string };
const TOO_LONG = `is longer than ${RECORD_SIZE_BYTES_MAX / 1024} KiB`;

const BAD_QUOTES = {
  problem: 'is not valid CSV: quotes enclose a whole cell, and a quote inside them is doubled',
};

/** The encoding must be a superset of ASCII. */
export function textReader(encoding = 'utf-8'): (record: ImportRecord) => string | Problem {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return ({ line, lastLine, bytes }) => {
    if (bytes === undefined) {
      return lastLine === line
        ? { problem: `${TOO_LONG}: make it shorter` }
        : {
            problem: `${TOO_LONG} and extends to line ${lastLine}: close its quote, or make it shorter`,
          };
    }
    try {
      const text = decoder.decode(bytes);
      return line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
    } catch {
      const name = encoding.toUpperCase();
      return { problem: `is not valid ${name}; write it in ${name}` };
    }
  };
}

export function splitCells(text: string, dialect: CsvDialect = CSV): string[] | Problem {
  const { delimiter, quote, isLenient = false } = dialect;
  if (!text.includes(quote)) return text.split(delimiter);
  const cells: string[] = [];
  for (let start = 0; ; ) {
    const closing = text[start] === quote ? closingQuote(text, start, quote) : undefined;
    if (closing === -1 && !isLenient) return BAD_QUOTES;
    const rest = closing === undefined ? start : closing === -1 ? text.length : closing + 1;
    const next = text.indexOf(delimiter, rest);
    const end = next === -1 ? text.length : next;
    const bare = text.slice(rest, end);
    if (!isLenient && (closing === undefined ? bare.includes(quote) : bare !== '')) return BAD_QUOTES;
    const quoted = closing === undefined ? '' : text.slice(start + 1, closing === -1 ? undefined : closing);
    cells.push(quoted.replaceAll(quote + quote, quote) + bare);
    if (next === -1) return cells;
    start = next + 1;
  }
}

/** Returns an index or -1. Two quotes stand for one. */
function closingQuote(text: string, start: number, quote: string): number {
  let index = text.indexOf(quote, start + 1);
  while (index !== -1 && text[index + 1] === quote) index = text.indexOf(quote, index + 2);
  return index;
}

export function splitRow(text: string, dialect: CsvDialect, count: number): string[] | Problem {
  const cells = splitCells(text, dialect);
  if (!Array.isArray(cells) || cells.length === count || dialect.isLenient === true) return cells;
  return { problem: `has ${cells.length} cells, but the header row has ${count}` };
}

/** Reads leniently and leaves out blank rows. */
export function readTable(text: string, { delimiter, quote }: CsvDialect = CSV) {
  const dialect = { delimiter, quote, isLenient: true };
  const decoder = new TextDecoder();
  return Array.from(cutWhole(new TextEncoder().encode(text), dialect), ({ line, bytes }) => {
    const cells = splitCells(decoder.decode(bytes), dialect);
    return { line, cells: Array.isArray(cells) ? cells : [] };
  });
}

const QUOTED_MAX = 60;

export function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}
