import { setTimeout as sleep } from 'node:timers/promises';
import { Connections } from '@keyport/proof/load/http';
import { runClosed } from '@keyport/proof/load/loops';
import { type LoadResult, quantiles } from './report.ts';

export type Load = {
  readonly port: number;
  readonly connectionCount: number;
  readonly durationMs: number;
  readonly pauseMs?: number;
  /** Every response must have it. */
  readonly status: number;
  readonly nextRequest: () => Buffer | string;
};

/** Keeps every connection busy for the given time. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { port, connectionCount, durationMs, pauseMs, nextRequest } = load;
  const connections = new Connections();
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  await runClosed(
    connectionCount,
    () => performance.now() < endsAt || latencies.length < connectionCount,
    async () => {
      const sentAt = performance.now();
      const response = await connections.send(port, nextRequest());
      if (response.status !== load.status) throw new Error(`${response.status}: ${response.text()}`);
      latencies.push(performance.now() - sentAt);
      if (pauseMs !== undefined) await sleep(pauseMs);
    },
  );
  connections.close();
  return summarize(latencies, startedAt);
}

export function summarize(latencies: readonly number[], startedAt: number): LoadResult {
  const seconds = (performance.now() - startedAt) / 1000;
  return { requestsPerSecond: latencies.length / seconds, p99Ms: quantiles(latencies)(0.99) };
}
