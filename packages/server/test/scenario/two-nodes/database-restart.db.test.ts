/** R26. */
import { deepEqual, equal } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { test } from 'vitest';
import { onEnd, testEngine } from '../../support/database.ts';
import { startPostgres } from '../../support/postgres.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { skipBecause, wholeFile } from '../../support/vitest.ts';

const LOOK_INTERVAL_MS = 50;

test('after the database was killed and restarted, both nodes catch up without a restart', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'the embedded engine lives and dies with its process');
  const owner = wholeFile;
  const postgres = await startPostgres({ durable: true });
  onEnd(owner, () => postgres.stop());
  const database = { url: postgres.url, dataDir: 'memory' };
  const { h, nodes } = await startTwoNodes(owner, {}, { database });
  const reseller = await h.seed.reseller();
  await h.seed.listing({ price: '10.00' });
  await nodes[1].catalogueInStep();
  const listAt = async (url: string) => {
    const { status, body } = await reseller.at(url).get('/product-offers');
    equal(status, 200);
    return body.data;
  };
  const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).status === 200;

  const before = await listAt(h.url);
  // This node has now cached the client too.
  deepEqual(await listAt(nodes[1].url), before);
  process.kill(postgres.pid(), 'SIGKILL');
  for (const { url } of nodes) while (await isReady(url)) await sleep(LOOK_INTERVAL_MS);
  for (const { url } of nodes) {
    deepEqual(await listAt(url), before, 'reads continue from memory');
    const history = await reseller.at(url).get('/orders');
    deepEqual([history.status, history.headers.get('retry-after')], [503, '1']);
  }
  await postgres.start();
  for (const { url } of nodes) while (!(await isReady(url))) await sleep(LOOK_INTERVAL_MS);

  await h.seed.listing({ price: '20.00' });
  const expected = await listAt(h.url);
  equal(expected.length, 2);
  while (!isDeepStrictEqual(await listAt(nodes[1].url), expected)) await sleep(LOOK_INTERVAL_MS);
  for (const node of nodes) {
    const broken = (await node.verify()).filter((result) => result.broken > 0);
    deepEqual(broken, []);
  }
});
