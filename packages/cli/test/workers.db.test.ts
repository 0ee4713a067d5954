/** Several processes behind one port act as one service, regardless of which one dies. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { on, once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { onEnd, testEngine } from '../../server/test/support/database.ts';
import {
  assertSound,
  callService,
  operateService,
  prepareEnvironment,
  seedClient,
  seedOffer,
  tokenOf,
} from '../../server/test/support/killable-service.ts';
import { freePort } from '../../server/test/support/postgres.ts';
import { skipBecause, wholeFile } from '../../server/test/support/vitest.ts';
import { type LogLine, runKeyport, type Serving, startKeyport, startServing } from './support/keyport.ts';

const WORKER_COUNT = 2;
/** More connections than workers, so that each worker gets some. */
const CLIENT_COUNT = 12;
/** With this pause, the units last for about a minute. */
const PAUSE_MS = 100;

const needsServer = { skip: testEngine === 'embedded' };

const isReady = (line: LogLine) => line['msg'] === 'a worker is ready';
const isOrder = (line: LogLine) => line['route'] === '/export/v1/orders' && line['method'] === 'POST';

test('several workers without a PostgreSQL server are rejected, with advice', async () => {
  const { code, stdout, stderr } = await runKeyport(['serve', '--workers', '2']);
  deepEqual([code, stdout], [1, '']);
  match(stderr, /Set KEYPORT_DATABASE_URL, or leave --workers out/);
});

test('an invalid number of workers is wrong usage', async () => {
  for (const count of ['0', '65', '2.5', '-1', 'many', '']) {
    const { code, stderr } = await runKeyport(['serve', '--workers', count]);
    equal(code, 2, count);
    match(stderr, /must be a whole number from 1 to 64/);
  }
});

test(
  'when the first worker cannot start, the command ends with the error of the worker',
  needsServer,
  async () => {
    const environment = await prepareEnvironment(wholeFile, {
      KEYPORT_DATABASE_URL: 'postgres://127.0.0.1:1/x',
    });
    const { code, stdout, stderr } = await runKeyport(['serve', '--workers', '2'], { settings: environment });
    deepEqual([code, stdout], [1, '']);
    match(
      stderr,
      /the database does not respond \(ECONNREFUSED\)[\s\S]*the first worker ended while it started/,
    );
  },
);

test('a SIGHUP while the workers start changes nothing', async (t) => {
  skipBecause(t, needsServer.skip || process.platform === 'win32');
  const environment = await prepareEnvironment(t, { KEYPORT_LOG_LEVEL: 'info' });
  const { child, ended } = startKeyport(['serve', '--workers', '2', '--json'], { settings: environment });
  onEnd(t, async () => void child.kill('SIGKILL'));
  let log = '';
  for await (const chunk of on(child.stderr, 'data')) {
    log += chunk;
    if (log.includes('a worker is ready')) break;
  }
  child.kill('SIGHUP');
  const [welcome] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  match(String(welcome), /"url"/);
  child.kill('SIGTERM');
  equal((await ended).code, 0);
});

