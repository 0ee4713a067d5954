/**
 * Watches the open connections for what no time-out of Node covers: readers that take an answer so slowly that it
 * piles up in memory, and connections that would keep a server from closing. It looks once per interval, so that a
 * request costs nothing.
 */
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLongDownload } from '../replies/downloads.ts';

const UNUSED_CHECK_MS = 10;

export type ConnectionLimits = {
  /** How long an answer may wait in memory for its reader, milliseconds; of a long download, each piece of it. */
  readonly writeTimeoutMs: number;
  /** How long requests in flight have when the server closes, milliseconds. */
  readonly closeTimeoutMs: number;
  /** How long a connection may still send its first request when the server closes, milliseconds. */
  readonly firstRequestTimeoutMs: number;
  readonly checkIntervalMs: number;
};

export type Connections = {
  /**
   * Takes no more connections, lets requests in flight end, asks their callers not to come back on the connection, and
   * cuts the rest in time. Resolves when connections that are idle can be closed.
   */
  drain(): Promise<void>;
};

export function watchConnections(server: Server, limits: ConnectionLimits): Connections {
  const sockets = new Set<Socket>();
  /** Since when a socket has had unsent bytes, milliseconds, and how many a long download had sent by then. */
  const waiting = new Map<Socket, { readonly sinceMs: number; readonly sentBytes: number }>();

  const check = setInterval(() => {
    const nowMs = performance.now();
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        waiting.delete(socket);
        continue;
      }
      const sentBytes = isLongDownload(socket) ? socket.bytesWritten - socket.writableLength : 0;
      const before = waiting.get(socket);
      if (before?.sentBytes !== sentBytes) waiting.set(socket, { sinceMs: nowMs, sentBytes });
      else if (nowMs - before.sinceMs >= limits.writeTimeoutMs) socket.destroy();
    }
  }, limits.checkIntervalMs);
  check.unref();

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      waiting.delete(socket);
    });
  });
  server.on('close', () => clearInterval(check));

  const isUnused = (socket: Socket) => socket.bytesRead === 0;
  const hasUnused = () => [...sockets].some(isUnused);

  return {
    async drain() {
      // Stops listening only: the HTTP server's own close would at once cut connections that have not sent anything yet.
      NetServer.prototype.close.call(server);
      for (const socket of sockets) {
        const response = responseInFlight(socket);
        if (response?.headersSent === false) response.setHeader('connection', 'close');
      }
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, limits.closeTimeoutMs);
      server.on('close', () => clearTimeout(cut));
      // The first request of a new connection may be on its way already.
      const untilMs = performance.now() + limits.firstRequestTimeoutMs;
      while (hasUnused() && performance.now() < untilMs) await sleep(UNUSED_CHECK_MS);
    },
  };
}

/**
 * The response that a connection is working on. Node keeps it on the socket without a public name for it; its own
 * default handler of client errors reads the same property.
 */
export function responseInFlight(socket: object): ServerResponse | undefined {
  const response: ServerResponse | null | undefined = Reflect.get(socket, '_httpMessage');
  return response ?? undefined;
}
