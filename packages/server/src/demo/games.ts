/**
 * Invented games as families: one title with its platforms, editions, regions and add-ons, as a marketplace
 * lists them. About three fifths of the demo catalogue; the names follow the pattern that resellers know,
 * "Title: Edition (PC) Steam Key EUROPE".
 */

import {
  categories,
  type ProductDraft,
  type Requirements,
  type Restrictions,
  randomDate,
  type SystemRequirements,
} from './draft.ts';
import { CODE_PATTERNS } from './keys.ts';
import type { Random } from './random.ts';
import { GAME_REGIONS, GLOBAL, type Region } from './regions.ts';
import {
  DLC_NAMES,
  PLACE_BEGINNINGS,
  PLACE_ENDINGS,
  PUBLISHERS,
  STUDIOS,
  SUBTITLES,
  TITLE_ADJECTIVES,
  TITLE_NOUNS,
} from './words.ts';

type GamePlatform = {
  /** As in ProductDetail.platform. */
  readonly name: string;
  /** How the product's name says it, between title and region. */
  readonly suffix: string;
  readonly codePattern: string;
  readonly isPc: boolean;
  readonly priceFactor: number;
};

const STEAM: GamePlatform = {
  name: 'Steam',
  suffix: '(PC) Steam Key',
  codePattern: CODE_PATTERNS.threeByFive,
  isPc: true,
  priceFactor: 1,
};
const OTHER_PC_PLATFORMS: readonly GamePlatform[] = [
  { ...STEAM, name: 'GOG', suffix: '(PC) GOG Key', codePattern: CODE_PATTERNS.fourByFive, priceFactor: 0.9 },
  { ...STEAM, name: 'Epic Games', suffix: '(PC) Epic Games Key', codePattern: CODE_PATTERNS.fourByFive },
];
const CONSOLES: readonly GamePlatform[] = [
  {
    name: 'Xbox',
    suffix: '(Xbox Series X/S) Xbox Key',
    codePattern: CODE_PATTERNS.fiveByFive,
    isPc: false,
    priceFactor: 1.08,
  },
  {
    name: 'PlayStation',
    suffix: '(PS5) PlayStation Key',
    codePattern: CODE_PATTERNS.threeByFour,
    isPc: false,
    priceFactor: 1.22,
  },
  {
    name: 'Nintendo',
    suffix: '(Nintendo Switch) Nintendo Key',
    codePattern: CODE_PATTERNS.fourByFour,
    isPc: false,
    priceFactor: 1.3,
  },
];

const GENRES = [
  'Action',
  'Adventure',
  'Role-Playing',
  'Strategy',
  'Simulation',
  'Racing',
  'Puzzle',
  'Horror',
];

/** The same content as the two boards rate it. */
const RATINGS: readonly Readonly<Record<Region['ratingBoard'], Restrictions>>[] = [
  { PEGI: { rating: 'PEGI 3', descriptors: [] }, ESRB: { rating: 'ESRB E', descriptors: [] } },
  {
    PEGI: { rating: 'PEGI 7', descriptors: ['Fear'] },
    ESRB: { rating: 'ESRB E10+', descriptors: ['Fantasy Violence'] },
  },
  {
    PEGI: { rating: 'PEGI 12', descriptors: ['Violence', 'In-Game Purchases'] },
    ESRB: { rating: 'ESRB T', descriptors: ['Violence', 'Mild Language', 'In-Game Purchases'] },
  },
  {
    PEGI: { rating: 'PEGI 16', descriptors: ['Violence', 'Bad Language'] },
    ESRB: { rating: 'ESRB M', descriptors: ['Blood', 'Strong Language', 'Violence'] },
  },
  {
    PEGI: { rating: 'PEGI 18', descriptors: ['Violence', 'Fear', 'Gambling'] },
    ESRB: { rating: 'ESRB M', descriptors: ['Blood and Gore', 'Intense Violence', 'Simulated Gambling'] },
  },
];

