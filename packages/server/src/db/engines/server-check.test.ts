/** A165. live-mode.db.test.ts tests real servers. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { judgeServer, type ServerFacts } from './server-check.ts';

const SETTINGS = {
  transaction_read_only: 'off',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  synchronous_standby_names: '',
  data_sync_retry: 'off',
  ignore_invalid_pages: 'off',
};

const FIT: ServerFacts = {
  versionNumber: 180_004,
  encoding: 'UTF8',
  isInRecovery: false,
  settings: SETTINGS,
  transactionIdsUsed: 1_000_000_000,
  connectionLimits: [{ name: 'The server', limit: 97, remedy: 'raise max_connections' }],
  role: 'keyport',
  isSuperuser: false,
};

const limit = (count: number) => ({
  connectionLimits: [{ name: 'The server', limit: count, remedy: 'raise max_connections' }],
});
const set = (changes: Partial<typeof SETTINGS>) => ({ settings: { ...SETTINGS, ...changes } });

test('a suitable server causes no rejection and no warning', () => {
  for (const facts of [
    {},
    { versionNumber: 150_000 },
    { versionNumber: 190_000 },
    set({ synchronous_commit: 'remote_apply', synchronous_standby_names: 'a' }),
    set({ synchronous_commit: 'local' }),
    limit(15),
  ]) {
    const verdict = judgeServer({ ...FIT, ...facts });
    deepEqual(verdict, { errors: [], warnings: [] }, JSON.stringify(facts));
  }
});

test('each weakness causes a rejection or a warning that names the remedy', () => {
  const rows: [facts: Partial<ServerFacts>, kind: 'errors' | 'warnings', says: RegExp][] = [
    [{ versionNumber: 140_023 }, 'errors', /version 14: use PostgreSQL 15 or later/],
    [{ encoding: 'SQL_ASCII' }, 'errors', /SQL_ASCII.*ENCODING 'UTF8'/],
    [
      { isInRecovery: true, ...set({ transaction_read_only: 'on' }) },
      'errors',
      /standby.*KEYPORT_DATABASE_URL/,
    ],
    [set({ transaction_read_only: 'on' }), 'errors', /set default_transaction_read_only = off/],
    [set({ fsync: 'off' }), 'errors', /set fsync = on/],
    [set({ full_page_writes: 'off' }), 'errors', /set full_page_writes = on/],
    [set({ synchronous_commit: 'off' }), 'errors', /set synchronous_commit = on/],
    [set({ data_sync_retry: 'on' }), 'errors', /set data_sync_retry = off/],
    [set({ ignore_invalid_pages: 'on' }), 'errors', /set ignore_invalid_pages = off/],
    [limit(14), 'errors', /allows 14 connections.*needs 15: raise max_connections/],
    [{ transactionIdsUsed: 2_144_483_647 }, 'errors', /accepts no writes.*vacuumdb --all/],
    [
      set({ synchronous_commit: 'local', synchronous_standby_names: 'a' }),
      'warnings',
      /set synchronous_commit = on/,
    ],
    [
      set({ synchronous_commit: 'remote_write', synchronous_standby_names: 'a' }),
      'warnings',
      /fail-over can lose/,
    ],
    [{ isSuperuser: true }, 'warnings', /role keyport is a superuser/],
  ];
  for (const [facts, kind, says] of rows) {
    const verdict = judgeServer({ ...FIT, ...facts });
    equal(verdict.errors.length + verdict.warnings.length, 1, JSON.stringify(facts));
    match(verdict[kind][0] ?? '', says);
  }
});
