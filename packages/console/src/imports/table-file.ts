/** Files as people have them: any delimiter, UTF-8 or the encoding of Windows, of any size. */
import Papa from 'papaparse';
import { cellOf, FIELDS, type ImportKind, type Mapping } from './mapping.ts';

/** `ndjson` is sent as it is. */
export type TableFile =
  | { readonly format: 'ndjson'; readonly file: File }
  | {
      readonly format: 'table';
      readonly file: File;
      readonly encoding: string;
      readonly delimiter: string;
      /** From 0: titles and blank lines may come before it. */
      readonly headIndex: number;
      readonly head: readonly string[];
      readonly samples: readonly (readonly string[])[];
    };

export type Prepared = {
  readonly body: Blob;
  readonly type: 'text/csv' | 'application/x-ndjson';
  /** Below the header; undefined: not counted. */
  readonly rows: number | undefined;
};

const HEAD_BYTES = 64 * 1024;
const SAMPLES = 3;
/** Within these lines the header is looked for. */
const HEAD_LINES = 20;
/** Of those that fit alike, the first counts. */
const DELIMITERS = [';', '\t', '|', ','] as const;
/** Text is joined into parts of about this length before it becomes a Blob. */
const PART_LENGTH = 1_000_000;

/** Undefined: there is nothing in it that could be imported. */
export async function openTable(file: File): Promise<TableFile | undefined> {
  const bytes = await file.slice(0, HEAD_BYTES).arrayBuffer();
  const { text, encoding } = decode(bytes);
  if (text.trimStart().startsWith('{')) return { format: 'ndjson', file };
  const delimiter = delimiterOf(text);
  const { data } = Papa.parse<string[]>(text, { delimiter, preview: HEAD_LINES + SAMPLES });
  const filled = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length;
  const widest = Math.max(0, ...data.slice(0, HEAD_LINES).map(filled));
  const headIndex = data.findIndex((row) => filled(row) === widest);
  const head = data[headIndex];
  if (head === undefined || widest === 0) return undefined;
  const samples = data.slice(headIndex + 1).filter((row) => filled(row) > 0);
  return {
    format: 'table',
    file,
    encoding,
    delimiter,
    headIndex,
    head: head.map((name) => name.trim()),
    samples: samples.slice(0, SAMPLES),
  };
}

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

function decode(bytes: ArrayBuffer): { readonly text: string; readonly encoding: string } {
  try {
    // In a stream the last character may be cut.
    return {
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }),
      encoding: 'utf-8',
    };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

/** The file as the service reads it. Lines keep their numbers, so that what is rejected is found in the file. */
export function prepare(table: TableFile, kind: ImportKind, mapping: Mapping): Promise<Prepared> {
  const { file } = table;
  if (table.format === 'ndjson')
    return Promise.resolve({ body: file, type: 'application/x-ndjson', rows: undefined });
  const fields = FIELDS[kind].filter(({ name }) => mapping[name] !== undefined);
  const parts: Blob[] = [];
  let text = `${'\n'.repeat(table.headIndex)}${record(fields.map(({ name }) => name))}`;
  let index = 0;
  let rows = 0;
  const add = (row: readonly string[]) => {
    index += 1;
    if (index <= table.headIndex + 1) return;
    const isBlank = row.every((cell) => cell.trim() === '');
    if (!isBlank) rows += 1;
    text += isBlank ? '\n' : record(fields.map((field) => cellOf(field, mapping, row)));
    if (text.length < PART_LENGTH) return;
    parts.push(new Blob([text]));
    text = '';
  };
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(file, {
      encoding: table.encoding,
      delimiter: table.delimiter,
      chunk: ({ data }) => data.forEach(add),
      error: reject,
      complete: () => resolve({ body: new Blob([...parts, text]), type: 'text/csv', rows }),
    });
  });
}

function record(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}
