import { appendFile, writeFile } from 'node:fs/promises';
import { Client } from 'pg';
import { type Allowance, judge, type Trend } from './verdict.ts';

const MEGABYTE = 1_048_576;

const NODE_METRICS = {
  rssMb: { metric: 'process_resident_memory_bytes', divisor: MEGABYTE },
  heapMb: { metric: 'nodejs_heap_size_used_bytes', divisor: MEGABYTE },
  externalMb: { metric: 'nodejs_external_memory_bytes', divisor: MEGABYTE },
  fds: { metric: 'process_open_fds', divisor: 1 },
  lagP99Ms: { metric: 'nodejs_eventloop_lag_p99_seconds', divisor: 0.001 },
} as const;

const DATABASE_METRICS = `
  SELECT count(*) FILTER (WHERE backend_type = 'client backend') AS sessions,
    coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) AS "oldestTransactionS",
    pg_database_size(current_database()) / 1048576 AS "databaseMb",
    (SELECT sum(deadlocks) FROM pg_stat_database) AS deadlocks
  FROM pg_stat_activity WHERE pid <> pg_backend_pid()`;

export type Sample = Readonly<Record<string, number>> & { readonly seconds: number };

/** The database grows with its orders and has no limit. */
const JUDGED: readonly { readonly metric: RegExp; readonly atLeast: number; readonly isMemory: boolean }[] = [
  { metric: /\.rssMb$/, atLeast: 16, isMemory: true },
  { metric: /\.heapMb$/, atLeast: 12, isMemory: true },
  // Buffers wait for a garbage collection.
  { metric: /\.externalMb$/, atLeast: 16, isMemory: true },
  { metric: /\.fds$/, atLeast: 10, isMemory: false },
  { metric: /\.lagP99Ms$/, atLeast: 50, isMemory: false },
  { metric: /^sessions$/, atLeast: 3, isMemory: false },
  { metric: /^oldestTransactionS$/, atLeast: 15, isMemory: false },
];

export type Sampler = {
  readonly samples: readonly Sample[];
  take(seconds: number): Promise<void>;
  close(): Promise<void>;
};

/** The keys of `metricsUrls` are the nodes' names. */
export async function openSampler(
  databaseUrl: string,
  metricsUrls: Readonly<Record<string, string>>,
  file: string,
): Promise<Sampler> {
  const database = new Client({ connectionString: databaseUrl, application_name: 'soak' });
  await database.connect();
  const samples: Sample[] = [];
  return {
    samples,
    async take(seconds) {
      const ofNodes = await Promise.all(Object.entries(metricsUrls).map(readNode));
      const { rows } = await database.query(DATABASE_METRICS);
      const ofDatabase = Object.entries(rows[0]).map(([name, value]) => [name, Number(value)] as const);
      const sample: Sample = { seconds, ...Object.fromEntries([...ofNodes.flat(), ...ofDatabase]) };
      if (samples.length === 0) await writeFile(file, `${Object.keys(sample).join(',')}\n`);
      samples.push(sample);
      await appendFile(file, `${Object.values(sample).map(rounded).join(',')}\n`);
    },
    close: () => database.end(),
  };
}

async function readNode([name, metricsUrl]: readonly [string, string]): Promise<
  (readonly [string, number])[]
> {
  const text = await (await fetch(metricsUrl)).text();
  return Object.entries(NODE_METRICS).map(([short, { metric, divisor }]) => {
    const value = new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`/metrics has no ${metric}`);
    return [`${name}.${short}`, Number(value) / divisor] as const;
  });
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** `memoryShare`: the share by which memory may grow; `tolerance`: a factor on the other limits. */
export function judgeSamples(
  samples: readonly Sample[],
  options: { readonly warmUpSeconds: number; readonly memoryShare: number; readonly tolerance: number },
): Record<string, Trend> {
  const warm = samples.filter(({ seconds }) => seconds >= options.warmUpSeconds);
  const trends: Record<string, Trend> = {};
  for (const metric of Object.keys(samples[0] ?? {})) {
    const judged = JUDGED.find((one) => one.metric.test(metric));
    if (judged === undefined) continue;
    const allowance: Allowance = {
      share: judged.isMemory ? options.memoryShare : 0,
      atLeast: judged.atLeast * options.tolerance,
    };
    const points = warm.map((sample) => ({ seconds: sample.seconds, value: sample[metric] ?? Number.NaN }));
    trends[metric] = judge(points, allowance);
  }
  return trends;
}
