/** Which column of somebody's file is which field of an import, and how its cells are rewritten. */
import { texts } from '../texts.ts';

export type ImportKind = 'sellers' | 'products' | 'offers' | 'prices' | 'keys';

export type Field = {
  readonly name: string;
  readonly isRequired: boolean;
  /** How other programs call it, in lower case without blanks and signs. */
  readonly aliases: readonly string[];
  readonly rewrite?: (cell: string) => string;
  /** What its values look like, once rewritten: finds a column whose name says nothing. */
  readonly form?: RegExp;
  /** Where every line usually has the same. */
  readonly usual?: string;
};

/** Where a field comes from: a column of the file, or the same text for every line. */
export type Source = { readonly column: number } | { readonly text: string };
export type Mapping = Readonly<Record<string, Source | undefined>>;

const field = (name: string, aliases: readonly string[] = [], more: Partial<Field> = {}): Field => ({
  name,
  isRequired: true,
  aliases: [name.toLowerCase(), ...aliases],
  ...more,
});
const optional = (name: string, aliases: readonly string[] = [], more: Partial<Field> = {}) =>
  field(name, aliases, { ...more, isRequired: false });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PRODUCT_ID = /^[1-9][0-9]{13}$/;
const AMOUNT = /^[0-9]+\.[0-9]{1,2}$/;

const OFFER_IDS = ['offerid', 'offer', 'angebot', 'angebotid', 'angebotsid', 'uuid'];
const PRODUCT_IDS = ['productid', 'product', 'produkt', 'produktid', 'produktnr', 'artikelnummer', 'sku'];
const SELLER_IDS = ['seller', 'merchant', 'vendor', 'verkäufer', 'händler', 'anbieter'];
const PRICES = ['preis', 'priceeur', 'preiseur', 'eur', 'amount', 'betrag', 'prix', 'precio', 'cost'];
const STATUSES = ['state', 'active', 'aktiv', 'enabled', 'zustand'];

const PRODUCT_NAMES = ['title', 'titel', 'productname', 'produktname', 'bezeichnung', 'nom', 'nombre'];

export const FIELDS: Readonly<Record<ImportKind, readonly Field[]>> = {
  sellers: [field('id', ['sellerid', 'uuid']), field('name', ['seller', 'sellername', 'company', 'firma'])],
  products: [
    field('id', PRODUCT_IDS, { form: PRODUCT_ID }),
    field('name', PRODUCT_NAMES),
    field('checkoutClass', ['class', 'type', 'klasse', 'typ'], { usual: 'standard' }),
    optional('platform', ['plattform', 'system']),
    optional('region', ['country', 'land']),
    optional('publisher', ['herausgeber']),
    optional('developer', ['entwickler']),
    optional('releaseDate', ['released', 'release', 'erscheinungsdatum']),
    optional('slug'),
    optional('coverImage', ['image', 'cover', 'bild']),
  ],
  offers: [
    field('id', OFFER_IDS, { form: UUID }),
    field('productId', PRODUCT_IDS, { form: PRODUCT_ID }),
    field('sellerId', SELLER_IDS, { form: UUID }),
    field('price', PRICES, { rewrite: rewritePrice, form: AMOUNT }),
    field('status', STATUSES, { rewrite: rewriteStatus, usual: 'active' }),
  ],
  prices: [
    optional('id', OFFER_IDS, { form: UUID }),
    optional('productId', PRODUCT_IDS, { form: PRODUCT_ID }),
    optional('sellerId', SELLER_IDS, { form: UUID }),
    field('price', PRICES, { rewrite: rewritePrice, form: AMOUNT }),
    optional('status', STATUSES, { rewrite: rewriteStatus }),
  ],
  keys: [
    field('offerId', [...OFFER_IDS, 'id'], { form: UUID }),
    field('code', ['key', 'productkey', 'licensekey', 'schlüssel', 'serial', 'activationcode']),
    optional('kind', ['type', 'typ', 'art']),
  ],
};

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** By name, or else by what is in the only column that looks like it; what has no column gets its usual text. */
export function guessMapping(
  kind: ImportKind,
  head: readonly string[],
  samples: readonly (readonly string[])[] = [],
): Mapping {
  const names = head.map(plain);
  const fields = FIELDS[kind];
  const fits = ({ form, rewrite = String }: Field, column: number) =>
    form !== undefined &&
    samples.length > 0 &&
    samples.every((row) => form.test(rewrite((row[column] ?? '').trim())));
  const isOfAnother = (field: Field, column: number) =>
    field.form !== undefined && !fits(field, column) && fields.some((other) => fits(other, column));
  const taken = new Set<number>();
  const free = (isIt: (column: number) => boolean) =>
    [...names.keys()].filter((column) => !taken.has(column) && isIt(column));
  const mapping: Record<string, Source | undefined> = {};
  const take = (name: string, column: number) => {
    taken.add(column);
    mapping[name] = { column };
  };
  for (const field of fields) {
    const named = field.aliases.map(plain).flatMap((alias) => free((column) => names[column] === alias));
    const column = named.find((each) => !isOfAnother(field, each));
    if (column !== undefined) take(field.name, column);
  }
  for (const field of fields) {
    if (mapping[field.name] !== undefined) continue;
    const [column, ...others] = free((each) => fits(field, each));
    if (column !== undefined && others.length === 0) take(field.name, column);
    else mapping[field.name] = field.usual === undefined ? undefined : { text: field.usual };
  }
  return mapping;
}

