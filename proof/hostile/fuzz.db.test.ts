import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'vitest';
import { wholeFile } from '../../packages/server/test/support/vitest.ts';
import { operate } from '../load/operator.ts';
import { OPERATIONS } from './document.ts';
import { fuzz } from './fuzz.ts';
import { startWatchedService } from './service.ts';
import { setStage } from './stage.ts';

const REQUESTS = 10_000;

/** A busy machine sends fewer requests in this time. */
const TIME_LIMIT_MS = 180_000;
const REQUESTS_MIN = 1_000;

/** At least this share of the operations succeeds; chance decides which. */
const REACHED_MIN = 0.7;

test('no request causes a 5xx, an undocumented response, an error in the log, or the end of the process', async (t) => {
  const seed = Number(process.env['KEYPORT_TEST_SEED'] ?? randomInt(2 ** 31));
  await t.annotate(`seed ${seed}`);
  const service = await startWatchedService(wholeFile);
  const stage = await setStage(service);
  const result = await fuzz(service, stage, { requests: REQUESTS, seed, timeLimitMs: TIME_LIMIT_MS });
  await t.annotate(`${result.sent} requests, responses ${JSON.stringify(result.statuses)}`);
  equal(result.failure, undefined, `seed ${seed}\n${result.failure}`);
  ok(result.sent >= REQUESTS_MIN, `only ${result.sent} requests`);
  ok(result.reached.size >= OPERATIONS.length * REACHED_MIN, `only ${[...result.reached].sort().join(', ')}`);
  const invariants = (await operate(service.url, 'GET', '/verify')) as { broken: number }[];
  deepEqual(
    invariants.filter(({ broken }) => broken > 0),
    [],
  );
});