/** Machines from modest to strong; a game asks for one and recommends the next. */
const MACHINES: readonly SystemRequirements[] = [
  machine('Intel Core i3-6100 / AMD FX-6300', 'NVIDIA GeForce GTX 750 Ti / AMD Radeon R7 265', 4, 6),
  machine('Intel Core i5-6600 / AMD Ryzen 3 1300X', 'NVIDIA GeForce GTX 960 / AMD Radeon RX 560', 8, 18),
  machine(
    'Intel Core i5-8400 / AMD Ryzen 5 2600',
    'NVIDIA GeForce GTX 1060 6 GB / AMD Radeon RX 580',
    12,
    45,
  ),
  machine(
    'Intel Core i7-9700K / AMD Ryzen 5 5600',
    'NVIDIA GeForce RTX 2070 / AMD Radeon RX 6600 XT',
    16,
    70,
  ),
  machine(
    'Intel Core i7-12700 / AMD Ryzen 7 7700',
    'NVIDIA GeForce RTX 3080 / AMD Radeon RX 6800 XT',
    32,
    110,
  ),
];

const EDITIONS: readonly {
  readonly name: string | null;
  readonly share: number;
  readonly priceFactor: number;
}[] = [
  { name: null, share: 1, priceFactor: 1 },
  { name: 'Deluxe Edition', share: 0.55, priceFactor: 1.35 },
  { name: 'Ultimate Edition', share: 0.3, priceFactor: 1.7 },
];

/** Prices in EUR cents of a standard edition, cheap ones more often. */
const BASE_PRICES_CENTS = [199, 349, 499, 699, 899, 1199, 1499, 1499, 1899, 2299, 2799, 3499, 4299, 5499];

/** What all products of one title have in common. */
type Family = {
  readonly title: string;
  readonly developer: string | null;
  readonly publisher: string | null;
  readonly releaseDate: string | null;
  readonly genres: readonly string[];
  readonly rating: Readonly<Record<Region['ratingBoard'], Restrictions>> | null;
  readonly requirements: Requirements | null;
  readonly basePriceCents: number;
  readonly screenshotCount: number;
};

/** One thing on sale: a family's edition or add-on for a platform and region. */
type Variant = {
  readonly platform: GamePlatform;
  readonly region: Region;
  /** What follows the title, with its separator; empty for the standard edition. */
  readonly nameSuffix: string;
  readonly priceFactor: number;
  readonly isDlc: boolean;
};

/** Drafts without end, a family at a time; names may repeat by chance. */
export function* gameDrafts(random: Random): Generator<ProductDraft, never> {
  for (;;) {
    const family = createFamily(random);
    for (const variant of [...editionVariants(random), ...dlcVariants(random)])
      yield draftVariant(family, variant);
  }
}

/** An invented title, also for the accounts and top-ups of the excluded classes. */
export function gameTitle(random: Random): string {
  const adjective = random.pick(TITLE_ADJECTIVES);
  const noun = random.pick(TITLE_NOUNS);
  const place = random.pick(PLACE_BEGINNINGS) + random.pick(PLACE_ENDINGS);
  return random.weighted([
    [`${adjective} ${noun}`, 46],
    [`${adjective} ${noun} ${random.between(2, 4)}`, 14],
    [`${noun} of ${place}`, 14],
    [`${place}: ${random.pick(SUBTITLES)}`, 18],
    [`Little ${noun} Company`, 8],
  ]);
}

function createFamily(random: Random): Family {
  const tier = random.between(0, MACHINES.length - 2);
  return {
    title: gameTitle(random),
    developer: random.chance(0.96) ? random.pick(STUDIOS) : null,
    publisher: random.chance(0.96) ? random.pick(PUBLISHERS) : null,
    releaseDate: random.chance(0.96) ? randomDate(random, 2013, 2025) : null,
    genres: random.shuffled(GENRES).slice(0, random.between(1, 2)),
    rating: random.chance(0.9) ? random.pick(RATINGS) : null,
    requirements: random.chance(0.95) ? createRequirements(random, tier) : null,
    basePriceCents: random.pick(BASE_PRICES_CENTS),
    screenshotCount: random.between(2, 5),
  };
}

