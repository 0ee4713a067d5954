/**
 * Products of the classes that the API checkout refuses (spec: product-excluded). They are listed and have
 * stock like any other, so that an integrator meets the refusal in the sandbox before meeting it in earnest.
 */

import type { CheckoutClass } from '@keyport/core/checkout-class';
import { categories, type ProductDraft, type ProductFacts } from './draft.ts';
import { gameTitle } from './games.ts';
import { MARKETS } from './gift-cards.ts';
import { CODE_PATTERNS } from './keys.ts';
import type { Random } from './random.ts';
import { PUBLISHERS, SHOP_BRANDS } from './words.ts';

export type ExcludedClass = Exclude<CheckoutClass, 'standard'>;

const TOP_UP_COINS = ['Shards', 'Crowns', 'Moonstones', 'Tickets', 'Embers', 'Gems'];
const TOP_UP_AMOUNTS = [60, 120, 300, 500, 980, 1200, 2400, 5600];
const PHONE_BRANDS = ['Ringfinch', 'Telmarrow', 'Voxheron', 'Chatterpine'];
const ESIM_BRANDS = ['Roamwren', 'Skyferry', 'Nomadpost'];
const ESIM_PLACES = [
  'Europe',
  'Japan',
  'Turkey',
  'United States',
  'Thailand',
  'United Kingdom',
  'Brazil',
  'Egypt',
];
const ESIM_PLANS = [
  { gigabytes: 1, days: 7, priceCents: 390 },
  { gigabytes: 3, days: 30, priceCents: 790 },
  { gigabytes: 5, days: 30, priceCents: 1190 },
  { gigabytes: 10, days: 30, priceCents: 1890 },
  { gigabytes: 20, days: 30, priceCents: 2990 },
];

const BUILDERS: Readonly<Record<ExcludedClass, (random: Random) => ProductDraft>> = {
  'in-game-top-up': draftInGameTopUp,
  'balance-top-up': draftBalanceTopUp,
  'game-account': draftGameAccount,
  esim: draftEsim,
  subscription: draftSubscription,
};

/** Drafts of one class without end; names repeat once its combinations are used up. */
export function* excludedDrafts(
  random: Random,
  checkoutClass: ExcludedClass,
): Generator<ProductDraft, never> {
  const build = BUILDERS[checkoutClass];
  for (;;) yield build(random);
}

function draftInGameTopUp(random: Random): ProductDraft {
  const amount = random.pick(TOP_UP_AMOUNTS);
  const title = gameTitle(random);
  const facts = {
    name: `${title} Mobile ${amount} ${random.pick(TOP_UP_COINS)} Top-Up GLOBAL`,
    region: 'Global',
    publisher: random.pick(PUBLISHERS),
    platform: 'Mobile',
    categories: categories('Games', 'In-Game Top-Ups'),
  };
  return draft('in-game-top-up', facts, amount * 1.1, CODE_PATTERNS.giftCard);
}

function draftBalanceTopUp(random: Random): ProductDraft {
  const { region, currency, rateCents, faceValues } = random.pick(MARKETS);
  const brand = random.pick(PHONE_BRANDS);
  const value = random.pick(faceValues);
  const facts = {
    name: `${brand} Prepaid Top-Up ${value} ${currency} - ${brand} Key ${region.toUpperCase()}`,
    region,
    publisher: brand,
    platform: brand,
    categories: categories('Balance Top-Ups'),
  };
  return draft('balance-top-up', facts, value * rateCents, CODE_PATTERNS.cardNumber);
}

function draftGameAccount(random: Random): ProductDraft {
  const facts = {
    name: `${gameTitle(random)} (PC) Steam Account GLOBAL`,
    region: 'Global',
    publisher: random.pick(PUBLISHERS),
    platform: 'Steam',
    categories: categories('Games', 'Game Accounts'),
  };
  return draft('game-account', facts, random.between(150, 1900), CODE_PATTERNS.account);
}

function draftEsim(random: Random): ProductDraft {
  const brand = random.pick(ESIM_BRANDS);
  const place = random.pick(ESIM_PLACES);
  const { gigabytes, days, priceCents } = random.pick(ESIM_PLANS);
  const facts = {
    name: `${brand} eSIM ${place} ${gigabytes} GB ${days} Days`,
    region: place,
    publisher: brand,
    platform: brand,
    categories: categories('eSIM'),
  };
  return draft('esim', facts, priceCents, CODE_PATTERNS.esim);
}

function draftSubscription(random: Random): ProductDraft {
  const { name: brand } = random.pick(SHOP_BRANDS);
  const { region } = random.pick(MARKETS);
  const months = random.pick([1, 3, 6, 12]);
  const duration = months === 1 ? '1 Month' : `${months} Months`;
  const facts = {
    name: `${brand} Premium Subscription ${duration} - ${brand} Key ${region.toUpperCase()}`,
    region,
    publisher: brand,
    platform: brand,
    categories: categories('Subscriptions'),
  };
  return draft('subscription', facts, 890 * months ** 0.9, CODE_PATTERNS.fourByFour);
}

function draft(
  checkoutClass: ExcludedClass,
  facts: Pick<ProductFacts, 'name' | 'region' | 'publisher' | 'platform' | 'categories'>,
  priceCents: number,
  codePattern: string,
): ProductDraft {
  return {
    facts: {
      ...facts,
      developer: null,
      releaseDate: null,
      requirements: null,
      restrictions: null,
      checkoutClass,
    },
    basePriceCents: Math.max(49, Math.round(priceCents)),
    codePattern,
    screenshotCount: 0,
  };
}
