/**
 * A proxy that loses, delays, duplicates, reorders and garbles requests and responses. The seed repeats its
 * decisions, not the timing.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Owner, onEnd } from '../../server/test/support/database.ts';

type Answer = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};

type Passing = {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly send: () => Promise<Answer>;
  readonly random: () => number;
};

const LATE_MS_MAX = 400;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function pass({ outgoing }: Passing, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers;
  outgoing.writeHead(status, { ...rest, 'content-length': body.length }).end(body);
}

const MISHAPS: Readonly<Record<string, (passing: Passing) => Promise<void>>> = {
  loseRequest: async ({ incoming }) => void incoming.socket.destroy(),
  loseAnswer: async ({ incoming, send }) => {
    await send();
    incoming.socket.destroy();
  },
  /** The request arrives after the caller has given up and sent it again. */
  arriveLate: async ({ incoming, send, random }) => {
    incoming.socket.destroy();
    await wait(random() * LATE_MS_MAX);
    await send();
  },
  answerLate: async (passing) => {
    const answer = await passing.send();
    await wait(passing.random() * LATE_MS_MAX);
    pass(passing, answer);
  },
  double: async (passing) => {
    const answers = await Promise.all([passing.send(), passing.send()]);
    pass(passing, pick(answers, passing.random));
  },
  breakOff: async ({ outgoing, send, random, incoming }) => {
    const { status, headers, body } = await send();
    outgoing.writeHead(status, { ...headers, 'content-length': body.length });
    outgoing.write(body.subarray(0, Math.floor(random() * body.length)), () => incoming.socket.destroy());
  },
  cutShort: async (passing) => {
    const answer = await passing.send();
    pass(passing, {
      ...answer,
      body: answer.body.subarray(0, Math.floor(passing.random() * answer.body.length)),
    });
  },
  garble: async (passing) => {
    const answer = await passing.send();
    const body = Buffer.from(answer.body);
    for (let count = 0; count < 3; count += 1) body[Math.floor(passing.random() * body.length)] = 0xff;
    pass(passing, { ...answer, body });
  },
  garbleHead: async ({ incoming, send }) => {
    await send();
    incoming.socket.end('HTTP/1.1 2\u00000 OK\r\nContent-Le');
  },
  answerHtml: async (passing) => {
    await passing.send();
    const status = pick([200, 500, 502, 504], passing.random);
    pass(passing, { status, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Sorry</h1>') });
  },
};

/** `share` is the fraction of requests that have a mishap. */
export async function startRoughNetwork(
  owner: Owner,
  target: string,
  options: { readonly seed: number; readonly share: number },
) {
  const random = toRandom(options.seed);
  const { hostname, port } = new URL(target);
  const counts: Record<string, number> = {};
  const spoiled = new Set<string>();
  const server = createServer(async (incoming, outgoing) => {
    outgoing.on('error', () => {});
    const body = await buffer(incoming).catch(() => undefined);
    if (body === undefined) return;
    // At most once per order, the request has a token that the service rejects.
    const key = String(incoming.headers['idempotency-key'] ?? '');
    const isSpoiled = key !== '' && !spoiled.has(key) && random() < 0.1;
    if (isSpoiled) spoiled.add(key);
    const send = () => forward(incoming, body, { hostname, port }, isSpoiled);
    const passing = { incoming, outgoing, send, random };
    const names = Object.keys(MISHAPS);
    const name = random() < options.share ? pick(names, random) : 'none';
    counts[name] = (counts[name] ?? 0) + 1;
    const mishap = MISHAPS[name] ?? (async () => pass(passing, await send()));
    await mishap(passing).catch(() => incoming.socket.destroy());
  });
  server.on('connection', (socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onEnd(owner, async () => void server.close().closeAllConnections());
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, counts };
}

function forward(
  { method, url: path, headers }: IncomingMessage,
  body: Buffer,
  to: { readonly hostname: string; readonly port: string },
  isSpoiled: boolean,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = isSpoiled ? { ...headers, authorization: 'Bearer spoiled' } : headers;
    const onwards = request({ ...to, method, path, headers: sent }, (response) => {
      buffer(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answer }),
        reject,
      );
    });
    onwards.once('error', reject).end(body);
  });
}

function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** mulberry32. */
function toRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
