/** Runs two transactions statement by statement, in a chosen order. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/engines/database.ts';
import type { Tx } from '../../src/db/schema.ts';
import { sql } from '../../src/db/sql.ts';
import { runTransaction } from '../../src/db/transaction.ts';

type Work = (tx: Tx) => Promise<unknown>;

export type Interleaved = {
  readonly results: readonly [PromiseSettledResult<unknown>, PromiseSettledResult<unknown>];
  readonly stopped: readonly [boolean, boolean];
};

/**
 * The first runs to its stop, then the second to its stop or until it waits. Then the first continues to its
 * end or until it waits, then the second.
 */
export async function interleave(
  database: Database,
  [first, second]: readonly [Work, Work],
  [stopFirst, stopSecond]: readonly [number, number],
): Promise<Interleaved> {
  const one = startStepped(database, first, stopFirst);
  await Promise.race([one.stop, one.result]);
  const other = startStepped(database, second, stopSecond);
  await Promise.race([other.stop, other.result, untilBlocked(database)]);
  one.resume();
  await Promise.race([one.result, untilBlocked(database)]);
  other.resume();
  const results = await Promise.all([one.result, other.result]);
  return { results, stopped: [one.hasStopped(), other.hasStopped()] };
}

function startStepped(database: Database, work: Work, stopAfter: number) {
  const stop = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  let statements = 0;
  let hasStopped = false;
  const beforeStatement = async () => {
    statements += 1;
    if (statements !== stopAfter + 1) return;
    hasStopped = true;
    stop.resolve();
    await resumed.promise;
  };
  const running = runTransaction(database, {}, (tx) => work(stepped(tx, beforeStatement)));
  return {
    stop: stop.promise,
    resume: () => resumed.resolve(),
    hasStopped: () => hasStopped,
    result: Promise.allSettled([running]).then(([settled]) => settled),
  };
}

function stepped(tx: Tx, beforeStatement: () => Promise<void>): Tx {
  return {
    ...tx,
    async query(text, values) {
      await beforeStatement();
      return tx.query(text, values);
    },
  };
}

/** The embedded engine has one session: the second transaction waits for its turn. */
async function untilBlocked(database: Database): Promise<void> {
  if (database.kind === 'embedded') {
    await nextTurn();
    return;
  }
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      SELECT count(*) AS waiting FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database()`.execute(database.db);
    if ((rows[0]?.waiting ?? 0) > 0) return;
    await sleep(2);
  }
}
