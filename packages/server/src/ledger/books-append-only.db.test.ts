/**
 * I98, under both roles that the service may use: the tests' administrator and an ordinary database owner.
 */
import { deepEqual, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Client, DatabaseError } from 'pg';
import { type TestContext, test } from 'vitest';
import { onEnd, testDatabase, testDatabaseSettings, testEngine } from '../../test/support/database.ts';
import { type Database, openDatabase } from '../db/engines/database.ts';
import { checkSchema, migrateToLatest } from '../db/migrations/migrate.ts';
import { sql } from '../db/sql.ts';
import { runTransaction } from '../db/transaction.ts';
import { loadHouseAccounts } from './house-accounts.sql.ts';
import { bookTransfers } from './transfers.sql.ts';

/** Rejected by a trigger, a missing privilege, a foreign key, or because a view is read-only. */
const REJECTIONS = ['23001', '42501', '23503', '55000'];

const ATTEMPTS: readonly string[] = [
  'UPDATE ledger_transfer SET amount_minor = 1',
  'UPDATE ledger_transfer SET created_at = now(), reason = NULL WHERE false',
  `UPDATE ledger_transfer SET account_id = gen_random_uuid()`,
  'DELETE FROM ledger_transfer',
  'TRUNCATE ledger_transfer',
  'WITH gone AS (DELETE FROM ledger_transfer RETURNING id) SELECT * FROM gone',
  `INSERT INTO ledger_transfer SELECT * FROM ledger_transfer ON CONFLICT (id) DO UPDATE SET amount_minor = 1`,
  `MERGE INTO ledger_transfer USING account ON account.id = account_id WHEN MATCHED THEN DELETE`,
  `MERGE INTO ledger_transfer USING account ON account.id = account_id WHEN MATCHED THEN UPDATE SET amount_minor = 1`,
  `UPDATE ledger_account SET kind = 'sales', account_id = NULL WHERE kind = 'prepaid'`,
  `UPDATE ledger_account SET currency = 'USD'`,
  'DELETE FROM ledger_account',
  'TRUNCATE ledger_account CASCADE',
  'TRUNCATE account CASCADE',
  'DELETE FROM account',
  'UPDATE ledger_entry SET amount_minor = 1',
];

test('no statement changes, removes or moves bookings', async (t) => {
  await assertAllRejected(await testDatabase(t), ATTEMPTS);
});

test('no statement changes bookings in a session that has disabled ordinary triggers', async (t) => {
  await assertAllRejected(
    await testDatabase(t),
    // Foreign keys are disabled there too; the account's own row is not part of the books.
    ATTEMPTS.filter((statement) => !/^(DELETE FROM|TRUNCATE) account\b/.test(statement)),
    'SET LOCAL session_replication_role = replica',
  );
});

if (testEngine === 'postgres') {
  test('an ordinary role that owns the tables cannot change bookings', async (t) => {
    await assertAllRejected(await databaseOfOrdinaryRole(t), ATTEMPTS);
  });
}

if (testEngine === 'postgres') {
  test('names a privilege that the role lacks, but not those that it must not have', async (t) => {
    const database = await databaseOfOrdinaryRole(t);
    await checkSchema(database);
    await sql`REVOKE UPDATE, DELETE ON audit_entry FROM CURRENT_USER`.execute(database.db);
    await checkSchema(database);
    await sql`REVOKE INSERT ON "order" FROM CURRENT_USER`.execute(database.db);
    await sql`REVOKE USAGE ON ledger_transfer_id_seq FROM CURRENT_USER`.execute(database.db);
    await rejects(
      checkSchema(database),
      /privilege INSERT on order; privilege USAGE on ledger_transfer_id_seq/,
    );
  });
}

test('rejects a second line with the same number in a statement', async (t) => {
  const database = await testDatabase(t);
  const accountId = await bookSomething(database);
  await rejects(
    sql`
      INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
        prepaid_balance_after_minor, created_at, line, deposit_sum_minor)
      SELECT 'deposit', cash.id, prepaid.id, 7, prepaid.account_id, 657, now(), 2, 0
      FROM ledger_account AS cash, ledger_account AS prepaid
      WHERE cash.kind = 'cash' AND prepaid.account_id = ${accountId}`.execute(database.db),
    { constraint: 'ledger_transfer_line_uq' },
  );
});

async function assertAllRejected(
  database: Database,
  attempts: readonly string[],
  setting = 'SELECT 1',
): Promise<void> {
  await bookSomething(database);
  const before = await readBooks(database);
  const client = await database.connect();
  try {
    for (const attempt of attempts) {
      await client.query('BEGIN');
      await client.query(setting);
      const outcome = await client.query(attempt).catch((error: unknown) => error);
      await client.query(outcome instanceof DatabaseError ? 'ROLLBACK' : 'COMMIT');
      ok(outcome instanceof DatabaseError, `it was not rejected: ${attempt}`);
      ok(REJECTIONS.includes(outcome.code ?? ''), `${outcome.code} ${outcome.message}: ${attempt}`);
    }
  } finally {
    client.release();
  }
  deepEqual(await readBooks(database), before);
}

async function bookSomething(database: Database): Promise<string> {
  const { db } = database;
  const id = randomUUID();
  await sql`INSERT INTO account (id, name) VALUES (${id}, 'Shop')`.execute(db);
  await sql`INSERT INTO ledger_account (kind, account_id) VALUES ('prepaid', ${id})`.execute(db);
  const transfers = [
    { kind: 'deposit', from: 'cash', to: 'prepaid', amountMinor: 1000, prepaidBalanceAfterMinor: 1000 },
    { kind: 'charge', from: 'prepaid', to: 'sales', amountMinor: 350, prepaidBalanceAfterMinor: 650 },
  ] as const;
  await runTransaction(database, {}, async (tx) =>
    bookTransfers(tx, id, transfers, await loadHouseAccounts(tx), {}),
  );
  return id;
}

async function readBooks(database: Database): Promise<unknown[]> {
  const transfers = await sql`SELECT * FROM ledger_transfer ORDER BY id`.execute(database.db);
  const accounts = await sql`SELECT * FROM ledger_account ORDER BY id`.execute(database.db);
  ok(transfers.rows.length > 0);
  return [transfers.rows, accounts.rows];
}

/** A migrated database that belongs to a role without any special privilege. */
async function databaseOfOrdinaryRole(t: TestContext): Promise<Database> {
  const { url = '' } = await testDatabaseSettings(t);
  const name = `keyport_role_${randomUUID().replaceAll('-', '')}`;
  const administer = async (...statements: string[]) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await administer(`CREATE ROLE ${name} LOGIN PASSWORD 'test'`, `CREATE DATABASE ${name} OWNER ${name}`);
  onEnd(t, () => administer(`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE ${name}`));
  const own = new URL(url);
  own.username = name;
  own.password = 'test';
  own.pathname = `/${name}`;
  const database = await openDatabase({ url: own.href, dataDir: 'memory' });
  onEnd(t, () => database.close());
  await migrateToLatest(database);
  return database;
}
