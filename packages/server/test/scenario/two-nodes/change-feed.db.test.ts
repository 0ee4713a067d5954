/** Readers start at any time, with any page size, lose responses and change nodes. A125 to A127. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { LONG_POLL_LIMITS } from '@keyport/http/admission/long-polls';
import { pino } from 'pino';
import { test } from 'vitest';
import { startService } from '../../../src/service.ts';
import {
  openShop,
  readListedProducts,
  type ShownProduct,
  slowDownTransactions,
} from '../../support/changing-shop.ts';
import { askForChanges, FeedReader, readChanges } from '../../support/feed-reader.ts';
import { testConfig } from '../../support/harness.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const { h, nodes, settings, databaseUrl } = await startTwoNodes(wholeFile);

const WRITER_COUNT = 4;
const CHANGES_PER_WRITER = 40;
const READER_COUNT = 5;

const PATIENCE_MS = 120_000;

const onPostgres = { skip: databaseUrl === undefined };

const urls = nodes.map(({ url }) => url);
const seed = String(randomInt(2 ** 31));
const shop = await openShop(h, { urls, productCount: 30, random: createRandom(seed) });
await slowDownTransactions(h.database, 40);

function change(): Promise<unknown> {
  return Promise.all(
    Array.from({ length: WRITER_COUNT }, (_, writer) =>
      shop.change(CHANGES_PER_WRITER, createRandom(`${seed}/writer ${writer}`)),
    ),
  );
}

/** Reads at random nodes until `isQuiet` holds and the reader has the offers on sale; returns its content. */
async function follow(
  random: Random,
  options: { readonly losesResponses: boolean; readonly isQuiet: () => boolean },
): Promise<readonly ShownProduct[]> {
  const reseller = await h.seed.reseller();
  const reader = new FeedReader();
  let giveUpAt = Number.POSITIVE_INFINITY;
  while (performance.now() < giveUpAt) {
    const isQuiet = options.isQuiet();
    const limit = random.pick([1, 2, 7, 100, 1000]);
    const isLost = options.losesResponses && random.chance(0.3);
    const mayHaveMore = await reader.step(
      reseller.at(random.pick(urls)),
      { limit, wait: isQuiet ? 0 : random.between(0, 1) },
      isLost,
    );
    if (!isQuiet || mayHaveMore) continue;
    giveUpAt = Math.min(giveUpAt, performance.now() + PATIENCE_MS);
    if (isDeepStrictEqual(reader.known(), await readListedProducts(h.database))) break;
    await sleep(20);
  }
  return reader.known();
}

async function assertReadersKnowAll(losesResponses: boolean): Promise<void> {
  let isQuiet = false;
  const random = createRandom(`${seed}/readers ${losesResponses}`);
  const changing = change().then(() => {
    isQuiet = true;
  });
  const following = Array.from({ length: READER_COUNT }, async (_, index) => {
    await sleep(random.between(0, 1500));
    return follow(createRandom(`${seed}/reader ${losesResponses} ${index}`), {
      losesResponses,
      isQuiet: () => isQuiet,
    });
  });
  const [known] = await Promise.all([Promise.all(following), changing]);
  const listed = await readListedProducts(h.database);
  ok(listed.length > 0);
  for (const products of known) deepEqual(products, listed, `seed ${seed}`);
}

test('readers that start at any time and read from any node end with exactly the offers on sale', async (t) => {
  await t.annotate(`seed ${seed}`);
  await assertReadersKnowAll(false);
});

test('readers that lose responses and retry with the same cursor end with exactly the offers on sale', async (t) => {
  await t.annotate(`seed ${seed}`);
  await assertReadersKnowAll(true);
});

test('a new epoch reaches the other node and its waiting readers', onPostgres, async () => {
  const [here, there] = nodes;
  const reseller = (await h.seed.reseller()).at(there.url);
  const { meta } = await readChanges(reseller, { limit: 1000 });
  const waiting = readChanges(reseller, { cursor: meta.nextCursor, limit: 1000, wait: 30 });
  const body = { reason: 'test' };
  const { status } = await h.callAt(here.url, 'POST', '/admin/v1/catalogue/restart-feeds', {
    token: h.operatorToken,
    body,
  });
  equal(status, 204);
  const again = await waiting;
  equal(again.meta.restarted, true);
  // The node that began the epoch and the one that was notified of it agree.
  const next = await readChanges(reseller.at(here.url), { cursor: again.meta.nextCursor });
  deepEqual([next.data, next.meta.restarted], [[], false]);
});

test('a closing node responds to waiting readers, and they continue at another one', onPostgres, async () => {
  const third = await startService(testConfig(settings), {
    database: { url: databaseUrl, dataDir: 'memory' },
    log: pino({ level: 'silent' }),
  });
  const reseller = await h.seed.reseller();
  const { meta } = await readChanges(reseller, { limit: 1000 });
  const query = { cursor: meta.nextCursor, wait: 30 };
  const asked = Array.from({ length: LONG_POLL_LIMITS.perClient + 1 }, () =>
    askForChanges(reseller.at(third.url), query),
  );
  // There is one more request than places: after its response the others wait.
  const first = await Promise.race(asked);
  await third.close();
  const responses = await Promise.all(asked);
  for (const response of responses) {
    const { data, meta } = response.body;
    deepEqual([response.status, data, meta.restarted], [200, [], false]);
    if (response !== first) equal(response.headers.get('connection'), 'close');
    const next = await readChanges(reseller, { cursor: meta.nextCursor });
    deepEqual([next.data, next.meta.restarted], [[], false]);
  }
});