/** What the field is in this row of the file. */
export function cellOf({ name, rewrite }: Field, mapping: Mapping, row: readonly string[]): string {
  const source = mapping[name];
  if (source === undefined) return '';
  const cell = 'text' in source ? source.text : (row[source.column] ?? '').trim();
  return rewrite === undefined ? cell : rewrite(cell);
}

export function missingFields(kind: ImportKind, mapping: Mapping): string[] {
  const isMissing = (name: string) => {
    const source = mapping[name];
    return source === undefined || ('text' in source && source.text.trim() === '');
  };
  const missing = FIELDS[kind].filter(({ name, isRequired }) => isRequired && isMissing(name));
  const isUnnamed = kind === 'prices' && isMissing('id') && (isMissing('productId') || isMissing('sellerId'));
  return [...(isUnnamed ? [texts.imports.offerNames] : []), ...missing.map(({ name }) => name)];
}

/** `1.234,50 €` becomes `1234.50`. What could be meant in two ways stays as it is, and the service rejects it. */
export function rewritePrice(cell: string): string {
  const text = cell.replace(/€|EUR/gi, '').replace(/[\s\u00a0\u202f']/g, '');
  if (!/^\d[\d.,]*$/.test(text)) return cell;
  const comma = text.lastIndexOf(',');
  const dot = text.lastIndexOf('.');
  const decimal = comma > dot ? ',' : '.';
  const thousands = decimal === ',' ? '.' : ',';
  const [whole = '', part, ...more] = text.replaceAll(thousands, '').split(decimal);
  const isGrouped = !text.includes(thousands) || /^\d{1,3}([.,]\d{3})+$/.test(text.split(decimal)[0] ?? '');
  if (more.length > 0 || !isGrouped || (part ?? '').length > 2) return cell;
  return part === undefined || part === '' ? whole : `${whole}.${part}`;
}

const ACTIVE = ['active', 'aktiv', 'yes', 'ja', 'true', '1', 'on', 'enabled', 'x'];
const PAUSED = ['paused', 'pausiert', 'inactive', 'inaktiv', 'no', 'nein', 'false', '0', 'off', 'disabled'];

function rewriteStatus(cell: string): string {
  const text = cell.toLowerCase();
  if (ACTIVE.includes(text)) return 'active';
  return PAUSED.includes(text) ? 'paused' : cell;
}
