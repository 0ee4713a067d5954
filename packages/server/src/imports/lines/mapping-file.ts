/** A mapping is checked completely before a line is read. */
import { IMPORT_LINES, type ImportKind } from '@keyport/contract/catalogue/imports';
import { optional, strictObject } from '@keyport/contract/schema';
import { PRODUCT_ID_DIGITS, type Reading } from '@keyport/core/cells';
import { parseStrictJson } from '@keyport/core/strict-json';
import { invalidField } from '@keyport/http/replies/api-error';
import { brokenRule } from '@keyport/http/validation/query';
import { compileCheck, validationError } from '@keyport/http/validation/validation';
import { type Static, Type } from 'typebox';

const Text = Type.String({ minLength: 1, 'x-rule': 'must be text that is not empty' });
const Character = Type.String({ pattern: '^[ -~\\t]$', 'x-rule': 'must be one ASCII character' });
const Column = Type.Union([Text, Type.Integer({ minimum: 1 })], {
  'x-rule': 'must be the name of a column, or its number from 1',
});
const Columns = Type.Array(Column, { minItems: 1, 'x-rule': 'must be a list of columns' });

const READINGS = [
  'price',
  'productId',
  'status',
  'checkoutClass',
  'date',
  'categories',
  'links',
  'json',
  'seller',
] as const satisfies readonly (Reading | 'seller')[];

export const Field = strictObject(
  optional({
    column: Column,
    columns: Columns,
    joinWith: Type.String(),
    constant: Type.Unknown(),
    default: Text,
    values: Type.Record(Type.String(), Type.String()),
    otherwise: Type.String(),
    decimal: Type.Enum(['.', ','], { 'x-rule': 'must be "." or ","' }),
    date: Type.String({
      pattern: '^(?=.*YYYY)(?=.*MM)(?=.*DD)[YMD./ -]{8,10}$',
      'x-rule': 'must have YYYY, MM and DD, such as "DD.MM.YYYY"',
    }),
    uuidIn: Type.String({
      pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      'x-rule': 'must be a UUID in lower case: generate one, and never change it',
    }),
    productNumber: strictObject({
      prefix: Type.String({
        pattern: '^[1-9][0-9]{0,12}$',
        'x-rule': 'must be 1 to 13 digits, the first not 0',
      }),
      digits: Type.Optional(Type.Integer({ minimum: 1, maximum: 13, 'x-rule': 'must be from 1 to 13' })),
    }),
    dictionary: Text,
    split: Text,
    read: Type.Enum(READINGS, { 'x-rule': `must be one of ${READINGS.join(', ')}` }),
  }),
);
export type Field = Static<typeof Field>;

const Condition = strictObject({
  column: Column,
  in: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  notIn: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  empty: Type.Optional(Type.Boolean({ 'x-rule': 'must be true or false' })),
});
export type Condition = Static<typeof Condition>;

const Part = strictObject({
  fields: Type.Record(Type.String(), Field),
  skipWhen: Type.Optional(Type.Array(Condition)),
});

const ENCODINGS = ['utf-8', 'latin1', 'utf-16le', 'utf-16be'] as const;

const MappingFile = strictObject({
  source: strictObject({
    format: Type.Enum(['csv', 'ndjson'], { 'x-rule': 'must be "csv" or "ndjson"' }),
    delimiter: Type.Optional(Character),
    quote: Type.Optional(Character),
    encoding: Type.Optional(Type.Enum(ENCODINGS, { 'x-rule': `must be one of ${ENCODINGS.join(', ')}` })),
    headerLine: Type.Optional(Type.Integer({ minimum: 0, 'x-rule': 'must be a line number, or 0 for none' })),
  }),
  ...optional({ sellers: Part, products: Part, offers: Part, prices: Part, keys: Part }),
  /** By name: words of the source and their meanings. */
  dictionaries: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))),
});
type MappingFile = Static<typeof MappingFile>;

export type Mapping = {
  readonly source: MappingFile['source'];
  readonly fields: Readonly<Record<string, Field>>;
  readonly skipWhen?: readonly Condition[];
  readonly dictionaries?: MappingFile['dictionaries'];
  /** Cells may be product keys, if only because columns are in another order than the mapping has them. */
  readonly hidesCells: boolean;
  /** Ids by `sellerKey`; several if sellers share a name. */
  readonly sellers?: ReadonlyMap<string, readonly string[]>;
};

const checkFile = compileCheck(MappingFile, 'mapping');

