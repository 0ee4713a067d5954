/** Reads the lines of an import: our own NDJSON and CSV, or a foreign file with a mapping. Checks no schema. */
import { IMPORT_LINES, type ImportKind } from '@keyport/contract/catalogue/imports';
import { trimInvisible } from '@keyport/core/invisible';
import { parseStrictJson } from '@keyport/core/strict-json';
import { invalidField } from '@keyport/http/replies/api-error';
import { type Cells, mapRecord } from './mapping.ts';
import type { Mapping } from './mapping-file.ts';
import { type Chunks, CSV, cutLines, cutRows, type Problem, quoted } from './records.ts';

/** `line` counts from 1 and includes the header row of CSV. */
export type ImportLine = { readonly line: number; readonly sizeBytes: number } & (
  | { readonly value: unknown }
  | Problem
);

const ARRAY = 'is a JSON array; send its elements without brackets and commas, each in one line';

type Read = { readonly value: unknown } | Problem;

/** Throws validation-error if the header row does not fit. */
export async function* readLines(
  chunks: Chunks,
  {
    format,
    kind,
    mapping,
  }: {
    readonly format: 'ndjson' | 'csv';
    readonly kind: ImportKind;
    readonly mapping?: Mapping | undefined;
  },
): AsyncGenerator<ImportLine> {
  if (format === 'ndjson') {
    for await (const { line, sizeBytes, content } of cutLines(chunks)) {
      if (line === 1 && typeof content === 'string' && content.startsWith('['))
        throw invalidField('body', ARRAY);
      const read =
        typeof content !== 'string'
          ? content
          : mapping === undefined
            ? readJson(content)
            : mapJson(mapping, content);
      if (read !== undefined) yield { line, sizeBytes, ...read };
    }
    return;
  }
  const { headerLine = 1 } = mapping?.source ?? {};
  let read: ((cells: readonly string[]) => Read | undefined) | undefined =
    headerLine === 0 && mapping !== undefined ? mapRows([], mapping) : undefined;
  const { delimiter, quote } = { ...CSV, ...mapping?.source };
  const dialect = { delimiter, quote, encoding: mapping?.source.encoding };
  for await (const { line, lastLine, sizeBytes, content } of cutRows(chunks, dialect)) {
    if (lastLine < headerLine) continue;
    if (read === undefined) {
      const names = 'problem' in content ? content : content.map((name) => name.trim());
      read =
        mapping === undefined ? readRows(names, kind) : mapRows('problem' in names ? [] : names, mapping);
      continue;
    }
    const value = 'problem' in content ? content : read(content.map(unwrapped));
    if (value !== undefined) yield { line, sizeBytes, ...value };
  }
}

/** Spreadsheets write `="…"` around numbers that are text. */
function unwrapped(cell: string): string {
  const [, inner] = /^\s*="(.*)"\s*$/s.exec(cell) ?? [];
  return inner === undefined ? cell : inner.replaceAll('""', '"');
}

function readJson(text: string): Read {
  const json = parseStrictJson(text);
  if (json.ok) return { value: json.value };
  // The JSON is one of many lines, not a body.
  const path = json.field?.replace(/^body\.?/, '') ?? '';
  const message = json.message.replace(' at line 1, column', ' at column').replace(/\.$/, '');
  return { problem: path === '' ? message : `${path}: ${message}` };
}

