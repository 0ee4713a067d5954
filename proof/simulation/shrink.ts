/** Leaves out ever smaller pieces while the rest still fails. */
import type { Operation } from './operation.ts';
import { runSimulation } from './simulation.ts';

/** Each attempt is a new run, so shrinking has a time limit. */
const TIME_MAX_MS = 120_000;

/** The last of `places` failed. Any failure counts as the same one. */
export async function shrink(run: {
  readonly seed: string;
  readonly operations: readonly Operation[];
  readonly places: readonly number[];
  readonly dump: Uint8Array<ArrayBuffer>;
}): Promise<readonly number[]> {
  const endsAt = performance.now() + TIME_MAX_MS;
  let kept = run.places;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = Math.max(0, kept.length - size); start >= 0; start -= size) {
      if (performance.now() > endsAt) return kept;
      const rest = [...kept.slice(0, start), ...kept.slice(start + size)];
      if (rest.length < kept.length && rest.length > 0 && (await fails(run, rest))) kept = rest;
    }
  }
  return kept;
}

async function fails(run: Parameters<typeof shrink>[0], places: readonly number[]): Promise<boolean> {
  const operations = places.flatMap((place) => run.operations[place] ?? []);
  const { failure } = await runSimulation({ seed: run.seed, operations, dump: run.dump });
  return failure !== undefined;
}
