/** Files as people have them: any delimiter, any usual encoding, of any size. */
import Papa from 'papaparse';
import { PRODUCT_ID, UUID } from '../api/ids.ts';
import { AMOUNT, rewritePrice, rewriteProductId } from './cells.ts';
import { cellOf, FIELDS, type Field, type ImportKind, type Mapping, type SellerIds } from './mapping.ts';

export type TableFile = {
  readonly file: File;
  readonly head: readonly string[];
  readonly samples: readonly (readonly string[])[];
} & (
  | {
      /** It is sent as it is; `head` and `samples` are of its first line. */
      readonly format: 'ndjson';
    }
  | {
      readonly format: 'table';
      readonly encoding: string;
      readonly delimiter: string;
      readonly newline: '\n' | '\r';
      /** From 0: titles and blank lines may come before it. Below 0: no line names the columns. */
      readonly headIndex: number;
    }
);

/** Why nothing in it can be imported. */
export type FileProblem = 'empty' | 'spreadsheet' | 'binary';

export type Prepared = {
  readonly body: Blob;
  readonly type: 'text/csv' | 'application/x-ndjson';
  /** Below the header; undefined: not counted. */
  readonly rows: number | undefined;
  /** Of these, lines about something that an earlier line was about. */
  readonly repeated: number;
};

const HEAD_BYTES = 64 * 1024;
const SAMPLES = 3;
/** Within these lines the header is looked for. */
const HEAD_LINES = 20;
/** Of those that fit alike, the first counts. */
const DELIMITERS = [';', '\t', '|', ','] as const;
/** Text is parsed, and joined into parts of a Blob, at about this length. */
const PART_LENGTH = 1_000_000;

export async function openTable(file: File): Promise<TableFile | FileProblem> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (isSpreadsheet(bytes)) return 'spreadsheet';
  const { text, encoding } = decode(bytes);
  if (text.includes('\0') || text.startsWith('%PDF')) return 'binary';
  if (text.trimStart().startsWith('{')) return { format: 'ndjson', file, ...firstObject(text) };
  const delimiter = delimiterOf(text);
  // Excel on a Mac has a form of CSV without line feeds.
  const newline = text.includes('\n') ? '\n' : '\r';
  const { data } = Papa.parse<string[]>(text, { delimiter, newline, preview: HEAD_LINES + SAMPLES });
  if (data.every((row) => filled(row) === 0)) return 'empty';
  const headIndex = headIndexOf(data);
  const rows = data.slice(headIndex + 1).filter((row) => filled(row) > 0);
  const head = data[headIndex] ?? namelessOf(rows[0]);
  return {
    format: 'table',
    file,
    encoding,
    delimiter,
    newline,
    headIndex,
    head: head.map((name) => name.trim()),
    samples: rows.slice(0, SAMPLES),
  };
}

/** Of a table whose first line was taken for names of columns. */
export function withoutHead(table: TableFile): TableFile {
  if (table.format === 'ndjson') return table;
  const samples = [table.head, ...table.samples].slice(0, SAMPLES);
  return { ...table, headIndex: -1, head: namelessOf(table.head), samples };
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

/** The own formats of Excel, LibreOffice and Numbers: a ZIP archive, or the older binary one. */
function isSpreadsheet(bytes: Uint8Array): boolean {
  const starts = [
    [0x50, 0x4b, 0x03, 0x04],
    [0xd0, 0xcf, 0x11, 0xe0],
  ];
  return starts.some((start) => start.every((byte, index) => bytes[index] === byte));
}

const filled = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length;

/** The widest of the lines of names above the first line of data, which has ids, or amounts where nothing has ids. -1: there is none. */
function headIndexOf(lines: readonly (readonly string[])[]): number {
  const looks = lines.some((line) => line.some(isId)) ? isId : isAmount;
  const first = lines.findIndex((line) => line.some(looks));
  const above = (first === -1 ? lines : lines.slice(0, first)).slice(0, HEAD_LINES);
  const widths = above.map((line) => (line.some((cell) => isId(cell) || isAmount(cell)) ? 0 : filled(line)));
  const widest = Math.max(0, ...widths);
  return widest > filled(lines[first] ?? []) / 2 ? widths.indexOf(widest) : -1;
}

const isId = (cell: string) => UUID.test(cell.trim()) || PRODUCT_ID.test(rewriteProductId(cell.trim()));
const isAmount = (cell: string) => AMOUNT.test(rewritePrice(cell.trim()));

/** That in which most lines have the same number of cells: Papa's own guess takes decimal commas for delimiters. */
export function delimiterOf(text: string): string {
  const fits = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(text, { delimiter, preview: HEAD_LINES + SAMPLES });
    const widths = Map.groupBy(
      data.filter(({ length }) => length > 1),
      ({ length }) => length,
    );
    const [width = 0, rows = []] =
      [...widths].toSorted(([, some], [, others]) => others.length - some.length)[0] ?? [];
    return { delimiter, width, lines: rows.length };
  });
  const best = fits.toSorted((one, other) => other.lines - one.lines || other.width - one.width)[0];
  return best?.delimiter ?? ',';
}

