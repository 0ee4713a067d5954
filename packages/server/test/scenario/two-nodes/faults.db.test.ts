/**
 * One node dies or freezes in its batches, or a table is locked for a while; the other node continues. R26,
 * R25 to R27.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, test } from 'vitest';
import { verifyInvariants } from '../../../src/verify/verify.ts';
import { onEnd, testEngine } from '../../support/database.ts';
import { type ApiResponse, auto, type Reseller, TEST_SETTINGS } from '../../support/harness.ts';
import { createOrderRecorder, tally } from '../../support/order-recorder.ts';
import { endProcess, firstLine, PROCESS_ENVIRONMENT } from '../../support/processes.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const owner = wholeFile;
const { h, nodes, nodeOf, settings, databaseUrl } = await startTwoNodes(owner);
const recorder = createOrderRecorder(h);

const onPostgres = { skip: testEngine === 'embedded' };

/** Responses of the node before it is cut off. */
const RESPONSES_BEFORE_CUT = 25;
const CLIENTS_PER_NODE = 12;

const REPEAT_DELAY_MS = 50;

afterEach(async () => {
  await recorder.assertConsistent();
  await recorder.readCodes();
  const broken = (await verifyInvariants(h.database)).filter((result) => result.broken > 0);
  deepEqual(broken, []);
});

async function startNodeProcess(): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const script = fileURLToPath(new URL('../../support/service-process.ts', import.meta.url));
  const env = {
    ...PROCESS_ENVIRONMENT,
    ...TEST_SETTINGS,
    ...settings,
    KEYPORT_DATABASE_URL: databaseUrl ?? '',
  };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onEnd(owner, async () => void (await endProcess(child)));
  return { url: await firstLine(child), process: child };
}

async function persist(who: Reseller, item: unknown, key: string): Promise<ApiResponse> {
  for (;;) {
    const response = await recorder.order(who, item, key);
    if (response.status !== 409 && response.status < 500) return response;
    await sleep(REPEAT_DELAY_MS);
  }
}

for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
  test(
    `a node that gets ${signal} in the middle of its batches loses no order, and every key has one order`,
    onPostgres,
    async () => {
      const victim = await startNodeProcess();
      const reseller = await h.seed.reseller({ balance: '10000.00' });
      const { productId } = await h.seed.listing({ price: '1.00', stock: 900 });
      const item = auto(productId);
      let answered = 0;
      let isCut = false;
      const cut = new AbortController();
      const cutOff = once(cut.signal, 'abort').then(() => undefined);

      /** Keys that were sent to the node when it was cut off. */
      const atVictim = Array.from({ length: CLIENTS_PER_NODE }, async () => {
        for (;;) {
          const key = randomUUID();
          const response = await Promise.race([
            recorder.order(reseller.at(victim.url), item, key).catch(() => undefined),
            cutOff,
          ]);
          if (response === undefined || isCut) return key;
          equal(response.status, 201);
          answered += 1;
          if (answered === RESPONSES_BEFORE_CUT) {
            isCut = true;
            victim.process.kill(signal);
            cut.abort();
          }
        }
      });
      const atOther = Array.from({ length: CLIENTS_PER_NODE }, async (_, index) => {
        while (!isCut) await persist(reseller.at(nodeOf(index).url), item, randomUUID());
        const last = await persist(reseller.at(nodeOf(index).url), item, randomUUID());
        equal(last.status, 201);
      });
      const open = await Promise.all(atVictim);
      await Promise.all(atOther);
      const resolved = await Promise.all(
        open.map((key, index) => persist(reseller.at(nodeOf(index).url), item, key)),
      );
      ok(resolved.every(({ status }) => [200, 201].includes(status)));
      // The frozen process continues, and must not place anything again.
      victim.process.kill('SIGCONT');
      const again = await Promise.all(
        open.map((key, index) => persist(reseller.at(nodeOf(index + 1).url), item, key)),
      );
      deepEqual(
        again.map(({ body }) => body.data.id),
        resolved.map(({ body }) => body.data.id),
      );
      await endProcess(victim.process);
    },
  );
}

test(
  'while the table of orders is locked, only orders get a 503, and their retries succeed afterwards',
  onPostgres,
  async () => {
    const reseller = await h.seed.reseller({ balance: '1000.00' });
    const { productId } = await h.seed.listing({ price: '1.00', stock: 100 });
    const item = auto(productId);
    const keys = Array.from({ length: 40 }, () => randomUUID());
    const blocker = await h.database.connect();
    await blocker.query('BEGIN; LOCK TABLE "order" IN ACCESS EXCLUSIVE MODE');
    const first = keys.map((key, index) => recorder.order(reseller.at(nodeOf(index).url), item, key));
    const earliest = await Promise.race(first);
    deepEqual([earliest.status, earliest.headers.get('retry-after')], [503, '1']);
    for (const { url } of nodes) {
      equal((await reseller.at(url).get(`/products/${productId}`)).status, 200);
      equal((await reseller.at(url).get('/account')).status, 200);
    }
    await blocker.query('COMMIT');
    blocker.release();
    const { 201: placed = 0 } = tally(await Promise.all(first));
    ok(placed < keys.length);
    const responses = await Promise.all(
      keys.map((key, index) => persist(reseller.at(nodeOf(index + 1).url), item, key)),
    );
    deepEqual(tally(responses), { 200: placed, 201: keys.length - placed });
  },
);