/** Reads rows with our own column names, and JSON in the cells of lists and objects. */
function readRows(names: readonly string[] | Problem, kind: ImportKind) {
  const columns = checkHeader(names, kind);
  const inJson = jsonColumns(kind);
  return (cells: readonly string[]): Read => {
    const stray = strayCell(cells, columns, 0);
    if (stray !== undefined) return stray;
    const members: [string, unknown][] = [];
    for (const [index, name] of columns.entries()) {
      const given = cells[index] ?? '';
      const cell = TRIMMED.has(name) ? trimInvisible(given).replace(/^'/, '') : given;
      if (name === '' || cell === '') continue;
      if (cell.includes('\0')) return { problem: `${name} has a NUL character; remove it` };
      const read = inJson.has(name) ? readJson(cell) : { value: cell };
      if ('problem' in read) return { problem: `${name} must contain JSON: ${read.problem}` };
      members.push([name, read.value]);
    }
    return { value: Object.fromEntries(members) };
  };
}

/** Usually the delimiter is in a cell without quotes, so that the cells before it are wrong too. */
function strayCell(cells: readonly string[], names: readonly string[], from: number): Problem | undefined {
  const stray = cells.findIndex(
    (cell, index) => index >= from && (names[index] ?? '') === '' && cell.trim() !== '',
  );
  if (stray === -1) return undefined;
  return {
    problem:
      stray < names.length
        ? `has a value in column ${stray + 1}, which has no name in the header row`
        : `has ${cells.length} cells, but the header row has ${names.length}; put quotes around a cell that has the delimiter`,
  };
}

/** The names, choices and numbers of a cell; other cells are texts, whose blanks are kept. */
const TRIMMED = new Set([
  'id',
  'productId',
  'sellerId',
  'offerId',
  'price',
  'status',
  'checkoutClass',
  'kind',
]);

function checkHeader(names: readonly string[] | Problem, kind: ImportKind): readonly string[] {
  const known = Object.keys(IMPORT_LINES[kind].properties);
  const required: readonly string[] = IMPORT_LINES[kind].required;
  const reject = (problem: string) =>
    invalidField(
      'body',
      `${problem}: the header row (line 1) must contain only these names, separated by commas: ${known.join(', ')}`,
    );
  if ('problem' in names) throw reject(`cannot be read: line 1 ${names.problem}`);
  const unknown = names.findIndex((name) => name !== '' && !known.includes(name));
  // Without a header row, the first key would be a name.
  const shown = kind === 'keys' ? `name in column ${unknown + 1}` : `column ${quoted(names[unknown] ?? '')}`;
  if (unknown !== -1) throw reject(`has the unknown ${shown}`);
  const repeated = names.find((name, index) => name !== '' && names.indexOf(name) < index);
  if (repeated !== undefined) throw reject(`has the column ${quoted(repeated)} twice`);
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0) throw reject(`lacks the column ${missing.join(', ')}`);
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

/** A column is a name of the header row, or a number from 1. Undefined for a row that the mapping skips. */
function mapRows(names: readonly string[], mapping: Mapping) {
  const { fields, skipWhen = [] } = mapping;
  const wanted = new Set([
    ...Object.values(fields).flatMap(({ column, columns = [] }) => [column ?? [], columns].flat()),
    ...skipWhen.map(({ column }) => column),
  ]);
  const wrong = [...wanted].filter(
    (name) => typeof name === 'string' && names.filter((each) => each === name).length !== 1,
  );
  if (wrong.length > 0) {
    const found = mapping.hidesCells ? 'Check the header row' : `Its columns are ${names.join(', ')}`;
    throw invalidField(
      'body',
      `lacks columns that the mapping names, or has them twice: ${wrong.join(', ')}. ` +
        `${found}; also check the delimiter and the encoding`,
    );
  }
  const lastNamed = names.findLastIndex((name) => name !== '');
  const numbers = [...wanted].filter((column) => typeof column === 'number');
  const from = Math.max(lastNamed + 1, ...numbers);
  const places = new Map(
    [...wanted].map((name) => [name, typeof name === 'number' ? name - 1 : names.indexOf(name)]),
  );
  return (cells: readonly string[]) => {
    const read = mapped(mapping, (column) => cells[places.get(column) ?? -1] ?? '');
    if (read === undefined || lastNamed === -1) return read;
    return strayCell(cells, names, from) ?? read;
  };
}

function mapJson(mapping: Mapping, text: string): Read | undefined {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return { problem: 'is not JSON' };
  }
  return mapped(mapping, (column) => readMember(record, String(column)));
}

/** `a` names a member, `a.b` a nested one. */
function readMember(record: unknown, path: string): string | readonly string[] {
  let value = record;
  for (const name of path.split('.')) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    value = isThere ? Reflect.get(Object(value), name) : undefined;
  }
  if (Array.isArray(value)) return value.map(String);
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function mapped(mapping: Mapping, cells: Cells): Read | undefined {
  const result = mapRecord(mapping, cells);
  return 'isSkipped' in result ? undefined : result;
}
