/** How columns of a foreign file become fields. */
import { type Problem, quoted } from './cells.ts';
import type { Condition, FileField } from './mapping-file.ts';
import { categoriesOf, PRODUCT_ID_DIGITS, READINGS, type Reading, readAmount, readDate } from './values.ts';

export type Field = Omit<FileField, 'read'> & {
  /** Reads cells as people write them, where no rule can be given. */
  readonly read?: Reading;
};

export type Mapping = {
  readonly fields: Readonly<Record<string, Field>>;
  readonly skipWhen?: readonly Condition[];
  readonly dictionaries?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly sellers?: ReadonlyMap<string, string> | undefined;
  /** Version 5 (RFC 9562). */
  readonly uuidOf?: (namespace: string, name: string) => string;
};

/** A list where the source has one; empty text for nothing. */
export type Cells = (column: string) => string | readonly string[];

export type Mapped =
  | { readonly isSkipped: true }
  | Problem
  | { readonly value: Readonly<Record<string, unknown>> };

export function mapRecord(mapping: Mapping, cells: Cells): Mapped {
  if (mapping.skipWhen?.some((condition) => isMet(condition, cells))) return { isSkipped: true };
  const value: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, field] of Object.entries(mapping.fields)) {
    const made = mapField(name, field, cells, mapping);
    if ('problem' in made) problems.push(`${name}: ${made.problem}`);
    else if (made.value !== undefined) put(value, name.split('.'), made.value);
  }
  return problems.length > 0 ? { problem: problems.join('; ') } : { value };
}

function isMet({ column, in: among, notIn, empty }: Condition, cells: Cells): boolean {
  const text = textOf(cells(column));
  if (among !== undefined) return among.includes(text);
  if (notIn !== undefined) return !notIn.includes(text);
  return (text === '') === empty;
}

type Value = { readonly value: unknown };
const NOTHING: Value = { value: undefined };

function mapField(name: string, field: Field, cells: Cells, mapping: Mapping): Value | Problem {
  const { constant, columns = [field.column ?? ''], read } = field;
  if (constant !== undefined) {
    return read === undefined || typeof constant !== 'string'
      ? { value: constant }
      : mapText(field, constant, mapping);
  }
  if (LISTS.has(name) && read === undefined) return mapList(name, field, columns.map(cells));
  const texts = columns.map((column) => textOf(cells(column)));
  // An id needs all its columns, joined so that different rows never share an id.
  if (field.uuidIn !== undefined) {
    const missing = columns.find((_, index) => texts[index] === '');
    if (missing !== undefined) return { problem: `${missing} is empty, but the id is made from it` };
    return { value: mapping.uuidOf?.(field.uuidIn, texts.join('\u001f')) };
  }
  const joined = texts.filter((text) => text !== '').join(field.joinWith ?? ' ');
  const text = joined === '' ? (field.default ?? '') : joined;
  if (field.values === undefined) return mapText(field, text, mapping);
  const found = Object.hasOwn(field.values, text) ? field.values[text] : field.otherwise;
  if (found !== undefined || text === '') return mapText(field, found ?? '', mapping);
  return { problem: `${quoted(text)} is not in \`values\`; add it there, or set \`otherwise\`` };
}

function mapText(field: Field, text: string, { dictionaries, sellers }: Mapping): Value | Problem {
  if (text === '') return NOTHING;
  const { decimal, date, productNumber, dictionary, read } = field;
  const orProblem = (value: string | undefined, rule: string) =>
    value === undefined ? { problem: `${quoted(text)} is not ${rule}` } : { value };
  if (read !== undefined) return { value: READINGS[read](text, sellers) ?? text };
  if (decimal !== undefined) {
    return orProblem(readAmount(text, decimal), `an amount in EUR with "${decimal}" before the cents`);
  }
  if (date !== undefined) return orProblem(readDate(text, date), `a date in the form ${date}`);
  if (productNumber !== undefined) return orProblem(...productIdOf(text, productNumber));
  if (dictionary === undefined) return { value: text };
  return orProblem(dictionaries?.get(dictionary)?.get(text), `in ${dictionary}; add it there`);
}

/** Puts zeros between prefix and number, so that different numbers never share an id. */
function productIdOf(
  text: string,
  { prefix, digits }: NonNullable<Field['productNumber']>,
): [id: string | undefined, rule: string] {
  const room = PRODUCT_ID_DIGITS - prefix.length;
  const id = prefix + text.padStart(room, '0');
  if (digits !== undefined) {
    return [/^\d+$/.test(text) && text.length === digits ? id : undefined, `a number of ${digits} digits`];
  }
  const isSound = /^[1-9]\d*$/.test(text) && text.length <= room;
  return [isSound ? id : undefined, `a number of at most ${room} digits, the first not 0`];
}

const LISTS: ReadonlySet<string> = new Set(['categories', 'images', 'videos', 'restrictions.descriptors']);

function mapList(name: string, { split }: Field, given: readonly (string | readonly string[])[]): Value {
  const items = given.flatMap((cell) =>
    typeof cell === 'string' && split !== undefined ? cell.split(split) : cell,
  );
  const texts = [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
  if (texts.length === 0) return NOTHING;
  return { value: name === 'categories' ? categoriesOf(texts) : texts };
}

function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = { ...(target[name] as object | undefined) };
  put(inner, rest, value);
  target[name] = inner;
}

function textOf(cell: string | readonly string[]): string {
  return (typeof cell === 'string' ? cell : cell.join(' ')).trim();
}
