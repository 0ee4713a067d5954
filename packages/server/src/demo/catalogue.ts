/** Every name in the CSV files is invented. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IMPORT_LINES } from '@keyport/contract/catalogue/imports';
import { must } from '@keyport/core/assert';
import { parse } from 'csv-parse/sync';
import type { Static } from 'typebox';
import { type PictureKind, picturePath } from './pictures.ts';

type Line<Kind extends keyof typeof IMPORT_LINES> = Static<(typeof IMPORT_LINES)[Kind]>;
export type DemoSeller = Line<'sellers'>;
type DemoProduct = Line<'products'>;
type DemoOffer = Line<'offers'>;
export type DemoKey = Line<'keys'>;
type Entry = { readonly product: DemoProduct; readonly keyPattern: string };

export type Listing = Entry & {
  readonly offer: DemoOffer;
  readonly textKeys: number;
  readonly imageKeys: number;
};

type ProductRow = Record<
  | ('id' | 'name' | 'checkoutClass' | 'platform' | 'region' | 'developer' | 'publisher' | 'releaseDate')
  /**
   * `101 Action; 108 Horror`; the minimal and recommended machines (machines.json); `PEGI 12: Violence, Fear`.
   */
  | ('categories' | 'requirements' | 'restrictions')
  /** The number of screenshots; the names of the fields that are null. */
  | ('screenshots' | 'missing')
  /** For `toCode`. */
  | 'keyPattern',
  string
>;

/** `seller` is a line number in sellers.csv, from 1. */
type OfferRow = Record<'id' | 'productId' | 'seller' | 'price' | 'textKeys' | 'imageKeys', string> & {
  readonly status: DemoOffer['status'];
};

const IMAGE_PATTERN = 'image:scans/????????????????????.png';
const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

export function readRows<Row extends Record<string, string>>(name: string): Row[] {
  return parse<Row>(readFileSync(new URL(`./${name}.csv`, import.meta.url)), {
    columns: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
}

export function loadSellers(): DemoSeller[] {
  return readRows<{ id: string; name: string }>('sellers');
}

/** In insertion order. */
export function loadProducts(publicUrl: string): Entry[] {
  const machines: Record<string, unknown> = JSON.parse(
    readFileSync(new URL('./machines.json', import.meta.url), 'utf8'),
  );
  const base = publicUrl.replace(/\/+$/, '');
  return readRows<ProductRow>('products').map((row) => {
    const { id, name, checkoutClass } = row;
    const picture = (kind: PictureKind, index = 0) => `${base}${picturePath(id, kind, index)}`;
    const [minimal, recommended] = words(row.requirements, ' ').map((machine) => machines[machine]);
    const [rating, descriptors = ''] = words(row.restrictions, ': ');
    const product = {
      id,
      name,
      checkoutClass,
      region: row.region || null,
      developer: row.developer || null,
      publisher: row.publisher || null,
      releaseDate: row.releaseDate || null,
      platform: row.platform || null,
      categories: row.categories === '' ? null : words(row.categories, '; ').map(category),
      requirements: minimal === undefined ? null : { minimal, ...(recommended ? { recommended } : {}) },
      restrictions: rating === undefined ? null : { rating, descriptors: words(descriptors, ', ') },
      thumbnail: picture('thumbnail'),
      portraitImage: picture('portrait'),
      coverImage: picture('cover'),
      images: Array.from({ length: Number(row.screenshots) }, (_, index) => picture('screenshot', index + 1)),
      videos: [],
      ...Object.fromEntries(words(row.missing, ' ').map((field) => [field, null])),
    };
    // catalogue.test.ts checks every product, because loading the check takes a tenth of the time to start.
    return { product: product as DemoProduct, keyPattern: row.keyPattern };
  });
}

/** Grouped by product. */
export function loadOffers(entries: readonly Entry[], sellers: readonly DemoSeller[]): Listing[] {
  const entryById = new Map(entries.map((entry) => [entry.product.id, entry]));
  return readRows<OfferRow>('offers').map(({ seller, textKeys, imageKeys, ...offer }) => ({
    ...must(entryById.get(offer.productId), 'an offer has a product'),
    offer: { ...offer, sellerId: must(sellers[Number(seller) - 1], 'an offer has a seller').id },
    textKeys: Number(textKeys),
    imageKeys: Number(imageKeys),
  }));
}

export function toKeys({ offer, keyPattern, textKeys, imageKeys }: Listing): DemoKey[] {
  const keys = (kind: 'text' | 'image', length: number, pattern: string) =>
    Array.from({ length }, (_, index) => ({
      offerId: offer.id,
      code: toCode(`${offer.id}/${kind}/${index}`, pattern),
      kind,
    }));
  return [...keys('text', textKeys, keyPattern), ...keys('image', imageKeys, IMAGE_PATTERN)];
}

/** The seed decides the letter or digit for `?` and the digit for `#`. */
export function toCode(seed: string, pattern: string): string {
  const bytes = createHash('sha256').update(seed).digest().values();
  return pattern.replace(/[?#]/g, (mark) => {
    const byte = bytes.next().value ?? 0;
    return mark === '?' ? (CODE_ALPHABET[byte % CODE_ALPHABET.length] ?? '') : String(byte % 10);
  });
}

function category(text: string): { id: string; name: string } {
  const [id, ...name] = text.split(' ');
  return { id: must(id, 'the id of a category'), name: name.join(' ') };
}

function words(text: string, separator: string): string[] {
  return text === '' ? [] : text.split(separator);
}
