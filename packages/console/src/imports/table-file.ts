/** Reads the first part of a file, to guess what it contains. The service reads the whole file. */
import { parse } from 'csv-parse/browser/esm/sync';
import { PRODUCT_ID, UUID } from '../api/ids.ts';
import { AMOUNT, readCell } from './mapping.ts';

export type TableFile = {
  readonly file: File;
  readonly head: readonly string[];
  readonly samples: readonly (readonly string[])[];
  /** The number of lines, estimated from the first part of a large file. */
  readonly lines: number;
} & (
  | {
      /** The file is sent unchanged; `head` and `samples` come from its first line. */
      readonly format: 'ndjson';
    }
  | {
      readonly format: 'table';
      readonly encoding: string;
      readonly delimiter: string;
      /** Counts from 1, since titles and blank lines may come before it; 0 if no line names the columns. */
      readonly headLine: number;
    }
);

export type FileProblem = 'empty' | 'spreadsheet' | 'binary';

const HEAD_BYTES = 64 * 1024;
const SAMPLES = 3;
const HEAD_LINES = 20;
/** If several fit equally well, the first one is used. */
const DELIMITERS = [';', '\t', '|', ','] as const;

export async function openTable(file: File): Promise<TableFile | FileProblem> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (isSpreadsheet(bytes)) return 'spreadsheet';
  const { text, encoding } = decode(bytes);
  if (text.includes('\0') || text.startsWith('%PDF')) return 'binary';
  const lines = Math.ceil((text.split(/\r\n|\n|\r/).length * file.size) / Math.max(1, bytes.length));
  if (text.trimStart().startsWith('{')) return { format: 'ndjson', file, lines, ...firstObject(text) };
  const delimiter = toDelimiter(text);
  const table = firstRows(text, delimiter);
  if (table.every(({ cells }) => filled(cells) === 0)) return 'empty';
  const headIndex = toHeadIndex(table.map(({ cells }) => cells));
  const rows = table.slice(headIndex + 1).flatMap(({ cells }) => (filled(cells) > 0 ? [cells] : []));
  const { line: headLine = 0, cells: head = toNameless(rows[0]) } = table[headIndex] ?? {};
  return {
    format: 'table',
    file,
    lines,
    encoding,
    delimiter,
    headLine,
    head: head.map((name) => name.trim()),
    samples: rows.slice(0, SAMPLES),
  };
}

/** For a table whose first line was mistaken for column names. */
export function withoutHead(table: TableFile): TableFile {
  if (table.format === 'ndjson') return table;
  const samples = [table.head, ...table.samples].slice(0, SAMPLES);
  return { ...table, headLine: 0, head: toNameless(table.head), samples };
}

const toNameless = (row: readonly string[] = []) => row.map(() => '');

function firstObject(text: string): Pick<TableFile, 'head' | 'samples'> {
  try {
    const members: Record<string, unknown> = JSON.parse(text.trimStart().split('\n', 1)[0] ?? '');
    return { head: Object.keys(members), samples: [Object.values(members).map(String)] };
  } catch {
    return { head: [], samples: [] };
  }
}

/** The native formats of Excel, LibreOffice and Numbers: a ZIP archive, or the older binary one. */
function isSpreadsheet(bytes: Uint8Array): boolean {
  const starts = [
    [0x50, 0x4b, 0x03, 0x04],
    [0xd0, 0xcf, 0x11, 0xe0],
  ];
  return starts.some((start) => start.every((byte, index) => bytes[index] === byte));
}

const filled = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length;

/** The index of the widest line above the first line of data (ids, or amounts if there are no ids), or -1. */
function toHeadIndex(lines: readonly (readonly string[])[]): number {
  const looks = lines.some((line) => line.some(isId)) ? isId : isAmount;
  const first = lines.findIndex((line) => line.some(looks));
  const above = (first === -1 ? lines : lines.slice(0, first)).slice(0, HEAD_LINES);
  const widths = above.map((line) => (line.some((cell) => isId(cell) || isAmount(cell)) ? 0 : filled(line)));
  const widest = Math.max(0, ...widths);
  return widest > filled(lines[first] ?? []) / 2 ? widths.indexOf(widest) : -1;
}

const isId = (cell: string) => UUID.test(cell.trim()) || PRODUCT_ID.test(readCell('productId', cell.trim()));
const isAmount = (cell: string) => AMOUNT.test(readCell('price', cell.trim()));

/** The delimiter with which most lines have the same number of cells. */
export function toDelimiter(text: string): string {
  const fits = DELIMITERS.map((delimiter) => {
    const wide = firstRows(text, delimiter).filter(({ cells }) => cells.length > 1);
    const widths = Map.groupBy(wide, ({ cells }) => cells.length);
    const [width = 0, rows = []] =
      [...widths].toSorted(([, some], [, others]) => others.length - some.length)[0] ?? [];
    return { delimiter, width, lines: rows.length };
  });
  const best = fits.toSorted((one, other) => other.lines - one.lines || other.width - one.width)[0];
  return best?.delimiter ?? ',';
}

/** Blank rows are left out; each row has its line. */
function firstRows(text: string, delimiter: string): { line: number; cells: string[] }[] {
  // Excel on a Mac can save CSV without line feeds.
  const lineEnd = text.includes('\n') ? ['\r\n', '\n'] : '\r';
  let rows: string[][] = [];
  try {
    rows = parse(text, {
      delimiter,
      record_delimiter: lineEnd,
      relax_quotes: true,
      relax_column_count: true,
      to: 2 * HEAD_LINES,
    });
  } catch {
    // A quote is open where the first part of the file ends.
    rows = text.split(/\r\n|\n|\r/).map((line) => line.split(delimiter));
  }
  let last = 0;
  const placed = rows.map((cells) => {
    const line = last + 1;
    last = line + (cells.join('').match(/\r\n|\n|\r/g)?.length ?? 0);
    return { line, cells };
  });
  return placed.filter(({ cells }) => cells.join('').trim() !== '').slice(0, HEAD_LINES + SAMPLES);
}

function decode(bytes: Uint8Array<ArrayBuffer>): { readonly text: string; readonly encoding: string } {
  const read = (encoding: string, fatal: boolean) => ({
    // The last character may be incomplete.
    text: new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true }),
    encoding,
  });
  // Excel calls this format "Unicode text".
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return read('utf-16le', false);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return read('utf-16be', false);
  try {
    return read('utf-8', true);
  } catch {
    return read('latin1', false);
  }
}
