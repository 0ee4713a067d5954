import { randomInt } from 'node:crypto';
import type { Owner } from '../../packages/server/test/support/database.ts';
import { createRandom, type Random } from '../../packages/server/test/support/random.ts';

export type Scenario = {
  readonly name: string;
  /** The title of its test. */
  readonly promise: string;
  readonly count: number;
  /** Why it cannot run here. */
  readonly obstacle?: () => string | undefined;
  /** Throws if a promise is violated; its result is printed. */
  run(run: Run): Promise<Report>;
};

export type Run = {
  readonly owner: Owner;
  readonly count: number;
  readonly seed: string;
  readonly random: Random;
  /** A test makes some cuts and requests; a manual run makes all of them. */
  readonly isSample: boolean;
  readonly progress: (text: string) => void;
};

export type Report = Readonly<Record<string, unknown>>;

export function newSeed(): string {
  return String(randomInt(1_000_000));
}

export async function runScenario(
  scenario: Scenario,
  {
    owner,
    count,
    seed,
    isSample = false,
    progress = () => {},
  }: Pick<Run, 'owner' | 'count' | 'seed'> & Partial<Run>,
): Promise<Report> {
  try {
    return await scenario.run({ owner, count, seed, random: createRandom(seed), isSample, progress });
  } catch (cause) {
    const command = `npm run test:proof -- ${scenario.name} --count ${count} --seed ${seed}`;
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    throw new Error(`${command}: ${reason}`, { cause });
  }
}

/** Mostly short. Faults at the same moment each time would find little. */
export function randomDelayMs(random: Random, maxMs: number): number {
  return maxMs * random.unit() ** 2;
}

/** Returns whole milliseconds. */
export function spread(timesMs: readonly number[]): { readonly p50: number; readonly max: number } {
  const sorted = timesMs.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return { p50: at(0.5), max: at(1) };
}
