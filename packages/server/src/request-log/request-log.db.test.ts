import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Exchange } from '@keyport/http/server/exchange';
import type { RequestRecord } from '@keyport/http/server/request-record';
import { test, vi } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { wholeFile } from '../../test/support/vitest.ts';
import type { Database } from '../db/engines/database.ts';
import { sql } from '../db/sql.ts';
import { RequestLog } from './request-log.ts';
import { findLastGap } from './requests.sql.ts';

const database = await testDatabase(wholeFile);

function startLog(on: Database = database, nowMs = () => Date.now(), isForCheckup = false) {
  const accountId = randomUUID();
  const failures: unknown[] = [];
  const log = new RequestLog({
    database: on,
    nowMs,
    toAddress: () => '127.0.0.1',
    isForCheckup,
    onFailure: (error) => failures.push(error),
  });
  const end = (
    method = 'POST',
    status = 201,
    arrivedAtMicros = log.stampArrival(),
    clientId = 'reseller_1',
    requestText = '{}',
  ) => {
    const exchange = {
      arrivedAtMicros,
      request: { url: '/export/v1/orders', headers: {} },
      route: { operation: method === 'GET' ? 'listOrders' : 'createOrder' },
      params: {},
      principal: { clientId, accountId },
      requestText,
      responseText: '{}',
    } as unknown as Exchange;
    const record = { method, status, durationMs: 1, traceId: '0'.repeat(32) } as RequestRecord;
    log.onExchangeEnd(exchange, record);
  };
  return { log, end, failures, accountId };
}

async function stored(accountId: string) {
  const { rows } = await sql<{ logged: number; omitted: number; reads: number }>`
    SELECT (SELECT count(*) FROM request_entry WHERE account_id = ${accountId}::uuid) AS logged,
      coalesce(sum(count) FILTER (WHERE operation = ''), 0)::bigint AS omitted,
      coalesce(sum(count) FILTER (WHERE operation NOT IN ('', '(reads)')), 0)::bigint AS reads
    FROM request_count WHERE account_id = ${accountId}::uuid`.execute(database.db);
  return rows[0];
}

test('an account gets a hundred entries per second, and further requests are counted', async () => {
  const { log, end, accountId } = startLog();
  const now = vi.spyOn(performance, 'now');
  for (const [ms, requests] of [
    [10_000, 300],
    [10_999, 300],
    [11_000, 400],
  ] as const) {
    now.mockReturnValue(ms);
    for (let count = 0; count < requests; count += 1) end();
  }
  now.mockRestore();
  await log.written();
  const { logged = 0, omitted } = (await stored(accountId)) ?? {};
  equal(logged, 200);
  equal(omitted, 1_000 - logged);
});

test.each([
  ['GET', 499, 'reseller_1', 1],
  ['GET', 499, `mem_${'0'.repeat(24)}`, 0],
  ['GET', 404, `mem_${'0'.repeat(24)}`, 1],
  ['POST', 499, `mem_${'0'.repeat(24)}`, 1],
])('%s with %d by %s makes %d entries', async (method, status, clientId, count) => {
  const { log, end, accountId } = startLog();
  end(method, status, log.stampArrival(), clientId);
  await log.written();
  deepEqual(await stored(accountId), { logged: count, omitted: 0, reads: 0 });
});

test('an account gets 256 KB of bodies per second', async () => {
  const { log, end, accountId } = startLog();
  const startedAtMs = performance.now();
  for (let count = 0; count < 200; count += 1)
    end('POST', 400, log.stampArrival(), 'reseller_1', '['.repeat(65_000));
  const seconds = Math.floor(performance.now() / 1000) - Math.floor(startedAtMs / 1000) + 1;
  await log.written();
  const { logged = 0, omitted } = (await stored(accountId)) ?? {};
  equal(logged, 63 * seconds);
  equal(omitted, 200 - logged);
});

