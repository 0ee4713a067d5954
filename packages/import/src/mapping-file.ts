/** A mapping file is checked completely before anything is sent. */
import { IMPORT_LINES, type ImportKind } from '@keyport/contract/catalogue/imports';
import { optional, strictObject } from '@keyport/contract/schema';
import { type Static, Type } from 'typebox';
import { PRODUCT_ID_DIGITS, type Reading } from './values.ts';

const Text = Type.String({ minLength: 1, 'x-rule': 'must be text that is not empty' });
const Character = Type.String({ pattern: '^[ -~\\t]$', 'x-rule': 'must be one ASCII character' });
const Texts = Type.Array(Text, { minItems: 1, 'x-rule': 'must be a list of texts' });

const READINGS = [
  'price',
  'productId',
  'status',
  'checkoutClass',
  'date',
  'categories',
  'links',
  'json',
] as const satisfies readonly Reading[];

const Field = strictObject(
  optional({
    column: Text,
    columns: Texts,
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
export type FileField = Static<typeof Field>;

const Condition = strictObject({
  column: Text,
  in: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  notIn: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  empty: Type.Optional(Type.Boolean({ 'x-rule': 'must be true or false' })),
});
export type Condition = Static<typeof Condition>;

const Part = strictObject({
  fields: Type.Record(Type.String(), Field),
  skipWhen: Type.Optional(Type.Array(Condition)),
});

export const MappingFile = strictObject({
  source: strictObject({
    format: Type.Enum(['csv', 'ndjson'], { 'x-rule': 'must be "csv" or "ndjson"' }),
    delimiter: Type.Optional(Character),
    quote: Type.Optional(Character),
    encoding: Type.Optional(Type.Enum(['utf-8', 'latin1'], { 'x-rule': 'must be "utf-8" or "latin1"' })),
  }),
  ...optional({ sellers: Part, products: Part, offers: Part, prices: Part, keys: Part }),
});
export type MappingFile = Static<typeof MappingFile>;
/** Rules that a schema cannot express. */
export function problemsOfMapping(file: MappingFile, kind: ImportKind): string[] {
  const { format, delimiter, quote } = file.source;
  const part = file[kind];
  if (part === undefined) return [`mapping.${kind} is missing: it defines how ${kind} are made.`];
  const isCsvOnly = format !== 'csv' && (delimiter ?? quote) !== undefined;
  const problems = isCsvOnly ? ['mapping.source: delimiter and quote are only for CSV; remove them.'] : [];
  return [...problems, ...problemsOfPart(kind, part)];
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

function problemsOfField(at: string, field: FileField): string[] {
  const { column, columns, constant, values, otherwise, joinWith } = field;
  const { decimal, date, uuidIn, productNumber, dictionary, split, read } = field;
  const { prefix = '', digits = 0 } = productNumber ?? {};
  const problems: [isViolated: boolean, problem: string][] = [
    [countOf(column, columns, constant) !== 1, ' must have exactly one of column, columns and constant.'],
    [
      constant !== undefined && Object.keys(field).length > 1,
      ': a constant stands alone; remove the other members.',
    ],
    [otherwise !== undefined && values === undefined, '.otherwise needs values.'],
    [joinWith !== undefined && columns === undefined, '.joinWith needs columns.'],
    [
      countOf(decimal, date, uuidIn, productNumber, dictionary, split, read) > 1,
      ' must have at most one of decimal, date, uuidIn, productNumber, dictionary, split and read.',
    ],
    [
      prefix.length + digits > PRODUCT_ID_DIGITS,
      `.productNumber: prefix and digits together exceed ${PRODUCT_ID_DIGITS} digits.`,
    ],
  ];
  return problems.flatMap(([isViolated, problem]) => (isViolated ? [at + problem] : []));
}

function countOf(...members: readonly unknown[]): number {
  return members.filter((member) => member !== undefined).length;
}
