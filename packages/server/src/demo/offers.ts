/** Sellers of the demo and what they offer: several prices for a product, near each other as on a market. */

import { formatMinor } from '@keyport/core/money';
import type { CatalogueEntry } from './products.ts';
import { createRandom, type Random } from './random.ts';
import { SHOP_NAMES } from './words.ts';

export type DemoSeller = {
  /** UUID, lower case. */
  readonly id: string;
  readonly name: string;
};

/** Exactly the body of `PUT /admin/v1/offers/{uuid}` with its id. */
export type DemoOffer = {
  /** UUID, lower case. */
  readonly id: string;
  readonly productId: string;
  readonly sellerId: string;
  /** EUR with two decimals, above zero. */
  readonly price: string;
  readonly status: 'active' | 'paused';
};

/** How many sellers offer a product; about 2.9 on average. */
const OFFER_COUNTS: readonly (readonly [count: number, weight: number])[] = [
  [1, 28],
  [2, 24],
  [3, 18],
  [4, 11],
  [5, 8],
  [6, 5],
  [7, 4],
  [8, 2],
];
const PAUSED_SHARE = 0.03;

export function generateSellers(seed: string): DemoSeller[] {
  const random = createRandom(`${seed}/sellers`);
  return SHOP_NAMES.map((name) => ({ id: random.uuid(), name }));
}

/** Offers grouped by product, each product's by different sellers. */
export function generateOffers(
  seed: string,
  entries: Iterable<CatalogueEntry>,
  sellers: readonly DemoSeller[],
): DemoOffer[] {
  const offers: DemoOffer[] = [];
  for (const { product, basePriceCents } of entries) {
    const random = createRandom(`${seed}/offers/${product.id}`);
    for (const seller of random.shuffled(sellers).slice(0, random.weighted(OFFER_COUNTS))) {
      offers.push({
        id: random.uuid(),
        productId: product.id,
        sellerId: seller.id,
        price: formatMinor(scatter(random, basePriceCents)),
        status: random.chance(PAUSED_SHARE) ? 'paused' : 'active',
      });
    }
  }
  return offers;
}

/** From 8 % below the base price to 17 % above, most near it, and never below a cent. */
function scatter(random: Random, basePriceCents: number): number {
  return Math.max(1, Math.round(basePriceCents * (0.92 + 0.25 * random.unit() * random.unit())));
}