function createRequirements(random: Random, tier: number): Requirements {
  const minimal = MACHINES[tier];
  const recommended = MACHINES[tier + 1];
  if (minimal === undefined || recommended === undefined) return {};
  return random.chance(0.75) ? { minimal, recommended } : { minimal };
}

function editionVariants(random: Random): Variant[] {
  const variants: Variant[] = [];
  const editions = EDITIONS.filter(({ share }) => random.chance(share));
  for (const platform of pickPlatforms(random)) {
    for (const region of pickRegions(random)) {
      for (const { name, priceFactor } of editions) {
        if (name !== null && random.chance(0.5)) continue;
        const nameSuffix = name === null ? '' : `: ${name}`;
        variants.push({ platform, region, nameSuffix, priceFactor, isDlc: false });
      }
    }
  }
  return variants.slice(0, 8);
}

function dlcVariants(random: Random): Variant[] {
  if (random.chance(0.45)) return [];
  const names = random.shuffled(DLC_NAMES).slice(0, random.between(1, 3));
  return names.map((name) => ({
    platform: STEAM,
    region: random.chance(0.7) ? GLOBAL : random.weighted(GAME_REGIONS),
    nameSuffix: ` - ${name} (DLC)`,
    priceFactor: random.pick([0.18, 0.25, 0.35, 0.45]),
    isDlc: true,
  }));
}

function pickPlatforms(random: Random): GamePlatform[] {
  const pc = random.chance(0.72) ? STEAM : random.pick(OTHER_PC_PLATFORMS);
  return [
    pc,
    ...random.shuffled(CONSOLES).slice(
      0,
      random.weighted([
        [0, 40],
        [1, 40],
        [2, 20],
      ]),
    ),
  ];
}

function pickRegions(random: Random): Set<Region> {
  const regions = new Set<Region>();
  for (let count = random.between(1, 3); count > 0; count -= 1) regions.add(random.weighted(GAME_REGIONS));
  return regions;
}

function draftVariant(family: Family, variant: Variant): ProductDraft {
  const { platform, region } = variant;
  // A title that has a colon already gets its edition after a dash.
  const suffix = family.title.includes(':') ? variant.nameSuffix.replace(/^: /, ' - ') : variant.nameSuffix;
  const price = family.basePriceCents * variant.priceFactor * region.priceFactor * platform.priceFactor;
  return {
    facts: {
      name: `${family.title}${suffix} ${platform.suffix} ${region.name.toUpperCase()}`,
      region: region.name,
      developer: family.developer,
      publisher: family.publisher,
      releaseDate: family.releaseDate,
      platform: platform.name,
      categories: categories('Games', ...family.genres, ...(variant.isDlc ? ['DLC'] : [])),
      requirements: platform.isPc ? family.requirements : null,
      restrictions: family.rating === null ? null : family.rating[region.ratingBoard],
      checkoutClass: 'standard',
    },
    basePriceCents: Math.max(49, Math.round(price)),
    codePattern: platform.codePattern,
    screenshotCount: variant.isDlc ? Math.min(2, family.screenshotCount) : family.screenshotCount,
  };
}

function machine(processor: string, graphics: string, memoryGb: number, diskGb: number): SystemRequirements {
  return {
    processor,
    graphics,
    memory: `${memoryGb} GB RAM`,
    diskSpace: `${diskGb} GB`,
    system: memoryGb > 8 ? 'Windows 10/11 (64-bit)' : 'Windows 10 (64-bit)',
    other: memoryGb > 12 ? 'DirectX 12, solid-state drive' : null,
  };
}
