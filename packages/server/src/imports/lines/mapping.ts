/** How columns of a foreign file become fields. */
import { createHash } from 'node:crypto';
import { PRODUCT_ID_DIGITS, READINGS, readAmount, readDate, toCategories } from '@keyport/core/cells';
import { UUID } from '@keyport/core/ids';
import type { Condition, Field, Mapping } from './mapping-file.ts';
import { type Problem, quoted } from './records.ts';

/** A list where the source has one; empty text for nothing. */
export type Cells = (column: string | number) => string | readonly string[];

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
  const text = toText(cells(column));
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
  // The service itself trims codes, and counts those that it trimmed.
  const readText = name === 'code' ? toWholeText : toText;
  const texts = columns.map((column) => readText(cells(column)));
  // An id needs all its columns, joined so that different rows never share an id.
  if (field.uuidIn !== undefined) {
    const missing = columns.find((_, index) => texts[index] === '');
    if (missing !== undefined) return { problem: `${missing} is empty, but the id is made from it` };
    return { value: toUuid(field.uuidIn, texts.join('\u001f')) };
  }
  const joined = texts.filter((text) => text !== '').join(field.joinWith ?? ' ');
  const text = joined === '' ? (field.default ?? '') : joined;
  if (field.values === undefined) return mapText(field, text, mapping);
  const found = Object.hasOwn(field.values, text) ? field.values[text] : field.otherwise;
  if (found !== undefined || text === '') return mapText(field, found ?? '', mapping);
  return { problem: `${shown(text, mapping)} is not in \`values\`; add it there, or set \`otherwise\`` };
}

function shown(text: string, { hidesCells }: Mapping): string {
  return hidesCells ? 'the value' : quoted(text);
}

function mapText(field: Field, text: string, mapping: Mapping): Value | Problem {
  if (text === '') return NOTHING;
  const { decimal, date, productNumber, dictionary, read } = field;
  const { dictionaries, sellers } = mapping;
  const orProblem = (value: string | undefined, rule: string) =>
    value === undefined ? { problem: `${shown(text, mapping)} is not ${rule}` } : { value };
  if (read === 'seller') return toSeller(text, sellers, shown(text, mapping));
  if (read !== undefined) return { value: READINGS[read](text) ?? text };
  if (decimal !== undefined) {
    return orProblem(readAmount(text, decimal), `an amount in EUR with "${decimal}" before the cents`);
  }
  if (date !== undefined) return orProblem(readDate(text, date), `a date in the form ${date}`);
  if (productNumber !== undefined) return orProblem(...toProductId(text, productNumber));
  if (dictionary === undefined) return { value: text };
  const words = dictionaries?.[dictionary] ?? {};
  return orProblem(Object.hasOwn(words, text) ? words[text] : undefined, `in ${dictionary}; add it there`);
}

/** Names are equal if they differ only in case, blanks, and the composition of characters. */
export function sellerKey(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

function toSeller(text: string, sellers: Mapping['sellers'], quoted: string): Value | Problem {
  if (UUID.test(text)) return { value: text };
  const [id, ...others] = sellers?.get(sellerKey(text)) ?? [];
  if (id === undefined) {
    return {
      problem: `${quoted} is not the name or id of a seller; add the seller first, or correct the name`,
    };
  }
  return others.length === 0
    ? { value: id }
    : { problem: `${quoted} is the name of ${others.length + 1} sellers; use the seller's id` };
}

/** RFC 9562, version 5: the same name in a namespace has the same id in any program. */
export function toUuid(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Puts zeros between prefix and number, so that different numbers never share an id. */
function toProductId(
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
  return { value: name === 'categories' ? toCategories(texts) : texts };
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

function toText(cell: string | readonly string[]): string {
  return toWholeText(cell).trim();
}

function toWholeText(cell: string | readonly string[]): string {
  return typeof cell === 'string' ? cell : cell.join(' ');
}
