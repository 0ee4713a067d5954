import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict';
import { DatabaseError } from 'pg';
import { beforeEach, test } from 'vitest';
import { testDatabase, testEngine } from '../../test/support/database.ts';
import { skipBecause, wholeFile } from '../../test/support/vitest.ts';
import { isConnectionLost } from './errors.ts';
import { sql } from './sql.ts';
import { CommitOutcomeUnknown, runTransaction } from './transaction.ts';

const database = await testDatabase(wholeFile);
await sql`CREATE TABLE counter (value int NOT NULL)`.execute(database.db);

beforeEach(async () => {
  await sql`DELETE FROM counter`.execute(database.db);
  await sql`INSERT INTO counter VALUES (0)`.execute(database.db);
});

async function counterValue(): Promise<unknown> {
  return (await sql`SELECT value FROM counter`.execute(database.db)).rows[0];
}

const increment = sql`UPDATE counter SET value = value + 1`;

test('returns the result of the function and stores its writes', async () => {
  const value = await runTransaction(database, {}, async (tx) => {
    await increment.execute(tx);
    return 'done';
  });

  equal(value, 'done');
  deepEqual(await counterValue(), { value: 1 });
});

test('rethrows an error of the function unchanged and writes nothing', async () => {
  const failure = new Error('no');

  const thrown: unknown = await runTransaction(database, {}, async (tx) => {
    await increment.execute(tx);
    throw failure;
  }).catch((error: unknown) => error);

  equal(thrown, failure);
  deepEqual(await counterValue(), { value: 0 });
});

test('a transaction is READ COMMITTED with the requested limits, which end with it', async () => {
  const settings = sql`SELECT current_setting('transaction_isolation') AS isolation,
    current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`;

  const inside = await runTransaction(
    database,
    { statementTimeoutMs: 3_000, lockTimeoutMs: 500 },
    async (tx) => settings.execute(tx),
  );
  const after = await settings.execute(database.db);

  deepEqual(inside.rows, [{ isolation: 'read committed', statement: '3s', lock: '500ms' }]);
  deepEqual(after.rows, [{ isolation: 'read committed', statement: '30s', lock: '5s' }]);
});

for (const state of ['40001', '40P01']) {
  test(`a transaction that fails twice with ${state} is run a third time, as a whole, and takes effect once`, async () => {
    let attemptCount = 0;

    await runTransaction(database, {}, async (tx) => {
      attemptCount += 1;
      await increment.execute(tx);
      if (attemptCount < 3) await raise(state).execute(tx);
    });

    equal(attemptCount, 3);
    deepEqual(await counterValue(), { value: 1 });
  });
}

test('the last of three failures is thrown', async () => {
  let attemptCount = 0;

  const attempt = runTransaction(database, {}, async (tx) => {
    attemptCount += 1;
    await raise('40001').execute(tx);
  });

  await rejects(attempt, { code: '40001' });
  equal(attemptCount, 3);
});

test('no other error is retried', async () => {
  let attemptCount = 0;

  const attempt = runTransaction(database, {}, async (tx) => {
    attemptCount += 1;
    await raise('23505').execute(tx);
  });

  await rejects(attempt, { code: '23505' });
  equal(attemptCount, 1);
});

test('a function that swallows an SQL error gets an error instead of a silent rollback', async () => {
  const attempt = runTransaction(database, {}, async (tx) => {
    await increment.execute(tx);
    await raise('23505')
      .execute(tx)
      .catch(() => {});
  });

  await rejects(attempt, /swallowed/);
  deepEqual(await counterValue(), { value: 0 });
});

test('a constraint violation at COMMIT is an SQL error, not an unknown outcome', async () => {
  await sql`CREATE TABLE node (id int PRIMARY KEY,
    next int CONSTRAINT node_next_fk REFERENCES node DEFERRABLE INITIALLY DEFERRED)`.execute(database.db);

  const attempt = runTransaction(database, {}, async (tx) => {
    await sql`INSERT INTO node VALUES (1, 2)`.execute(tx);
  });

  await rejects(attempt, (error) => error instanceof DatabaseError && error.constraint === 'node_next_fk');
});

