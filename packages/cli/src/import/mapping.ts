import { dirname, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { CommandFailure } from '../failure.ts';
import { readTextFile } from '../files.ts';

type MappingFile = {
  readonly source?: { readonly format?: unknown; readonly headerLine?: unknown; readonly quote?: unknown };
  readonly [kind: string]: unknown;
};

/** Adds the dictionaries beside the file. The service checks the mapping. Throws CommandFailure. */
export async function readMapping(path: string): Promise<MappingFile> {
  const file = parseJson(path, await readTextFile(path));
  const names = new Set(dictionariesIn(file));
  if (names.size === 0) return file;
  const dictionaries: Record<string, Record<string, string>> = {};
  for (const name of names) {
    const beside = resolve(dirname(path), name);
    dictionaries[name] = parseDictionary(beside, await readTextFile(beside));
  }
  return { ...file, dictionaries };
}

function parseJson(path: string, text: string): MappingFile {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch (cause) {
    throw failure(path, `It is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`);
  }
  throw failure(path, 'It must be a JSON object.');
}

function dictionariesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'dictionary' && typeof inner === 'string' ? inner : dictionariesIn(inner),
  );
}

/** A CSV file without a header: the word of the source, and its meaning. */
function parseDictionary(path: string, text: string): Record<string, string> {
  const options = { bom: true, relax_column_count: true, skip_empty_lines: true, info: true } as const;
  const rows: { record: string[]; info: { lines: number } }[] = (() => {
    try {
      return parse(text, options) as never;
    } catch (cause) {
      throw failure(path, `${cause instanceof Error ? cause.message : String(cause)}.`);
    }
  })();
  const entries = new Map<string, string>();
  for (const { record, info } of rows) {
    const [word, meaning, ...others] = record.map((cell) => cell.trim());
    if (word === undefined || meaning === undefined || others.length > 0) {
      throw failure(path, `line ${info.lines} must have two cells: the word of the source and its meaning.`);
    }
    if (entries.has(word)) throw failure(path, `line ${info.lines} repeats ${word}; list each word once.`);
    entries.set(word, meaning);
  }
  return Object.fromEntries(entries);
}

function failure(path: string, problem: string): CommandFailure {
  return new CommandFailure(`${path} cannot be used:\n  ${problem}`);
}
