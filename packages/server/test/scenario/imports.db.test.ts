import { deepEqual, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { test } from 'vitest';
import { startHarness } from '../support/harness.ts';
import { callImport, type Outcome } from '../support/import-call.ts';
import {
  assertSound,
  type Life,
  OPERATOR,
  prepareKillableService,
  toToken,
} from '../support/killable-service.ts';
import { endProcess } from '../support/processes.ts';

const MIB = 1_048_576;

/** The memory that an import of any size may add to the service's own. */
const MEMORY_MAX = 100 * MIB;

function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Rejected lines of 64 KiB, with one good line in every hundred. */
function* manyLines(sizeBytes: number): Generator<string> {
  const bad = `{"id":"${'x'.repeat(65_536)}"}\n`;
  for (let sent = 0, count = 1; sent < sizeBytes; sent += bad.length, count += 1)
    yield count % 100 === 0 ? `${JSON.stringify({ id: randomUUID(), name: 'Good' })}\n` : bad;
}

test('an import of 300 MB needs no more memory than one of 30 MB', async (t) => {
  const h = await startHarness(t);
  const call = callImport({ url: h.url, token: h.operatorToken, target: 'sellers' });
  let most = 0;
  const before = memory();
  for (const line of manyLines(300 * MIB)) {
    await call.send(line);
    most = Math.max(most, memory());
  }
  call.end();
  const { result } = await call.outcome();
  deepEqual([result?.read, result?.written], [4_800, 48]);
  ok(most - before < MEMORY_MAX, `${Math.round((most - before) / MIB)} MB more than before`);
});

test('a gzip bomb needs no memory and is rejected', async (t) => {
  const h = await startHarness(t);
  const headers = { 'content-encoding': 'gzip' };
  const call = callImport({ url: h.url, token: h.operatorToken, target: 'sellers', headers });
  const gzip = createGzip();
  const zeros = Buffer.alloc(MIB, 'x');
  const sending = (async () => {
    for await (const piece of gzip) await call.send(piece);
    call.end();
  })();
  let most = 0;
  const before = memory();
  for (let count = 0; count < 100; count += 1) {
    if (!gzip.write(zeros)) await new Promise((resolve) => gzip.once('drain', resolve));
    most = Math.max(most, memory());
  }
  gzip.end();
  await sending;
  match((await call.outcome()).error?.message ?? '', /inflates to more than 200 times its size/);
  ok(most - before < MEMORY_MAX, `${Math.round((most - before) / MIB)} MB more than before`);
});

test('an import is sent again after the service is killed in the middle of it', async (t) => {
  const service = await prepareKillableService(t);
  const ids = Array.from({ length: 6_000 }, () => randomUUID());
  const file = ids.map((id) => `${JSON.stringify({ id, name: 'Survivor' })}\n`);
  const start = async (life: Life) =>
    callImport({ url: life.url, token: await toToken(life, OPERATOR), target: 'sellers?importId=killed' });
  const first = await service.start();
  const call = await start(first);
  await call.send(file.slice(0, 4_500).join(''));
  const { read: kept } = await call.stored(1_000);
  await endProcess(first.process);

  const second = await service.start();
  const { result } = await repeated(second);
  ok(result !== undefined && result.unchanged >= kept, 'everything reported as kept is kept');
  deepEqual([result.read, result.written + result.unchanged], [6_000, 6_000]);
  await assertSound(second);

  /** The dead process holds the import for some seconds. */
  async function repeated(life: Life): Promise<Outcome> {
    for (;;) {
      const again = await start(life);
      again.end(file.join(''));
      if ((await again.response()).statusCode !== 409) return again.outcome();
      await again.outcome();
      await sleep(200);
    }
  }
});
