/** A payment provider on its own socket, in one of two dialects, with selectable faults. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Owner, onEnd } from '../database.ts';
import { ProviderBooks } from './books.ts';

export type ProviderRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

/** Responds to one request, or leaves it without a response. */
export type Dialect = (request: ProviderRequest, response: ServerResponse, books: ProviderBooks) => unknown;

export type Provider = {
  readonly url: string;
  readonly books: ProviderBooks;
  readonly openCount: () => number;
  pause(): void;
  resume(): void;
  /** Responds to the waiting requests with this method; others continue waiting. */
  release(method: string): void;
  waitingCount(method: string): number;
  heal(): void;
  /** Connections are rejected until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

export async function startProvider(owner: Owner, dialect: Dialect): Promise<Provider> {
  const books = new ProviderBooks();
  const open = new Set<ServerResponse>();
  let waiting: { readonly method: string; readonly handle: () => unknown }[] | undefined;
  let port = 0;
  let server: Server | undefined;

  const start = async () => {
    server = createServer(async (request, response) => {
      open.add(response);
      response.once('close', () => open.delete(response));
      books.requestCount += 1;
      const { method = '', url = '', headers } = request;
      const body = await text(request).catch(() => undefined);
      if (body === undefined) return;
      const handle = () => dialect({ method, path: url, headers, body }, response, books);
      if (waiting === undefined) handle();
      else waiting.push({ method, handle });
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    closing.close();
    closing.closeAllConnections();
    await once(closing, 'close');
  };

  await start();
  onEnd(owner, stop);
  return {
    url: `http://127.0.0.1:${port}`,
    books,
    openCount: () => open.size,
    pause() {
      waiting ??= [];
    },
    resume() {
      const held = waiting ?? [];
      waiting = undefined;
      for (const { handle } of held) handle();
    },
    release(wanted) {
      const released = waiting?.filter(({ method }) => method === wanted) ?? [];
      waiting = waiting?.filter(({ method }) => method !== wanted);
      for (const { handle } of released) handle();
    },
    waitingCount: (wanted) => waiting?.filter(({ method }) => method === wanted).length ?? 0,
    heal() {
      books.isHealed = true;
    },
    stop,
    start,
  };
}

/** Sends the response twice, as a broken proxy does. */
export function sendTwice(response: ServerResponse, headers: Record<string, string>, body: string): void {
  const head = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) });
  const message = `HTTP/1.1 200 OK\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
  response.socket?.write(message + message);
}
