/**
 * Sends three times as many requests as can be served, from callers who do not wait. Measures how many are
 * served, how fast, and how fast the others are rejected.
 */
import { availableParallelism } from 'node:os';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { type LoadResult, type OpenLoadResult, type ResponseTimes, runOpenLoad } from '../load.ts';
import { processorMsOf } from '../processor-time.ts';
import { median } from '../report.ts';
import { type OrderShop, openOrderShop } from './order-shop.ts';

const ROUNDS = 3;
const PEAK_ROUND_MS = 3000;
const ROUND_MS = 5000;

/** The load of a busy day as a share of the peak. */
const NORMAL_SHARE = 0.7;
const OVERLOAD = 3;

type Kind = {
  readonly name: string;
  readonly status: number;
  readonly nextRequest: (shop: OrderShop) => string;
  /** The throughput with callers who wait. */
  readonly peak: (shop: OrderShop) => Promise<LoadResult>;
};

const KINDS: readonly Kind[] = [
  {
    name: 'orders',
    status: 201,
    nextRequest: (shop) => shop.orderRequest(),
    peak: (shop) => shop.order(256, PEAK_ROUND_MS),
  },
  {
    name: 'pages of 20',
    status: 200,
    nextRequest: (shop) => shop.pageRequest(),
    peak: (shop) => shop.read(PEAK_ROUND_MS),
  },
];

export async function benchOverload(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const shop = await openOrderShop({ databaseUrl: postgres.url });
  try {
    for (const kind of KINDS) await overload(shop, kind, postgres.pid());
  } finally {
    await shop.stop();
    await postgres.stop();
  }
}

async function overload(shop: OrderShop, kind: Kind, databasePid: number): Promise<void> {
  const served = (result: OpenLoadResult) => result.byStatus.get(kind.status);
  const goodputs: number[] = [];
  const slowdowns: number[] = [];
  const rejections: number[] = [];
  await kind.peak(shop);
  for (let round = 0; round < ROUNDS; round += 1) {
    const peak = (await kind.peak(shop)).requestsPerSecond;
    const run = (share: number) =>
      runOpenLoad({
        port: shop.port(),
        requestsPerSecond: peak * share,
        durationMs: ROUND_MS,
        nextRequest: () => kind.nextRequest(shop),
      });
    console.log(`${kind.name}: ${Math.round(peak)}/s with callers who wait (the peak)`);
    const normal = await run(NORMAL_SHARE);
    describe(`${NORMAL_SHARE} of the peak`, normal);
    const { result: over, processors } = await withProcessors(shop, databasePid, () => run(OVERLOAD));
    describe(`${OVERLOAD} times the peak`, over);
    console.log(`    ${processors}`);
    const refused = over.byStatus.get(503);
    goodputs.push((served(over)?.perSecond ?? 0) / peak);
    slowdowns.push((served(over)?.p99Ms ?? Number.NaN) / (served(normal)?.p99Ms ?? Number.NaN));
    if (refused !== undefined) rejections.push(refused.p99Ms);
  }
  console.log(
    `${kind.name}, medians of ${ROUNDS} rounds; resident set ${(await shop.residentMb()).toFixed(0)} MB`,
  );
  console.log(
    `  served at ${OVERLOAD} times the peak: ${median(goodputs).toFixed(2)} of it (goal: at least 0.9)`,
  );
  console.log(
    `  p99 of served requests, against ${NORMAL_SHARE} of the peak: ${median(slowdowns).toFixed(2)} (goal: at most 2)`,
  );
  console.log(
    rejections.length === 0
      ? '  no rejections: requests without a free connection wait at the caller\n'
      : `  p99 of rejections: ${median(rejections).toFixed(0)} ms (goal: below 50)\n`,
  );
}

/** Also prints the processor share of each process, including the load generator. */
async function withProcessors<Result>(
  shop: OrderShop,
  databasePid: number,
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly processors: string }> {
  const usage = async () => [
    await processorMsOf(shop.node().process.pid ?? 0),
    await processorMsOf(databasePid),
    (process.cpuUsage().user + process.cpuUsage().system) / 1000,
    performance.now(),
  ];
  const before = await usage();
  const result = await run();
  const [service = 0, database = 0, generator = 0, passed = 0] = (await usage()).map(
    (after, index) => after - (before[index] ?? 0),
  );
  const share = (ms: number) => (ms / passed).toFixed(2);
  const processors = `processors: the service ${share(service)}, PostgreSQL ${share(database)}, the load generator ${share(generator)} of ${availableParallelism()}`;
  return { result, processors };
}

function describe(name: string, result: OpenLoadResult): void {
  const { sentPerSecond, unsent, latenessP99Ms } = result;
  console.log(
    `  ${name}: ${Math.round(sentPerSecond)} requests/s, sent at most ${latenessP99Ms.toFixed(1)} ms late (p99)${unsent > 0 ? `, ${unsent} found no connection` : ''}`,
  );
  for (const [status, responses] of [...result.byStatus].sort()) describeResponses(status, responses);
}

function describeResponses(status: number | 'lost', { perSecond, p50Ms, p99Ms, maxMs }: ResponseTimes): void {
  console.log(
    `    ${status} ${String(Math.round(perSecond)).padStart(7)}/s  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  max ${maxMs.toFixed(0)} ms`,
  );
}
