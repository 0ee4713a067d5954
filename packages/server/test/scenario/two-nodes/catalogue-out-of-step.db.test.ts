/** A node loses its database in every possible way while the other continues selling. R26, A16. */
import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { must } from '@keyport/core/assert';
import { pino } from 'pino';
import { afterEach, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { type RunningService, startService } from '../../../src/service.ts';
import { testEngine } from '../../support/database.ts';
import { manual, testConfig } from '../../support/harness.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const onPostgres = { skip: testEngine === 'embedded' };

const LOOK_INTERVAL_MS = 25;

const { h, nodes, link, settings } = await startTwoNodes(
  wholeFile,
  { KEYPORT_METRICS_PORT: '0' },
  { isLinked: true },
);
const [writing, reading] = nodes;
const reseller = await h.seed.reseller({ balance: '1000.00' });
const first = await h.seed.listing({ price: '10.00' });
let passing = await h.seed.listing({ price: '10.00' });
let price = 10;

const broken = () => must(link, 'the link of the second node');

/** Changes a price, removes a product, and adds a product and sells one unit of it. */
async function changeCatalogue(): Promise<void> {
  const put = ({ offerId, productId, sellerId }: typeof first, fields: Record<string, string>) =>
    h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, ...fields });
  price += 1;
  await put(first, { price: `${price}.00`, status: 'active' });
  await put(passing, { price: '10.00', status: 'paused' });
  passing = await h.seed.listing({ price: '10.00' });
  equal((await reseller.order(manual(passing.offerId))).status, 201);
  await h.seed.inStep();
}

async function listAt(node: RunningService) {
  const { status, body } = await reseller.at(node.url).get('/product-offers?itemsPerPage=100');
  equal(status, 200);
  return { data: body.data, meta: body.meta };
}

async function toHealth(node: RunningService) {
  const response = await fetch(`${node.url}/health/ready`);
  return { status: response.status, body: await response.json() };
}

async function metricValue(node: RunningService, name: string): Promise<number> {
  const text = await (await fetch(node.metricsUrl ?? '')).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  ok(line !== undefined, `${name} in\n${text}`);
  return Number(line.slice(name.length + 1));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(LOOK_INTERVAL_MS);
}

async function untilInStep(): Promise<void> {
  const expected = await listAt(writing);
  await until(async () => isDeepStrictEqual(await listAt(reading), expected));
}

const isReady = async (node: RunningService) => (await toHealth(node)).status === 200;

/** The other node changes the catalogue; this node shows old data and eventually stops being ready. */
async function untilOutOfStep(): Promise<void> {
  const before = await listAt(reading);
  await changeCatalogue();
  notDeepEqual(await listAt(writing), before);
  deepEqual(await listAt(reading), before, 'reads continue from memory');
  await until(async () => !(await toHealth(reading)).body.checks.catalogue);
  const { status, checks } = (await toHealth(reading)).body;
  // Whether the database counts as unreachable depends on the last attempt to connect.
  const { database, ...others } = checks;
  equal(typeof database, 'boolean');
  deepEqual(
    [status, others],
    ['unavailable', { catalogue: false, eventLoop: true, accepting: true, clock: true }],
  );
  ok((await metricValue(reading, 'keyport_catalogue_lag_seconds')) >= 5);
  deepEqual(await listAt(reading), before, 'reads continue from memory');
  equal((await toHealth(writing)).status, 200);
}

afterEach(async () => {
  await reading.catalogueInStep();
  deepEqual(await listAt(reading), await listAt(writing));
  const unsound = (await reading.verify()).filter((result) => result.broken > 0);
  deepEqual(unsound, []);
});

test('a node whose connections are all cut is in step again immediately', onPostgres, async () => {
  broken().cut();
  await changeCatalogue();
  await untilInStep();
  equal((await toHealth(reading)).status, 200);
});

test(
  'a node whose listening connection alone is cut finds the changes and listens again',
  onPostgres,
  async () => {
    const countListeners = async () => {
      const { rows } = await sql<{ count: number }>`
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'keyport-listen'`.execute(h.database.db);
      return rows[0]?.count;
    };
    equal(await countListeners(), 2);
    broken().cut('listener');
    await changeCatalogue();
    await untilInStep();
    await until(async () => (await countListeners()) === 2);
  },
);

test(
  'a node whose connections are all rejected is not ready until it is in step again',
  onPostgres,
  async () => {
    broken().down();
    await untilOutOfStep();
    await changeCatalogue();
    broken().restore();
    await until(() => isReady(reading));
    deepEqual(await listAt(reading), await listAt(writing), 'ready means in step');
  },
);

test('a node abandons connections that never respond again and opens new ones', onPostgres, async () => {
  broken().silence();
  await untilOutOfStep();
  broken().restore();
  await until(() => isReady(reading));
  deepEqual(await listAt(reading), await listAt(writing), 'ready means in step');
});

test('a node shuts down gracefully while its database is silent', onPostgres, async () => {
  const third = await startService(testConfig(settings), {
    database: { url: broken().url, dataDir: 'memory' },
    log: pino({ level: 'silent' }),
  });
  broken().silence();
  await until(async () => !(await isReady(third)));
  await third.close();
  broken().restore();
  await until(() => isReady(reading));
});
