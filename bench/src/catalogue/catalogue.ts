/**
 * Measures catalogue reads with tokens over real sockets, against a bare node:http server that sends the same
 * bytes. Also measures startup, memory per product, the longest pause of the event loop, and reads beside
 * 5,000 changes per second.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDateTime, parseDateTime } from '@keyport/core/date-time';
import { toWire } from '@keyport/proof/load/http';
import { fetchToken, OPERATOR, portOf } from '@keyport/proof/load/operator';
import { openReseller } from '@keyport/proof/load/shop';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { type LoadResult, runLoad } from '../load.ts';
import { type Child, readUsage, startChild } from '../processes.ts';
import { withProcessorTime } from '../processor-time.ts';
import { quantiles } from '../quantiles.ts';
import { alternate, median, report } from '../report.ts';
import { startService } from '../service.ts';
import { OFFERS_EACH, productIdOf, seedCatalogue, touchProducts } from './catalogue-seed.ts';
import type { Committed, WriterOrder } from './catalogue-writer.ts';
import { importFile } from './import.ts';
import { writeImportFiles } from './import-files.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const CONNECTIONS = 64;
const ROUNDS = 3;
const ROUND_MS = 1000;
const TOUCHED = 500;
const CHANGES_PER_SECOND = 5000;

type Settings = Readonly<Record<string, string>>;

type Kind = {
  readonly name: string;
  readonly goal: number;
  readonly next: () => string;
  readonly headers?: Readonly<Record<string, string>>;
};

type Shop = {
  readonly products: number;
  readonly databaseUrl: string;
  readonly service: Child;
  readonly token: string;
};

export async function benchCatalogue({ products: only }: { readonly products?: number } = {}): Promise<void> {
  const sizes = only === undefined ? SIZES : [only];
  const postgres = await startPostgres({ durable: true });
  const keyFolder = await mkdtemp(join(tmpdir(), 'keyport-bench-'));
  // A restarted service must open earlier secrets. Tokens must not depend on its port, which is new.
  const settings = { KEYPORT_PUBLIC_URL: 'http://keyport.invalid', KEYPORT_DATA_DIR: keyFolder };
  try {
    const token = await prepare(postgres.url, settings);
    let seeded = 0;
    const pages: { readonly products: number; readonly perSecond: number }[] = [];
    for (const products of sizes) {
      await seedCatalogue(postgres.url, seeded, products);
      seeded = products;
      const startedAtMs = performance.now();
      const service = await startService({ databaseUrl: postgres.url }, settings);
      const startSeconds = (performance.now() - startedAtMs) / 1000;
      try {
        const shop = { products, databaseUrl: postgres.url, service, token };
        console.log(`\n== ${products.toLocaleString('en')} products, ${OFFERS_EACH} offers each ==`);
        await checkIsWhole(shop);
        const { residentMb } = await readUsage(service);
        console.log(
          `  ready ${startSeconds.toFixed(1)} s after the start of the process, resident set ${residentMb.toFixed(0)} MB\n`,
        );
        pages.push({ products, perSecond: await compareKinds(shop) });
        await measureWholeMonth(shop);
        if (products === sizes.at(-1)) await measureFullLoad(shop);
        await measureChanges(shop);
      } finally {
        await service.stop();
      }
    }
    reportGrowth(pages);
  } finally {
    await postgres.stop();
    await rm(keyFolder, { recursive: true });
  }
}

/**
 * Reads pages of products that were imported while the service ran, then reads them again after a restart,
 * which rebuilds all blocks.
 */
