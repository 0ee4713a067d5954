/** An unmappable record becomes a line that is not an object, which the service rejects. */
import { type Problem, splitCells, splitRow, textReader } from './cells.ts';
import { type Cells, type Mapped, type Mapping, mapRecord } from './mapping.ts';
import type { MappingFile } from './mapping-file.ts';
import { CSV, cutRecords, type ImportRecord } from './records.ts';

/** A table's columns are named by numbers from 0. */
type Table = {
  /** This line and all before it are skipped; 0 skips none. */
  readonly headLine: number;
};

type MapOptions = {
  readonly source: MappingFile['source'];
  readonly mapping: Mapping;
  /** Allows tables as people write them, with quotes anywhere, rows of any width and blank rows. */
  readonly table?: Table;
  readonly onHeader?: (bytes: Uint8Array) => void;
};

export type MappedLine = ImportRecord & {
  readonly json: string;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly problem?: string;
};

/** The source lacks columns or has them twice. */
export class ColumnsError extends Error {
  override readonly name = 'ColumnsError';
}

/** Throws ColumnsError. */
export async function* mapLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { source, mapping, table, onHeader }: MapOptions,
): AsyncGenerator<MappedLine> {
  const { format, delimiter = CSV.delimiter, quote = CSV.quote, encoding } = source;
  const dialect = { delimiter, quote, isLenient: table !== undefined };
  const textOf = textReader(encoding);
  let columns: Columns | undefined;
  const cellsOf = (text: string): Cells | Problem | undefined => {
    if (format === 'ndjson') return readMembers(text);
    const cells = splitRow(text, dialect, columns?.count ?? 0);
    if (!Array.isArray(cells)) return cells;
    if (table === undefined) return (column) => cells[columns?.places.get(column) ?? -1] ?? '';
    return cells.every((cell) => cell.trim() === '') ? undefined : (column) => cells[Number(column)] ?? '';
  };
  for await (const record of cutRecords(chunks, format === 'csv' ? dialect : 'lines')) {
    if (table !== undefined && record.line <= table.headLine) continue;
    const text = textOf(record);
    if (format === 'csv' && table === undefined && columns === undefined) {
      const cells = typeof text === 'string' ? splitCells(text, dialect) : [];
      columns = columnsOf(Array.isArray(cells) ? cells : [], mapping);
      if (record.bytes !== undefined) onHeader?.(record.bytes);
      continue;
    }
    const cells = typeof text === 'string' ? cellsOf(text) : text;
    if (cells === undefined) continue;
    const mapped =
      typeof cells === 'function' ? mapRecord(mapping, cells) : { problem: `It ${cells.problem}` };
    if (!('isSkipped' in mapped)) yield { ...record, ...lineOf(mapped) };
  }
}

function lineOf(mapped: Exclude<Mapped, { isSkipped: true }>) {
  if ('value' in mapped) return { json: JSON.stringify(mapped.value), value: mapped.value };
  const problem = `${mapped.problem}.`;
  return { json: JSON.stringify(problem), problem };
}

/** Keeps the source's line numbers, which messages name. */
export class LinePlacer {
  #line = 1;

  place({ line, json }: MappedLine): string {
    const text = `${'\n'.repeat(line - this.#line)}${json}\n`;
    this.#line = line + 1;
    return text;
  }
}

type Columns = { readonly count: number; readonly places: ReadonlyMap<string, number> };

function columnsOf(header: readonly string[], mapping: Mapping): Columns {
  const { fields, skipWhen = [] } = mapping;
  const names = header.map((name) => name.trim());
  const wanted = new Set([
    ...Object.values(fields).flatMap(({ column, columns: several }) => several ?? column ?? []),
    ...skipWhen.map(({ column }) => column),
  ]);
  const wrong = [...wanted].filter((name) => names.filter((each) => each === name).length !== 1);
  if (wrong.length === 0) {
    return { count: names.length, places: new Map(names.map((name, index) => [name, index])) };
  }
  throw new ColumnsError(
    `the source lacks columns that the mapping names, or has them twice: ${wrong.join(', ')}. ` +
      `Its columns are ${names.join(', ')}; also check the delimiter and the encoding`,
  );
}

/** `a` names a member, `a.b` a nested one. */
function readMembers(text: string): Cells | Problem {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return { problem: 'is not JSON' };
  }
  return (column) => {
    let value = record;
    for (const name of column.split('.')) {
      const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
      value = isThere ? Reflect.get(Object(value), name) : undefined;
    }
    if (Array.isArray(value)) return value.map(String);
    if (value === undefined || value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
}
