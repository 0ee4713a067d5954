/** Every fact of a server that is rejected or warned of, one at a time (A165). Real servers: live-mode.db.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { judgeServer, type ServerFacts } from './server-check.ts';

const FIT: ServerFacts = {
  versionNumber: 180_004,
  encoding: 'UTF8',
  isInRecovery: false,
  readOnly: 'off',
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  synchronousStandbyNames: '',
  dataChecksums: 'on',
  collationRecorded: '153.80',
  collationActual: '153.80',
  database: 'shop',
  dataSyncRetry: 'off',
  ignoreInvalidPages: 'off',
  autovacuum: 'on',
  transactionIdsUsed: 1_000_000_000,
  trackCounts: 'on',
  connectionLimits: [{ name: 'The server', limit: 97, remedy: 'raise max_connections' }],
  role: 'keyport',
  isSuperuser: false,
};

const VERSION = { 14: 140_023, 15: 150_000, 18: 180_004, 19: 190_000 } as const;
const limit = (count: number) => ({
  connectionLimits: [{ name: 'The server', limit: count, remedy: 'raise max_connections' }],
});

test('a server that is fit gives no reason for anything', () => {
  for (const facts of [
    {},
    { versionNumber: VERSION[15] },
    { versionNumber: VERSION[18] },
    { synchronousCommit: 'remote_apply', synchronousStandbyNames: 'a' },
    { synchronousCommit: 'local' },
    { collationRecorded: null, collationActual: null },
    limit(15),
  ]) {
    const verdict = judgeServer({ ...FIT, ...facts });
    assert.deepEqual(verdict, { errors: [], warnings: [] }, JSON.stringify(facts));
  }
});

test('each weakness is rejected or warned of, with what to do', () => {
  const rows: [facts: Partial<ServerFacts>, kind: 'errors' | 'warnings', says: RegExp][] = [
    [{ versionNumber: VERSION[14] }, 'errors', /version 14: use PostgreSQL 15 to 18/],
    [{ versionNumber: VERSION[19] }, 'warnings', /version 19.*try it on a copy/],
    [{ encoding: 'SQL_ASCII' }, 'errors', /SQL_ASCII.*ENCODING 'UTF8'/],
    [{ isInRecovery: true, readOnly: 'on' }, 'errors', /standby.*KEYPORT_DATABASE_URL/],
    [{ readOnly: 'on' }, 'errors', /set default_transaction_read_only = off/],
    [{ fsync: 'off' }, 'errors', /set fsync = on/],
    [{ fullPageWrites: 'off' }, 'errors', /set full_page_writes = on/],
    [{ synchronousCommit: 'off' }, 'errors', /set synchronous_commit = on/],
    [limit(14), 'errors', /allows 14 connections.*needs 15: raise max_connections/],
    [{ synchronousCommit: 'local', synchronousStandbyNames: 'a' }, 'warnings', /set synchronous_commit = on/],
    [{ synchronousCommit: 'remote_write', synchronousStandbyNames: 'a' }, 'warnings', /fail-over can lose/],
    [{ dataChecksums: 'off' }, 'warnings', /pg_checksums --enable/],
    [{ dataSyncRetry: 'on' }, 'errors', /set data_sync_retry = off/],
    [{ ignoreInvalidPages: 'on' }, 'errors', /set ignore_invalid_pages = off/],
    [
      { collationActual: '154.1' },
      'warnings',
      /from version 153\.80 to 154\.1.*REINDEX DATABASE shop; ALTER/,
    ],
    [{ transactionIdsUsed: 1_100_000_000 }, 'warnings', /after 1044483647 more.*vacuumdb --all/],
    [{ transactionIdsUsed: 2_144_483_647 }, 'errors', /takes no writes.*vacuumdb --all/],
    [{ autovacuum: 'off' }, 'warnings', /set autovacuum = on/],
    [{ trackCounts: 'off' }, 'warnings', /set track_counts = on/],
    [{ isSuperuser: true }, 'warnings', /role keyport is a superuser/],
  ];
  for (const [facts, kind, says] of rows) {
    const verdict = judgeServer({ ...FIT, ...facts });
    assert.equal(verdict.errors.length + verdict.warnings.length, 1, JSON.stringify(facts));
    assert.match(verdict[kind][0] ?? '', says);
  }
});
