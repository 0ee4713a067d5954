/** Licences of invented programs: by number of devices, and by years or by version. */

import { categories, type ProductDraft, type Requirements, randomDate } from './draft.ts';
import { CODE_PATTERNS } from './keys.ts';
import type { Random } from './random.ts';
import { SOFTWARE_LINES, type SoftwareLine } from './words.ts';

const REGIONS = ['Global', 'Europe', 'North America', null];
const VERSIONS = [2021, 2024, 2026];

const REQUIREMENTS: Requirements = {
  minimal: {
    processor: 'Dual-core, 1.6 GHz',
    graphics: null,
    memory: '4 GB RAM',
    diskSpace: '4 GB',
    system: 'Windows 10, Windows 11, macOS 13 or later',
    other: 'Internet connection for activation',
  },
};

/** One way of licensing a program, with its price relative to the line's base price. */
type Licence = {
  readonly terms: string;
  readonly version: number | null;
  readonly priceFactor: number;
};

const YEARLY_LICENCES: readonly Licence[] = [1, 2, 3].flatMap((years) =>
  [1, 3, 5, 10].map((devices) => ({
    terms: `(${count(devices, 'Device')}, ${count(years, 'Year')})`,
    version: null,
    priceFactor: devices ** 0.45 * years ** 0.8,
  })),
);

const VERSION_LICENCES: readonly Licence[] = VERSIONS.flatMap((version) =>
  ['1 PC', '2 PC', '5 PC', '1 Mac'].map((devices) => ({
    terms: `(${devices}, Lifetime)`,
    version,
    priceFactor: Number.parseInt(devices, 10) ** 0.6 * (version === 2026 ? 1.4 : version === 2024 ? 1 : 0.55),
  })),
);

/** Every licence of the demo once, grouped by program and region. */
export function* softwareDrafts(random: Random): Generator<ProductDraft, void> {
  const pairs = SOFTWARE_LINES.flatMap((line) => REGIONS.map((region) => ({ line, region })));
  for (const { line, region } of random.shuffled(pairs)) {
    for (const licence of line.isYearly ? YEARLY_LICENCES : VERSION_LICENCES) {
      if (random.chance(0.6)) yield draftLicence(random, line, region, licence);
    }
  }
}

function draftLicence(
  random: Random,
  line: SoftwareLine,
  region: string | null,
  licence: Licence,
): ProductDraft {
  const version = licence.version === null ? '' : ` ${licence.version}`;
  const place = region === null ? '' : ` ${region.toUpperCase()}`;
  return {
    facts: {
      name: `${line.name}${version} ${licence.terms} - ${line.vendor} Key${place}`,
      region,
      developer: line.vendor,
      publisher: random.chance(0.8) ? line.vendor : null,
      releaseDate:
        licence.version === null ? null : randomDate(random, licence.version - 1, licence.version - 1),
      platform: random.chance(0.9) ? line.vendor : null,
      categories: categories('Software', line.category),
      requirements: random.chance(0.8) ? REQUIREMENTS : null,
      restrictions: null,
      checkoutClass: 'standard',
    },
    basePriceCents: Math.round(line.basePriceCents * licence.priceFactor),
    codePattern: CODE_PATTERNS.fiveByFive,
    screenshotCount: random.between(0, 2),
  };
}

function count(amount: number, noun: string): string {
  return amount === 1 ? `1 ${noun}` : `${amount} ${noun}s`;
}
