import type { ImportKind } from '@keyport/contract/catalogue/imports';
import type { Mapping as Rules } from '@keyport/import/mapping';
import { plain, READINGS, type Reading } from '@keyport/import/values';
import { PRODUCT_ID, UUID } from '../api/ids.ts';
import { texts } from './texts.ts';

export const AMOUNT = /^[0-9]+\.[0-9]{1,2}$/;

export type Field = {
  readonly name: string;
  readonly isRequired: boolean;
  /** Its names in other programs, in lower case without blanks and punctuation. */
  readonly aliases: readonly string[];
  readonly read: Reading;
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

const field = (name: string, aliases: readonly string[] = [], more: Partial<Field> = {}): Field => ({
  name,
  isRequired: true,
  read: 'text',
  aliases: [name.toLowerCase(), ...aliases],
  ...more,
});
const optional = (name: string, aliases: readonly string[] = [], more: Partial<Field> = {}) =>
  field(name, aliases, { ...more, isRequired: false });

const { forms } = texts;
const OFFER_ID = { form: UUID, isStrict: true, hint: forms.uuid };
const PRODUCT = { read: 'productId', form: PRODUCT_ID, isStrict: true, hint: forms.productId } as const;
const SELLER = { read: 'sellerId', form: UUID, hint: forms.seller } as const;
const PRICE = { read: 'price', form: AMOUNT, hint: forms.price } as const;
const STATUS = { read: 'status' } as const;

const OFFER_IDS = ['offerid', 'offer', 'angebot', 'angebotid', 'angebotsid', 'uuid'];
const PRODUCT_IDS = [
  ...['productid', 'product', 'productno', 'productnumber', 'produkt', 'produktid', 'produktnr', 'sku'],
  ...['artikelnummer', 'artikelnr', 'artnr', 'artikel', 'articlenumber', 'itemnumber', 'gtin', 'ean'],
];
const SELLER_IDS = [
  'seller',
  'merchant',
  'vendor',
  'supplier',
  'verkäufer',
  'händler',
  'anbieter',
  'lieferant',
];
const PRICES = [
  ...['preis', 'priceeur', 'preiseur', 'eur', 'amount', 'betrag', 'prix', 'precio', 'cost', 'unitprice'],
  ...['verkaufspreis', 'vk', 'newprice', 'neuerpreis'],
];
const STATUSES = ['state', 'active', 'aktiv', 'enabled', 'zustand'];

const PRODUCT_NAMES = ['title', 'titel', 'productname', 'produktname', 'bezeichnung', 'nom', 'nombre'];

export const FIELDS: Readonly<Record<ImportKind, readonly Field[]>> = {
  sellers: [field('id', ['sellerid', 'uuid']), field('name', ['seller', 'sellername', 'company', 'firma'])],
  products: [
    field('id', PRODUCT_IDS, PRODUCT),
    field('name', PRODUCT_NAMES),
    field('checkoutClass', ['class', 'type', 'klasse', 'typ'], { usual: 'standard', read: 'checkoutClass' }),
    optional('platform', ['plattform', 'system']),
    optional('region', ['country', 'land']),
    optional('publisher', ['herausgeber']),
    optional('developer', ['entwickler']),
    optional('releaseDate', ['released', 'release', 'erscheinungsdatum'], { read: 'date' }),
    optional('slug'),
    optional('categories', ['category', 'kategorie', 'kategorien', 'genre', 'genres'], {
      read: 'categories',
    }),
    optional('coverImage', ['image', 'cover', 'bild']),
    optional('portraitImage'),
    optional('thumbnail'),
    optional('images', ['pictures', 'screenshots', 'bilder'], { read: 'links' }),
    optional('videos', ['trailer', 'trailers'], { read: 'links' }),
    optional('requirements', [], { read: 'json' }),
    optional('restrictions', [], { read: 'json' }),
  ],
  offers: [
    field('id', OFFER_IDS, OFFER_ID),
    field('productId', PRODUCT_IDS, PRODUCT),
    field('sellerId', SELLER_IDS, SELLER),
    field('price', PRICES, PRICE),
    field('status', STATUSES, { ...STATUS, usual: 'active' }),
  ],
  prices: [
    optional('id', OFFER_IDS, OFFER_ID),
    optional('productId', PRODUCT_IDS, PRODUCT),
    optional('sellerId', SELLER_IDS, SELLER),
    field('price', PRICES, PRICE),
    optional('status', STATUSES, STATUS),
  ],
  keys: [
    field('offerId', [...OFFER_IDS, 'id'], OFFER_ID),
    field('code', ['key', 'productkey', 'licensekey', 'schlüssel', 'serial', 'activationcode']),
    optional('kind', ['type', 'typ', 'art']),
  ],
};

type Rows = readonly (readonly string[])[];

function fits({ form, read }: Field, column: number, samples: Rows): boolean[] {
  return samples.map((row) => form?.test(readCell(read, (row[column] ?? '').trim())) ?? false);
}

/** Returns text; a cell that cannot be read stays unchanged. */
export function readCell(read: Reading, cell: string, sellers?: SellerIds): string {
  const value = cell === '' ? cell : (READINGS[read](cell, sellers) ?? cell);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The columns in which every value has the format of the field. */
export function likelyColumns(field: Field, head: readonly string[], samples: Rows): number[] {
  if (samples.length === 0) return [];
  return [...head.keys()].filter((column) => fits(field, column, samples).every(Boolean));
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
    const named = field.aliases
      .map(plain)
      .flatMap((alias) => [...names.keys()].filter((column) => names[column] === alias));
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

/** Ids of sellers by `plain` name. */
export type SellerIds = ReadonlyMap<string, string>;

/** The rules for the import engine, which name each column by its number. */
export function rulesOf(kind: ImportKind, mapping: Mapping, sellers: SellerIds | undefined): Rules {
  const fields = FIELDS[kind].flatMap(({ name, read }) => {
    const source = mapping[name];
    if (source === undefined) return [];
    const from = 'text' in source ? { constant: source.text } : { column: String(source.column) };
    return [[name, { ...from, read }]];
  });
  return { fields: Object.fromEntries(fields), sellers };
}

export function cellOf(
  { name, read }: Field,
  mapping: Mapping,
  row: readonly string[],
  sellers?: SellerIds,
): string {
  const source = mapping[name];
  if (source === undefined) return '';
  return readCell(read, 'text' in source ? source.text : (row[source.column] ?? '').trim(), sellers);
}

/** Uses the operator's words: operators know the columns of the file, not the fields of the API. */
export function describeReject(message: string, mapping: Mapping, head: readonly string[]): string {
  return message.replaceAll(NAMED_FIELDS, (text, name: string, index?: string) => {
    const label = texts.fields[name];
    if (label === undefined) return text;
    const words = index === undefined ? label : `${label} ${Number(index) + 1}`;
    const source = mapping[name];
    if (source === undefined || 'text' in source) return words;
    return texts.inColumn(words, head[source.column] || texts.unnamed(source.column + 1));
  });
}

/** Matches fields at the beginning of a problem, and ids anywhere in it. */
const NAMED_FIELDS = /((?<=^|; )[a-z]+|\b[a-z]+Id\b)(?:\[(\d+)\])?(?=[ .:,])/gi;

export function namesSellers(mapping: Mapping, samples: Rows): boolean {
  const source = mapping['sellerId'];
  if (source === undefined || 'text' in source) return false;
  return samples.some((row) => !UUID.test((row[source.column] ?? '').trim()));
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
