/** The whole demo in one call, for the seeding of an empty database. Pure: no clock, no SQL, no HTTP. */

import { type DemoOrder, generateHistory } from './history.ts';
import { type DemoKey, generateKeys } from './keys.ts';
import { type DemoOffer, type DemoSeller, generateOffers, generateSellers } from './offers.ts';
import { type DemoProduct, generateProducts, type ProductOptions } from './products.ts';

/** The seed that the service uses; the same for everyone, so that ids in documents and bug reports agree. */
export const DEMO_SEED = 'keyport-demo-1';

export type Demo = {
  readonly sellers: readonly DemoSeller[];
  /** In insertion order. */
  readonly products: readonly DemoProduct[];
  readonly offers: readonly DemoOffer[];
  /** Keys in stock; those already delivered are in the history. */
  readonly keys: readonly DemoKey[];
  /** Oldest first. */
  readonly orders: readonly DemoOrder[];
};

/** Everything that the demo consists of. Only the order history depends on `now`, and only for its times. */
export function generateDemo(seed: string, options: ProductOptions, now: Date): Demo {
  const entries = generateProducts(seed, options);
  const entryById = new Map(entries.map((entry) => [entry.product.id, entry]));
  const sellers = generateSellers(seed);
  const offers = generateOffers(seed, entries, sellers);
  const listings = offers.flatMap((offer) => {
    const entry = entryById.get(offer.productId);
    return entry === undefined ? [] : [{ offer, entry }];
  });
  return {
    sellers,
    products: entries.map(({ product }) => product),
    offers,
    keys: listings.flatMap(({ offer, entry }) => generateKeys(seed, offer, entry.codePattern)),
    orders: generateHistory(seed, listings, now),
  };
}
