/**
 * The products of the demo catalogue: the mix of kinds, ids, slugs and picture addresses. A product has
 * exactly the body of `PUT /admin/v1/products/{id}` with its id; what else the demo knows of it stays beside.
 */

import { CHECKOUT_CLASSES, type CheckoutClass } from '@keyport/core/checkout-class';
import type { ProductDraft, ProductFacts } from './draft.ts';
import { type ExcludedClass, excludedDrafts } from './excluded.ts';
import { gameDrafts } from './games.ts';
import { giftCardDrafts } from './gift-cards.ts';
import { type PictureKind, picturePath } from './pictures.ts';
import { createRandom, type Random } from './random.ts';
import { softwareDrafts } from './software.ts';

export type DemoProduct = ProductFacts & {
  /** 14 digits, first not 0 (spec: ProductCatalogId). */
  readonly id: string;
  /** Unique; lower-case words of the name joined by hyphens. */
  readonly slug: string;
  /** Absolute URL of an SVG of 58x58; null: none. The other pictures alike. */
  readonly thumbnail: string | null;
  readonly portraitImage: string | null;
  readonly coverImage: string | null;
  readonly images: string[] | null;
  /** Always empty or null: the demo has no films to point at. */
  readonly videos: string[] | null;
};

/** A product with what the generators of its offers and keys need to know. */
export type CatalogueEntry = {
  readonly product: DemoProduct;
  /** EUR cents around which sellers set their prices. */
  readonly basePriceCents: number;
  /** What a key of the product looks like; see `Random.code`. */
  readonly codePattern: string;
};

export type ProductOptions = {
  /** Where the service is reached; the addresses of the pictures begin with it. */
  readonly publicUrl: string;
  readonly count?: number;
};

const PRODUCT_COUNT = 2100;

const GIFT_CARD_SHARE = 0.2;
const SOFTWARE_SHARE = 0.15;
/** Of each excluded class; the five together are a twentieth. */
const EXCLUDED_CLASS_SHARE = 0.01;

/** A source of drafts is given up after so many names in a row that exist already. */
const DUPLICATES_IN_A_ROW_MAX = 500;

/** Above the round numbers that examples and tests like to use. */
const FIRST_ID = 10_000_004_000_017;

/**
 * The demo catalogue in insertion order: ids rise, kinds are mixed, names and slugs are unique. Games fill up
 * whatever the finite kinds leave open, so the count is met exactly.
 */
export function generateProducts(seed: string, options: ProductOptions): CatalogueEntry[] {
  const random = createRandom(`${seed}/products`);
  const drafts = random.shuffled(collectDrafts(seed, options.count ?? PRODUCT_COUNT));
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  let id = FIRST_ID;
  return drafts.map((draft) => {
    id += random.between(3, 997);
    return {
      product: dressProduct(random, draft, String(id), publicUrl),
      basePriceCents: draft.basePriceCents,
      codePattern: draft.codePattern,
    };
  });
}

function collectDrafts(seed: string, count: number): ProductDraft[] {
  const slugs = new Set<string>();
  const stream = (name: string) => createRandom(`${seed}/products/${name}`);
  const excluded = CHECKOUT_CLASSES.filter(isExcluded).flatMap((checkoutClass) => {
    const quota = Math.round(count * EXCLUDED_CLASS_SHARE);
    return takeUnique(excludedDrafts(stream(checkoutClass), checkoutClass), quota, slugs);
  });
  const cards = takeUnique(giftCardDrafts(stream('gift-cards')), Math.round(count * GIFT_CARD_SHARE), slugs);
  const software = takeUnique(softwareDrafts(stream('software')), Math.round(count * SOFTWARE_SHARE), slugs);
  const others = [...excluded, ...cards, ...software];
  return [...others, ...takeUnique(gameDrafts(stream('games')), count - others.length, slugs)];
}

function isExcluded(checkoutClass: CheckoutClass): checkoutClass is ExcludedClass {
  return checkoutClass !== 'standard';
}

/** Up to `quota` drafts whose slug is new; their slugs are added to the set. */
function takeUnique(source: Iterable<ProductDraft>, quota: number, slugs: Set<string>): ProductDraft[] {
  const taken: ProductDraft[] = [];
  if (quota <= 0) return taken;
  let duplicates = 0;
  for (const draft of source) {
    const slug = slugOf(draft.facts.name);
    duplicates = slugs.has(slug) ? duplicates + 1 : 0;
    if (duplicates > DUPLICATES_IN_A_ROW_MAX) break;
    if (duplicates > 0) continue;
    slugs.add(slug);
    taken.push(draft);
    if (taken.length === quota) break;
  }
  return taken;
}

/** Names that differ have slugs that differ, or the later one is dropped: a slug decides what is unique. */
function slugOf(name: string): string {
  const plain = name.replaceAll('&', 'and').replaceAll("'", '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function dressProduct(random: Random, draft: ProductDraft, id: string, publicUrl: string): DemoProduct {
  const { facts, screenshotCount } = draft;
  const address = (kind: PictureKind, index = 0) => `${publicUrl}${picturePath(id, kind, index)}`;
  const screenshots = Array.from({ length: screenshotCount }, (_, index) => address('screenshot', index + 1));
  return {
    ...facts,
    id,
    slug: slugOf(facts.name),
    categories: random.chance(0.985) ? facts.categories : null,
    thumbnail: random.chance(0.985) ? address('thumbnail') : null,
    portraitImage: random.chance(0.985) ? address('portrait') : null,
    coverImage: random.chance(0.97) ? address('cover') : null,
    images: screenshotCount > 0 || random.chance(0.7) ? screenshots : null,
    videos: random.chance(0.6) ? [] : null,
  };
}
