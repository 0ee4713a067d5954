/** Reports whether anything grew that should not, and whether every response matches the stored data. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from '../../packages/server/test/support/database.ts';
import { freePort } from '../../packages/server/test/support/postgres.ts';
import { postgresIsMissing } from '../faults/cuts/cuts.ts';
import { openRig } from '../faults/rig.ts';
import type { Scenario } from '../faults/scenario.ts';
import { audit } from '../load/audit.ts';
import { runClosed, runOpen } from '../load/loops.ts';
import { Traffic } from '../load/traffic.ts';
import { judgeSamples, openSampler, type Sample, type Sampler } from './samples.ts';
import type { Trend } from './verdict.ts';

const SHARES = {
  page: 30,
  poll: 12,
  product: 14,
  details: 4,
  order: 20,
  repeat: 3,
  keys: 8,
  history: 5,
  token: 2,
  price: 2,
};
const SHOP_SIZE = { products: 2_000, offersEach: 2, stockEach: 20, resellers: 50 };
const SAMPLE_SIZE = { ...SHOP_SIZE, products: 300, resellers: 20 };
/** A limit, so that open connections do not depend on bursts of the load. */
const CONNECTIONS_MAX = 64;
/** Longer than any response may take. */
const TIMEOUT_MS = 60_000;
const CALLERS = 32;
const OUTSTANDING_MAX = 500;
const RESTOCK_INTERVAL_MS = 2_000;

const COOLDOWN_MS = 2_000;

const SETTINGS = {
  // Tokens run out many times in an hour.
  KEYPORT_TOKEN_TTL_SECONDS: '600',
  KEYPORT_IDEMPOTENCY_COOLDOWN_MS: String(COOLDOWN_MS),
};

/** Some followers continue immediately, others wait. */
const FOLLOWER_PAUSES_MS = [0, 0, 2_000, 2_000, 2_000, 2_000, 5_000, 5_000, 5_000, 5_000];

/** A short run shares the machine with other tests. */
function planOf(minutes: number) {
  const seconds = minutes * 60;
  const isShort = minutes < 30;
  return {
    seconds,
    warmUpSeconds: seconds / 6,
    sampleSeconds: minutes < 10 ? 2 : 10,
    measureSeconds: Math.min(60, seconds / 6),
    loadShare: isShort ? 0.2 : 0.7,
    // In a short run, only large growth shows.
    memoryShare: isShort ? 0.5 : 0.1,
    tolerance: isShort ? 4 : 1,
    isShort,
  };
}

