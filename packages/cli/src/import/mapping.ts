/**
 * Mapping files: how the columns of a third party's feed become the fields of ours. A small JSON document, checked whole
 * before anything is sent; docs/importing.md describes it for those who write one.
 */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { IMPORT_LINES, type ImportKind } from '@keyport/contract/catalogue/imports';
import { type Static, Type } from 'typebox';
import { CommandFailure } from '../failure.ts';

const strict = { additionalProperties: false };
const Text = Type.String({ minLength: 1, 'x-rule': 'must be a text that is not empty' });
const Character = Type.String({ pattern: '^[ -~\\t]$', 'x-rule': 'must be one ASCII character' });
const Texts = Type.Array(Text, { minItems: 1, 'x-rule': 'must be a list of texts' });

const Field = Type.Object(
  {
    column: Type.Optional(Text),
    columns: Type.Optional(Texts),
    joinWith: Type.Optional(Type.String()),
    constant: Type.Optional(Type.Unknown()),
    default: Type.Optional(Text),
    values: Type.Optional(Type.Record(Type.String(), Type.String())),
    otherwise: Type.Optional(Type.String()),
    decimal: Type.Optional(Type.Enum(['.', ','], { 'x-rule': 'must be "." or ","' })),
    date: Type.Optional(
      Type.String({
        pattern: '^(?=.*YYYY)(?=.*MM)(?=.*DD)[YMD./ -]{8,10}$',
        'x-rule': 'must have YYYY, MM and DD, such as "DD.MM.YYYY"',
      }),
    ),
    uuidIn: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        'x-rule': 'must be a UUID in lower case: draw one, and never change it',
      }),
    ),
    productNumber: Type.Optional(
      Type.Object(
        {
          prefix: Type.String({
            pattern: '^[1-9][0-9]{0,12}$',
            'x-rule': 'must be 1 to 13 digits, the first not 0',
          }),
          digits: Type.Optional(Type.Integer({ minimum: 1, maximum: 13, 'x-rule': 'must be from 1 to 13' })),
        },
        strict,
      ),
    ),
    dictionary: Type.Optional(Text),
    split: Type.Optional(Text),
  },
  strict,
);
export type Field = Static<typeof Field>;

const Condition = Type.Object(
  {
    column: Text,
    in: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    notIn: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    empty: Type.Optional(Type.Boolean({ 'x-rule': 'must be true or false' })),
  },
  strict,
);
export type Condition = Static<typeof Condition>;

const Part = Type.Object(
  {
    fields: Type.Record(Type.String(), Field),
    skipWhen: Type.Optional(Type.Array(Condition)),
  },
  strict,
);

const MappingFile = Type.Object(
  {
    source: Type.Object(
      {
        format: Type.Enum(['csv', 'ndjson'], { 'x-rule': 'must be "csv" or "ndjson"' }),
        delimiter: Type.Optional(Character),
        quote: Type.Optional(Character),
        encoding: Type.Optional(Type.Enum(['utf-8', 'latin1'], { 'x-rule': 'must be "utf-8" or "latin1"' })),
      },
      strict,
    ),
    sellers: Type.Optional(Part),
    products: Type.Optional(Part),
    offers: Type.Optional(Part),
    prices: Type.Optional(Part),
    keys: Type.Optional(Part),
  },
  strict,
);
type MappingFile = Static<typeof MappingFile>;

/** What is needed for one kind of lines. */
export type Mapping = {
  readonly source: MappingFile['source'];
  readonly fields: Readonly<Record<string, Field>>;
  readonly skipWhen: readonly Condition[];
  /** Their keys and what they stand for, by the file that the mapping names. */
  readonly dictionaries: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Of the mapping and its dictionaries: another mapping makes another import. */
  readonly text: string;
};

/** Throws CommandFailure, which names every member that is wrong. */
export async function readMapping(path: string, kind: ImportKind): Promise<Mapping> {
  const text = await readText(path);
  // Loaded late: the validator takes longer than most commands, which do without.
  const { compileCheck } = await import('@keyport/http/validation/validation');
  const mapping = parse(path, text);
  const problems = compileCheck(MappingFile, 'mapping')(mapping).map(({ message }) => message);
  if (problems.length > 0) throw failure(path, problems);
  const file = mapping as MappingFile;
  const part = file[kind];
  if (part === undefined) throw failure(path, [`mapping.${kind} is missing: it says how ${kind} are made.`]);
  const more = [...problemsOfSource(file.source), ...problemsOfPart(kind, part)];
  if (more.length > 0) throw failure(path, more);
  const dictionaries = await readDictionaries(path, Object.values(part.fields));
  const { fields, skipWhen = [] } = part;
  const texts = [text, ...dictionaries.map(({ text: words }) => words)];
  return {
    ...{ source: file.source, fields, skipWhen, text: texts.join('\0') },
    dictionaries: new Map(dictionaries.map(({ name, entries }) => [name, entries])),
  };
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw failure(path, [`It is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`]);
  }
}

