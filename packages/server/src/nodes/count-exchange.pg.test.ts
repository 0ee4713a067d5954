/** What one node counts, another one hears: all of it and once, however much it is. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { onEnd, testDatabase, testEngine } from '../../test/support/database.ts';
import { CountExchange } from './count-exchange.ts';

const onPostgres = { skip: testEngine === 'embedded' && 'the embedded engine serves one process' };

/** More than fits into the messages of a round. */
const CLIENT_COUNT = 3000;
const FAILURE_COUNT = 7;

const log = pino({ level: 'silent' });
const deaf = { reads: () => {}, orders: () => {}, failures: () => {} };

test('everything that a node counts reaches the others once', onPostgres, async (t) => {
  const database = await testDatabase(t);
  const heard = new Map<string, number>();
  let total = 0;
  const all = Promise.withResolvers<void>();
  const hear = (kind: string) => (key: string, count: number) => {
    heard.set(`${kind} ${key}`, (heard.get(`${kind} ${key}`) ?? 0) + count);
    total += count;
    if (total >= 2 * CLIENT_COUNT + FAILURE_COUNT) all.resolve();
  };
  const telling = new CountExchange(
    { database, log },
    { ...deaf, reads: () => all.reject(new Error('heard itself')) },
  );
  const hearing = new CountExchange(
    { database, log },
    { reads: hear('reads'), orders: hear('orders'), failures: hear('failures') },
  );
  for (const exchange of [telling, hearing]) {
    await exchange.start();
    onEnd(t, () => exchange.close());
  }
  const clientIds = Array.from({ length: CLIENT_COUNT }, (_, index) => `reseller_${'x'.repeat(50)}${index}`);
  for (const clientId of clientIds) telling.count('reads', clientId);
  for (const clientId of clientIds) telling.count('reads', clientId);
  for (let count = 0; count < FAILURE_COUNT; count += 1) telling.count('failures', '2001:db8::1');
  await all.promise;
  equal(heard.size, CLIENT_COUNT + 1);
  deepEqual(new Set(clientIds.map((clientId) => heard.get(`reads ${clientId}`))), new Set([2]));
  equal(heard.get('failures 2001:db8::1'), FAILURE_COUNT);
});
