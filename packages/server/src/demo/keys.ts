/**
 * The keys that demo offers have in stock. They look like the real ones of their platform and open nothing.
 * Each offer draws from a stream of its own, so its keys do not depend on the rest of the catalogue.
 */

import { createRandom, type Random } from './random.ts';

/** Shapes of keys: `?` is a letter or digit, `#` a digit (see `Random.code`). Each has at least 50 random bits. */
export const CODE_PATTERNS = {
  threeByFive: '?????-?????-?????',
  fourByFive: '?????-?????-?????-?????',
  fiveByFive: '?????-?????-?????-?????-?????',
  threeByFour: '????-????-????',
  fourByFour: '????-????-????-????',
  giftCard: 'GC-????-????-????',
  cardNumber: '####-####-####-####',
  account: 'demo_????????:????????????',
  esim: 'LPA:1$rsp.esim.example$????????????????????',
} as const;

export type DemoKey = {
  /** UUID, lower case. */
  readonly offerId: string;
  readonly code: string;
  /** An image key's code names a picture; this interface delivers text only (A44). */
  readonly kind: 'text' | 'image';
};

const IMAGE_PATTERN = 'image:scans/????????????????????.png';

const EMPTY_SHARE = 0.03;
/** About ten offers of the whole demo, large enough for load tests that order one thing again and again. */
const HOT_SHARE = 0.002;
const HOT_KEY_COUNT = 200;
const KEY_COUNT_MAX = 12;

/** An offer's stock: usually 1 to 12 keys, the fewer the likelier; some have none and a handful 200. */
export function generateKeys(seed: string, offer: { readonly id: string }, codePattern: string): DemoKey[] {
  const random = createRandom(`${seed}/keys/${offer.id}`);
  const count = keyCount(random);
  const imageShare = random.weighted([
    [0, 98.4],
    [0.4, 0.6],
    [1, 1],
  ]);
  return Array.from({ length: count }, () => {
    const isImage = random.chance(imageShare);
    const code = random.code(isImage ? IMAGE_PATTERN : codePattern);
    return { offerId: offer.id, code, kind: isImage ? 'image' : 'text' };
  });
}

function keyCount(random: Random): number {
  const roll = random.unit();
  if (roll < EMPTY_SHARE) return 0;
  if (roll < EMPTY_SHARE + HOT_SHARE) return HOT_KEY_COUNT;
  return Math.min(random.between(1, KEY_COUNT_MAX), random.between(1, KEY_COUNT_MAX));
}