test('50 concurrent transactions all take effect', async () => {
  await Promise.all(
    Array.from({ length: 50 }, () => runTransaction(database, {}, (tx) => increment.execute(tx))),
  );

  deepEqual(await counterValue(), { value: 50 });
});

test('a connection lost inside the function is an error, nothing is written, and the next transaction works', async () => {
  const attempt = runTransaction(database, { deadlineMs: 50 }, async (tx) => {
    await increment.execute(tx);
    // Longer than the deadline, which destroys the connection as a lost network would.
    await sql`SELECT pg_sleep(0.3)`.execute(tx);
  });

  await rejects(attempt, isConnectionLost);
  deepEqual(await counterValue(), { value: 0 });
  await runTransaction(database, {}, (tx) => increment.execute(tx));
  deepEqual(await counterValue(), { value: 1 });
});

test('a connection lost during COMMIT is an unknown outcome with its cause', async () => {
  // COMMIT runs this check, which outlasts the deadline.
  await sql`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END'`.execute(database.db);
  await sql`CREATE CONSTRAINT TRIGGER dawdling AFTER UPDATE ON counter DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION dawdle()`.execute(database.db);

  const error: unknown = await runTransaction(database, { deadlineMs: 100 }, (tx) =>
    increment.execute(tx),
  ).catch((thrown: unknown) => thrown);

  ok(error instanceof CommitOutcomeUnknown);
  equal(isConnectionLost(error.cause), true);
});

test('two transactions that deadlock both take effect', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'the embedded engine runs one transaction at a time');
  await sql`CREATE TABLE pair (id int PRIMARY KEY, value int NOT NULL)`.execute(database.db);
  await sql`INSERT INTO pair VALUES (1, 0), (2, 0)`.execute(database.db);
  const bothHoldOne = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const takeBoth = (order: [number, number], index: number) =>
    runTransaction(database, {}, async (tx) => {
      for (const id of order) {
        await sql`UPDATE pair SET value = value + 1 WHERE id = ${id}`.execute(tx);
        bothHoldOne[index]?.resolve();
        await Promise.all(bothHoldOne.map(({ promise }) => promise));
      }
    });

  await Promise.all([takeBoth([1, 2], 0), takeBoth([2, 1], 1)]);

  const { rows } = await sql`SELECT value FROM pair`.execute(database.db);
  deepEqual(rows, [{ value: 2 }, { value: 2 }]);
});

function raise(state: string) {
  return sql.raw(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`);
}

test('a kept plan starts no parallel workers for a table that looks large', async () => {
  await sql`CREATE TABLE change (stamp bigint PRIMARY KEY)`.execute(database.db);
  await sql`INSERT INTO change SELECT generate_series(1, 5000)`.execute(database.db);
  await sql`ANALYZE change`.execute(database.db);
  const plan = await runTransaction(database, { isSnapshot: true, keepsPlans: true }, async (tx) => {
    const settings = ['min_parallel_table_scan_size', 'min_parallel_index_scan_size', 'parallel_setup_cost'];
    for (const name of settings) await sql`SELECT set_config(${name}, '0', true)`.execute(tx);
    await sql`SET LOCAL cpu_tuple_cost = 100`.execute(tx);
    await sql`PREPARE list_changes (bigint) AS SELECT change.stamp FROM change JOIN change AS other
      ON other.stamp = change.stamp WHERE change.stamp > $1 ORDER BY change.stamp LIMIT 10`.execute(tx);
    const { rows } = await sql`EXPLAIN ANALYZE EXECUTE list_changes (4999)`.execute(tx);
    await sql`DEALLOCATE list_changes`.execute(tx);
    return JSON.stringify(rows);
  });

  match(plan, /Index/);
  doesNotMatch(plan, /Gather|JIT/);
});
