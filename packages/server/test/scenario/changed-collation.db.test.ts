/** The C library or ICU may sort text differently after an upgrade or on a standby. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import {
  connectTo,
  type Owner,
  onEnd,
  testDatabase,
  testDatabaseSettings,
  testEngine,
} from '../support/database.ts';
import { startHarness } from '../support/harness.ts';
import { skipBecause } from '../support/vitest.ts';

const REFERENCES = 300;
const skip = testEngine === 'embedded' && 'the embedded engine has its own collation';

test('every indexed text is compared byte by byte', async (t) => {
  const database = await testDatabase(t);
  const client = await database.connect();
  const { rows } = await client.query(
    `SELECT key.indexrelid::regclass::text AS index, attribute.attname AS column
      FROM pg_index AS key, unnest(key.indcollation::oid[]) WITH ORDINALITY AS part (collation_id, number)
      JOIN pg_attribute AS attribute ON attribute.attnum = part.number
      WHERE attribute.attrelid = key.indexrelid AND part.collation_id NOT IN (0, 'pg_catalog."C"'::regcollation)
        AND key.indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
        AND key.indrelid::regclass::text NOT LIKE 'kysely%'`,
  );
  client.release();

  deepEqual(rows, []);
});

test('deposits that were booked before the collation changed are not booked again', async (t) => {
  skipBecause(t, skip);
  const { url = '' } = await testDatabaseSettings(t);
  const admin = await connectTo(t, url);
  const name = `keyport_${randomUUID().replaceAll('-', '')}`;
  // Here "10" sorts before "9"; after the change it sorts after "9".
  await admin.query(
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'und' LOCALE 'C'`,
  );
  onEnd(t, async () => void (await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)));
  const database = { url: url.replace(/[^/]*$/, name), dataDir: 'memory' };
  const folder = await mkdtemp(join(tmpdir(), 'keyport-collation-'));
  onEnd(t, () => rm(folder, { recursive: true }));
  const masterKeyFile = join(folder, 'master.key');
  await writeFile(masterKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const settings = { KEYPORT_MASTER_KEY_FILE: masterKeyFile };
  const deposit = (index: number) => ({ amount: '1.00', reference: `bank-${index}` });

  let endFirst = async () => {};
  const first = await startHarness(
    { onTestFinished: (work) => (endFirst = work) } satisfies Owner,
    settings,
    database,
  );
  const { accountId } = await first.seed.reseller();
  for (let index = 0; index < REFERENCES; index += 1) {
    await first.operate('POST', `/accounts/${accountId}/deposits`, deposit(index));
  }
  await endFirst();
  const { rows } = await admin.query(`SELECT attname AS column FROM pg_attribute
    WHERE attrelid = 'pg_database'::regclass AND attname IN ('daticulocale', 'datlocale')`);
  await admin.query(
    `UPDATE pg_database SET ${rows[0].column} = 'und-u-kn', datcollversion = '1.2'
      WHERE datname = $1`,
    [name],
  );
  const second = await startHarness(t, settings, database);
  for (let index = 0; index < REFERENCES; index += 1) {
    await second.operate('POST', `/accounts/${accountId}/deposits`, deposit(index));
  }

  equal((await second.operate('GET', `/accounts/${accountId}`)).balance, `${REFERENCES}.00`);
});
