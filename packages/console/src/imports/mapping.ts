import type { ImportKind } from '@keyport/contract/catalogue/imports';
import { READINGS, type Reading } from '@keyport/core/cells';
import { PRODUCT_ID, UUID } from '../api/ids.ts';
import { withPlace, wordProblem } from '../ui/wording.ts';
import { texts } from './texts.ts';

export const AMOUNT = /^[0-9]+\.[0-9]{1,2}$/;

export type Field = {
  readonly name: string;
  readonly isRequired: boolean;
  /** How the service reads its cells. */
  readonly read: Reading | 'seller';
  /** The format of its converted values, which identifies a column with an unknown name. */
  readonly form?: RegExp;
  readonly hint?: string;
  /** A column in which no value has this format is a different field, regardless of its name. */
  readonly isStrict?: boolean;
  /** The usual text of every line. */
  readonly usual?: string;
};

/** Where a field comes from: a column of the file, or the same text for every line. */
export type Source = { readonly column: number } | { readonly text: string };
export type Mapping = Readonly<Record<string, Source | undefined>>;

const field = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  isRequired: true,
  read: 'text',
  ...more,
});
const optional = (name: string, more: Partial<Field> = {}) => field(name, { ...more, isRequired: false });

const { forms } = texts;
const OFFER_ID = { form: UUID, isStrict: true, hint: forms.uuid };
const PRODUCT = { read: 'productId', form: PRODUCT_ID, isStrict: true, hint: forms.productId } as const;
const SELLER = { read: 'seller', form: UUID, hint: forms.seller } as const;
const PRICE = { read: 'price', form: AMOUNT, hint: forms.price } as const;
const STATUS = { read: 'status' } as const;

export const FIELDS: Readonly<Record<ImportKind, readonly Field[]>> = {
  sellers: [field('id'), field('name')],
  products: [
    field('id', PRODUCT),
    field('name'),
    field('checkoutClass', { usual: 'standard', read: 'checkoutClass' }),
    optional('platform'),
    optional('region'),
    optional('publisher'),
    optional('developer'),
    optional('releaseDate', { read: 'date' }),
    optional('slug'),
    optional('categories', { read: 'categories' }),
    optional('coverImage'),
    optional('portraitImage'),
    optional('thumbnail'),
    optional('images', { read: 'links' }),
    optional('videos', { read: 'links' }),
    optional('requirements', { read: 'json' }),
    optional('restrictions', { read: 'json' }),
  ],
  offers: [
    field('id', OFFER_ID),
    field('productId', PRODUCT),
    field('sellerId', SELLER),
    field('price', PRICE),
    field('status', { ...STATUS, usual: 'active' }),
  ],
  prices: [
    optional('id', OFFER_ID),
    optional('productId', PRODUCT),
    optional('sellerId', SELLER),
    field('price', PRICE),
    optional('status', STATUS),
  ],
  keys: [field('offerId', OFFER_ID), field('code'), optional('kind')],
};

type Rows = readonly (readonly string[])[];

function fits({ form, read }: Field, column: number, samples: Rows): boolean[] {
  return samples.map((row) => form?.test(readCell(read, (row[column] ?? '').trim())) ?? false);
}

