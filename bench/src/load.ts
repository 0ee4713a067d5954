import { setTimeout as sleep } from 'node:timers/promises';
import { Connections } from '@keyport/proof/load/http';
import { runClosed, runOpen } from '@keyport/proof/load/loops';
import { quantiles } from './quantiles.ts';

export type Load = {
  readonly port: number;
  readonly connectionCount: number;
  readonly durationMs: number;
  readonly pauseMs?: number;
  readonly nextRequest: () => Buffer | string;
};

export type LoadResult = {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly statuses: Readonly<Record<number, number>>;
  /** Microseconds per request by process name. */
  readonly processorMicros?: Readonly<Record<string, number>>;
};

/** Keeps every connection busy for the given time. Rejects if a connection ends early. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { port, connectionCount, durationMs, pauseMs, nextRequest } = load;
  const connections = new Connections();
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  await runClosed(
    connectionCount,
    () => performance.now() < endsAt || latencies.length < connectionCount,
    async () => {
      const sentAt = performance.now();
      const { status } = await connections.send(port, nextRequest());
      if (status === 0) throw new Error('a connection ended early');
      statuses[status] = (statuses[status] ?? 0) + 1;
      latencies.push(performance.now() - sentAt);
      if (pauseMs !== undefined) await sleep(pauseMs);
    },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  connections.close();
  const quantile = quantiles(latencies);
  return {
    requestsPerSecond: latencies.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    statuses,
  };
}

export type OpenLoad = {
  readonly port: number;
  readonly requestsPerSecond: number;
  readonly durationMs: number;
  readonly nextRequest: () => string;
};

export type ResponseTimes = {
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

export type OpenLoadResult = {
  readonly sentPerSecond: number;
  /** By response status; `lost`: the connection ended without a response, or none arrived in time. */
  readonly byStatus: ReadonlyMap<number | 'lost', ResponseTimes>;
  /** Requests for which no connection was free: they would have waited in the caller or in a balancer. */
  readonly unsent: number;
  /** How much later than planned a request was sent, p99. */
  readonly latenessP99Ms: number;
};

/** Connections that are open before the first request, like those of regular callers. */
const CONNECTIONS = 2000;

/** A response that takes longer counts as lost. */
const PATIENCE_MS = 10_000;

/** Sends at a fixed rate for the given time, then waits for the outstanding responses. */
export async function runOpenLoad(load: OpenLoad): Promise<OpenLoadResult> {
  const { port, requestsPerSecond: perSecond, durationMs, nextRequest } = load;
  const connections = new Connections();
  await connections.open(port, CONNECTIONS);
  const times = new Map<number | 'lost', number[]>();
  const startedAt = performance.now();
  let lastResponseAt = startedAt;
  const act = async () => {
    const sentAt = performance.now();
    const { status } = await connections.send(port, nextRequest());
    const now = performance.now();
    if (status !== 0) lastResponseAt = now;
    const list = times.get(status || 'lost') ?? [];
    times.set(status || 'lost', list);
    list.push(now - sentAt);
  };
  const loop = await runOpen({ perSecond, durationMs, outstandingMax: CONNECTIONS, act });
  await Promise.race([Promise.all(loop.outstanding), sleep(PATIENCE_MS)]);
  connections.close();
  await Promise.all(loop.outstanding);

  const seconds = Math.max(loop.seconds, (lastResponseAt - startedAt) / 1000);
  return {
    sentPerSecond: loop.begun / loop.seconds,
    byStatus: new Map([...times].map(([status, list]) => [status, summarize(list, seconds)])),
    unsent: loop.skipped,
    latenessP99Ms: quantiles(loop.lateness)(0.99),
  };
}

function summarize(times: readonly number[], seconds: number): ResponseTimes {
  const quantile = quantiles(times);
  return {
    count: times.length,
    perSecond: times.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    maxMs: quantile(1),
  };
}
