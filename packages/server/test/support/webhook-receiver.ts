/** Responds as a test decides. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Owner, onEnd } from './database.ts';

export type ReceivedWebhook = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies
  readonly event: any;
};

export type WebhookReceiver = {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** Sets the response from now on; initially it is 204. */
  respond(respond: (response: ServerResponse, webhook: ReceivedWebhook) => void): void;
  /** Resolves to the first webhook that fits, when it has arrived. */
  waitFor(fits: (webhook: ReceivedWebhook) => boolean, what: string): Promise<ReceivedWebhook>;
};

const WAIT_MAX_MS = 120_000;

export async function startReceiver(owner: Owner): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let respond = (response: ServerResponse, _webhook: ReceivedWebhook) => {
    response.writeHead(204).end();
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const webhook = { path: request.url ?? '', headers: request.headers, text, event: JSON.parse(text) };
    received.push(webhook);
    respond(response, webhook);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(owner, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    respond(other) {
      respond = other;
    },
    waitFor: (fits, what) => waitUntil(async () => received.find(fits), what),
  };
}

export async function waitUntil<Value>(
  look: () => Promise<Value | undefined | false>,
  what: string,
): Promise<Value> {
  const startedAtMs = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() - startedAtMs > WAIT_MAX_MS) throw new Error(`waited in vain for ${what}`);
    await sleep(20);
  }
}