function decode(bytes: Uint8Array<ArrayBuffer>): { readonly text: string; readonly encoding: string } {
  const read = (encoding: string, fatal: boolean) => ({
    // The last character may be cut.
    text: new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true }),
    encoding,
  });
  // "Unicode text" of Excel.
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return read('utf-16le', false);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return read('utf-16be', false);
  try {
    return read('utf-8', true);
  } catch {
    return read('windows-1252', false);
  }
}

/** The file as the service reads it. Lines keep their numbers, so that what is rejected is found in the file. */
export async function prepare(
  table: TableFile,
  kind: ImportKind,
  mapping: Mapping,
  sellers?: SellerIds,
): Promise<Prepared> {
  const { file } = table;
  if (table.format === 'ndjson')
    return { body: file, type: 'application/x-ndjson', rows: undefined, repeated: 0 };
  const fields = FIELDS[kind].filter(({ name }) => mapping[name] !== undefined);
  const hasHead = table.headIndex >= 0;
  // CSV has names in a line of its own, which would move all others.
  const lineOf = hasHead ? record : (cells: readonly string[]) => object(fields, cells);
  const parts: Blob[] = [];
  const known = new Set<string>();
  let text = hasHead ? '\n'.repeat(table.headIndex) + record(fields.map(({ name }) => name)) : '';
  let index = -1;
  let rows = 0;
  let repeated = 0;
  await readRows(table, (row) => {
    index += 1;
    if (index <= table.headIndex) return;
    const isBlank = row.every((cell) => cell.trim() === '');
    const cells = isBlank ? [] : fields.map((field) => cellOf(field, mapping, row, sellers));
    const line = isBlank ? '\n' : lineOf(cells);
    // Lines within cells that are left out.
    text += line.padEnd(line.length + breaksIn(row.join('')) + 1 - breaksIn(line), '\n');
    if (!isBlank) {
      rows += 1;
      const name = nameOf(kind, fields, cells);
      if (known.has(name)) repeated += 1;
      else if (name !== '') known.add(name);
    }
    if (text.length < PART_LENGTH) return;
    parts.push(new Blob([text]));
    text = '';
  });
  const body = new Blob([...parts, text]);
  return { body, type: hasHead ? 'text/csv' : 'application/x-ndjson', rows, repeated };
}

const breaksIn = (text: string) => text.split('\n').length - 1;

/** What the line is about; empty when it does not say, and of keys, which the service counts itself. */
function nameOf(kind: ImportKind, fields: readonly Field[], cells: readonly string[]): string {
  if (kind === 'keys') return '';
  const of = (name: string) => cells[fields.findIndex((field) => field.name === name)] ?? '';
  const pair = [of('productId'), of('sellerId')];
  return of('id') || (kind === 'prices' && !pair.includes('') ? pair.join('/') : '');
}

/** Papa's own reader cuts characters of several bytes where its pieces of a file end. */
async function readRows(
  { file, encoding, delimiter, newline }: TableFile & { readonly format: 'table' },
  use: (row: readonly string[]) => void,
): Promise<void> {
  const parser = new Papa.Parser({ delimiter, newline });
  const reader = file.stream().pipeThrough(new TextDecoderStream(encoding)).getReader();
  let text = '';
  let wanted = PART_LENGTH;
  for (;;) {
    const { done, value = '' } = await reader.read();
    text += value;
    if (!done && text.length < wanted) continue;
    const { data, meta }: { data: string[][]; meta: { cursor: number } } = parser.parse(text, 0, !done);
    for (const row of data) use(row);
    if (done) return;
    text = text.slice(meta.cursor);
    // A record that is longer: without this, all of it would be read again with every piece.
    wanted = Math.max(PART_LENGTH, 2 * text.length);
  }
}

function record(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}

/** A line of NDJSON. As in CSV, an empty cell is a field that is left out. */
function object(fields: readonly Field[], cells: readonly string[]): string {
  const members = fields.flatMap(({ name, isJson = false }, index) => {
    const cell = cells[index] ?? '';
    return cell === '' ? [] : [[name, isJson ? parsed(cell) : cell]];
  });
  return `${JSON.stringify(Object.fromEntries(members))}\n`;
}

/** What is no JSON stays, and the service rejects it. */
function parsed(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
