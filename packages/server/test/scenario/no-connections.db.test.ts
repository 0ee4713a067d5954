/** A511. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createLogger } from '@keyport/http/logging/log';
import { test } from 'vitest';
import { connectTo, onEnd, testDatabaseSettings, testEngine } from '../support/database.ts';
import { openDatabaseLink } from '../support/database-link.ts';
import { auto, type Harness, startHarness } from '../support/harness.ts';
import { skipBecause } from '../support/vitest.ts';

/** Long enough for the preparation on a busy machine. */
const connectionWaitMaxMs = 5_000;

const skip = testEngine === 'embedded' && 'the embedded engine has one session';

const WAYS: [title: string, shut: (name: string) => string, open: (name: string) => string, says: RegExp][] =
  [
    [
      'others use all connections (53300)',
      (name) => `ALTER ROLE ${name} CONNECTION LIMIT 0`,
      (name) => `ALTER ROLE ${name} CONNECTION LIMIT -1`,
      /too many connections.*raise max_connections/,
    ],
    [
      'the role may not log in (28000)',
      (name) => `ALTER ROLE ${name} NOLOGIN`,
      (name) => `ALTER ROLE ${name} LOGIN`,
      /not permitted to log in.*ALTER ROLE … LOGIN/,
    ],
    [
      'the database accepts no connections (55000)',
      (name) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
      (name) => `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`,
      /not currently accepting connections.*ALLOW_CONNECTIONS true/,
    ],
    [
      'the database has another name (3D000)',
      (name) => `ALTER DATABASE ${name} RENAME TO ${name}_other`,
      (name) => `ALTER DATABASE ${name}_other RENAME TO ${name}`,
      /does not exist.*correct its name/,
    ],
  ];

test.for(WAYS)(
  'callers get 503 while %s, one line names cause and remedy, and callers are served as soon as it is over',
  async ([, shut, open, says], t) => {
    skipBecause(t, skip);
    const { url: adminUrl = '' } = await testDatabaseSettings(t);
    const admin = await connectTo(t, adminUrl);
    const name = `keyport_shop_${randomUUID().replaceAll('-', '')}`;
    await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'test'`);
    await admin.query(`CREATE DATABASE ${name} OWNER ${name}`);
    onEnd(t, async () => {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.query(`DROP ROLE ${name}`);
    });
    const url = new URL(adminUrl);
    Object.assign(url, { username: name, password: 'test', pathname: `/${name}` });
    const lines: { level: string; msg: string }[] = [];
    const log = createLogger('warn', { write: (line) => void lines.push(JSON.parse(line)) });
    const h = await startHarness(t, {}, { url: url.href, dataDir: 'memory', connectionWaitMaxMs }, log);
    const callAll = await toBuyer(h);
    const readiness = async () => (await fetch(`${h.url}/health/ready`)).json();

    const endSessions = () =>
      admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [name]);
    await shutWhenUnused(() => admin.query(shut(name)), endSessions);
    await endSessions();

    while (!(await callAll()).every((status) => status === 503));
    deepEqual([(await readiness()).checks.database, await callAll()], [false, [503, 503, 503, 503]]);
    const errors = lines.filter(({ level }) => level === 'error').map(({ msg }) => msg);
    equal(errors.filter((line) => says.test(line)).length, 1, errors.join('\n'));
    // Requests that were in progress when their sessions ended have lines of their own.
    lines.length = 0;
    await callAll();
    deepEqual(lines, []);
    await admin.query(open(name));
    while (!(await readiness()).checks.database);
    deepEqual(await callAll(), [201, 200, 200, 200]);
  },
);

/** A database with sessions can't be renamed, and the service opens new ones all the time. */
async function shutWhenUnused(
  shut: () => Promise<unknown>,
  endSessions: () => Promise<unknown>,
): Promise<void> {
  for (;;) {
    try {
      await shut();
      return;
    } catch (error) {
      if (!(error instanceof Error && /being accessed/.test(error.message))) throw error;
      await endSessions();
    }
  }
}

test('a caller waits for one connection to a silent server, not for three in succession', async (t) => {
  skipBecause(t, skip);
  const { url = '' } = await testDatabaseSettings(t);
  const link = await openDatabaseLink(t, url);
  const h = await startHarness(t, {}, { url: link.url, dataDir: 'memory', connectionWaitMaxMs });
  const callAll = await toBuyer(h);
  link.down();
  link.silence();
  // The open connections turn out to be dead and are replaced once.
  await callAll();
  const { transactionsRetried } = h.database.counts;

  deepEqual(await callAll(), [503, 503, 503, 503]);
  equal(h.database.counts.transactionsRetried, transactionsRetried);
  link.restore();
  deepEqual(await callAll(), [201, 200, 200, 200]);
});

async function toBuyer(h: Harness): Promise<() => Promise<number[]>> {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId } = await h.seed.listing({ stock: 30 });
  const { clientId: client_id, clientSecret: client_secret } = reseller;
  const token = { grant_type: 'client_credentials', client_id, client_secret };
  return async () => {
    const responses = await Promise.all([
      reseller.order(auto(productId)),
      reseller.get('/orders'),
      h.call('POST', '/oauth/token', { body: token }),
      h.admin('GET', '/accounts'),
    ]);
    for (const { status, headers } of responses)
      if (status === 503) match(headers.get('retry-after') ?? '', /^[1-9]/);
    return responses.map(({ status }) => status);
  };
}
