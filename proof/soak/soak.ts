/** Reports whether memory, descriptors or sessions grew, and whether every response matches the stored data. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../packages/server/test/support/postgres.ts';
import { askDatabase } from '../faults/database/admin-session.ts';
import { openRig } from '../faults/rig.ts';
import type { Scenario } from '../faults/scenario.ts';

const SHARES = {
  page: 30,
  poll: 12,
  product: 14,
  details: 4,
  order: 20,
  repeat: 3,
  keys: 8,
  history: 5,
  events: 4,
  token: 2,
  price: 2,
};
const SHOP_SIZE = { products: 300, offersEach: 2, stockEach: 20, resellers: 20, poorOneIn: 4 };
const CALLERS = 16;
const PAUSE_MS = 100;
/** Longer than any response may take. */
const TIMEOUT_MS = 60_000;
const SAMPLE_MINUTES = 0.5;
const SAMPLES = 120;

/** `noise` may be added in any case, because memory rises and falls between two collections. */
const NODE_METRICS = {
  rssMb: { metric: 'process_resident_memory_bytes', divisor: 1_048_576, noise: 64 },
  heapMb: { metric: 'nodejs_heap_size_used_bytes', divisor: 1_048_576, noise: 48 },
  fds: { metric: 'process_open_fds', divisor: 1, noise: 40 },
} as const;
const SESSIONS_NOISE = 12;
/** A short run sees caches fill. */
const GROWTH_MAX = { short: 0.5, long: 0.1 };

type Sample = Readonly<Record<string, number>>;

export const soak: Scenario = {
  name: 'soak',
  promise:
    'the given number of minutes of all traffic at once: memory, descriptors and sessions stay flat, and every response matches the stored data',
  count: 60,
  async run({ owner, count, seed, progress, isSample }) {
    const minutes = isSample ? SAMPLE_MINUTES : count;
    const ports = [await freePort(), await freePort()];
    const rig = await openRig({
      owner,
      seed,
      // Tokens run out many times in an hour.
      settings: { KEYPORT_TOKEN_TTL_SECONDS: '600' },
      nodeSettings: (index) => ({ KEYPORT_METRICS_PORT: String(ports[index]) }),
      shop: SHOP_SIZE,
    });
    const load = rig.startLoad({
      shares: SHARES,
      callerCount: CALLERS,
      timeoutMs: TIMEOUT_MS,
      mayTokensExpire: true,
      pauseMs: PAUSE_MS,
    });
    const samples: Sample[] = [];
    for (let index = 0; index < SAMPLES; index += 1) {
      await sleep((minutes * 60_000) / SAMPLES);
      assert.equal(rig.urls().length, rig.nodes.length, 'no node has ended');
      samples.push(await takeSample(ports, rig.postgres.url));
      if (index % 10 === 0) progress(JSON.stringify(samples.at(-1)));
    }
    const audited = await rig.audit(load);
    // A busy machine may cause 503, which callers retry.
    const faults = Object.keys(load.record.counts).filter((name) => name.endsWith(' 500'));
    assert.deepEqual(faults, []);
    const growth = measureGrowth(samples);
    for (const [name, { before, after, noise }] of Object.entries(growth)) {
      const most = before + Math.max(noise, before * (isSample ? GROWTH_MAX.short : GROWTH_MAX.long));
      assert.ok(after <= most, `${name} grew from ${before.toFixed(1)} to ${after.toFixed(1)}`);
    }
    return { growth, ...audited, ...load.record.summary() };
  },
};

async function takeSample(ports: readonly number[], databaseUrl: string): Promise<Sample> {
  const { sessions } = await askDatabase(
    databaseUrl,
    `SELECT count(*)::int AS sessions FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  );
  const sample: Record<string, number> = { sessions };
  for (const [index, port] of ports.entries()) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    for (const [name, { metric, divisor }] of Object.entries(NODE_METRICS)) {
      const value = new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1];
      assert.ok(value !== undefined, `/metrics has ${metric}`);
      sample[`node ${index} ${name}`] = Number(value) / divisor;
    }
  }
  return sample;
}

/** Compares the medians of the second and the last quarter: the first one warms up. */
function measureGrowth(samples: readonly Sample[]) {
  const quarter = samples.length / 4;
  return Object.fromEntries(
    Object.keys(samples[0] ?? {}).map((name) => {
      const medianFrom = (start: number) => {
        const values = samples.slice(start, start + quarter).map((sample) => sample[name] ?? Number.NaN);
        return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
      };
      const metric = Object.entries(NODE_METRICS).find(([short]) => name.endsWith(short))?.[1];
      const noise = metric?.noise ?? SESSIONS_NOISE;
      return [name, { before: medianFrom(quarter), after: medianFrom(3 * quarter), noise }];
    }),
  );
}
