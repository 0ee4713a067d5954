/**
 * What callers who behave badly do to one who behaves: reads of the catalogue at a steady rate, alone and beside 500 slow
 * senders, 2,000 token requests a second, and readers who do not read. Rounds alternate with quiet ones.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { toWire } from '@keyport/proof/load/http';
import { OPERATOR, portOf } from '@keyport/proof/load/operator';
import { openShop } from '@keyport/proof/load/shop';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { type OpenLoadResult, type ResponseTimes, runOpenLoad } from './load.ts';
import { type Child, readUsage } from './processes.ts';
import { median } from './report.ts';
import { startService } from './service.ts';

const PRODUCTS = 1000;
const ROUNDS = 3;
const ROUND_MS = 5000;
const READS_PER_SECOND = 1000;
const TOKENS_PER_SECOND = 2000;
const SLOW_SENDERS = 500;
const SLOW_READERS = 20;
/** Of 100 products each: some 20 MB, more than the kernel keeps for a connection. */
const UNREAD_PAGES = 400;
/** From byte to byte of a slow sender. */
const DRIP_MS = 5000;

type Scene = { readonly service: Child; readonly token: string };

export async function benchProtection(): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const service = await startService({ databaseUrl: postgres.url });
  try {
    const size = { products: PRODUCTS, offersEach: 1, stockEach: 1, resellers: 1 };
    const { buyers } = await openShop(service.url, size);
    const scene = { service, token: buyers[0]?.token ?? '' };
    console.log(`Reads at ${READS_PER_SECOND}/s, pages of 20\n`);
    await reads(scene);
    await besideSlowSenders(scene);
    await besideTokenRequests(scene);
    await besideSlowReaders(scene);
  } finally {
    await service.stop();
    await postgres.stop();
  }
}

async function reads({ service, token }: Scene, durationMs = ROUND_MS): Promise<ResponseTimes> {
  const result = await runOpenLoad({
    port: portOf(service.url),
    requestsPerSecond: READS_PER_SECOND,
    durationMs,
    nextRequest: () => pageRequest(token, 20),
  });
  return responsesOf(result, 200);
}

function pageRequest(token: string, size: number): string {
  const page = 1 + Math.floor((Math.random() * PRODUCTS) / size);
  return toWire({ path: `/export/v1/product-offers?page=${page}&itemsPerPage=${size}`, token });
}

/** Of the wanted status; that there were others is said, since then the machine was too busy for this. */
function responsesOf({ byStatus }: OpenLoadResult, wanted: number): ResponseTimes {
  for (const [status, { count }] of byStatus) {
    if (status !== wanted) console.log(`  (${count} requests got ${status} instead of ${wanted})`);
  }
  const responses = byStatus.get(wanted);
  if (responses === undefined) throw new Error(`none of the requests got ${wanted}`);
  return responses;
}

function reportReads(what: string, quiet: readonly ResponseTimes[], beside: readonly ResponseTimes[]): void {
  const of = (rounds: readonly ResponseTimes[]) => median(rounds.map(({ p99Ms }) => p99Ms));
  console.log(
    `  reads beside ${what}: p99 ${of(beside).toFixed(1)} ms, alone ${of(quiet).toFixed(1)} ms: ${(of(beside) / of(quiet)).toFixed(2)} (goal: at most 2)`,
  );
}

async function besideSlowSenders(scene: Scene): Promise<void> {
  const quiet: ResponseTimes[] = [];
  const beside: ResponseTimes[] = [];
  const endings: { readonly afterMs: number; readonly status: string }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await reads(scene));
    const senders = Array.from({ length: SLOW_SENDERS }, () => sendSlowly(portOf(scene.service.url)));
    beside.push(await reads(scene));
    endings.push(...(await Promise.all(senders)));
  }
  reportReads(`${SLOW_SENDERS} senders of a byte every ${DRIP_MS / 1000} s`, quiet, beside);
  const reported = endings.filter(({ status }) => status === '408').length;
  const longestS = Math.max(...endings.map(({ afterMs }) => afterMs)) / 1000;
  console.log(
    `  ${reported} of ${endings.length} of them got 408, the last after ${longestS.toFixed(1)} s (goal: all within 12)\n`,
  );
}

/** Headers that never end; resolves when the service has closed the connection. */
async function sendSlowly(port: number): Promise<{ afterMs: number; status: string }> {
  const socket = connect(port, '127.0.0.1');
  const startedAt = performance.now();
  let response = '';
  socket.setEncoding('latin1').on('data', (text) => {
    response += text;
  });
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nA');
  const drip = setInterval(() => socket.write('a'), DRIP_MS);
  await once(socket, 'close');
  clearInterval(drip);
  return { afterMs: performance.now() - startedAt, status: response.slice(9, 12) };
}

async function besideTokenRequests(scene: Scene): Promise<void> {
  const request = toWire({
    method: 'POST',
    path: '/oauth/token',
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...OPERATOR }).toString(),
  });
  const quiet: ResponseTimes[] = [];
  const beside: ResponseTimes[] = [];
  const tokens: ResponseTimes[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await reads(scene));
    const issuing = runOpenLoad({
      port: portOf(scene.service.url),
      requestsPerSecond: TOKENS_PER_SECOND,
      durationMs: ROUND_MS,
      nextRequest: () => request,
    });
    beside.push(await reads(scene));
    tokens.push(responsesOf(await issuing, 200));
  }
  const of = (pick: (responses: ResponseTimes) => number) => median(tokens.map(pick));
  reportReads(`${TOKENS_PER_SECOND} token requests/s`, quiet, beside);
  console.log(
    `  tokens: ${Math.round(of(({ perSecond }) => perSecond))}/s, p50 ${of(({ p50Ms }) => p50Ms).toFixed(1)} ms, p99 ${of(({ p99Ms }) => p99Ms).toFixed(1)} ms (goal: below 50)\n`,
  );
}

async function besideSlowReaders(scene: Scene): Promise<void> {
  const { residentMb: before } = await readUsage(scene.service);
  const quiet = [await reads(scene)];
  const readers = Array.from({ length: SLOW_READERS }, () =>
    readNothing(portOf(scene.service.url), scene.token),
  );
  const beside = [await reads(scene)];
  const { residentMb: during } = await readUsage(scene.service);
  const longestS = Math.max(...(await Promise.all(readers))) / 1000;
  reportReads(
    `${SLOW_READERS} callers who ask for ${UNREAD_PAGES} pages of 100 and read nothing`,
    quiet,
    beside,
  );
  console.log(
    `  they were cut off after at most ${longestS.toFixed(1)} s (goal: within 32); resident set ${before.toFixed(0)} MB before, ${during.toFixed(0)} MB during it\n`,
  );
}

/** Milliseconds until the service has closed the connection. */
async function readNothing(port: number, token: string): Promise<number> {
  const socket: Socket = connect(port, '127.0.0.1');
  const startedAt = performance.now();
  socket.on('error', () => {});
  socket.pause();
  socket.write(Array.from({ length: UNREAD_PAGES }, () => pageRequest(token, 100)).join(''));
  // Nothing is read, so only writing shows that the other side is gone.
  const probe = setInterval(() => socket.write('\r\n'), 500);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await Promise.race([closed, sleep(60_000)]);
  clearInterval(probe);
  socket.destroy();
  return performance.now() - startedAt;
}