test('workers act as one service: orders, metrics, crash, replacement and shutdown', {
  ...needsServer,
  timeout: 240_000,
}, async (t) => {
  const metricsPort = String(await freePort());
  const environment = await prepareEnvironment(t, {
    KEYPORT_LOG_LEVEL: 'info',
    KEYPORT_METRICS_PORT: metricsPort,
    // On a busy machine, a caller may leave its connection idle for longer than the pause.
    KEYPORT_STOP_DELAY_MS: '3000',
  });
  const service = await startServing(environment, ['--workers', String(WORKER_COUNT)]);
  onEnd(t, async () => void (await service.stop('SIGKILL')));
  const { url } = service.welcome;
  const offerId = await seedOffer({ url }, '0.10', 1000);
  for (let batch = 1; batch < 5; batch += 1) {
    const keys = Array.from({ length: 1000 }, (_, index) => ({ code: `MORE-${batch}-${index}` }));
    await operateService({ url }, 'POST', `/offers/${offerId}/keys`, { keys });
  }
  const client = await seedClient({ url }, { paymentMethod: 'balance' });
  const token = await tokenOf({ url }, client);
  const body = { items: [{ manual: { offerId, quantity: 1, maxPrice: '0.10' } }] };
  const order = (key: string) => callService({ url }, 'POST', '/export/v1/orders', { token, key, body });
  const orderIds = new Set<string>();
  let isOver = false;
  onEnd(t, async () => {
    isOver = true;
  });

  /** A caller without a response retries with its key. Returns why each retry was necessary. */
  async function orderUntil(isDone: () => boolean): Promise<string[]> {
    const failures: string[] = [];
    const attempt = (key: string) =>
      order(key).catch((error: Error) => void failures.push(`${error.message}: ${String(error.cause)}`));
    const loop = async () => {
      while (!isDone() && !isOver) {
        const key = randomUUID();
        let answer = await attempt(key);
        while (answer === undefined && !isOver) answer = await attempt(key);
        if (answer === undefined) return;
        ok([200, 201].includes(answer.status), JSON.stringify(answer.body));
        ok(!orderIds.has(answer.body.data.id), 'each key has its own order');
        orderIds.add(answer.body.data.id);
        await sleep(PAUSE_MS);
      }
    };
    await Promise.all(Array.from({ length: CLIENT_COUNT }, loop));
    return failures;
  }

  {
    deepEqual(await orderUntil(() => orderIds.size >= 60), []);
    const workers = new Set(service.lines(isOrder).map((line) => line['worker']));
    deepEqual([...workers].sort(), [1, 2]);
    equal(await placedCount(metricsPort), orderIds.size);
  }

  {
    const before = orderIds.size;
    const first = service.lines(isReady).find((line) => line['worker'] === 2);
    let isReplaced = false;
    const isKilled = () => orderIds.size >= before + 30;
    const killed = orderUntil(() => isReplaced);
    while (!isKilled()) await sleep(PAUSE_MS);
    process.kill(first?.['pid'], 'SIGKILL');
    await service.logged((line) => isReady(line) && line['worker'] === 2 && line['pid'] !== first?.['pid']);
    isReplaced = true;
    await killed;
    const ended = await service.logged((line) => line['msg'] === 'a worker has ended');
    deepEqual([ended['worker'], ended['pid'], ended['signal']], [2, first?.['pid'], 'SIGKILL']);
    const account = await callService({ url }, 'GET', '/export/v1/account', { token });
    equal(account.body.data.balance, (1000 - orderIds.size / 10).toFixed(2));
    ok((await placedCount(metricsPort)) >= before, 'the sums do not decrease when a worker dies');
    await assertSound({ url });
  }

  if (process.platform !== 'win32') {
    {
      const pids = new Set(service.lines(isReady).map((line) => line['pid']));
      let isReplaced = false;
      const ordering = orderUntil(() => isReplaced);
      const connecting = connectUntil(url, () => isReplaced || isOver);
      process.kill(service.pid, 'SIGHUP');
      await endsOf(service, 1 + WORKER_COUNT);
      isReplaced = true;
      deepEqual(await ordering, []);
      deepEqual(await connecting, []);
      const successors = service.lines((line) => isReady(line) && !pids.has(line['pid']));
      deepEqual(
        successors.map((line) => line['worker']),
        [1, 2],
      );
    }
  }

  {
    equal(await service.stop('SIGTERM'), 0);
    await endsOf(service, 1 + 2 * WORKER_COUNT);
    const ends = service.lines((line) => line['msg'] === 'a worker has ended').slice(-WORKER_COUNT);
    deepEqual(
      ends.map((line) => line['code']),
      [0, 0],
    );
  }
});

async function connectUntil(url: string, isDone: () => boolean): Promise<string[]> {
  const failures: string[] = [];
  const loop = async () => {
    while (!isDone()) {
      await getOnNewConnection(`${url}/health/live`).catch((error: Error) => failures.push(error.message));
    }
  };
  await Promise.all(Array.from({ length: CLIENT_COUNT }, loop));
  return failures;
}

async function getOnNewConnection(url: string): Promise<void> {
  const request = get(url, { agent: false });
  const [response] = await once(request, 'response');
  equal(response.statusCode, 200);
  response.resume();
  await once(response, 'end');
}

async function endsOf(service: Serving, count: number): Promise<void> {
  let ends = 0;
  const counted = new Set<LogLine>();
  await service.logged((line) => {
    if (line['msg'] === 'a worker has ended' && !counted.has(line)) {
      counted.add(line);
      ends += 1;
    }
    return ends >= count;
  });
}

async function placedCount(metricsPort: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const text = await response.text();
  return Number(/^keyport_orders_total\{outcome="placed"\} (\d+)$/m.exec(text)?.[1]);
}