export const soak: Scenario = {
  name: 'soak',
  promise:
    'the given number of minutes of all traffic at once (70 % of capacity in an hour): memory, descriptors and sessions stay flat, and every response matches the stored data',
  count: 60,
  obstacle: postgresIsMissing,
  async run({ owner, count: minutes, seed, random, progress, isSample }) {
    const plan = planOf(isSample ? minutes / 2 : minutes);
    const folder = await mkdtemp(join(tmpdir(), 'keyport-soak-'));
    progress(`samples and logs: ${folder}`);
    const metricsPorts = [await freePort(), await freePort()] as const;
    const metricsOf = (port: number) => `http://127.0.0.1:${port}/metrics`;
    const logs = [{ file: join(folder, 'first.log') }, { file: join(folder, 'second.log') }];
    const rig = await openRig({
      owner,
      seed,
      logs,
      settings: SETTINGS,
      nodeSettings: (index) => ({ KEYPORT_METRICS_PORT: String(metricsPorts[index]) }),
      shop: isSample ? SAMPLE_SIZE : SHOP_SIZE,
    });
    const { shop, urls, postgres } = rig;
    // The start may warn about settings.
    const warningsBefore = await Promise.all(logs.map(readLines));
    const traffic = new Traffic({
      shop,
      urls,
      shares: SHARES,
      timeoutMs: TIMEOUT_MS,
      repeatsMax: 0,
      isUndisturbed: true,
      connectionsMax: CONNECTIONS_MAX,
    });
    onEnd(owner, async () => traffic.close());
    const { record } = traffic;
    const act = () => traffic.act(random).catch((error: unknown) => record.problem(String(error)));
    const restocking = setInterval(() => void traffic.restock(random), RESTOCK_INTERVAL_MS);
    onEnd(owner, async () => clearInterval(restocking));
    const capacity = await measureCapacity(act, plan.measureSeconds);
    const loadPerSecond = capacity * plan.loadShare;
    progress(`capacity ${Math.round(capacity)} actions a second, load ${Math.round(loadPerSecond)}`);

    const csv = join(folder, 'samples.csv');
    const metricsUrls = { first: metricsOf(metricsPorts[0]), second: metricsOf(metricsPorts[1]) };
    const sampler = await openSampler(postgres.url, metricsUrls, csv);
    onEnd(owner, () => sampler.close());
    const stop = new AbortController();
    const followers = FOLLOWER_PAUSES_MS.map((pauseMs) => traffic.follow(random, pauseMs, stop.signal));
    const durationMs = plan.seconds * 1000;
    const loading = runOpen({
      perSecond: loadPerSecond,
      durationMs,
      outstandingMax: OUTSTANDING_MAX,
      act,
      signal: stop.signal,
    });
    try {
      await takeSamples(sampler, plan, () => {
        const sample = sampler.samples.at(-1);
        if ((sample?.seconds ?? 0) % 300 < plan.sampleSeconds) progress(JSON.stringify(sample));
        if (urls().length < rig.nodes.length) throw new Error('a node has ended');
      });
    } finally {
      clearInterval(restocking);
      stop.abort();
      const { outstanding } = await loading;
      await Promise.all([...outstanding, ...followers]);
    }
    const { skipped } = await loading;
    if (skipped > 0)
      record.problem(`${skipped} actions found ${OUTSTANDING_MAX} others still without a response`);
    const trends = judgeSamples(sampler.samples, plan);
    for (const problem of problemsIn(sampler.samples, trends)) record.problem(problem);
    for (const [index, log] of logs.entries()) {
      const lines = (await readLines(log)).slice(warningsBefore[index]?.length);
      if (lines.length > 0)
        record.problem(`${lines.length} warnings in ${log.file}: ${lines.slice(0, 5).join('\n')}`);
    }
    const report = {
      capacityPerSecond: Math.round(capacity),
      loadPerSecond: Math.round(loadPerSecond),
      ...record.summary(),
      trends,
    };
    await sleep(COOLDOWN_MS);
    try {
      const audited = await audit({ record, shop, urls: urls(), databaseUrl: postgres.url });
      if (plan.isShort) onEnd(owner, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
      return { ...report, ...audited };
    } finally {
      const { problems } = record;
      await writeFile(
        join(folder, 'report.json'),
        `${JSON.stringify({ ...report, problems }, undefined, 2)}\n`,
      );
    }
  },
};

async function readLines({ file }: { readonly file: string }): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}

async function takeSamples(
  sampler: Sampler,
  { seconds, sampleSeconds }: { readonly seconds: number; readonly sampleSeconds: number },
  onSample: () => void,
): Promise<void> {
  const startedAtMs = performance.now();
  const elapsed = () => (performance.now() - startedAtMs) / 1000;
  for (let at = sampleSeconds; at <= seconds; at += sampleSeconds) {
    await sleep(Math.max(0, (at - elapsed()) * 1000));
    await sampler.take(Math.round(elapsed()));
    onSample();
  }
}

function problemsIn(samples: readonly Sample[], trends: Readonly<Record<string, Trend>>): string[] {
  const deadlocks = samples.at(-1)?.['deadlocks'] ?? 0;
  const grown = Object.entries(trends)
    .filter(([, { isFlat }]) => !isFlat)
    .map(([metric, { first, last }]) => `${metric} grew from ${first.toFixed(1)} to ${last.toFixed(1)}`);
  return deadlocks > 0 ? [`the database has counted ${deadlocks} deadlocks`, ...grown] : grown;
}

/** The first third of the time is not counted. */
async function measureCapacity(act: () => Promise<void>, seconds: number): Promise<number> {
  const startedAtMs = performance.now();
  const countFromMs = startedAtMs + (seconds * 1000) / 3;
  const endsAtMs = startedAtMs + seconds * 1000;
  let done = 0;
  await runClosed(
    CALLERS,
    () => performance.now() < endsAtMs,
    async () => {
      await act();
      if (performance.now() > countFromMs) done += 1;
    },
  );
  return done / ((performance.now() - countFromMs) / 1000);
}
