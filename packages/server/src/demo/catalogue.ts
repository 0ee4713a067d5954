/**
 * The catalogue of the demo: sellers and products from the CSV files of this folder, offers and keys drawn from a seed, so
 * that all of it is the same on every machine. Every name in it is invented.
 */
import { readFileSync } from 'node:fs';
import { IMPORT_LINES } from '@keyport/contract/catalogue/imports';
import { must } from '@keyport/core/assert';
import { formatMinor } from '@keyport/core/money';
import { readTable } from '@keyport/import/cells';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { type PictureKind, picturePath } from './pictures.ts';
import { createRandom, type Random } from './random.ts';

/** Part of every seed of the demo; another one gives other ids. */
export const DEMO_SEED = 'keyport-demo-1';

type Line<Kind extends keyof typeof IMPORT_LINES> = Static<(typeof IMPORT_LINES)[Kind]>;
export type DemoSeller = Line<'sellers'>;
export type DemoProduct = Line<'products'>;
type DemoOffer = Line<'offers'>;
export type DemoKey = Line<'keys'>;

/** A product with what its offers and keys are drawn from. */
type Entry = { readonly product: DemoProduct; readonly priceCents: number; readonly keyPattern: string };
/** An offer with the product that it is for. */
export type Listing = Entry & { readonly offer: DemoOffer };

/** A column that does not apply is empty. */
type ProductRow = Record<
  | ('id' | 'name' | 'checkoutClass' | 'platform' | 'region' | 'developer' | 'publisher' | 'releaseDate')
  /** `101 Action; 108 Horror`; machines of machines.json, minimal and recommended; `PEGI 12: Violence, Fear`. */
  | ('categories' | 'requirements' | 'restrictions')
  /** How many; and which fields have no pictures or videos that others have. */
  | ('screenshots' | 'missing')
  /** EUR cents around which sellers set their prices; and the shape of its keys (`Random.code`). */
  | ('priceCents' | 'keyPattern'),
  string
>;

const OFFER_COUNTS = weights([28, 24, 18, 11, 8, 5, 4, 2]);
const PAUSED_SHARE = 0.03;

const EMPTY_SHARE = 0.03;
/** About ten offers of the whole demo, large enough for load tests that order one thing again and again. */
const HOT_SHARE = 0.002;
const HOT_KEY_COUNT = 200;
const KEY_COUNT_MAX = 12;
const IMAGE_PATTERN = 'image:scans/????????????????????.png';
/** Few offers have keys that are pictures, which cannot be ordered: some of their keys, or all. */
const IMAGE_SHARES = [
  [0, 98.4],
  [0.4, 0.6],
  [1, 1],
] as const;

const PRODUCT = Compile(IMPORT_LINES.products);

/** The rows of a file of this folder. */
export function readRows<Row extends Record<string, string>>(name: string): Row[] {
  const table = readTable(readFileSync(new URL(`./${name}.csv`, import.meta.url), 'utf8'));
  const [names = [], ...rows] = table.map(({ cells }) => cells);
  return rows.map(
    (row) => Object.fromEntries(names.map((column, index) => [column, row[index] ?? ''])) as Row,
  );
}

export function loadSellers(): DemoSeller[] {
  return readRows<{ id: string; name: string }>('sellers');
}

/** In insertion order. The addresses of the pictures begin with `publicUrl`. */
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
    if (!PRODUCT.Check(product)) throw new Error(`product ${id} of the demo is not valid`);
    return { product, priceCents: Number(row.priceCents), keyPattern: row.keyPattern };
  });
}

/** Offers grouped by product, each product's by different sellers, from 8 % below its price to 17 % above. */
export function drawOffers(entries: readonly Entry[], sellers: readonly DemoSeller[]): Listing[] {
  return entries.flatMap((entry) => {
    const random = createRandom(`${DEMO_SEED}/offers/${entry.product.id}`);
    const sellersOfProduct = random.shuffled(sellers).slice(0, random.weighted(OFFER_COUNTS));
    return sellersOfProduct.map((seller) => ({
      ...entry,
      offer: {
        id: random.uuid(),
        productId: entry.product.id,
        sellerId: seller.id,
        price: formatMinor(
          Math.max(1, Math.round(entry.priceCents * (0.92 + 0.25 * random.unit() * random.unit()))),
        ),
        status: random.chance(PAUSED_SHARE) ? 'paused' : 'active',
      },
    }));
  });
}

/** An offer's stock: usually 1 to 12 keys, lower numbers are likelier. */
export function drawKeys({ offer, keyPattern }: Pick<Listing, 'offer' | 'keyPattern'>): DemoKey[] {
  const random = createRandom(`${DEMO_SEED}/keys/${offer.id}`);
  const length = drawKeyCount(random);
  const imageShare = random.weighted(IMAGE_SHARES);
  return Array.from({ length }, () => {
    const isImage = random.chance(imageShare);
    const code = random.code(isImage ? IMAGE_PATTERN : keyPattern);
    return { offerId: offer.id, code, kind: isImage ? 'image' : 'text' };
  });
}

function drawKeyCount(random: Random): number {
  const roll = random.unit();
  if (roll < EMPTY_SHARE) return 0;
  if (roll < EMPTY_SHARE + HOT_SHARE) return HOT_KEY_COUNT;
  return Math.min(random.between(1, KEY_COUNT_MAX), random.between(1, KEY_COUNT_MAX));
}

function category(text: string): { id: string; name: string } {
  const [id, ...name] = text.split(' ');
  return { id: must(id, 'the id of a category'), name: name.join(' ') };
}

/** The counts from 1, each with its weight. */
function weights(list: readonly number[]): (readonly [count: number, weight: number])[] {
  return list.map((weight, index) => [index + 1, weight]);
}

function words(text: string, separator: string): string[] {
  return text === '' ? [] : text.split(separator);
}
