/**
 * Reads the records of an import as values: an NDJSON line is strict JSON (A11), a CSV record gets its names from the
 * header row, with lists and objects as JSON in the cell. A record that cannot be read is a problem of that line alone.
 * Checks no schema (imports.ts does).
 */
import { IMPORT_LINES, type ImportKind } from '@keyport/contract/catalogue/imports';
import { parseStrictJson } from '@keyport/core/strict-json';
import { invalidField } from '@keyport/http/replies/api-error';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import {
  CSV,
  type CsvDialect,
  cutRecords,
  type ImportRecord,
  isBlank,
  RECORD_SIZE_BYTES_MAX,
} from './import-records.ts';

/** A value that is still to be checked, why there is none, or a line that was not asked for. */
export type ImportLine = {
  /** From 1; the header row of CSV is line 1. */
  readonly line: number;
  readonly sizeBytes: number;
} & ({ readonly value: unknown } | { readonly problem: string } | { readonly isSkipped: true });

type Read = { readonly value: unknown } | { readonly problem: string };

const TOO_LONG = `is longer than ${RECORD_SIZE_BYTES_MAX / 1024} KiB`;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The lines of the stream that are not blank, of CSV those below the header row; those up to `doneLine` are skipped
 * without a look at them. Throws validation-error for a bad header.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  { format, kind }: { readonly format: 'ndjson' | 'csv'; readonly kind: ImportKind },
  doneLine = 0,
): AsyncGenerator<ImportLine> {
  let columns: string[] | undefined;
  for await (const record of cutRecords(chunks, format === 'csv' ? CSV : 'lines')) {
    if (isBlank(record)) continue;
    const isHeader = format === 'csv' && columns === undefined;
    if (record.line <= doneLine && !isHeader) {
      yield { ...whereIs(record), isSkipped: true };
      continue;
    }
    const text = textOf(record);
    if (isHeader) {
      columns = readHeader(text === undefined ? unreadable(record) : parseRecord(text), kind);
    } else if (text === undefined) yield { ...whereIs(record), ...unreadable(record) };
    else yield { ...whereIs(record), ...(columns ? readCells(text, columns, kind) : readJson(text)) };
  }
}

function whereIs({ line, bytes }: ImportRecord) {
  return { line, sizeBytes: bytes?.length ?? 0 };
}

/** Undefined when there is no text to be had; see `unreadable`. */
function textOf({ line, bytes }: ImportRecord): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    const text = utf8.decode(bytes);
    return line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
  } catch {
    return undefined;
  }
}

function unreadable({ line, lastLine, bytes }: ImportRecord): { problem: string } {
  if (bytes !== undefined) return { problem: 'is not valid UTF-8; write it in UTF-8' };
  if (lastLine === line) return { problem: `${TOO_LONG}: make it shorter` };
  return { problem: `${TOO_LONG} with all up to line ${lastLine}: close its quote, or make it shorter` };
}

function readJson(text: string): Read {
  const json = parseStrictJson(text);
  if (json.ok) return { value: json.value };
  // The reader speaks of a whole body; here the JSON is one line of many.
  const path = json.field?.replace(/^body\.?/, '') ?? '';
  const message = json.message.replace(' at line 1, column', ' at column').replace(/\.$/, '');
  return { problem: path === '' ? message : `${path}: ${message}` };
}

function readCells(text: string, columns: readonly string[], kind: ImportKind): Read {
  const cells = parseRecord(text);
  if (!Array.isArray(cells)) return cells;
  if (cells.length !== columns.length) {
    return { problem: `has ${cells.length} cells, but the header row has ${columns.length}` };
  }
  const members: [string, unknown][] = [];
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? '';
    // An empty cell is a field that is left out.
    if (cell === '') continue;
    if (cell.includes('\0')) return { problem: `${name} has a NUL character; remove it` };
    const read = hasJsonCells(kind, name) ? readJson(cell) : { value: cell };
    if ('problem' in read) return { problem: `${name} must be JSON in the cell: ${read.problem}` };
    members.push([name, read.value]);
  }
  return { value: Object.fromEntries(members) };
}

/** The names of the columns. Throws for what would make every line of the import wrong. */
function readHeader(cells: string[] | { problem: string }, kind: ImportKind): string[] {
  const known = Object.keys(IMPORT_LINES[kind].properties);
  const expected = `the header row (line 1) must have names of ${known.join(', ')}, with commas between`;
  if (!Array.isArray(cells))
    throw invalidField('body', `cannot be read: line 1 ${cells.problem}: ${expected}`);
  const names = cells.map((cell) => cell.trim());
  const required: readonly string[] = IMPORT_LINES[kind].required;
  const missing = required.filter((name) => !names.includes(name));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalidField('body', `has the unknown column ${quoted(unknown)}: ${expected}`);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined)
    throw invalidField('body', `has the column ${quoted(repeated)} twice: ${expected}`);
  if (missing.length > 0) throw invalidField('body', `lacks the column ${missing.join(', ')}: ${expected}`);
  return names;
}

const QUOTED_MAX = 60;

/** Foreign text, to be shown in a message. */
function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}

/**
 * The cells of one record. Every record has a parser of its own, so that a bad one cannot affect the next; that costs
 * 50 µs (2 cores, 2026-11-21), so records without quotes, the most of them, are split without it.
 */
export function parseRecord(text: string, dialect: CsvDialect = CSV): string[] | { problem: string } {
  if (!text.includes(dialect.quote)) return text.split(dialect.delimiter);
  try {
    const records: string[][] = parse(text, { ...dialect, relax_column_count: true, record_delimiter: '\n' });
    return records[0] ?? [];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { problem: 'is not valid CSV: quotes enclose a whole cell, and a quote inside them is doubled' };
  }
}

/** Whether the schema of the column is a list or an object, which CSV has no form for. */
function hasJsonCells(kind: ImportKind, name: string): boolean {
  return JSON_COLUMNS[kind].has(name);
}

const JSON_COLUMNS: Readonly<Record<ImportKind, ReadonlySet<string>>> = {
  sellers: jsonColumns('sellers'),
  products: jsonColumns('products'),
  offers: jsonColumns('offers'),
  prices: jsonColumns('prices'),
  keys: jsonColumns('keys'),
};

function jsonColumns(kind: ImportKind): Set<string> {
  const columns = Object.entries(IMPORT_LINES[kind].properties);
  return new Set(columns.filter(([, schema]) => isListOrObject(schema)).map(([name]) => name));
}

function isListOrObject(schema: object): boolean {
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) return schema.anyOf.some(isListOrObject);
  return 'type' in schema && (schema.type === 'array' || schema.type === 'object');
}
