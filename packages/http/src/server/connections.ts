import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const UNUSED_CHECK_MS = 10;

export type ConnectionLimits = {
  readonly writeTimeoutMs: number;
  readonly closeTimeoutMs: number;
  readonly firstRequestTimeoutMs: number;
  readonly checkIntervalMs: number;
};

export type Connections = { drain(): Promise<void> };

/** Streamed responses have no time limit while the reader takes bytes. */
const longDownloads = new WeakSet<object>();

export function allowLongDownload(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  longDownloads.add(socket);
  response.once('close', () => longDownloads.delete(socket));
}

export function watchConnections(server: Server, limits: ConnectionLimits): Connections {
  const sockets = new Set<Socket>();
  const waiting = new Map<Socket, { readonly sinceMs: number; readonly sentBytes: number }>();

  const check = setInterval(() => {
    const nowMs = performance.now();
    for (const socket of sockets) {
      if (socket.writableLength === 0) {
        waiting.delete(socket);
        continue;
      }
      const sentBytes = longDownloads.has(socket) ? socket.bytesWritten - socket.writableLength : 0;
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
      // HTTP's own close would cut connections that have sent nothing yet.
      NetServer.prototype.close.call(server);
      for (const socket of sockets) {
        const response = responseInFlight(socket);
        if (response?.headersSent === false) response.setHeader('connection', 'close');
      }
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, limits.closeTimeoutMs);
      server.on('close', () => clearTimeout(cut));
      const untilMs = performance.now() + limits.firstRequestTimeoutMs;
      while (hasUnused() && performance.now() < untilMs) await sleep(UNUSED_CHECK_MS);
    },
  };
}

/** Node's default handler for client errors reads the same private property. */
export function responseInFlight(socket: object): ServerResponse | undefined {
  const response: ServerResponse | null | undefined = Reflect.get(socket, '_httpMessage');
  return response ?? undefined;
}
