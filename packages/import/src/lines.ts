/**
 * The service's lines: strict JSON, or CSV with a header row and JSON in cells for lists and objects. Checks
 * no schema.
 */
import { IMPORT_LINES, type ImportKind } from '@keyport/contract/catalogue/imports';
import { parseStrictJson } from '@keyport/core/strict-json';
import { type Problem, quoted, splitCells, splitRow, textReader } from './cells.ts';
import { CSV, cutRecords } from './records.ts';

/** A value, the reason for its absence, or a line that was processed before. */
export type ImportLine = {
  /** Counted from 1, including CSV's header row. */
  readonly line: number;
  readonly sizeBytes: number;
} & ({ readonly value: unknown } | { readonly problem: string } | { readonly isSkipped: true });

type Read = { readonly value: unknown } | Problem;

/** The message has no subject and no period. */
export class HeaderError extends Error {
  override readonly name = 'HeaderError';
}

/** Skips lines up to `doneLine` without decoding. Throws HeaderError. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { format, kind }: { readonly format: 'ndjson' | 'csv'; readonly kind: ImportKind },
  doneLine = 0,
): AsyncGenerator<ImportLine> {
  const textOf = textReader();
  const inJson = jsonColumns(kind);
  let columns: string[] | undefined;
  for await (const record of cutRecords(chunks, format === 'csv' ? CSV : 'lines')) {
    const place = { line: record.line, sizeBytes: record.bytes?.length ?? 0 };
    if (format === 'csv' && columns === undefined) {
      const text = textOf(record);
      columns = readHeader(typeof text === 'string' ? splitCells(text) : text, kind);
    } else if (record.line <= doneLine) yield { ...place, isSkipped: true };
    else {
      const text = textOf(record);
      if (typeof text !== 'string') yield { ...place, ...text };
      else yield { ...place, ...(columns ? readCells(text, columns, inJson) : readJson(text)) };
    }
  }
}

function readJson(text: string): Read {
  const json = parseStrictJson(text);
  if (json.ok) return { value: json.value };
  // The JSON is one of many lines, not a body.
  const path = json.field?.replace(/^body\.?/, '') ?? '';
  const message = json.message.replace(' at line 1, column', ' at column').replace(/\.$/, '');
  return { problem: path === '' ? message : `${path}: ${message}` };
}

function readCells(text: string, columns: readonly string[], inJson: ReadonlySet<string>): Read {
  const cells = splitRow(text, CSV, columns.length);
  if (!Array.isArray(cells)) return cells;
  const members: [string, unknown][] = [];
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '') continue;
    if (cell.includes('\0')) return { problem: `${name} has a NUL character; remove it` };
    const read = inJson.has(name) ? readJson(cell) : { value: cell };
    if ('problem' in read) return { problem: `${name} must contain JSON: ${read.problem}` };
    members.push([name, read.value]);
  }
  return { value: Object.fromEntries(members) };
}

function readHeader(cells: string[] | Problem, kind: ImportKind): string[] {
  const known = Object.keys(IMPORT_LINES[kind].properties);
  const expected = `the header row (line 1) must contain only these names, separated by commas: ${known.join(', ')}`;
  if (!Array.isArray(cells)) throw new HeaderError(`cannot be read: line 1 ${cells.problem}: ${expected}`);
  const names = cells.map((cell) => cell.trim());
  const required: readonly string[] = IMPORT_LINES[kind].required;
  const missing = required.filter((name) => !names.includes(name));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new HeaderError(`has the unknown column ${quoted(unknown)}: ${expected}`);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new HeaderError(`has the column ${quoted(repeated)} twice: ${expected}`);
  if (missing.length > 0) throw new HeaderError(`lacks the column ${missing.join(', ')}: ${expected}`);
  return names;
}

/** Columns of lists and objects, for which CSV has no form. */
function jsonColumns(kind: ImportKind): Set<string> {
  const columns = Object.entries(IMPORT_LINES[kind].properties);
  return new Set(columns.filter(([, schema]) => isListOrObject(schema)).map(([name]) => name));
}

function isListOrObject(schema: object): boolean {
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) return schema.anyOf.some(isListOrObject);
  return 'type' in schema && (schema.type === 'array' || schema.type === 'object');
}
