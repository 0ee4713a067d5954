/**
 * One, two and four nodes on one PostgreSQL with default durability: throughput of orders and of catalogue pages, and the
 * processor time of a request in the nodes and in the database. On a machine with fewer processors than processes the
 * throughput cannot grow with the nodes; the times say what a larger machine would do.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@keyport/server/test/support/postgres';
import type { LoadResult } from './load.ts';
import { openOrderShop } from './order-shop.ts';
import { type Child, readUsage } from './processes.ts';
import { processorMsOf } from './processor-time.ts';
import { median } from './report.ts';
import { startService } from './service.ts';

const NODE_COUNTS = [1, 2, 4] as const;
const ROUNDS = 3;
const ROUND_MS = 4000;
const CALLERS = 256;

type Measured = {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Processor time of a request, milliseconds. */
  readonly nodeMs: number;
  readonly databaseMs: number;
};

export async function benchScaling(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-scaling-'));
  const masterKeyFile = join(folder, 'master.key');
  await writeFile(masterKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const settings = {
    KEYPORT_MASTER_KEY_FILE: masterKeyFile,
    KEYPORT_PUBLIC_URL: 'http://keyport.invalid',
    KEYPORT_VERIFY_INTERVAL_SECONDS: '0',
  };
  const postgres = await startPostgres({ durable: true });
  const place = { databaseUrl: postgres.url };
  const shop = await openOrderShop(place, settings);
  const others: Child[] = [];
  try {
    while (others.length + 1 < Math.max(...NODE_COUNTS)) others.push(await startService(place, settings));
    const nodes = [shop.node(), ...others];
    const measure = async (count: number, run: (nodes: readonly Child[]) => Promise<LoadResult>) => {
      const used = nodes.slice(0, count);
      await Promise.all(used.map(readUsage));
      const databaseBefore = await processorMsOf(postgres.pid());
      const result = await run(used);
      const databaseMs = (await processorMsOf(postgres.pid())) - databaseBefore;
      const usages = await Promise.all(used.map(readUsage));
      const nodeMs = usages.reduce((sum, { processorMs }) => sum + processorMs, 0);
      return perRequest(result, { nodeMs, databaseMs });
    };
    console.log(
      `One, two and four nodes on one PostgreSQL; ${availableParallelism()} processors for everything\n`,
    );
    const orders = (used: readonly Child[]) => shop.order(CALLERS, ROUND_MS, {}, used);
    const pages = (used: readonly Child[]) => shop.read(ROUND_MS, used);
    for (const count of NODE_COUNTS) await measure(count, orders);
    print(`create-order, ${CALLERS} callers`, await alternateCounts((count) => measure(count, orders)));
    print('catalogue pages, 64 readers', await alternateCounts((count) => measure(count, pages)));
  } finally {
    for (const node of others) await node.stop();
    await shop.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function perRequest(
  { requestsPerSecond, p99Ms, statuses }: LoadResult,
  used: { readonly nodeMs: number; readonly databaseMs: number },
): Measured {
  const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return {
    perSecond: requestsPerSecond,
    p99Ms,
    nodeMs: used.nodeMs / requests,
    databaseMs: used.databaseMs / requests,
  };
}

/** All counts in each round, so that a machine whose speed drifts is slow for all. */
async function alternateCounts(
  measure: (count: number) => Promise<Measured>,
): Promise<Map<number, Measured[]>> {
  const results = new Map<number, Measured[]>(NODE_COUNTS.map((count) => [count, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const count of NODE_COUNTS) results.get(count)?.push(await measure(count));
  }
  return results;
}

function print(title: string, results: ReadonlyMap<number, readonly Measured[]>): void {
  console.log(title);
  const alone = results.get(1) ?? [];
  for (const [count, rounds] of results) {
    const of = (pick: (round: Measured) => number) => median(rounds.map(pick));
    const ratio = median(
      rounds.map(({ perSecond }, round) => perSecond / (alone[round]?.perSecond ?? Number.NaN)),
    );
    console.log(
      `  ${count} node${count === 1 ? ' ' : 's'} ${String(Math.round(of((round) => round.perSecond))).padStart(7)}/s  ` +
        `ratio ${ratio.toFixed(2)}  p99 ${of((round) => round.p99Ms).toFixed(1)} ms  processor time of one: ` +
        `nodes ${of((round) => round.nodeMs).toFixed(3)} ms, PostgreSQL ${of((round) => round.databaseMs).toFixed(3)} ms`,
    );
  }
  console.log();
}
