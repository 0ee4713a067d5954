/** Which column of somebody's file is which field of an import, and how its cells are rewritten. */

export type ImportKind = 'sellers' | 'products' | 'offers' | 'keys';

export type Field = {
  readonly name: string;
  readonly isRequired: boolean;
  /** How other programs call it, in lower case without blanks and signs. */
  readonly aliases: readonly string[];
  readonly rewrite?: (cell: string) => string;
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
const optional = (name: string, aliases: readonly string[] = []) =>
  field(name, aliases, { isRequired: false });

const PRODUCT_NAMES = ['title', 'titel', 'productname', 'produktname', 'bezeichnung', 'nom', 'nombre'];

export const FIELDS: Readonly<Record<ImportKind, readonly Field[]>> = {
  sellers: [field('id', ['sellerid', 'uuid']), field('name', ['seller', 'sellername', 'company', 'firma'])],
  products: [
    field('id', ['productid', 'product', 'produktid', 'produktnr', 'artikelnummer', 'sku']),
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
    field('id', ['offerid', 'offer', 'angebot', 'angebotid', 'angebotsid', 'uuid']),
    field('productId', ['product', 'produkt', 'produktid', 'produktnr', 'artikelnummer', 'sku']),
    field('sellerId', ['seller', 'merchant', 'vendor', 'verkäufer', 'händler', 'anbieter']),
    field('price', ['preis', 'priceeur', 'preiseur', 'eur', 'amount', 'betrag', 'prix', 'precio', 'cost'], {
      rewrite: rewritePrice,
    }),
    field('status', ['state', 'active', 'aktiv', 'enabled', 'zustand'], {
      rewrite: rewriteStatus,
      usual: 'active',
    }),
  ],
  keys: [
    field('offerId', ['offer', 'angebot', 'angebotid', 'angebotsid', 'id']),
    field('code', ['key', 'productkey', 'licensekey', 'schlüssel', 'serial', 'activationcode']),
    optional('kind', ['type', 'typ', 'art']),
  ],
};

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** By name; what is required and has no column gets its usual text. */
export function guessMapping(kind: ImportKind, head: readonly string[]): Mapping {
  const names = head.map(plain);
  const taken = new Set<number>();
  const find = (aliases: readonly string[]) => {
    for (const alias of aliases) {
      const column = names.findIndex((name, index) => name === alias && !taken.has(index));
      if (column >= 0) return column;
    }
    return -1;
  };
  const mapping: Record<string, Source | undefined> = {};
  for (const { name, aliases, usual } of FIELDS[kind]) {
    const column = find(aliases.map(plain));
    if (column >= 0) taken.add(column);
    mapping[name] = column >= 0 ? { column } : usual === undefined ? undefined : { text: usual };
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
  return FIELDS[kind]
    .filter(({ name, isRequired }) => {
      const source = mapping[name];
      return isRequired && (source === undefined || ('text' in source && source.text.trim() === ''));
    })
    .map(({ name }) => name);
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
