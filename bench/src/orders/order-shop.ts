/** A service with resellers and stock, and the requests of the order benchmarks. */
import { execFile } from 'node:child_process';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toWire } from '@keyport/proof/load/http';
import { importLines, portOf } from '@keyport/proof/load/operator';
import { type Buyer, newKeys, openShop } from '@keyport/proof/load/shop';
import { type LoadResult, runLoad } from '../load.ts';
import type { Child } from '../processes.ts';
import { type Place, startService } from '../service.ts';

export const RESELLERS = 100;
export const OFFERS = 2000;
/** More units than a benchmark sells of a random offer, and of the offer that everyone orders. */
const STOCK_EACH = 500;
const HOT_STOCK = 120_000;

export type OrderShop = {
  readonly accountIds: readonly string[];
  readonly offerIds: readonly string[];
  order(
    callers: number,
    durationMs: number,
    same?: { readonly offer?: boolean; readonly reseller?: boolean },
  ): Promise<LoadResult>;
  read(durationMs: number): Promise<LoadResult>;
  node(): Child;
  port(): number;
  orderRequest(): string;
  pageRequest(): string;
  residentMb(): Promise<number>;
  stop(): Promise<void>;
  start(): Promise<void>;
};

/** With PostgreSQL, the shop's service runs in live mode, because the sandbox records requests for a check-up. */
export async function openOrderShop(
  place: Place,
  settings: Readonly<Record<string, string>> = {},
): Promise<OrderShop> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-shop-'));
  const masterKeyFile = join(folder, 'master.key');
  await writeFile(masterKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const live = {
    KEYPORT_MODE: 'live',
    KEYPORT_MASTER_KEY_FILE: masterKeyFile,
    KEYPORT_GATEWAY: 'none',
    // The periodic check of the invariants would slow down random rounds.
    KEYPORT_VERIFY_INTERVAL_SECONDS: '0',
  };
  // Tokens name it as their issuer, and a restarted service may get a different port.
  const publicUrl = 'https://keyport.invalid';
  const start = () =>
    startService(place, {
      KEYPORT_PUBLIC_URL: publicUrl,
      KEYPORT_STOP_DELAY_MS: '0',
      ...('databaseUrl' in place ? live : {}),
      ...settings,
    });
  let service: Child = await start();
  const size = { products: OFFERS, offersEach: 1, stockEach: STOCK_EACH, resellers: RESELLERS };
  const { offers, buyers: resellers } = await openShop(service.url, size);
  const hot = offers[0];
  if (hot === undefined) throw new Error('the catalogue has no offer');
  await importLines(service.url, 'keys', newKeys(hot.id, HOT_STOCK));

  const orderOf = (reseller: Buyer | undefined, offerId: string | undefined) => {
    return toWire({
      method: 'POST',
      path: '/export/v1/orders',
      token: reseller?.token,
      headers: { 'idempotency-key': randomUUID() },
      body: `{"items":[{"manual":{"offerId":"${offerId}","quantity":1,"maxPrice":"100.00"}}]}`,
    });
  };
  const pageRequest = () =>
    toWire({
      path: `/export/v1/product-offers?page=${1 + randomInt(OFFERS / 20)}&itemsPerPage=20`,
      token: resellers[0]?.token,
    });
  const load = async (
    status: number,
    connectionCount: number,
    durationMs: number,
    nextRequest: () => string,
  ): Promise<LoadResult> => {
    const result = await runLoad({ port: portOf(service.url), connectionCount, durationMs, nextRequest });
    const others = Object.keys(result.statuses).filter((other) => Number(other) !== status);
    if (others.length > 0)
      throw new Error(`statuses other than ${status}: ${JSON.stringify(result.statuses)}`);
    return result;
  };

  return {
    accountIds: resellers.map((reseller) => reseller.account.id),
    offerIds: offers.map((offer) => offer.id),
    order: (callers, durationMs, same = {}) =>
      load(201, callers, durationMs, () =>
        orderOf(
          resellers[same.reseller === true ? 0 : randomInt(resellers.length)],
          offers[same.offer === true ? 0 : randomInt(offers.length)]?.id,
        ),
      ),
    read: (durationMs) => load(200, 64, durationMs, pageRequest),
    node: () => service,
    port: () => portOf(service.url),
    orderRequest: () => orderOf(resellers[randomInt(resellers.length)], offers[randomInt(offers.length)]?.id),
    pageRequest,
    async residentMb() {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(service.process.pid)]);
      return Number(stdout) / 1024;
    },
    async stop() {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
    async start() {
      service = await start();
    },
  };
}
