/**
 * The only BEGIN. Runs a function in one READ COMMITTED transaction, retries it as a whole when it lost against
 * another transaction, and never lets a broken connection back into the pool. Because of the retry the function must
 * have no effect outside the transaction, and it must await nothing but the database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Transaction,
} from 'kysely';
import type { PoolClient } from 'pg';
import { type Database, poolOver } from './database.ts';
import { isConnectionLost, isPlainSqlError, isReadOnly, isRetryable } from './errors.ts';
import type { Schema } from './schema.ts';

const ATTEMPTS_MAX = 3;

/** Before the second and third attempt; drawn anew each time so that two losers do not meet again. */
const RETRY_DELAY_MAX_MS = 30;

/** A transaction that takes longer has lost its server (the server's own limits fire much earlier). */
const DEADLINE_MS = 60_000;

export type TransactionOptions = {
  /** Limit of each statement, in milliseconds. The session's own (30 s) when absent. */
  statementTimeoutMs?: number;
  /** Limit of each wait for a lock, in milliseconds. The session's own (5 s) when absent. */
  lockTimeoutMs?: number;
  /**
   * Limit of one attempt from BEGIN to the reply to COMMIT, kept by this process: the connection is then destroyed.
   * It is what ends a wait for a server that has vanished without closing the connection.
   */
  deadlineMs?: number;
  /** Reads only, all of it from one snapshot; READ COMMITTED and writing when absent. */
  isSnapshot?: boolean;
};

/** The connection ended after COMMIT was sent and before its reply: the transaction has happened, or has not. */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown';
  constructor(cause: unknown) {
    super('the connection was lost during COMMIT; whether the transaction happened is unknown', { cause });
  }
}

/**
 * Runs `work` in a transaction and returns its value once it is committed.
 * Throws what `work` threw (after ROLLBACK), CommitOutcomeUnknown, or the error that kept it from beginning.
 */
export async function runTransaction<T>(
  database: Database,
  options: TransactionOptions,
  work: (tx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const begun = { value: false };
    try {
      return await attemptTransaction({ database, options, work, onBegun: () => (begun.value = true) });
    } catch (error) {
      // A connection that proves dead at BEGIN was lost while idle: nothing has happened on it.
      const mayRetry = isRetryable(error) || (!begun.value && isConnectionLost(error));
      if (!mayRetry || attempt === ATTEMPTS_MAX) throw error;
      await sleep(Math.random() * RETRY_DELAY_MAX_MS);
    }
  }
}

async function attemptTransaction<T>(parts: {
  database: Database;
  options: TransactionOptions;
  work: (tx: Transaction<Schema>) => Promise<T>;
  onBegun: () => void;
}): Promise<T> {
  const { database, options, work, onBegun } = parts;
  const client = await database.connect();
  // `end` destroys the socket when a query is under way, which is the only state that can hang.
  const deadline = setTimeout(() => void client.end().catch(ignore), options.deadlineMs ?? DEADLINE_MS);
  let isSound = false;
  try {
    await client.query(beginStatement(options));
    onBegun();
    const value = await runWork(client, work);
    await commit(client);
    isSound = true;
    return value;
  } catch (error) {
    isSound = await rollBack(client, error);
    throw error;
  } finally {
    clearTimeout(deadline);
    client.release(!isSound);
  }
}

/** BEGIN and its settings travel together: one round trip. */
function beginStatement({
  statementTimeoutMs,
  lockTimeoutMs,
  isSnapshot = false,
}: TransactionOptions): string {
  const settings = { statement_timeout: statementTimeoutMs, lock_timeout: lockTimeoutMs };
  const statements = [
    isSnapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN ISOLATION LEVEL READ COMMITTED',
  ];
  for (const [name, valueMs] of Object.entries(settings)) {
    if (valueMs !== undefined) statements.push(`SET LOCAL ${name} = ${Math.ceil(valueMs)}`);
  }
  return statements.join('; ');
}

async function commit(client: PoolClient): Promise<void> {
  const result = await client.query('COMMIT').catch((error: unknown) => {
    // An SQL error (a deferred constraint, a serialisation failure) is an answer: it was rolled back.
    throw isPlainSqlError(error) ? error : new CommitOutcomeUnknown(error);
  });
  // PostgreSQL answers ROLLBACK to the COMMIT of a transaction in which a statement had failed.
  if (result.command !== 'COMMIT') {
    throw new Error('the transaction was rolled back: a statement failed and its error was swallowed');
  }
}

/** Says whether the connection may be used again. Never throws: the first error is the one that counts. */
async function rollBack(client: PoolClient, error: unknown): Promise<boolean> {
  if (error instanceof CommitOutcomeUnknown || isConnectionLost(error)) return false;
  try {
    await client.query('ROLLBACK');
  } catch {
    return false;
  }
  // A server that has become a standby: the next connection finds the new primary.
  return !isReadOnly(error);
}

const transactors = new WeakMap<PoolClient, Kysely<Schema>>();

function runWork<T>(client: PoolClient, work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
  const transactor = transactors.get(client) ?? new Kysely<Schema>({ dialect: begunDialect(client) });
  transactors.set(client, transactor);
  return transactor.transaction().execute(work);
}

/** Kysely's `Transaction` over a connection on which the transaction has begun already. */
function begunDialect(client: PoolClient): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new BegunDriver({ pool: poolOver(client) }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Leaves BEGIN, COMMIT and ROLLBACK to this file, which needs their errors and the connection itself. */
class BegunDriver extends PostgresDriver {
  override async beginTransaction(): Promise<void> {}
  override async commitTransaction(): Promise<void> {}
  override async rollbackTransaction(): Promise<void> {}
}

function ignore(): void {}