test('the log for the check-up has the newest successful reads, and tells when others are missing', async () => {
  let nowMs = Date.now();
  const { log, end, accountId } = startLog(database, () => nowMs, true);
  const gapUntilMs = async () => {
    await log.written();
    return (await findLastGap(database.db, accountId)) / 1000;
  };
  end('GET', 200);
  end();
  ok((await gapUntilMs()) < nowMs - 86_400_000);
  for (let count = 0; count < 500; count += 1) end('GET', 200);
  end();
  ok((await gapUntilMs()) > nowMs);
  const before = (await stored(accountId))?.logged ?? 0;
  equal((await stored(accountId))?.omitted, 0);
  equal((await stored(accountId))?.reads, 501);
  nowMs += 5_000;
  await sql`
    INSERT INTO request_entry (account_id, id, at, client_id, method, path, query, status, trace_id, duration_ms, address)
    SELECT ${accountId}::uuid, ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, statement_timestamp(),
      'reseller_1', 'GET', '/export/v1/orders', '', 200, '', 0, '127.0.0.1'
    FROM generate_series(1, 10000) AS number`.execute(database.db);
  while (await log.forgetOld());
  // Two of the entries are no reads.
  equal((await stored(accountId))?.logged, 10_002);
  ok(before > 2 && before < 502);
});

test('reads of several rounds add up, and closing writes the remaining entries', async () => {
  const { log, end, accountId } = startLog();
  for (let count = 0; count < 5; count += 1) end('GET', 200);
  await log.written();
  for (let count = 0; count < 5; count += 1) end('GET', 200);
  end('GET', 404);
  await log.close();
  deepEqual(await stored(accountId), { logged: 1, omitted: 0, reads: 10 });
});

test('entries are in the order of arrival, in one moment, when the clock goes back and in later batches', async () => {
  let nowMs = Date.now();
  const { log, end, accountId } = startLog(database, () => nowMs);
  const slow = log.stampArrival();
  for (const stepMs of [0, 0, 0, -5_000, 0, 0.0001, 6_000]) {
    nowMs += stepMs;
    const arrived = [log.stampArrival(), log.stampArrival()];
    for (const at of arrived.toReversed()) end('POST', 201, at, `reseller_${at}`);
    await log.written();
  }
  end('POST', 201, slow, `reseller_${slow}`);
  await log.written();
  const { rows } = await sql<{ clientId: string }>`
    SELECT client_id AS "clientId" FROM request_entry WHERE account_id = ${accountId}::uuid ORDER BY id`.execute(
    database.db,
  );
  const order = rows.map(({ clientId }) => clientId);
  equal(order.length, 15);
  deepEqual(order, order.toSorted());
});

test('times are right again after the clock was an hour ahead', () => {
  let nowMs = Date.now() + 3_600_000;
  const { log } = startLog(database, () => nowMs);
  log.stampArrival();
  nowMs -= 3_600_000;
  equal(log.stampArrival(), nowMs * 1000);
});

test('logged and omitted requests are as many as sent, though the responses to COMMIT are lost', async () => {
  let lost = 0;
  const losing: Database = {
    ...database,
    async connect() {
      const client = await database.connect();
      return new Proxy(client, {
        get(target, name) {
          if (name !== 'query') return bound(target, name);
          return async (...args: Parameters<typeof target.query>) => {
            const result = await target.query(...args);
            if (String(args[0]) !== 'COMMIT' || lost >= 4) return result;
            lost += 1;
            throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
          };
        },
      });
    },
  };
  const { log, end, accountId } = startLog(losing);
  for (let round = 0; round < 6; round += 1) {
    for (let count = 0; count < 50; count += 1) end();
    end('GET', 200);
    await log.written();
  }
  const { logged, omitted, reads } = (await stored(accountId)) ?? {};
  equal(Number(logged) + Number(omitted), 300);
  equal(reads, 6);
  equal(lost, 4);
});

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? value.bind(target) : value;
}

test('a failed batch is counted as omitted, and counts wait for the database', async () => {
  let isDown = true;
  const broken: Database = new Proxy(database, {
    get(target, name) {
      if (isDown) throw new Error('the database is unreachable');
      return Reflect.get(target, name, target);
    },
  });
  const { log, end, failures, accountId } = startLog(broken);
  end();
  end('GET', 200);
  await log.written();
  equal(failures.length, 2);
  isDown = false;
  await log.written();
  deepEqual(await stored(accountId), { logged: 0, omitted: 1, reads: 1 });
});
