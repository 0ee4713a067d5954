/** Prints ratios against a baseline of the same run. */
import type { LoadResult } from './load.ts';
import { quantiles } from './quantiles.ts';

export type Rounds = { readonly ours: LoadResult[]; readonly baseline: LoadResult[] };

/** Alternates, so that a machine whose speed drifts affects both. */
export async function alternate(
  rounds: number,
  run: { readonly ours: () => Promise<LoadResult>; readonly baseline: () => Promise<LoadResult> },
): Promise<Rounds> {
  const results: Rounds = { ours: [], baseline: [] };
  for (let round = 0; round < rounds; round += 1) {
    results.baseline.push(await run.baseline());
    results.ours.push(await run.ours());
  }
  return results;
}

export function median(values: readonly number[]): number {
  return quantiles(values)(0.5);
}

function describe(name: string, results: readonly LoadResult[]): string {
  const of = (pick: (result: LoadResult) => number) => median(results.map(pick));
  const rate = Math.round(of((result) => result.requestsPerSecond));
  const statuses = results.map((result) => JSON.stringify(result.statuses)).at(-1);
  const processes = Object.keys(results.at(-1)?.processorMicros ?? {});
  const costs = processes.map(
    (each) => `  ${each} ${of(({ processorMicros }) => processorMicros?.[each] ?? 0).toFixed(1)} µs`,
  );
  return `  ${name.padEnd(28)} ${String(rate).padStart(7)}/s  p50 ${of((result) => result.p50Ms).toFixed(2)} ms  p99 ${of((result) => result.p99Ms).toFixed(2)} ms  ${statuses}${costs.join('')}`;
}

export function report(
  title: string,
  names: { ours: string; baseline: string },
  rounds: Rounds,
  goal: number,
): void {
  const ratios = rounds.ours.map(
    (result, index) => result.requestsPerSecond / (rounds.baseline[index]?.requestsPerSecond ?? Number.NaN),
  );
  console.log(`${title}\n${describe(names.baseline, rounds.baseline)}\n${describe(names.ours, rounds.ours)}`);
  const all = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
  console.log(`  ratio ${median(ratios).toFixed(2)} (goal ${goal}; rounds: ${all})\n`);
}

/** Prints median times, and the median of the pairs' ratios. */
export function reportTimes(name: string, rounds: Rounds, goal: number): void {
  const ratios = rounds.ours.map(
    (result, index) => result.p50Ms / (rounds.baseline[index]?.p50Ms ?? Number.NaN),
  );
  const time = (results: readonly LoadResult[]) => median(results.map((result) => result.p50Ms)).toFixed(2);
  console.log(
    `  ${name.padEnd(64)} ${time(rounds.ours)} ms against ${time(rounds.baseline)} ms: ${median(ratios).toFixed(2)} (goal: at most ${goal})`,
  );
}

/** Prints the median of our result as a share of the baseline's. */
export function reportLimit(
  name: string,
  rounds: Rounds,
  pick: (result: LoadResult) => number,
  goal: number,
): void {
  const ratios = rounds.ours.map((result, index) => {
    const other = rounds.baseline[index];
    return other === undefined ? Number.NaN : pick(result) / pick(other);
  });
  console.log(`  ${name}: ${median(ratios).toFixed(2)} of the baseline's (goal: below ${goal})\n`);
}
