/** A server with weak settings is rejected in live mode and causes a warning in sandbox mode (A165). */
import { deepEqual, equal, match } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectTo, type Owner, onEnd, testEngine } from '../../server/test/support/database.ts';
import { type PostgresServer, startPostgres } from '../../server/test/support/postgres.ts';
import { runKeyport, startServing } from './support/keyport.ts';

const ROLE = 'keyport_live';
const OPERATOR_SECRET = randomBytes(32).toString('base64url');

/** Makes a process print when it loads sandbox code. */
const LOADED_SANDBOX = `data:text/javascript,${encodeURIComponent(`import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    if (url.includes('/server/src/sandbox/')) process.stderr.write('loaded sandbox ' + url + '\\n');
    return next(url, context);
  },
});`)}`;

type Client = Awaited<ReturnType<typeof connectTo>>;

type Shop = { readonly url: string; readonly settings: Record<string, string>; readonly keyFile: string };

describe('live mode', { skip: testEngine === 'embedded' }, () => {
  // A handler that is registered inside a hook would end with the hook.
  let end = async () => {};
  const owner: Owner = { onTestFinished: (work) => (end = work) };
  afterAll(() => end());
  let server: PostgresServer;
  let admin: Client;
  let shop: Shop;

  beforeAll(async () => {
    server = await startPostgres({ durable: true });
    onEnd(owner, () => server.stop());
    shop = await openShop(owner, server);
    admin = await connectTo(owner, withDatabase(server.url, 'shop'));
  });

  test('a server with default settings is accepted, and a superuser role causes a warning', async (t) => {
    const log = await serve(t, shop.settings);
    equal(/superuser/.test(await log()), false);
    const asSuperuser = { ...shop.settings, KEYPORT_DATABASE_URL: withDatabase(server.url, 'shop') };
    match(await (await serve(t, asSuperuser))(), /"level":"warn".*role postgres is a superuser/);
  });

  test('a generated operator secret is printed once, by the start that generated it', async (t) => {
    const { KEYPORT_OPERATOR_SECRET: _, ...settings } = shop.settings;
    const other = { ...settings, KEYPORT_OPERATOR_ID: 'second-operator' };
    const firstStart = await (await serve(t, other))();
    match(firstStart, /kpsec_/);
    equal(/kpsec_/.test(await (await serve(t, other))()), false);
  });

  test('a service without rate limits logs a warning, and one with them does not', async (t) => {
    const says =
      /"level":"warn".*KEYPORT_RATE_LIMIT_READS_PER_SECOND and KEYPORT_RATE_LIMIT_ORDERS_PER_SECOND/;
    const limits = { KEYPORT_RATE_LIMIT_READS_PER_SECOND: '50', KEYPORT_RATE_LIMIT_ORDERS_PER_SECOND: '5' };
    match(await (await serve(t, shop.settings))(), says);
    equal(says.test(await (await serve(t, { ...shop.settings, ...limits }))()), false);
  });

  test('anyone can read the OpenAPI document of the reseller operations', async (t) => {
    const service = await startServing(shop.settings);
    t.onTestFinished(async () => void (await service.stop('SIGKILL')));
    const { paths } = await (await fetch(`${service.welcome.url}/openapi.json`)).json();
    deepEqual(
      Object.keys(paths).filter((path) => path.startsWith('/admin/')),
      [],
    );
    equal('/export/v1/orders' in paths, true);
  });

  test('live mode has no sandbox: no operation, no scenario, none of its code', async (t) => {
    const NODE_OPTIONS = `--import ${LOADED_SANDBOX}`;
    const live = await startServing({ ...shop.settings, NODE_OPTIONS });
    t.onTestFinished(async () => void (await live.stop('SIGKILL')));
    const { url } = live.welcome;
    const { paths } = await (await fetch(`${url}/openapi.json`)).json();
    equal(/\/sandbox\/|Keyport-Scenario/.test(JSON.stringify(paths)), false);
    for (const [method, path] of [
      ['GET', '/sandbox/v1/checkup'],
      ['PATCH', '/sandbox/v1/account'],
      ['POST', '/sandbox/v1/orders/2174556001234567/settle'],
      ['GET', '/docs/checkup'],
    ] as const)
      equal((await fetch(`${url}${path}`, { method })).status, 404, path);
    for (const path of ['/export/v1/orders', '/export/v1/account', '/oauth/token']) {
      const method = path.endsWith('account') ? 'GET' : 'POST';
      const response = await fetch(`${url}${path}`, { method, headers: { 'keyport-scenario': 'held' } });
      equal(response.status, 400, path);
      match(await response.text(), /headers\.keyport-scenario/);
    }
    equal(await live.stop('SIGTERM'), 0);
    equal(/loaded sandbox/.test(await live.output()), false);
    const log = await serve(t, { ...shop.settings, KEYPORT_MODE: 'sandbox', NODE_OPTIONS });
    match(await log(), /loaded sandbox/);
  });

  const OF_THE_SERVER: [setting: string, says: RegExp][] = [
    ['fsync', /set fsync = on/],
    ['full_page_writes', /set full_page_writes = on/],
    ['synchronous_commit', /set synchronous_commit = on/],
  ];
  for (const [setting, says] of OF_THE_SERVER) {
    test(`${setting} = off is rejected`, async (t) => {
      await setOnServer(admin, setting, 'off');
      t.onTestFinished(() => setOnServer(admin, setting, undefined));
      await assertRejected(shop.settings, says);
    });
  }

  const STATEMENTS: [what: string, statement: string, undo: string, says: RegExp][] = [
    [
      'synchronous_commit = off for the role',
      `ALTER ROLE ${ROLE} SET synchronous_commit = off`,
      `ALTER ROLE ${ROLE} RESET synchronous_commit`,
      /synchronous_commit is off.*for the server, the database and the role/,
    ],
    [
      'a read-only database',
      'ALTER DATABASE shop SET default_transaction_read_only = on',
      'ALTER DATABASE shop RESET default_transaction_read_only',
      /set default_transaction_read_only = off/,
    ],
    [
      'a role with too few connections',
      `ALTER ROLE ${ROLE} CONNECTION LIMIT 5`,
      `ALTER ROLE ${ROLE} CONNECTION LIMIT -1`,
      /role keyport_live allows 5 connections, and a node needs \d+: .*ALTER ROLE/,
    ],
    [
      'a schema that newer code made',
      `INSERT INTO schema_migration (name, hash, objects) VALUES ('9999-future', 'x', '{}')`,
      `DELETE FROM schema_migration WHERE name = '9999-future'`,
      /newer than this version.*9999-future.*Start the version that made it/,
    ],
  ];
  for (const [what, statement, undo, says] of STATEMENTS) {
    test(`${what} is rejected`, async (t) => {
      await admin.query(statement);
      t.onTestFinished(async () => void (await admin.query(undo)));
      await assertRejected(shop.settings, says);
    });
  }

  test('a database with another encoding is rejected', async () => {
    await admin.query(
      `CREATE DATABASE ascii OWNER ${ROLE} ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C'`,
    );
    const url = withDatabase(shop.url, 'ascii');
    await assertRejected({ ...shop.settings, KEYPORT_DATABASE_URL: url }, /SQL_ASCII.*ENCODING 'UTF8'/);
  });

  test('a server with fewer connections than a node needs is rejected', async (t) => {
    const small = await startPostgres({ durable: true, settings: { max_connections: '12' } });
    t.onTestFinished(() => small.stop());
    const other = await openShop({ onTestFinished: (work) => t.onTestFinished(work) }, small);
    await assertRejected(other.settings, /server allows 9 connections.*raise max_connections/);
  });

  test('a master key that everyone may read is rejected, and causes a warning in the sandbox', async (t) => {
    await chmod(shop.keyFile, 0o644);
    t.onTestFinished(() => chmod(shop.keyFile, 0o600));
    await assertRejected(shop.settings, /master key file .*mode 0644.*chmod 600/);
    match(await (await serve(t, { ...shop.settings, KEYPORT_MODE: 'sandbox' }))(), /chmod 600/);
    await chmod(shop.keyFile, 0o640);
    await serve(t, shop.settings);
  });

  test('all reasons are reported together, and are warnings in the sandbox', async (t) => {
    await setOnServer(admin, 'fsync', 'off');
    t.onTestFinished(() => setOnServer(admin, 'fsync', undefined));
    await admin.query(`ALTER ROLE ${ROLE} SET synchronous_commit = off`);
    t.onTestFinished(async () => void (await admin.query(`ALTER ROLE ${ROLE} RESET synchronous_commit`)));
    await assertRejected(shop.settings, /fsync[\s\S]*synchronous_commit/);
    match(
      await (await serve(t, { ...shop.settings, KEYPORT_MODE: 'sandbox' }))(),
      /fsync[\s\S]*synchronous_commit/,
    );
  });

  test('a standby is rejected', async (t) => {
    const other = await startPostgres({ durable: true });
    t.onTestFinished(() => other.stop());
    const itsShop = await openShop({ onTestFinished: (work) => t.onTestFinished(work) }, other);
    await becomeStandby(other);
    await assertRejected(itsShop.settings, /standby.*KEYPORT_DATABASE_URL/);
  });
});

