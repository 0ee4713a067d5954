/**
 * Makes our lines of the records of a third party's feed, with a mapping. Each stands at the line number of its record,
 * with blank lines between, which the service skips: so its messages have the line numbers of the source. A record that
 * cannot be mapped is sent as a line that is no object, so that the service counts and rejects it like any other.
 */
import { parseRecord } from '@keyport/server/imports/import-lines';
import {
  CSV,
  type CsvDialect,
  cutRecords,
  type ImportRecord,
  isBlank,
} from '@keyport/server/imports/import-records';
import { CommandFailure } from '../failure.ts';
import type { Sender } from './forward.ts';
import { type Cells, type Mapped, mapRecord } from './map-values.ts';
import type { Mapping } from './mapping.ts';

/** This many bytes are forwarded at a time. */
const SENT_SIZE_BYTES = 65_536;
/** Lines that are the same as a recent one are not sent again: feeds name their few sellers in every row. */
const REMEMBERED_COUNT_MAX = 10_000;

/** Resolves when all is forwarded, or nothing more is wanted. Throws CommandFailure for a header that lacks a column. */
export async function mapOn(chunks: AsyncIterable<Buffer>, mapping: Mapping, sender: Sender): Promise<void> {
  const { source } = mapping;
  const dialect = { delimiter: source.delimiter ?? CSV.delimiter, quote: source.quote ?? CSV.quote };
  const decoder = new TextDecoder(source.encoding ?? 'utf-8', { fatal: true, ignoreBOM: true });
  const output = new Output(sender);
  let columns: Columns | undefined;
  for await (const record of cutRecords(chunks, source.format === 'csv' ? dialect : 'lines')) {
    if (sender.isOver()) return;
    if (isBlank(record)) continue;
    const text = decode(record, decoder);
    if (source.format === 'csv' && columns === undefined) {
      const cells = text === undefined ? [] : parseRecord(text, dialect);
      columns = columnsOf(Array.isArray(cells) ? cells : [], mapping);
      if (record.bytes !== undefined) sender.header(record.bytes);
      continue;
    }
    await output.add(
      record,
      mapText(text, mapping, (line) => readCells(line, columns, dialect)),
    );
  }
  await output.flush();
}

type ReadCells = (text: string) => Cells | { readonly problem: string };

function mapText(text: string | undefined, mapping: Mapping, read: ReadCells): Mapped {
  if (text === undefined) {
    return { problem: `It is longer than 1 MiB, or not in ${mapping.source.encoding ?? 'utf-8'}.` };
  }
  const cells = mapping.source.format === 'csv' ? read(text) : readMembers(text);
  return 'problem' in cells ? cells : mapRecord(mapping, cells);
}

function decode({ bytes, line }: ImportRecord, decoder: TextDecoder): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    const text = decoder.decode(bytes);
    return line === 1 ? text.replace(/^\uFEFF/, '') : text;
  } catch {
    return undefined;
  }
}

type Columns = { readonly count: number; readonly places: ReadonlyMap<string, number> };

/** Where each column is. Throws when the mapping names one that is missing or that occurs twice. */
function columnsOf(header: readonly string[], { fields, skipWhen }: Mapping): Columns {
  const names = header.map((name) => name.trim());
  const wanted = new Set([
    ...Object.values(fields).flatMap(({ column, columns: several }) => several ?? column ?? []),
    ...skipWhen.map(({ column }) => column),
  ]);
  const wrong = [...wanted].filter((name) => names.filter((each) => each === name).length !== 1);
  if (wrong.length === 0)
    return { count: names.length, places: new Map(names.map((name, index) => [name, index])) };
  throw new CommandFailure(
    `the source lacks columns that the mapping names, or has them twice: ${wrong.join(', ')}. It has ${names.join(', ')}; look at the delimiter and the encoding too`,
  );
}

function readCells(
  text: string,
  columns: Columns | undefined,
  dialect: CsvDialect,
): Cells | { readonly problem: string } {
  const cells = parseRecord(text, dialect);
  if (!Array.isArray(cells)) return { problem: `It ${cells.problem}.` };
  if (cells.length !== columns?.count) {
    return { problem: `It has ${cells.length} cells, but the header row has ${columns?.count}.` };
  }
  return (column) => cells[columns.places.get(column) ?? -1] ?? '';
}

/** A column of NDJSON is a member, or one inside it with a dot. */
function readMembers(text: string): Cells | { readonly problem: string } {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return { problem: 'It is not JSON.' };
  }
  return (column) => {
    let value = record;
    for (const name of column.split('.')) {
      value =
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? Reflect.get(value, name)
          : undefined;
    }
    if (Array.isArray(value)) return value.map(String);
    return value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  };
}

/** What is sent, at the lines where it belongs. */
class Output {
  readonly #sender: Sender;
  #text = '';
  /** The line that is written next. */
  #line = 1;
  readonly #remembered = new Set<string>();

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  async add({ line, bytes }: ImportRecord, mapped: Mapped): Promise<void> {
    if ('isSkipped' in mapped) return;
    const problem = 'problem' in mapped ? mapped.problem : undefined;
    // A text is no object: it is rejected for certain.
    const sent = JSON.stringify('value' in mapped ? mapped.value : problem);
    if (problem === undefined && this.#isRemembered(sent)) return;
    this.#sender.line({ line, bytes, problem });
    this.#text += `${'\n'.repeat(line - this.#line)}${sent}\n`;
    this.#line = line + 1;
    if (this.#text.length >= SENT_SIZE_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await this.#sender.send(Buffer.from(text));
  }

  #isRemembered(sent: string): boolean {
    if (this.#remembered.has(sent)) return true;
    this.#remembered.add(sent);
    const [oldest] = this.#remembered;
    if (this.#remembered.size > REMEMBERED_COUNT_MAX && oldest !== undefined) this.#remembered.delete(oldest);
    return false;
  }
}
