import type { ImportKind } from '@keyport/contract/catalogue/imports';
import { readTable } from '@keyport/import/cells';
import { LinePlacer, type MappedLine, mapLines } from '@keyport/import/map-lines';
import { PRODUCT_ID, UUID } from '../api/ids.ts';
import { AMOUNT, type Mapping, readCell, rulesOf, type SellerIds } from './mapping.ts';

export type TableFile = {
  readonly file: File;
  readonly head: readonly string[];
  readonly samples: readonly (readonly string[])[];
} & (
  | {
      /** The file is sent unchanged; `head` and `samples` come from its first line. */
      readonly format: 'ndjson';
    }
  | {
      readonly format: 'table';
      readonly encoding: string;
      readonly delimiter: string;
      readonly newline: '\n' | '\r';
      /** Counts from 1, since titles and blank lines may come before it; 0 if no line names the columns. */
      readonly headLine: number;
    }
);

export type FileProblem = 'empty' | 'spreadsheet' | 'binary';

export type Prepared = {
  /** NDJSON. */
  readonly body: Blob;
  /** The number of rows below the header; undefined if they were not counted. */
  readonly rows: number | undefined;
  /** The number of rows with the same subject as an earlier row. */
  readonly repeated: number;
};

const HEAD_BYTES = 64 * 1024;
const SAMPLES = 3;
const HEAD_LINES = 20;
/** If several fit equally well, the first one is used. */
const DELIMITERS = [';', '\t', '|', ','] as const;
/** Text is joined into Blob parts of about this length. */
const PART_LENGTH = 1_000_000;

export async function openTable(file: File): Promise<TableFile | FileProblem> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (isSpreadsheet(bytes)) return 'spreadsheet';
  const { text, encoding } = decode(bytes);
  if (text.includes('\0') || text.startsWith('%PDF')) return 'binary';
  if (text.trimStart().startsWith('{')) return { format: 'ndjson', file, ...firstObject(text) };
  const delimiter = delimiterOf(text);
  // Excel on a Mac can save CSV without line feeds.
  const newline = text.includes('\n') ? '\n' : '\r';
  const table = firstRows(newline === '\r' ? text.replaceAll('\r', '\n') : text, delimiter);
  if (table.every(({ cells }) => filled(cells) === 0)) return 'empty';
  const headIndex = headIndexOf(table.map(({ cells }) => cells));
  const rows = table.slice(headIndex + 1).flatMap(({ cells }) => (filled(cells) > 0 ? [cells] : []));
  const { line: headLine = 0, cells: head = namelessOf(rows[0]) } = table[headIndex] ?? {};
  return {
    format: 'table',
    file,
    encoding,
    delimiter,
    newline,
    headLine,
    head: head.map((name) => name.trim()),
    samples: rows.slice(0, SAMPLES),
  };
}

/** For a table whose first line was mistaken for column names. */
export function withoutHead(table: TableFile): TableFile {
  if (table.format === 'ndjson') return table;
  const samples = [table.head, ...table.samples].slice(0, SAMPLES);
  return { ...table, headLine: 0, head: namelessOf(table.head), samples };
}

const namelessOf = (row: readonly string[] = []) => row.map(() => '');

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
function headIndexOf(lines: readonly (readonly string[])[]): number {
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
export function delimiterOf(text: string): string {
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

function firstRows(text: string, delimiter: string) {
  return readTable(text, { delimiter, quote: '"' }).slice(0, HEAD_LINES + SAMPLES);
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
    return read('windows-1252', false);
  }
}

/** Converts the file to the format that the service reads. Lines keep their numbers, since messages contain them. */
export async function prepare(
  table: TableFile,
  kind: ImportKind,
  mapping: Mapping,
  sellers?: SellerIds,
): Promise<Prepared> {
  if (table.format === 'ndjson') return { body: table.file, rows: undefined, repeated: 0 };
  const source = { format: 'csv', delimiter: table.delimiter } as const;
  const rules = rulesOf(kind, mapping, sellers);
  const placer = new LinePlacer();
  const parts: Blob[] = [];
  const known = new Set<string>();
  let text = '';
  let rows = 0;
  let repeated = 0;
  for await (const line of mapLines(bytesOf(table), { source, mapping: rules, table })) {
    rows += 1;
    const name = nameOf(kind, line);
    if (known.has(name)) repeated += 1;
    else if (name !== '') known.add(name);
    text += placer.place(line);
    if (text.length < PART_LENGTH) continue;
    parts.push(new Blob([text]));
    text = '';
  }
  return { body: new Blob([...parts, text]), rows, repeated };
}

/** The subject of the line; empty if there is none, and for keys, which the service counts itself. */
function nameOf(kind: ImportKind, { value = {} }: MappedLine): string {
  if (kind === 'keys') return '';
  const { id = '', productId = '', sellerId = '' } = value;
  const hasPair = kind === 'prices' && productId !== '' && sellerId !== '';
  return String(id) || (hasPair ? `${productId}/${sellerId}` : '');
}

/** Yields UTF-8 with line feeds. */
async function* bytesOf({ file, encoding, newline }: TableFile & { readonly format: 'table' }) {
  const encoder = new TextEncoder();
  const reader = file.stream().pipeThrough(new TextDecoderStream(encoding)).getReader();
  for (;;) {
    const { done, value = '' } = await reader.read();
    if (done) return;
    yield encoder.encode(newline === '\r' ? value.replaceAll('\r', '\n') : value);
  }
}
