import { equal } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type Owner, onEnd } from '../support/database.ts';

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> };

export type CollectedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 is an internal span, 2 a server span. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
};

type Export = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
};

export type Collector = {
  readonly url: string;
  readonly spans: CollectedSpan[];
  text(): string;
  readonly requestCount: () => number;
};

/** `respond` replaces the default, which accepts every export. */
export async function startCollector(
  owner: Owner,
  respond?: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Collector> {
  const exports: Export[] = [];
  const spans: CollectedSpan[] = [];
  let requestCount = 0;
  const server = createServer(async (request, response) => {
    requestCount += 1;
    if (respond !== undefined) return respond(request, response);
    equal(`${request.method} ${request.url}`, 'POST /v1/traces');
    const sent = (await json(request)) as Export;
    exports.push(sent);
    spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onEnd(owner, async () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => JSON.stringify(exports),
    requestCount: () => requestCount,
  };
}

export function toAttributes({ attributes }: CollectedSpan): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value['stringValue'] ?? value['intValue']]),
  );
}
