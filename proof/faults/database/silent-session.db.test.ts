/** R26. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestContext, test } from 'vitest';
import { openDatabase } from '../../../packages/server/src/db/engines/database.ts';
import { isUnreachable } from '../../../packages/server/src/db/errors.ts';
import { onEnd, testDatabaseSettings, testEngine } from '../../../packages/server/test/support/database.ts';
import { skipBecause } from '../../../packages/server/test/support/vitest.ts';
import { openCutProxy } from '../cuts/cuts-proxy.ts';

/** The value in production. */
const WAIT_MAX_MS = 2_000;

const skip = testEngine === 'embedded' && 'the embedded engine has no network connection';

/** A database whose first session never gets past the query that contains `query`. */
async function openStalling(t: TestContext, query: string, direction: 'to-server' | 'to-node') {
  const settings = await testDatabaseSettings(t);
  assert.ok(settings.url !== undefined);
  const proxy = await openCutProxy(t, settings.url, {
    opens: ({ type, bytes }) => type === 'Q' && bytes.includes(query),
    // The stall never ends.
    stallMaxMs: 2 ** 31 - 1,
    lateMs: 0,
  });
  const database = await openDatabase({ ...settings, url: proxy.url, connectionWaitMaxMs: WAIT_MAX_MS });
  onEnd(t, () => database.close());
  const watch = proxy.watch({
    on: 'first',
    cut: { direction, messageIndex: 0, position: 'before', kind: 'stall' },
  });
  return { database, watch };
}

for (const direction of ['to-server', 'to-node'] as const) {
  test(`a session whose settings get stuck ${direction} is abandoned, and the next one works`, async (t) => {
    skipBecause(t, skip);
    const { database, watch } = await openStalling(t, 'set_config', direction);
    await assert.rejects(database.connect(), (error) => isUnreachable(error));
    assert.ok(watch.isCut);
    const client = await database.connect();
    client.release();
    while (database.poolUse().inUse > 0) await sleep(10);
    assert.deepEqual(database.poolUse(), { inUse: 0, idle: 1, waiting: 0 });
  });
}

test('a session that listens and stops responding is renewed, and later notifications arrive', async (t) => {
  skipBecause(t, skip);
  const { database, watch } = await openStalling(t, 'SELECT 1', 'to-node');
  const received = new EventEmitter();
  await database.listen('test', (payload) => received.emit('payload', payload));
  // A new session cannot know which notifications were missed.
  const [missed] = await once(received, 'payload');
  assert.equal(missed, '');
  assert.ok(watch.isCut);
  const notification = once(received, 'payload');
  const client = await database.connect();
  await client.query(`NOTIFY test, 'sent'`).finally(() => client.release());
  assert.deepEqual(await notification, ['sent']);
});
