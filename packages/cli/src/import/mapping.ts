import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ImportKind } from '@keyport/contract/catalogue/imports';
import { splitCells } from '@keyport/import/cells';
import type { Field, Mapping } from '@keyport/import/mapping';
import type { MappingFile } from '@keyport/import/mapping-file';
import { CommandFailure } from '../failure.ts';

export type ReadMapping = {
  readonly source: MappingFile['source'];
  readonly mapping: Mapping;
  /** Includes dictionaries, because different text means a different import. */
  readonly text: string;
};

/** Throws CommandFailure naming every wrong member. */
export async function readMapping(path: string, kind: ImportKind): Promise<ReadMapping> {
  const text = await readText(path);
  const { compileCheck } = await import('@keyport/http/validation/validation');
  const { MappingFile, problemsOfMapping } = await import('@keyport/import/mapping-file');
  const parsed = parse(path, text);
  const problems = compileCheck(MappingFile, 'mapping')(parsed).map(({ message }) => message);
  const file = parsed as MappingFile;
  const more = problems.length > 0 ? problems : problemsOfMapping(file, kind);
  const part = file[kind];
  if (more.length > 0 || part === undefined) throw failure(path, more);
  const dictionaries = await readDictionaries(path, Object.values(part.fields));
  return {
    source: file.source,
    mapping: { ...part, dictionaries: new Map(dictionaries.map((one) => [one.name, one.entries])), uuidOf },
    text: [text, ...dictionaries.map(({ text: words }) => words)].join('\0'),
  };
}

/** RFC 9562, version 5: the same name in a namespace has the same id in any program. */
export function uuidOf(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw failure(path, [`It is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`]);
  }
}

type Dictionary = {
  readonly name: string;
  readonly text: string;
  readonly entries: ReadonlyMap<string, string>;
};

/** CSV files without a header: the source's word, its meaning. Their paths are relative to the mapping. */
async function readDictionaries(path: string, fields: readonly Field[]): Promise<Dictionary[]> {
  const names = new Set(fields.flatMap(({ dictionary }) => dictionary ?? []));
  return Promise.all(
    [...names].map(async (name) => {
      const file = resolve(dirname(path), name);
      const text = await readText(file);
      return { name, text, entries: parseDictionary(file, text) };
    }),
  );
}

function parseDictionary(file: string, text: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const cells = splitCells(line);
    const [key, value, ...others] = Array.isArray(cells) ? cells.map((cell) => cell.trim()) : [];
    if (key === undefined || value === undefined || others.length > 0) {
      throw failure(file, [`line ${index + 1} must have two cells: the word of the source and its meaning.`]);
    }
    if (entries.has(key)) throw failure(file, [`line ${index + 1} repeats ${key}; list each word once.`]);
    entries.set(key, value);
  }
  return entries;
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: Error) => {
    throw new CommandFailure(`the file cannot be read: ${cause.message}`, { cause });
  });
}

function failure(path: string, problems: readonly string[]): CommandFailure {
  return new CommandFailure(
    [`${path} cannot be used:`, ...problems.map((problem) => `  ${problem}`)].join('\n'),
  );
}