export async function benchCatalogueImported({
  products = 200_000,
}: {
  readonly products?: number;
}): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const folder = await mkdtemp(join(tmpdir(), 'keyport-bench-'));
  const settings = { KEYPORT_PUBLIC_URL: 'http://keyport.invalid', KEYPORT_DATA_DIR: folder };
  const next = () => `/export/v1/product-offers?page=${1 + Math.floor((Math.random() * products) / 20)}`;
  const comparePages = async (service: Child, token: string, when: string) => {
    const shop = { products, databaseUrl: postgres.url, service, token };
    await checkIsWhole(shop);
    await compare(shop, {
      name: `random pages of 20 of ${products.toLocaleString('en')} products, ${when}`,
      goal: 0.75,
      next,
    });
  };
  try {
    const token = await prepare(postgres.url, settings);
    const { files } = await writeImportFiles(folder, Number(productIdOf(0)), products);
    const first = await startService({ databaseUrl: postgres.url }, settings);
    try {
      const operatorToken = await fetchToken(first.url, OPERATOR);
      for (const kind of ['sellers', 'products', 'offers', 'keys'] as const)
        await importFile({ url: first.url, token: operatorToken }, kind, files[kind]);
      // The feed may still be loading the last writes, after which blocks are rebuilt.
      await sleep(12_000);
      await comparePages(first, token, 'imported');
    } finally {
      await first.stop();
    }
    const second = await startService({ databaseUrl: postgres.url }, settings);
    try {
      await comparePages(second, token, 'after a restart');
    } finally {
      await second.stop();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

async function prepare(databaseUrl: string, settings: Settings): Promise<string> {
  const service = await startService({ databaseUrl }, { ...settings, KEYPORT_TOKEN_TTL_SECONDS: '36000' });
  try {
    return (await openReseller(service.url)).token;
  } finally {
    await service.stop();
  }
}

async function ask({ service, token }: Shop, path: string): Promise<Response> {
  const response = await fetch(service.url + path, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  });
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return response;
}

async function checkIsWhole(shop: Shop): Promise<void> {
  const { meta } = await (await ask(shop, '/export/v1/product-offers')).json();
  if (meta.totalResults !== shop.products) throw new Error(`only ${meta.totalResults} products`);
}

function load(url: string, token: string, kind: Kind, durationMs: number): Promise<LoadResult> {
  return runLoad({
    port: portOf(url),
    connectionCount: CONNECTIONS,
    durationMs,
    nextRequest: () => toWire({ path: kind.next(), token, headers: kind.headers ?? {} }),
  });
}

/** Returns our rate. */
async function compare(shop: Shop, kind: Kind): Promise<number> {
  const response = await ask(shop, kind.next());
  const body = await response.text();
  // Node writes the excluded headers for both servers.
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
  );
  const bare = await startChild('./bare-server.ts', { message: { headers, body } });
  const loadMeasured = ({ url, process: { pid } }: Child) =>
    withProcessorTime({ processor: pid }, () => load(url, shop.token, kind, ROUND_MS));
  try {
    await load(shop.service.url, shop.token, kind, ROUND_MS);
    await load(bare.url, shop.token, kind, ROUND_MS / 3);
    const rounds = await alternate(ROUNDS, {
      ours: () => loadMeasured(shop.service),
      baseline: () => loadMeasured(bare),
    });
    const title = `${kind.name} (${body.length.toLocaleString('en')} bytes)`;
    report(title, { baseline: 'bare node:http, same bytes', ours: 'Keyport' }, rounds, kind.goal);
    return median(rounds.ours.map(({ requestsPerSecond }) => requestsPerSecond));
  } finally {
    await bare.stop();
  }
}

async function compareKinds(shop: Shop): Promise<number> {
  const { products } = shop;
  const random = (below: number) => Math.floor(Math.random() * below);
  const page = (size: number) => () =>
    `/export/v1/product-offers?page=${1 + random(products / size)}&itemsPerPage=${size}`;
  const ids = (among: number) =>
    Array.from({ length: 20 }, () => `productIds[]=${productIdOf(random(among))}`).join('&');
  const perSecond = await compare(shop, { name: 'random pages of 20', goal: 0.75, next: page(20) });
  await compare(shop, { name: 'random pages of 100', goal: 0.75, next: page(100) });
  if (products >= 1_000_000) {
    const fixed = (number: number) => () => `/export/v1/product-offers?page=${number}&itemsPerPage=20`;
    const first = await compare(shop, { name: 'page 1', goal: 0.75, next: fixed(1) });
    const last = await compare(shop, { name: 'page 50,000', goal: 0.75, next: fixed(50_000) });
    console.log(`  page 50,000 against page 1: ${(last / first).toFixed(2)} (goal 1)\n`);
  }
  const since = await touchProducts(shop.databaseUrl, TOUCHED, products);
  await sleep(1000);
  const poll = `/export/v1/product-offers?updatedAtFrom=${since}&itemsPerPage=100`;
  const { meta } = await (await ask(shop, poll)).json();
  if (meta.totalResults !== TOUCHED) throw new Error(`${meta.totalResults} instead of ${TOUCHED} changed`);
  await compare(shop, {
    name: `poll, ${TOUCHED} changed, pages of 100`,
    goal: 0.6,
    next: () => `${poll}&page=${1 + random(TOUCHED / 100)}`,
  });
  await compare(shop, {
    name: `poll, ${TOUCHED} changed, page 1 of 20`,
    goal: 0.6,
    next: () => `/export/v1/product-offers?updatedAtFrom=${since}&itemsPerPage=20`,
  });
  await compare(shop, {
    name: 'poll, nothing changed',
    goal: 0.8,
    next: () => `/export/v1/product-offers?updatedAtFrom=${afterwards(since)}`,
  });
  await compare(shop, {
    name: '20 productIds[]',
    goal: 0.6,
    next: () => `/export/v1/product-offers?${ids(products)}`,
  });
  await compare(shop, {
    name: 'one product',
    goal: 0.6,
    next: () => `/export/v1/products/${productIdOf(random(products))}`,
  });
  await compare(shop, {
    name: 'details of 20 products, out of 5,000 in demand',
    goal: 0.6,
    next: () => `/export/v1/products?${ids(5000)}`,
  });
  const url = page(20)();
  const etag = (await ask(shop, url)).headers.get('etag');
  const headers = { 'if-none-match': etag ?? '' };
  await compare(shop, { name: 'the same page again, 304', goal: 1, next: () => url, headers });
  await compare(shop, {
    name: 'random pages of 20 with gzip, against the plain bytes',
    goal: 0,
    next: page(20),
    headers: { 'accept-encoding': 'gzip' },
  });
  return perSecond;
}

