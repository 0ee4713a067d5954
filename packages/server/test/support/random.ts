/**
 * Seeded random numbers for the demo data, the same on every machine and version. Predictable, so never for a
 * secret, a key or an order id.
 */

/** Depends on nothing but its seed. Every call advances the stream. */
export type Random = {
  readonly unit: () => number;
  readonly between: (min: number, max: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
  /** Takes each value with a probability proportional to its weight. */
  readonly weighted: <T>(choices: readonly (readonly [value: T, weight: number])[]) => T;
  readonly shuffled: <T>(list: readonly T[]) => T[];
  readonly uuid: () => string;
  /** Each `?` becomes a letter or digit and each `#` a digit. */
  readonly code: (pattern: string) => string;
};

/** 32 characters, so each carries 5 bits, without those that people confuse (0/O, 1/I). */
const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const DIGITS = '0123456789';

/** Each use needs its own seed (`${seed}/offers`), so that no use shifts the values of another. */
export function createRandom(seed: string): Random {
  const nextWord = createWords(seed);
  const unit = () => nextWord() / 0x1_0000_0000;
  const between = (min: number, max: number) => min + Math.floor(unit() * (max - min + 1));
  const pick = <T>(list: readonly T[]) => elementAt(list, between(0, list.length - 1));
  return {
    unit,
    between,
    pick,
    chance: (probability) => unit() < probability,
    weighted: (choices) => pickWeighted(choices, unit()),
    shuffled: (list) => shuffle(list, between),
    uuid: () => formatUuid(nextWord(), nextWord(), nextWord(), nextWord()),
    code: (pattern) => fillCode(pattern, unit),
  };
}

function elementAt<T>(list: readonly T[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new Error(`no element ${index} in a list of ${list.length}`);
  return element;
}

/** 32-bit words of the generator sfc32, which needs four words of state and a few rounds to mix them. */
function createWords(seed: string): () => number {
  let a = hashText(seed, 0x9e3779b9);
  let b = hashText(seed, 0x85ebca6b);
  let c = hashText(seed, 0xc2b2ae35);
  let counter = 1;
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round += 1) next();
  return next;
}

/** FNV-1a over UTF-16 units, started from a different basis for each word of the state. */
function hashText(text: string, basis: number): number {
  let hash = basis | 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

function pickWeighted<T>(choices: readonly (readonly [value: T, weight: number])[], unit: number): T {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  let rest = unit * total;
  for (const [value, weight] of choices) {
    if (rest < weight) return value;
    rest -= weight;
  }
  return elementAt(choices, choices.length - 1)[0];
}

function shuffle<T>(list: readonly T[], between: Random['between']): T[] {
  const copy = [...list];
  for (let index = copy.length - 1; index > 0; index -= 1) {
    const other = between(0, index);
    const moved = elementAt(copy, index);
    copy[index] = elementAt(copy, other);
    copy[other] = moved;
  }
  return copy;
}

function formatUuid(first: number, second: number, third: number, fourth: number): string {
  const versioned = (second & 0xffff0fff) | 0x4000;
  const varied = (third & 0x3fffffff) | 0x80000000;
  const [one, two, three, four] = [first, versioned, varied, fourth].map(toHex);
  return `${one}-${two?.slice(0, 4)}-${two?.slice(4)}-${three?.slice(0, 4)}-${three?.slice(4)}${four}`;
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

function fillCode(pattern: string, unit: () => number): string {
  let code = '';
  for (const mark of pattern) {
    if (mark === '?') code += CODE_ALPHABET[Math.floor(unit() * CODE_ALPHABET.length)];
    else if (mark === '#') code += DIGITS[Math.floor(unit() * DIGITS.length)];
    else code += mark;
  }
  return code;
}
