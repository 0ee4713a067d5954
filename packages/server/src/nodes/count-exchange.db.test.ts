import { deepEqual, equal } from 'node:assert/strict';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { pino } from 'pino';
import { test, vi } from 'vitest';
import { onEnd, testDatabase, testEngine } from '../../test/support/database.ts';
import type { Schema } from '../db/schema.ts';
import { COUNTS_CHANNEL } from './count-exchange.sql.ts';
import { CountExchange } from './count-exchange.ts';

const onPostgres = { skip: testEngine === 'embedded' };

/** More than the messages of one round can hold. */
const CLIENT_COUNT = 3000;
const FAILURE_COUNT = 7;

const log = pino({ level: 'silent' });

test('every count of a node reaches the other nodes exactly once', onPostgres, async (t) => {
  const database = await testDatabase(t);
  const received = new Map<string, number>();
  let total = 0;
  const all = Promise.withResolvers<void>();
  const receive = (kind: string) => (key: string, count: number) => {
    received.set(`${kind} ${key}`, (received.get(`${kind} ${key}`) ?? 0) + count);
    total += count;
    if (total >= 2 * CLIENT_COUNT + FAILURE_COUNT) all.resolve();
  };
  const publisher = new CountExchange({ database, log });
  publisher.on('reads', () => all.reject(new Error('received its own counts')));
  const receiver = new CountExchange({ database, log });
  for (const kind of ['reads', 'orders', 'failures'] as const) receiver.on(kind, receive(kind));
  for (const exchange of [publisher, receiver]) {
    await exchange.start();
    onEnd(t, () => exchange.close());
  }
  const clientIds = Array.from({ length: CLIENT_COUNT }, (_, index) => `reseller_${'x'.repeat(50)}${index}`);
  for (const clientId of clientIds) publisher.count('reads', clientId);
  for (const clientId of clientIds) publisher.count('reads', clientId);
  for (let count = 0; count < FAILURE_COUNT; count += 1) publisher.count('failures', '2001:db8::1');
  await all.promise;
  equal(received.size, CLIENT_COUNT + 1);
  deepEqual(new Set(clientIds.map((clientId) => received.get(`reads ${clientId}`))), new Set([2]));
  equal(received.get('failures 2001:db8::1'), FAILURE_COUNT);
});

test('ignores malformed messages', onPostgres, async (t) => {
  const database = await testDatabase(t);
  const next = Promise.withResolvers<string>();
  const receiver = new CountExchange({ database, log });
  receiver.on('reads', next.resolve);
  await receiver.start();
  onEnd(t, () => receiver.close());

  for (const message of ['hello', 'null', '{}', '{"node":"other","counts":[1]}']) {
    await sql`SELECT pg_notify(${COUNTS_CHANNEL}, ${message})`.execute(database.kysely);
  }
  const message = JSON.stringify({ node: 'other', counts: [['reads', 'reseller', 1]] });
  await sql`SELECT pg_notify(${COUNTS_CHANNEL}, ${message})`.execute(database.kysely);

  equal(await next.promise, 'reseller');
});

test('while the database hangs, one message waits, and the next has all later counts', async (t) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  t.onTestFinished(() => void vi.useRealTimers());
  const { database, sent } = hangingDatabase();
  const publisher = new CountExchange({ database, log });
  await publisher.start();

  for (let round = 0; round < 5; round += 1) {
    publisher.count('reads', 'reseller');
    vi.advanceTimersByTime(200);
    await settled();
  }
  equal(sent.length, 1);
  sent[0]?.response();
  await settled();
  vi.advanceTimersByTime(200);
  await settled();

  equal(sent.length, 2);
  equal(sent[1]?.parameters.includes('["reads","reseller",4]'), true);
  sent[1]?.response();
  await publisher.close();
});

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function hangingDatabase() {
  const sent: { readonly parameters: string; response(): void }[] = [];
  class HangingDriver extends DummyDriver {
    override async acquireConnection() {
      return {
        executeQuery: ({ parameters }: { parameters: readonly unknown[] }) =>
          new Promise<{ rows: never[] }>((resolve) => {
            sent.push({ parameters: parameters.flat().join(), response: () => resolve({ rows: [] }) });
          }),
        async *streamQuery() {},
      };
    }
  }
  const kysely = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new HangingDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const listen = async () => ({ close: async () => {} });
  return { database: { kind: 'postgres' as const, kysely, listen }, sent };
}
