/** Two nodes behind PgBouncer in transaction mode, with the shipped settings. docs/install.md, "PgBouncer". */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/engines/database.ts';
import { checkServer } from '../../src/db/engines/server-check.ts';
import { UnfitServerError } from '../../src/db/engines/session-settings.ts';
import { migrateToLatest } from '../../src/db/migrations/migrate.ts';
import { startService } from '../../src/service.ts';
import { connectTo, type Owner, onEnd, testEngine } from '../support/database.ts';
import { auto, testConfig } from '../support/harness.ts';
import { noPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { startPostgres } from '../support/postgres.ts';
import { startTwoNodes } from '../support/two-nodes.ts';

const ROLE = 'keyport';
const RETRY_PAUSE_MS = 50;

const skip = testEngine === 'embedded' ? 'PgBouncer needs a PostgreSQL server' : noPgBouncer;

describe('PgBouncer in transaction mode', { skip: Boolean(skip) }, () => {
  // A cleanup registered inside a hook would run at the end of the hook.
  let end = async () => {};
  const owner: Owner = { onTestFinished: (work) => (end = work) };
  afterAll(() => end());
  let admin: Awaited<ReturnType<typeof connectTo>>;
  let directUrl: string;
  let bouncer: PgBouncer;

  beforeAll(async () => {
    const server = await startPostgres({ durable: true });
    onEnd(owner, () => server.stop());
    admin = await connectTo(owner, server.url);
    await admin.query(`CREATE ROLE ${ROLE} LOGIN`);
    await admin.query(`CREATE DATABASE shop OWNER ${ROLE}`);
    const url = new URL(server.url);
    url.username = ROLE;
    url.pathname = '/shop';
    directUrl = url.href;
    bouncer = await startPgBouncer(owner, { databaseUrl: directUrl, role: ROLE });
  });

  const options = (more: Partial<DatabaseOptions> = {}): DatabaseOptions => ({
    url: bouncer.url,
    dataDir: 'memory',
    directUrl,
    ...more,
  });

  test('the address past the pooler must be set, even in the sandbox', async () => {
    const database = options({ directUrl: undefined });
    await rejects(
      startService(testConfig({}), { database, log: pino({ level: 'silent' }) }),
      (error) => error instanceof UnfitServerError && /set KEYPORT_DATABASE_DIRECT_URL/.test(error.message),
    );
  });

  test('migrations without an address past the pooler are rejected and change nothing', async (t) => {
    const database = await open(t, options({ directUrl: undefined }));
    await rejects(migrateToLatest(database), /set KEYPORT_DATABASE_DIRECT_URL/);
    const direct = await open(t, { url: directUrl, dataDir: 'memory' });
    ok((await migrateToLatest(direct)).length > 0);
    deepEqual(await migrateToLatest(database), []);
  });

  test('live mode requires session settings on the role and names them', async (t) => {
    const database = await open(t, options());
    const rejection = await live(database).catch((error: unknown) => error);
    ok(rejection instanceof UnfitServerError);
    const commands = rejection.message.match(/ALTER ROLE [^;]+;/g) ?? [];
    ok(commands.length > 3, rejection.message);

    for (const command of commands) await admin.query(command);
    await bouncer.kill();
    await bouncer.start();
    deepEqual(await live(await open(t, options())), []);
  });

  test('two nodes sell, and reject a disabled client', async (t) => {
    const its: Owner = { onTestFinished: (work) => t.onTestFinished(work) };
    await admin.query('DROP DATABASE shop WITH (FORCE)');
    await admin.query(`CREATE DATABASE shop OWNER ${ROLE}`);
    await migrateToLatest(await open(t, { url: directUrl, dataDir: 'memory' }));
    await bouncer.kill();
    await bouncer.start();
    const { h, nodes } = await startTwoNodes(its, {}, { database: options() });
    const reseller = await h.seed.reseller({ balance: '100.00' });
    const { productId, codes } = await h.seed.listing({ price: '10.00', stock: 5 });
    const second = reseller.at(nodes[1].url);

    const order = await second.order(auto(productId));
    equal(order.status, 201, JSON.stringify(order.body));
    const keys = await reseller.get(`/orders/${order.body.data.id}/keys`);
    equal(keys.status, 200);
    ok(codes.some((code) => JSON.stringify(keys.body).includes(code)));
    await nodes[1].catalogueInStep();
    const { body } = await second.get('/product-offers');
    equal(body.data[0].totalQuantity, 4);
    equal((await second.get('/orders')).body.meta.totalResults, 1);

    await h.operate('DELETE', `/clients/${reseller.clientId}`);
    while ((await second.get('/account')).status !== 401) await sleep(RETRY_PAUSE_MS);
  });
});

async function open(t: Owner, options: DatabaseOptions) {
  const database = await openDatabase(options);
  t.onTestFinished(() => database.close());
  return database;
}

async function live(database: Database): Promise<string[]> {
  const warnings: string[] = [];
  await checkServer(database, { mode: 'live', warn: (warning) => warnings.push(warning) });
  return warnings;
}