/** A role without privileges, its database, and the settings of a live service on it. */
async function openShop(owner: Owner, server: PostgresServer): Promise<Shop> {
  const client = await connectTo(owner, server.url);
  await client.query(`CREATE ROLE ${ROLE} LOGIN`);
  await client.query(`CREATE DATABASE shop OWNER ${ROLE}`);
  // This client must close before the test ends the server.
  await client.end();
  const folder = await mkdtemp(join(tmpdir(), 'keyport-live-'));
  onEnd(owner, () => rm(folder, { recursive: true }));
  const keyFile = join(folder, 'master.key');
  await writeFile(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const url = new URL(withDatabase(server.url, 'shop'));
  url.username = ROLE;
  const settings = {
    KEYPORT_MODE: 'live',
    KEYPORT_PORT: '0',
    KEYPORT_DEMO: 'false',
    KEYPORT_DATA_DIR: join(folder, 'data'),
    KEYPORT_DATABASE_URL: url.href,
    KEYPORT_MASTER_KEY_FILE: keyFile,
    KEYPORT_PUBLIC_URL: 'https://export.example',
    KEYPORT_OPERATOR_ID: 'first-operator',
    KEYPORT_OPERATOR_SECRET: OPERATOR_SECRET,
    // No load balancer has to notice the stop.
    KEYPORT_STOP_DELAY_MS: '0',
  };
  return { url: url.href, settings, keyFile };
}

/** Serves until the end of the test. The returned function stops the service and returns its output. */
async function serve(owner: Owner, settings: Record<string, string>): Promise<() => Promise<string>> {
  const service = await startServing(settings);
  onEnd(owner, async () => void (await service.stop('SIGKILL')));
  return async () => {
    equal(await service.stop('SIGTERM'), 0);
    return service.output();
  };
}

async function assertRejected(settings: Record<string, string>, says: RegExp): Promise<void> {
  const { code, stdout, stderr } = await runKeyport(['serve'], { settings });
  equal(code, 1);
  equal(stdout, '');
  match(stderr, says);
  equal(/\n\s+at /.test(stderr), false, `no stack: ${stderr}`);
}

async function setOnServer(admin: Client, setting: string, value: string | undefined): Promise<void> {
  const change = value === undefined ? `RESET ${setting}` : `SET ${setting} = ${value}`;
  await admin.query(`ALTER SYSTEM ${change}`);
  await admin.query('SELECT pg_reload_conf()');
  const shown = async () => (await admin.query(`SHOW ${setting}`)).rows[0][setting];
  while ((await shown()) !== (value ?? 'on')) await sleep(20);
}

/** Restarts the server on the same data as a standby that follows no primary. */
async function becomeStandby(server: PostgresServer): Promise<void> {
  await server.end('SIGINT');
  await writeFile(join(server.dataFolder, 'standby.signal'), '', { mode: 0o644 });
  await server.start();
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
