/**
 * A load generator that does not wait: requests are sent at a fixed rate whatever becomes of those before, as a crowd of
 * callers does. Each takes a connection that is free, so that a slow answer delays no other request.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readResponses } from './load.ts';
import { quantiles } from './quantiles.ts';

export type OpenLoad = {
  readonly port: number;
  readonly requestsPerSecond: number;
  readonly durationMs: number;
  /** The next request as it goes over the wire. */
  readonly nextRequest: () => string;
};

/** Answers of one status, times from the moment at which a request was sent. */
export type ResponseTimes = {
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

export type OpenLoadResult = {
  readonly sentPerSecond: number;
  /** Requests by the status of their response; `lost`: the connection ended without one, or none came in time. */
  readonly byStatus: ReadonlyMap<number | 'lost', ResponseTimes>;
  /** Found no connection free: they would have waited at the caller, or at a balancer in front. */
  readonly unsent: number;
  /** How much later than its moment a request was sent, p99: the generator itself had no processor. */
  readonly latenessP99Ms: number;
};

/** Open before the first request, as those of callers who have been here before. */
const CONNECTIONS = 2000;

/** What has not come by then is lost. */
const PATIENCE_MS = 10_000;

type Lane = { readonly socket: Socket; sentAt: number; isWaiting: boolean };

/** Sends for the given time, then waits for the responses that are still to come. */
export async function runOpenLoad({
  port,
  requestsPerSecond,
  durationMs,
  nextRequest,
}: OpenLoad): Promise<OpenLoadResult> {
  const free: Lane[] = [];
  const open = new Set<Lane>();
  const times = new Map<number | 'lost', number[]>();
  const lateness: number[] = [];
  let unsent = 0;
  let sent = 0;
  let answeredAt = 0;

  const count = (what: number | 'lost', lane: Lane) => {
    lane.isWaiting = false;
    const list = times.get(what) ?? [];
    times.set(what, list);
    list.push(performance.now() - lane.sentAt);
  };
  const openLane = (): Lane => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const lane: Lane = { socket, sentAt: 0, isWaiting: false };
    open.add(lane);
    readResponses(socket, (status) => {
      count(status, lane);
      answeredAt = performance.now();
      free.push(lane);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(lane);
      if (lane.isWaiting) count('lost', lane);
    });
    return lane;
  };
  const takeLane = (): Lane | undefined => {
    for (let lane = free.pop(); lane !== undefined; lane = free.pop()) if (lane.socket.writable) return lane;
    return open.size < CONNECTIONS ? openLane() : undefined;
  };

  while (free.length < CONNECTIONS) {
    const lane = openLane();
    await once(lane.socket, 'connect');
    free.push(lane);
  }
  const startedAt = performance.now();
  for (let due = 0; due < (durationMs / 1000) * requestsPerSecond; ) {
    const elapsedMs = performance.now() - startedAt;
    const dueByNow = Math.min(elapsedMs, durationMs) * (requestsPerSecond / 1000);
    for (; due < dueByNow; due += 1) {
      const lane = takeLane();
      if (lane === undefined) {
        unsent += 1;
        continue;
      }
      lane.sentAt = performance.now();
      lane.isWaiting = true;
      lane.socket.write(nextRequest());
      lateness.push(lane.sentAt - startedAt - (due / requestsPerSecond) * 1000);
      sent += 1;
    }
    await sleep(1);
  }
  const sendingSeconds = (performance.now() - startedAt) / 1000;
  const deadlineAt = performance.now() + PATIENCE_MS;
  while ([...open].some(({ isWaiting }) => isWaiting) && performance.now() < deadlineAt) await sleep(20);
  for (const { socket } of open) socket.destroy();
  while (open.size > 0) await sleep(1);

  // What came after the last request counts with its time.
  const seconds = Math.max(sendingSeconds, (answeredAt - startedAt) / 1000);
  return {
    sentPerSecond: sent / sendingSeconds,
    byStatus: new Map([...times].map(([status, list]) => [status, summarize(list, seconds)])),
    unsent,
    latenessP99Ms: quantiles(lateness)(0.99),
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
