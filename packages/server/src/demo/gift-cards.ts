/** Gift cards of invented brands: a brand in a country, in the face values that its currency is sold in. */

import { categories, type ProductDraft } from './draft.ts';
import { CODE_PATTERNS } from './keys.ts';
import type { Random } from './random.ts';
import { type Brand, SHOP_BRANDS } from './words.ts';

/** A country in which cards are sold, and its money. Rates are fixed: the demo needs plausible, not current. */
export type Market = {
  readonly region: string;
  readonly currency: string;
  /** EUR cents for one unit of the currency. */
  readonly rateCents: number;
  readonly faceValues: readonly number[];
};

const EURO_VALUES = [5, 10, 15, 20, 25, 50, 75, 100, 150, 200];

export const MARKETS: readonly Market[] = [
  { region: 'Germany', currency: 'EUR', rateCents: 100, faceValues: EURO_VALUES },
  { region: 'France', currency: 'EUR', rateCents: 100, faceValues: EURO_VALUES },
  { region: 'Spain', currency: 'EUR', rateCents: 100, faceValues: EURO_VALUES },
  { region: 'Italy', currency: 'EUR', rateCents: 100, faceValues: EURO_VALUES },
  { region: 'United Kingdom', currency: 'GBP', rateCents: 116, faceValues: [5, 10, 15, 20, 25, 50, 100] },
  {
    region: 'United States',
    currency: 'USD',
    rateCents: 88,
    faceValues: [5, 10, 15, 20, 25, 30, 50, 100, 200],
  },
  { region: 'Canada', currency: 'CAD', rateCents: 63, faceValues: [10, 20, 25, 50, 100] },
  { region: 'Poland', currency: 'PLN', rateCents: 23.5, faceValues: [20, 40, 50, 100, 150, 200] },
  { region: 'Turkey', currency: 'TRY', rateCents: 2.1, faceValues: [100, 250, 500, 1000] },
  { region: 'Brazil', currency: 'BRL', rateCents: 16, faceValues: [30, 50, 100, 250] },
];

/** Every card of the demo once, grouped by brand and country. */
export function* giftCardDrafts(random: Random): Generator<ProductDraft, void> {
  const pairs = SHOP_BRANDS.flatMap((brand) => MARKETS.map((market) => ({ brand, market })));
  for (const { brand, market } of random.shuffled(pairs)) {
    for (const faceValue of market.faceValues) {
      if (random.chance(0.75)) yield draftCard(random, brand, market, faceValue);
    }
  }
}

function draftCard(random: Random, brand: Brand, market: Market, faceValue: number): ProductDraft {
  const { region, currency } = market;
  return {
    facts: {
      name: `${brand.name} Gift Card ${faceValue} ${currency} - ${brand.name} Key ${region.toUpperCase()}`,
      region,
      developer: null,
      publisher: brand.name,
      releaseDate: null,
      platform: brand.name,
      categories: categories('Gift Cards', brand.category),
      requirements: null,
      restrictions: null,
      checkoutClass: 'standard',
    },
    basePriceCents: Math.round(faceValue * market.rateCents * (0.88 + random.unit() * 0.14)),
    codePattern: brand.category === 'Gaming' ? CODE_PATTERNS.giftCard : CODE_PATTERNS.cardNumber,
    screenshotCount: 0,
  };
}
