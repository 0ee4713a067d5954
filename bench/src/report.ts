export type LoadResult = { readonly requestsPerSecond: number; readonly p99Ms: number };

/** Returns a function from a share (0.99: p99) to the value below which that share lies; 0 without values. */
export function quantiles(values: readonly number[]): (share: number) => number {
  const inOrder = values.toSorted((left, right) => left - right);
  return (share) => inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0;
}

export function median(values: readonly number[]): number {
  return quantiles(values)(0.5);
}

type Limit = { readonly atLeast: number } | { readonly atMost: number };

/** Prints a figure beside its demand. A missed demand makes the process fail. */
export function demand(name: string, figure: number, limit: Limit, unit = ''): void {
  const isMet = 'atLeast' in limit ? figure >= limit.atLeast : figure <= limit.atMost;
  if (!isMet) process.exitCode = 1;
  const wanted = 'atLeast' in limit ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`;
  const shown = `${figure < 10 ? figure.toFixed(2) : Math.round(figure)}${unit}`;
  console.log(`${isMet ? '      ' : 'MISSED'} ${name.padEnd(58)} ${shown.padStart(10)} (${wanted})`);
}

/** Compares rates. Both sides alternate, so that a machine whose speed drifts affects both. */
export async function demandRatio(
  name: string,
  atLeast: number,
  run: {
    readonly rounds: number;
    readonly ours: () => Promise<LoadResult>;
    readonly baseline: () => Promise<LoadResult>;
  },
): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round < run.rounds; round += 1) {
    const baseline = await run.baseline();
    const ours = await run.ours();
    ratios.push(ours.requestsPerSecond / baseline.requestsPerSecond);
    const rates = [ours, baseline].map(({ requestsPerSecond }) => `${Math.round(requestsPerSecond)}/s`);
    console.log(`         ${name}: ${rates.join(' against ')}, p99 ${ours.p99Ms.toFixed(1)} ms`);
  }
  demand(name, median(ratios), { atLeast });
}
