/**
 * Writes to every database node directly, bypassing HAProxy: a client that still reaches a replaced leader must
 * get no acknowledgement.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, DatabaseNode } from '../../../deploy/cluster/cluster.ts';
import { queryKeyport } from './cluster-query.ts';

const PAUSE_MS = 50;

export type Acknowledgement = { readonly node: string; readonly number: number; readonly atMs: number };

export type WriteObserver = {
  readonly acknowledged: readonly Acknowledgement[];
  readonly refusedCount: number;
  /** Returns the acknowledged writes that the current leader does not have. */
  stop(): Promise<readonly Acknowledgement[]>;
};

export async function observeWrites(cluster: Cluster): Promise<WriteObserver> {
  const acknowledged: Acknowledgement[] = [];
  let refusedCount = 0;
  let lastNumber = 0;
  let isStopping = false;
  await queryKeyport(cluster, undefined, 'CREATE TABLE IF NOT EXISTS observed (number bigint PRIMARY KEY)');

  async function watch(node: DatabaseNode): Promise<void> {
    while (!isStopping) {
      lastNumber += 1;
      const number = lastNumber;
      try {
        await queryKeyport(cluster, node, `INSERT INTO observed VALUES (${number})`);
        acknowledged.push({ node: node.name, number, atMs: performance.now() });
      } catch {
        refusedCount += 1;
      }
      await sleep(PAUSE_MS);
    }
  }

  const running = Promise.all(cluster.databases.map(watch));
  return {
    acknowledged,
    get refusedCount() {
      return refusedCount;
    },
    async stop() {
      isStopping = true;
      await running;
      const rows = await queryKeyport(cluster, undefined, 'SELECT number::text FROM observed');
      await queryKeyport(cluster, undefined, 'DROP TABLE observed');
      const held = new Set(rows.map((row) => Number(row['number'])));
      return acknowledged.filter(({ number }) => !held.has(number));
    },
  };
}

/** Acknowledgements by a node after another one took over from it. */
export function acknowledgedBeside(acknowledged: readonly Acknowledgement[]): Acknowledgement[] {
  const beside: Acknowledgement[] = [];
  const retired = new Set<string>();
  let leading: string | undefined;
  for (const one of acknowledged.toSorted((a, b) => a.atMs - b.atMs)) {
    if (retired.has(one.node)) beside.push(one);
    else if (leading !== one.node) {
      if (leading !== undefined) retired.add(leading);
      leading = one.node;
    }
  }
  return beside;
}