/** Throws validation-error, which names every wrong member. */
export function readMapping(text: string, kind: ImportKind): Mapping {
  const json = parseStrictJson(text);
  if (!json.ok)
    throw invalidField(
      'mapping',
      `must be JSON in the first line of the body: ${json.message.replace(/\.$/, '')}`,
    );
  const wrong = checkFile(json.value);
  if (wrong.length > 0) throw validationError(wrong);
  const file = json.value as MappingFile;
  const problems = problemsOfMapping(file, kind);
  const part = file[kind];
  if (problems.length > 0 || part === undefined)
    throw validationError(problems.map((problem) => brokenRule(...problem)));
  return { ...part, source: file.source, dictionaries: file.dictionaries, hidesCells: kind === 'keys' };
}

type Problem = readonly [field: string, rule: string];

/** Rules that a schema cannot express. */
function problemsOfMapping(file: MappingFile, kind: ImportKind): Problem[] {
  const { format, delimiter, quote, headerLine } = file.source;
  const part = file[kind];
  if (part === undefined) return [[`mapping.${kind}`, `is missing: it defines how ${kind} are made`]];
  const isCsvOnly = format !== 'csv' && (delimiter ?? quote ?? headerLine) !== undefined;
  const problems: Problem[] = isCsvOnly
    ? [['mapping.source', 'must have delimiter, quote and headerLine only for CSV; remove them']]
    : [];
  const names = new Set(Object.values(part.fields).flatMap(({ dictionary = [] }) => dictionary));
  const missing = [...names].filter((name) => file.dictionaries?.[name] === undefined);
  return [
    ...problems,
    ...missing.map((name): Problem => ['mapping.dictionaries', `must have the words of ${name}`]),
    ...problemsOfPart(kind, part),
  ];
}

function problemsOfPart(kind: ImportKind, { fields, skipWhen = [] }: Static<typeof Part>): Problem[] {
  const known = Object.keys(IMPORT_LINES[kind].properties);
  const required: readonly string[] = IMPORT_LINES[kind].required;
  const named = new Set(Object.keys(fields).map((name) => name.split('.')[0] ?? ''));
  const at = `mapping.${kind}`;
  return [
    ...[...named]
      .filter((name) => !known.includes(name))
      .map(
        (name): Problem => [
          `${at}.fields.${name}`,
          `is not a field of ${kind}; those are ${known.join(', ')}`,
        ],
      ),
    ...required
      .filter((name) => !named.has(name))
      .map((name): Problem => [`${at}.fields.${name}`, `is missing: ${kind} need it`]),
    ...Object.entries(fields).flatMap(([name, field]) => problemsOfField(`${at}.fields.${name}`, field)),
    ...skipWhen.flatMap(({ in: among, notIn, empty }, index): Problem[] =>
      computeCount(among, notIn, empty) === 1
        ? []
        : [[`${at}.skipWhen[${index}]`, 'must have exactly one of in, notIn and empty']],
    ),
  ];
}

function problemsOfField(at: string, field: Field): Problem[] {
  const { column, columns, constant, values, otherwise, joinWith } = field;
  const { decimal, date, uuidIn, productNumber, dictionary, split, read } = field;
  const { prefix = '', digits = 0 } = productNumber ?? {};
  const withConstant = Object.keys(field).filter((name) => name !== 'constant' && name !== 'read');
  const problems: [isViolated: boolean, rule: string][] = [
    [computeCount(column, columns, constant) !== 1, 'must have exactly one of column, columns and constant'],
    [
      constant !== undefined && withConstant.length > 0,
      'must have no other member than read beside constant; remove the others',
    ],
    [otherwise !== undefined && values === undefined, 'must have values, because it has otherwise'],
    [joinWith !== undefined && columns === undefined, 'must have columns, because it has joinWith'],
    [
      computeCount(decimal, date, uuidIn, productNumber, dictionary, split, read) > 1,
      'must have at most one of decimal, date, uuidIn, productNumber, dictionary, split and read',
    ],
    [
      prefix.length + digits > PRODUCT_ID_DIGITS,
      `must have a prefix and digits of together at most ${PRODUCT_ID_DIGITS} digits`,
    ],
  ];
  return problems.flatMap(([isViolated, rule]): Problem[] => (isViolated ? [[at, rule]] : []));
}

function computeCount(...members: readonly unknown[]): number {
  return members.filter((member) => member !== undefined).length;
}