function problemsOfSource({ format, delimiter, quote }: MappingFile['source']): string[] {
  if (format === 'csv' || (delimiter ?? quote) === undefined) return [];
  return ['mapping.source: delimiter and quote are of CSV; take them out.'];
}

function problemsOfPart(kind: ImportKind, { fields, skipWhen = [] }: Static<typeof Part>): string[] {
  const known = Object.keys(IMPORT_LINES[kind].properties);
  const required: readonly string[] = IMPORT_LINES[kind].required;
  const named = new Set(Object.keys(fields).map((name) => name.split('.')[0] ?? ''));
  const at = `mapping.${kind}`;
  return [
    ...[...named]
      .filter((name) => !known.includes(name))
      .map((name) => `${at}.fields.${name} is not a field of ${kind}; those are ${known.join(', ')}.`),
    ...required
      .filter((name) => !named.has(name))
      .map((name) => `${at}.fields.${name} is missing: ${kind} need it.`),
    ...Object.entries(fields).flatMap(([name, field]) => problemsOfField(`${at}.fields.${name}`, field)),
    ...skipWhen.flatMap(({ in: among, notIn, empty }, index) =>
      countOf(among, notIn, empty) === 1
        ? []
        : [`${at}.skipWhen[${index}] must have exactly one of in, notIn and empty.`],
    ),
  ];
}

function problemsOfField(at: string, field: Field): string[] {
  const problems: string[] = [];
  if (countOf(field.column, field.columns, field.constant) !== 1) {
    problems.push(`${at} must have exactly one of column, columns and constant.`);
  }
  if (field.constant !== undefined && Object.keys(field).length > 1) {
    problems.push(`${at}: a constant stands alone; take the other members out.`);
  }
  if (field.otherwise !== undefined && field.values === undefined) {
    problems.push(`${at}.otherwise goes with values.`);
  }
  if (field.joinWith !== undefined && field.columns === undefined)
    problems.push(`${at}.joinWith goes with columns.`);
  if (
    countOf(field.decimal, field.date, field.uuidIn, field.productNumber, field.dictionary, field.split) > 1
  ) {
    problems.push(
      `${at} must have at most one of decimal, date, uuidIn, productNumber, dictionary and split.`,
    );
  }
  const { prefix = '', digits } = field.productNumber ?? {};
  if (digits !== undefined && prefix.length + digits > PRODUCT_ID_DIGITS) {
    problems.push(`${at}.productNumber: prefix and digits are more than ${PRODUCT_ID_DIGITS} together.`);
  }
  return problems;
}

export const PRODUCT_ID_DIGITS = 14;

function countOf(...members: readonly unknown[]): number {
  return members.filter((member) => member !== undefined).length;
}

type Dictionary = {
  readonly name: string;
  readonly text: string;
  readonly entries: ReadonlyMap<string, string>;
};

/** CSV files without a header: what the source says, and what it stands for. Named from where the mapping is. */
async function readDictionaries(path: string, fields: readonly Field[]): Promise<Dictionary[]> {
  const names = new Set(fields.flatMap(({ dictionary }) => dictionary ?? []));
  return Promise.all(
    [...names].map(async (name) => {
      const file = resolve(dirname(path), name);
      const text = await readText(file);
      return { name, text, entries: await parseDictionary(file, text) };
    }),
  );
}

async function parseDictionary(file: string, text: string): Promise<Map<string, string>> {
  const { parseRecord } = await import('@keyport/server/imports/import-lines');
  const entries = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const cells = parseRecord(line);
    const [key, value] = Array.isArray(cells) ? cells.map((cell) => cell.trim()) : [];
    if (key === undefined || value === undefined || !Array.isArray(cells) || cells.length !== 2) {
      throw failure(file, [
        `line ${index + 1} must have two cells: what the source says, and what it stands for.`,
      ]);
    }
    if (entries.has(key))
      throw failure(file, [`line ${index + 1} has ${key} again; each may stand there once.`]);
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
