/** What the rules of a mapping make of the cells of one record. A value is never guessed: what does not fit is a problem. */
import { createHash } from 'node:crypto';
import { slugOf } from '@keyport/server/imports/slug';
import { type Condition, type Field, type Mapping, PRODUCT_ID_DIGITS } from './mapping.ts';

/** The text of a column; a list where the source has one. Empty when there is nothing. */
export type Cells = (column: string) => string | readonly string[];

/** A record that is not for this import, one that could not be mapped, or what was made of it. */
export type Mapped =
  | { readonly isSkipped: true }
  | { readonly problem: string }
  | { readonly value: Readonly<Record<string, unknown>> };

export function mapRecord({ fields, skipWhen, dictionaries }: Mapping, cells: Cells): Mapped {
  if (skipWhen.some((condition) => isMet(condition, cells))) return { isSkipped: true };
  const value: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const made = mapField(name, field, cells, dictionaries);
    if ('problem' in made) problems.push(`${name}: ${made.problem}`);
    else if (made.value !== undefined) put(value, name.split('.'), made.value);
  }
  return problems.length > 0 ? { problem: `${problems.join('; ')}.` } : { value };
}

function isMet({ column, in: among, notIn, empty }: Condition, cells: Cells): boolean {
  const text = textOf(cells(column));
  if (among !== undefined) return among.includes(text);
  if (notIn !== undefined) return !notIn.includes(text);
  return (text === '') === empty;
}

type Made = { readonly value: unknown } | { readonly problem: string };

const NOTHING: Made = { value: undefined };

function mapField(name: string, field: Field, cells: Cells, dictionaries: Mapping['dictionaries']): Made {
  if (field.constant !== undefined) return { value: field.constant };
  const columns = field.columns ?? [field.column ?? ''];
  if (LISTS.has(name)) return { value: mapList(name, field, columns.map(cells)) };
  const texts = columns.map((column) => textOf(cells(column)));
  // An id made of several columns needs all of them, and in a way that no two rows make the same.
  if (field.uuidIn !== undefined) {
    const missing = columns.find((_, index) => texts[index] === '');
    if (missing !== undefined) return { problem: `${missing} is empty, but the id is made of it` };
    return { value: uuidOf(field.uuidIn, texts.join('\u001f')) };
  }
  const joined = texts.filter((text) => text !== '').join(field.joinWith ?? ' ');
  const text = joined === '' ? (field.default ?? '') : joined;
  if (field.values === undefined) return text === '' ? NOTHING : mapText(field, text, dictionaries);
  const found = Object.hasOwn(field.values, text) ? field.values[text] : field.otherwise;
  if (found !== undefined) return found === '' ? NOTHING : mapText(field, found, dictionaries);
  return text === ''
    ? NOTHING
    : { problem: `${quoted(text)} is not among its values; add it, or say otherwise` };
}

function mapText(field: Field, text: string, dictionaries: Mapping['dictionaries']): Made {
  if (field.decimal !== undefined) return mapAmount(text, field.decimal);
  if (field.date !== undefined) return mapDate(text, field.date);
  if (field.productNumber !== undefined) return mapProductId(text, field.productNumber);
  if (field.dictionary === undefined) return { value: text };
  const value = dictionaries.get(field.dictionary)?.get(text);
  return value === undefined
    ? { problem: `${quoted(text)} is not in ${field.dictionary}; add it there` }
    : { value };
}

/** As `"1234.50"`: without currency, groups and needless zeros. Only EUR is left out; another currency is a problem. */
function mapAmount(text: string, decimal: '.' | ','): Made {
  const bare = text.replace(/^(?:€|EUR)|(?:€|EUR)$/i, '').replace(/[\s\u00a0\u202f']/g, '');
  const groups = decimal === ',' ? '\\.' : ',';
  const point = decimal === ',' ? ',' : '\\.';
  const [, whole, places = ''] =
    new RegExp(`^(\\d+|\\d{1,3}(?:${groups}\\d{3})+)(?:${point}(\\d+))?$`).exec(bare) ?? [];
  if (whole === undefined)
    return { problem: `${quoted(text)} is not an amount in EUR with "${decimal}" before its cents` };
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  const cents = places.replace(/0+$/, '').padEnd(2, '0');
  return { value: `${digits}.${cents}` };
}

function mapDate(text: string, form: string): Made {
  const pattern = form
    .replace(/[.]/g, '\\.')
    .replace('YYYY', '(?<y>\\d{4})')
    .replace('MM', '(?<m>\\d{2})')
    .replace('DD', '(?<d>\\d{2})');
  const { y, m, d } = new RegExp(`^${pattern}$`).exec(text)?.groups ?? {};
  return y === undefined
    ? { problem: `${quoted(text)} is not a date as ${form}` }
    : { value: `${y}-${m}-${d}` };
}

/** The prefix and the number, with zeros between: different numbers of one prefix never make the same id. */
function mapProductId(text: string, { prefix, digits }: NonNullable<Field['productNumber']>): Made {
  const room = PRODUCT_ID_DIGITS - prefix.length;
  const isSound =
    digits === undefined
      ? /^[1-9]\d*$/.test(text) && text.length <= room
      : /^\d+$/.test(text) && text.length === digits;
  if (isSound) return { value: prefix + text.padStart(room, '0') };
  const rule =
    digits === undefined
      ? `a number of at most ${room} digits, the first not 0`
      : `a number of ${digits} digits`;
  return { problem: `${quoted(text)} is not ${rule}` };
}

/** RFC 9562, version 5: the same name in the same namespace is the same id, here and in any other program. */
export function uuidOf(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const LISTS: ReadonlySet<string> = new Set(['categories', 'images', 'videos', 'restrictions.descriptors']);

function mapList(name: string, { split }: Field, given: readonly (string | readonly string[])[]): unknown {
  const items = given.flatMap((cell) =>
    typeof cell === 'string' ? (split === undefined ? [cell] : cell.split(split)) : cell,
  );
  const texts = [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
  if (texts.length === 0) return undefined;
  return name === 'categories' ? texts.map((text) => ({ id: slugOf(text, text), name: text })) : texts;
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

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
