/**
 * Measures catalogue reads with tokens over real sockets, against a bare node:http server that sends the same bytes; the start
 * and memory of a million products; and when a change of another process is visible.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDateTime } from '@keyport/core/date-time';
import { toWire } from '@keyport/proof/load/http';
import { toPort } from '@keyport/proof/load/operator';
import { fillCatalogue, openReseller } from '@keyport/proof/load/shop';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { seedCatalogue } from './catalogue-seed.ts';
import type { Committed, WriterOrder } from './catalogue-writer.ts';
import { runLoad } from './load.ts';
import { demand, demandRatio, type LoadResult, quantiles } from './report.ts';
import { type Child, startChild, startService, toResidentMb } from './service.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const IMPORTED = 200_000;
const ROUNDS = 5;
const ROUND_MS = 2000;
const CHANGES_PER_SECOND = 5000;
const CHANGED_FOR_MS = 15_000;

type Start = () => Promise<Child>;

export async function benchCatalogue(large = LARGE): Promise<void> {
  await withDatabase(async (databaseUrl, start, token) => {
    await seedCatalogue(databaseUrl, 0, SMALL);
    const small = await start();
    await comparePages(small, { token, products: SMALL, name: 'seeded', atLeast: 0.5 });
    await small.stop();

    await seedCatalogue(databaseUrl, SMALL, large);
    const startedAtMs = performance.now();
    const first = await start();
    const seconds = (performance.now() - startedAtMs) / 1000;
    const nodes = [first];
    try {
      await checkIsWhole(first, token, large);
      demand(`${large} products: ready after the start`, seconds, { atMost: 20 }, ' s');
      demand(`${large} products: resident set`, await toResidentMb(first), { atMost: 2500 }, ' MB');
      nodes.push(await start());
      await measureChanges(nodes, { databaseUrl, token, products: large });
    } finally {
      for (const node of nodes) await node.stop();
    }
  });
}

/** Reads pages of products that were imported while the service ran. */
export async function benchImported(products = IMPORTED): Promise<void> {
  await withDatabase(async (_databaseUrl, start, token) => {
    const service = await start();
    try {
      await fillCatalogue(service.url, { products, offersEach: 1, stockEach: 1 });
      await comparePages(service, { token, products, name: 'imported while serving', atLeast: 0.4 });
    } finally {
      await service.stop();
    }
  });
}

async function withDatabase(work: (databaseUrl: string, start: Start, token: string) => Promise<void>) {
  const postgres = await startPostgres({ durable: true });
  // A restarted service must open the secrets of the first one.
  const folder = await mkdtemp(join(tmpdir(), 'keyport-bench-'));
  const start = () =>
    startService(postgres.url, {
      KEYPORT_DATA_DIR: folder,
      KEYPORT_TOKEN_TTL_SECONDS: '36000',
      // Tokens name it as their issuer, and a restarted service has another port.
      KEYPORT_PUBLIC_URL: 'https://keyport.invalid',
    });
  try {
    const first = await start();
    const { token } = await openReseller(first.url);
    await first.stop();
    await work(postgres.url, start, token);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

async function read(service: Child, token: string, path: string): Promise<Response> {
  const response = await fetch(service.url + path, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  });
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return response;
}

/** The node may still be loading the last writes. */
async function checkIsWhole(service: Child, token: string, products: number): Promise<void> {
  for (const startedAtMs = performance.now(); ; await sleep(500)) {
    const { meta } = await (await read(service, token, '/export/v1/product-offers')).json();
    if (meta.totalResults === products) return;
    if (performance.now() - startedAtMs > 60_000) throw new Error(`only ${meta.totalResults} products`);
  }
}

function randomPage(products: number): string {
  return `/export/v1/product-offers?page=${1 + Math.floor((Math.random() * products) / 20)}&itemsPerPage=20`;
}

async function comparePages(
  service: Child,
  what: {
    readonly token: string;
    readonly products: number;
    readonly name: string;
    readonly atLeast: number;
  },
): Promise<void> {
  const { token, products } = what;
  await checkIsWhole(service, token, products);
  const response = await read(service, token, randomPage(products));
  const body = await response.text();
  // Node writes the excluded headers for both servers.
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
  );
  const bare = await startChild('./bare-server.ts', { message: { headers, body } });
  const load = ({ url }: Child, durationMs = ROUND_MS): Promise<LoadResult> =>
    runLoad({
      port: toPort(url),
      connectionCount: 64,
      durationMs,
      status: 200,
      nextRequest: () => toWire({ path: randomPage(products), token }),
    });
  try {
    await load(service);
    await load(bare, ROUND_MS / 3);
    const name = `pages of 20 of ${products} products ${what.name}, against node:http`;
    await demandRatio(name, what.atLeast, {
      rounds: ROUNDS,
      ours: () => load(service),
      baseline: () => load(bare),
    });
  } finally {
    await bare.stop();
  }
}

/** Measures when changes of another process are visible on every node, beside reads. */
async function measureChanges(
  nodes: readonly Child[],
  { databaseUrl, token, products }: { databaseUrl: string; token: string; products: number },
): Promise<void> {
  const order: WriterOrder = { databaseUrl, changesPerSecond: CHANGES_PER_SECOND, products };
  const writer = await startChild('./catalogue-writer.ts', { message: order });
  const probes: Promise<number>[] = [];
  writer.process.on('message', (committed) => {
    for (const node of nodes) probes.push(waitUntilShown(node, token, committed as Committed));
  });
  await Promise.all(
    nodes.map(({ url }) =>
      runLoad({
        port: toPort(url),
        connectionCount: 16,
        durationMs: CHANGED_FOR_MS,
        pauseMs: 10,
        status: 200,
        nextRequest: () => toWire({ path: randomPage(products), token }),
      }),
    ),
  );
  await writer.stop();
  const delay = quantiles(await Promise.all(probes));
  const name = `a change is visible on every node, p99 of ${probes.length}`;
  demand(name, delay(0.99), { atMost: 250 }, ' ms');
}

/** Returns the milliseconds from the commit until the product shows the change. */
async function waitUntilShown(
  node: Child,
  token: string,
  { productId, stampMicros, committedAtMs }: Committed,
): Promise<number> {
  for (;;) {
    const { data } = await (await read(node, token, `/export/v1/products/${productId}`)).json();
    const shown = parseDateTime(data.updatedAt);
    if (shown.ok && shown.epochMicros >= stampMicros)
      return performance.timeOrigin + performance.now() - committedAtMs;
    await sleep(4);
  }
}
