/**
 * A load generator that costs little beside what it measures: raw sockets, one request at a time on each, and of a
 * response only the status and the length are read. Runs in a process of its own.
 */
import { connect, type Socket } from 'node:net';
import { quantiles } from './quantiles.ts';

export type Load = {
  /** Connections are dealt out to several in turn. */
  readonly port: number | readonly number[];
  readonly connectionCount: number;
  readonly durationMs: number;
  /** Between a response and the next request of a connection; 0 unless given. */
  readonly pauseMs?: number;
  /** The next request as it goes over the wire. */
  readonly nextRequest: () => Buffer | string;
};

export type LoadResult = {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses by status. */
  readonly statuses: Readonly<Record<number, number>>;
};

const HEADER_END = Buffer.from('\r\n\r\n');

/** Keeps every connection busy for the given time. Rejects when a connection ends early. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const ports = [load.port].flat();
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + load.durationMs;
  await Promise.all(
    Array.from({ length: load.connectionCount }, (_, index) =>
      runConnection(load, ports[index % ports.length] ?? 0, endsAt, (status, latencyMs) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        latencies.push(latencyMs);
      }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const quantile = quantiles(latencies);
  return {
    requestsPerSecond: latencies.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    statuses,
  };
}

function runConnection(
  load: Load,
  port: number,
  endsAt: number,
  onResponse: (status: number, latencyMs: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(load.nextRequest());
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', resolve);
    readResponses(socket, (status) => {
      const now = performance.now();
      onResponse(status, now - sentAt);
      if (now >= endsAt) socket.end();
      else if (load.pauseMs === undefined) send();
      else setTimeout(send, load.pauseMs);
    });
  });
}

/** Calls back with the status of each response once it is whole; only one request at a time may be on the way. */
export function readResponses(socket: Socket, onAnswer: (status: number) => void): void {
  let status = 0;
  /** Bytes of the body that are still to come; -1 while the head is incomplete. */
  let missing = -1;
  let head: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    if (missing >= 0) missing -= chunk.length;
    else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(HEADER_END);
      if (end === -1) return;
      const text = head.toString('latin1', 0, end).toLowerCase();
      status = Number(text.slice(9, 12));
      missing =
        Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0) - (head.length - end - HEADER_END.length);
      head = Buffer.alloc(0);
    }
    if (missing > 0) return;
    missing = -1;
    onAnswer(status);
  });
}
