/** What the builders of games, gift cards, software and excluded products hand to products.ts. */

import { must } from '@keyport/core/assert';
import type { CheckoutClass } from '@keyport/core/checkout-class';
import type { Random } from './random.ts';

export type Category = {
  readonly id: string;
  readonly name: string;
};

/** Null fields are not known. R8. */
export type SystemRequirements = {
  readonly processor: string | null;
  readonly graphics: string | null;
  readonly memory: string | null;
  readonly diskSpace: string | null;
  readonly system: string | null;
  readonly other: string | null;
};

export type Requirements = {
  readonly minimal?: SystemRequirements;
  readonly recommended?: SystemRequirements;
};

export type Restrictions = {
  readonly rating: string;
  readonly descriptors: string[];
};

/** The facts of a product, which its id, slug and pictures do not depend on. */
export type ProductFacts = {
  readonly name: string;
  readonly region: string | null;
  readonly developer: string | null;
  readonly publisher: string | null;
  /** YYYY-MM-DD; null: not known. */
  readonly releaseDate: string | null;
  readonly platform: string | null;
  readonly categories: Category[] | null;
  readonly requirements: Requirements | null;
  readonly restrictions: Restrictions | null;
  readonly checkoutClass: CheckoutClass;
};

export type ProductDraft = {
  readonly facts: ProductFacts;
  /** EUR cents around which sellers set their prices. */
  readonly basePriceCents: number;
  /** What a key of the product looks like; see `Random.code`. */
  readonly codePattern: string;
  readonly screenshotCount: number;
};

const CATEGORY_IDS: Readonly<Record<string, string>> = {
  Games: '100',
  Action: '101',
  Adventure: '102',
  'Role-Playing': '103',
  Strategy: '104',
  Simulation: '105',
  Racing: '106',
  Puzzle: '107',
  Horror: '108',
  DLC: '120',
  'Gift Cards': '200',
  Shopping: '201',
  Fashion: '202',
  Music: '203',
  Video: '204',
  Travel: '205',
  Food: '206',
  Books: '207',
  Home: '208',
  Sports: '209',
  Gaming: '210',
  Software: '300',
  Office: '301',
  Security: '302',
  Utilities: '303',
  Design: '304',
  'In-Game Top-Ups': '401',
  'Balance Top-Ups': '402',
  'Game Accounts': '403',
  eSIM: '404',
  Subscriptions: '405',
};

/** The categories of these names; a name that has no id is a mistake in the word lists and throws. */
export function categories(...names: readonly string[]): Category[] {
  return names.map((name) => ({ id: must(CATEGORY_IDS[name], `id of the category ${name}`), name }));
}

/** A calendar date between the first day of `yearMin` and the 28th of a month of `yearMax`. */
export function randomDate(random: Random, yearMin: number, yearMax: number): string {
  const month = String(random.between(1, 12)).padStart(2, '0');
  const day = String(random.between(1, 28)).padStart(2, '0');
  return `${random.between(yearMin, yearMax)}-${month}-${day}`;
}