function afterwards(stamp: string): string {
  const parsed = parseDateTime(stamp);
  if (!parsed.ok) throw new Error(parsed.reason);
  return formatDateTime(parsed.epochMicros + TOUCHED * 10);
}

/** Measures the processor time of a poll that matches nearly all products. */
async function measureWholeMonth({ service, token, products }: Shop): Promise<void> {
  const since = formatDateTime((Date.now() - 28.5 * 86_400_000) * 1000);
  const kind: Kind = {
    name: 'a month',
    goal: 0,
    next: () =>
      `/export/v1/product-offers?updatedAtFrom=${since}&page=${1 + Math.floor((Math.random() * products) / 20)}`,
  };
  await load(service.url, token, kind, ROUND_MS / 3);
  await readUsage(service);
  const { requestsPerSecond } = await load(service.url, token, kind, ROUND_MS * 2);
  const { processorMs } = await readUsage(service);
  const perRequestMs = processorMs / (requestsPerSecond * ((ROUND_MS * 2) / 1000));
  console.log(
    `  updatedAtFrom a month ago: ${perRequestMs.toFixed(3)} ms of processor time per request (goal: below 3)\n`,
  );
}

async function measureFullLoad({ service, token, products }: Shop): Promise<void> {
  const kind: Kind = {
    name: 'full load',
    goal: 0,
    next: () => `/export/v1/product-offers?page=${1 + Math.floor((Math.random() * products) / 20)}`,
  };
  await readUsage(service);
  await load(service.url, token, kind, 60_000);
  const { longestPauseMs, residentMb } = await readUsage(service);
  console.log(
    `  a minute of full load: longest pause of the event loop ${longestPauseMs.toFixed(1)} ms (goal: below 50), resident set ${residentMb.toFixed(0)} MB\n`,
  );
}

/** Measures the p99 of reads at a third of the peak, without and with changes, and the delay of changes. */
async function measureChanges(shop: Shop): Promise<void> {
  const { service, token, products, databaseUrl } = shop;
  const read = (durationMs: number) =>
    runLoad({
      port: portOf(service.url),
      connectionCount: 32,
      durationMs,
      pauseMs: 10,
      nextRequest: () =>
        toWire({
          path: `/export/v1/product-offers?page=${1 + Math.floor((Math.random() * products) / 20)}`,
          token,
        }),
    });
  await read(2000);
  const quiet = await read(10_000);
  const order: WriterOrder = { databaseUrl, changesPerSecond: CHANGES_PER_SECOND, products };
  const writer = await startChild('./catalogue/catalogue-writer.ts', { message: order });
  const delays: number[] = [];
  const probes: Promise<void>[] = [];
  writer.process.on('message', (committed) => {
    probes.push(
      waitUntilShown(shop, committed as Committed).then((delayMs) => {
        delays.push(delayMs);
      }),
    );
  });
  await read(2000);
  const busy = await read(15_000);
  await writer.stop();
  await Promise.all(probes);
  const delay = quantiles(delays);
  console.log(
    `  ${CHANGES_PER_SECOND.toLocaleString('en')} changes per second from another process: reads p99 ${busy.p99Ms.toFixed(2)} ms, quiet ${quiet.p99Ms.toFixed(2)} ms: ${(busy.p99Ms / quiet.p99Ms).toFixed(2)} (goal: at most 2), at ${Math.round(busy.requestsPerSecond)} and ${Math.round(quiet.requestsPerSecond)} reads/s`,
  );
  console.log(
    `  a change is shown ${delay(0.5).toFixed(0)} ms (median) and ${delay(0.99).toFixed(0)} ms (p99) after its commit, ${delays.length} measured (goal: p99 within 250)\n`,
  );
}

/** Returns the milliseconds from the commit until the product shows the change. */
async function waitUntilShown(
  shop: Shop,
  { productId, stampMicros, committedAtMs }: Committed,
): Promise<number> {
  for (;;) {
    const { data } = await (await ask(shop, `/export/v1/products/${productId}`)).json();
    const shown = parseDateTime(data.updatedAt);
    if (shown.ok && shown.epochMicros >= stampMicros) {
      return performance.timeOrigin + performance.now() - committedAtMs;
    }
    await sleep(4);
  }
}

function reportGrowth(pages: readonly { readonly products: number; readonly perSecond: number }[]): void {
  const [smallest] = pages;
  const largest = pages.at(-1);
  if (smallest === undefined || largest === undefined || smallest === largest) return;
  const ratio = largest.perSecond / smallest.perSecond;
  console.log(
    `Random pages of 20 at ${largest.products.toLocaleString('en')} products against ${smallest.products.toLocaleString('en')}: ${ratio.toFixed(2)} (goal 0.9)`,
  );
}