/** Returns text; a cell that cannot be read stays unchanged. */
export function readCell(read: Field['read'], cell: string): string {
  const value = cell === '' || read === 'seller' ? cell : (READINGS[read](cell) ?? cell);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The columns in which most values have the format of the field: a sum may follow the rows. */
export function likelyColumns(field: Field, head: readonly string[], samples: Rows): number[] {
  if (samples.length === 0) return [];
  return [...head.keys()].filter(
    (column) => fits(field, column, samples).filter(Boolean).length * 2 > samples.length,
  );
}

/**
 * Maps by name, or by the content of the only matching column; a field without a column gets its usual text.
 */
export function guessMapping(kind: ImportKind, head: readonly string[], samples: Rows = []): Mapping {
  const names = head.map(plain);
  const fields = FIELDS[kind];
  const likely = new Map(fields.map((field) => [field, likelyColumns(field, head, samples)]));
  const isLikely = (field: Field, column: number) => likely.get(field)?.includes(column) ?? false;
  const isOfAnother = (field: Field, column: number) => {
    if (field.form === undefined || samples.length === 0 || isLikely(field, column)) return false;
    const isUnlike = field.isStrict === true && !fits(field, column, samples).includes(true);
    return isUnlike || fields.some((other) => isLikely(other, column));
  };
  const taken = new Set<number>();
  const mapping: Record<string, Source | undefined> = {};
  const take = (name: string, column: number) => {
    taken.add(column);
    mapping[name] = { column };
  };
  for (const field of fields) {
    const named = [...names.keys()].filter((column) => names[column] === plain(field.name));
    const column = named.find((each) => !taken.has(each) && !isOfAnother(field, each));
    if (column !== undefined) take(field.name, column);
  }
  for (const field of fields) {
    if (mapping[field.name] !== undefined) continue;
    const [column, ...others] = (likely.get(field) ?? []).filter((each) => !taken.has(each));
    if (column !== undefined && others.length === 0) take(field.name, column);
    else mapping[field.name] = field.usual === undefined ? undefined : { text: field.usual };
  }
  if (kind === 'keys' && mapping['code'] === undefined && names.length === 1 && taken.size === 0)
    take('code', 0);
  // A price list rarely names its seller.
  const isUnnamed = kind === 'offers' || (kind === 'prices' && mapping['id'] === undefined);
  if (isUnnamed) mapping['sellerId'] ??= { text: '' };
  if (kind === 'keys') mapping['offerId'] ??= { text: '' };
  return mapping;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** From the most to the least specific. */
const KINDS: readonly ImportKind[] = ['offers', 'keys', 'prices', 'products', 'sellers'];

/**
 * The kind with the fewest missing fields and unused columns; in a tie, the most specific kind. By missing
 * fields alone, keys, which need two, would win whenever columns are misspelt.
 */
export function likelyKind(head: readonly string[], samples: Rows): ImportKind {
  if (head.length === 0) return 'offers';
  const mappings = new Map(KINDS.map((kind) => [kind, guessMapping(kind, head, samples)]));
  const found = mappings.get('prices') ?? {};
  const hasPrices =
    found['price'] !== undefined ||
    FIELDS.prices.some((each) => each.name === 'price' && likelyColumns(each, head, samples).length > 0);
  const candidates = Array.from(mappings, ([kind, mapping]) => {
    // If several columns may be the price, the operator has yet to choose one.
    const missing = missingFields(kind, mapping).filter((name) => name !== 'price' || !hasPrices).length;
    const used = Object.values(mapping).filter((source) => source !== undefined && 'column' in source).length;
    return { kind, missing, misfit: missing + head.length - used };
  });
  const isPriceList = hasPrices && (found['id'] !== undefined || found['productId'] !== undefined);
  const isComplete = candidates.some(
    ({ kind, missing }) => (kind === 'offers' || kind === 'keys') && missing === 0,
  );
  // Products have no price, and the operator can choose the seller.
  if (isPriceList && !isComplete) return 'prices';
  return candidates.toSorted((one, other) => one.misfit - other.misfit)[0]?.kind ?? 'offers';
}

/** The mapping for the service, which names each column by its number. */
export function toMappingFile(
  { delimiter, encoding, headLine }: { delimiter: string; encoding: string; headLine: number },
  kind: ImportKind,
  mapping: Mapping,
) {
  const fields = FIELDS[kind].flatMap(({ name, read: reading }) => {
    const source = mapping[name];
    if (source === undefined || ('text' in source && source.text.trim() === '')) return [];
    const from = 'text' in source ? { constant: source.text.trim() } : { column: source.column + 1 };
    return [[name, { ...from, ...(reading === 'text' ? {} : { read: reading }) }]];
  });
  return {
    source: { format: 'csv', delimiter, encoding, headerLine: headLine },
    [kind]: { fields: Object.fromEntries(fields) },
  };
}

/** The cell as the file has it, or the text of every line. */
export function toCell({ name }: Field, mapping: Mapping, row: readonly string[]): string {
  const source = mapping[name];
  if (source === undefined) return '';
  return 'text' in source ? source.text : (row[source.column] ?? '').trim();
}

/** The labels of the fields, with the columns of the file: operators know both. */
export function describeReject(
  message: string,
  columns?: { readonly mapping: Mapping; readonly head: readonly string[] },
): string {
  return wordProblem(message, (name, place) => {
    const label = Object.hasOwn(texts.fields, name) ? texts.fields[name] : undefined;
    if (label === undefined) return undefined;
    const words = withPlace(label, place);
    const source = columns?.mapping[name];
    if (columns === undefined || source === undefined || 'text' in source) return words;
    return texts.inColumn(words, columns.head[source.column] || texts.unnamed(source.column + 1));
  });
}

export function missingFields(kind: ImportKind, mapping: Mapping): string[] {
  const isMissing = (name: string) => {
    const source = mapping[name];
    return source === undefined || ('text' in source && source.text.trim() === '');
  };
  const missing = FIELDS[kind].filter(({ name, isRequired }) => isRequired && isMissing(name));
  const isUnnamed = kind === 'prices' && isMissing('id') && (isMissing('productId') || isMissing('sellerId'));
  const names = isMissing('productId') ? texts.offerNames : 'sellerId';
  return [...(isUnnamed ? [names] : []), ...missing.map(({ name }) => name)];
}
