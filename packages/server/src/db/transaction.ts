/** A transaction is retried as a whole, so its work must have no other effect and await only the database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { type Database, dbOver } from './engines/database.ts';
import { limitSilence } from './engines/idle-timeout.ts';
import type { Session } from './engines/prepared.ts';
import {
  failuresIn,
  firstCause,
  isConnectionLost,
  isOutOfResources,
  isPlainSqlError,
  isReadOnly,
  isRetryable,
} from './errors.ts';
import type { Tx } from './schema.ts';

const ATTEMPTS_MAX = 3;
const RETRY_DELAY_MAX_MS = 30;
/** After this time, the server counts as lost. */
const DEADLINE_MS = 60_000;

export type TransactionOptions = {
  /** For each statement; the session's limit (30 s) if absent. */
  statementTimeoutMs?: number;
  /** For each wait for a lock; the session's limit (5 s) if absent. */
  lockTimeoutMs?: number;
  /**
   * For one attempt. When it expires, the connection is destroyed (the server may have vanished) without a
   * retry.
   */
  deadlineMs?: number;
  silenceMaxMs?: number;
  isSnapshot?: boolean;
  /** Makes plans independent of how small a table was when they were made. */
  keepsPlans?: boolean;
  isRehearsal?: boolean;
  /** Errors after which another attempt differs, besides deadlocks and the like. */
  mayRetry?: (error: unknown) => boolean;
};

// A generic plan expects to read a third of the table after a cursor: parallel workers would cost 100 times
// as much.
const KEPT_PLANS = `SET LOCAL plan_cache_mode = force_generic_plan;
  SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
  SET LOCAL max_parallel_workers_per_gather = 0`;

export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown';
  constructor(cause: unknown) {
    super('no valid response to COMMIT; whether the transaction was committed is unknown', { cause });
  }
}

/** Throws the error of `work` (after ROLLBACK), CommitOutcomeUnknown, or an error from before BEGIN. */
export function runTransaction<T>(
  database: Database,
  options: TransactionOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return runWithRetries(database, options, async (client, onBegun) => {
    const { statementTimeoutMs = options.statementTimeoutMs } = database;
    await client.query(beginStatement({ ...options, ...(statementTimeoutMs && { statementTimeoutMs }) }));
    onBegun();
    const value = await work({ ...dbOver(client), isTransaction: true });
    if (options.isRehearsal === true) await client.query('ROLLBACK');
    else await commit(client);
    return value;
  });
}

export type PipelinedWork<Loaded, T> = {
  /** Sent with BEGIN, so it may only take locks and read. */
  load(session: Session): Promise<Loaded>;
  save(session: Session, loaded: Loaded): { readonly value: T; readonly sent: readonly Promise<unknown>[] };
};

export function runPipelinedTransaction<Loaded, T>(
  database: Database,
  options: TransactionOptions,
  work: PipelinedWork<Loaded, T>,
): Promise<T> {
  return runWithRetries(database, options, async (client, onBegun) => {
    const [, loaded] = await inOneWrite(client, () =>
      Promise.all([client.query(beginStatement(options)).then(onBegun), work.load(client)]),
    );
    const { value, sent, commitment } = inOneWrite(client, () => ({
      ...work.save(client, loaded),
      commitment: commit(client),
    }));
    const failures = failuresIn(await Promise.allSettled([...sent, commitment]));
    const unknown = failures.find((failure) => failure instanceof CommitOutcomeUnknown);
    if (failures.length > 0) throw unknown ?? firstCause(failures);
    return value;
  });
}

/** Sends all statements with one system call instead of one per statement. */
function inOneWrite<T>({ connection: { stream } }: PoolClient, send: () => T): T {
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

function runWithRetries<T>(
  database: Database,
  options: TransactionOptions,
  attempt: (client: PoolClient, onBegun: () => void) => Promise<T>,
): Promise<T> {
  return database.inSpan('transaction', async () => {
    const givenUpAt = performance.now() + computeDeadline(database, options);
    const { counts } = database;
    for (let attemptNumber = 1; ; attemptNumber += 1) {
      const reached = { connection: false, begin: false };
      try {
        const value = await onConnection(database, options, (client) => {
          reached.connection = true;
          return attempt(client, () => (reached.begin = true));
        });
        counts.transactionsCommitted += 1;
        return value;
      } catch (error) {
        // A connection that fails at BEGIN was lost while idle, so nothing has happened on it.
        const wasIdle = reached.connection && !reached.begin;
        const mayRetry =
          isRetryable(error) || options.mayRetry?.(error) === true || (wasIdle && isConnectionLost(error));
        if (!mayRetry || attemptNumber === ATTEMPTS_MAX || performance.now() >= givenUpAt) {
          if (error instanceof CommitOutcomeUnknown) counts.transactionsUnknown += 1;
          else counts.transactionsFailed += 1;
          if (isOutOfResources(error)) counts.transactionsOutOfResources += 1;
          throw error;
        }
        counts.transactionsRetried += 1;
        await sleep(Math.random() * RETRY_DELAY_MAX_MS);
      }
    }
  });
}

async function onConnection<T>(
  database: Database,
  options: TransactionOptions,
  attempt: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await database.connect();
  const deadline = setTimeout(() => client.connection.stream.destroy(), computeDeadline(database, options));
  let isSound = false;
  limitSilence(client, options);
  try {
    const value = await attempt(client);
    isSound = true;
    return value;
  } catch (error) {
    isSound = await rollBack(client, error);
    throw error;
  } finally {
    clearTimeout(deadline);
    limitSilence(client, {});
    client.release(!isSound);
  }
}

function computeDeadline(
  { transactionDeadlineMaxMs }: Database,
  { deadlineMs = DEADLINE_MS }: TransactionOptions,
): number {
  return transactionDeadlineMaxMs === undefined
    ? deadlineMs
    : Math.min(deadlineMs, transactionDeadlineMaxMs());
}

function beginStatement({
  statementTimeoutMs,
  lockTimeoutMs,
  isSnapshot = false,
  keepsPlans = false,
}: TransactionOptions): string {
  const settings = { statement_timeout: statementTimeoutMs, lock_timeout: lockTimeoutMs };
  const statements = [
    isSnapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN ISOLATION LEVEL READ COMMITTED',
  ];
  for (const [name, valueMs] of Object.entries(settings)) {
    if (valueMs !== undefined) statements.push(`SET LOCAL ${name} = ${Math.ceil(valueMs)}`);
  }
  if (keepsPlans) statements.push(KEPT_PLANS);
  return statements.join('; ');
}

/** Identifies the warning by the routine that sends it, because its text may be translated. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

async function commit(client: PoolClient): Promise<void> {
  let isStandbyMissing = false;
  const onNotice = ({ routine }: { readonly routine: string | undefined }) => {
    isStandbyMissing ||= routine === STANDBY_WAIT;
  };
  client.on('notice', onNotice);
  const result = await client
    .query('COMMIT')
    .catch((error: unknown) => {
      // An SQL error (a deferred constraint, a serialization failure) is a response, and means ROLLBACK.
      throw isPlainSqlError(error) ? error : new CommitOutcomeUnknown(error);
    })
    .finally(() => client.off('notice', onNotice));
  // The transaction is committed on this server, but is lost if the server is.
  if (isStandbyMissing) throw new CommitOutcomeUnknown(new Error('the wait for a standby was canceled'));
  // PostgreSQL returns ROLLBACK if a statement failed.
  if (result.command !== 'COMMIT') {
    throw new Error('the transaction was rolled back: a statement failed and its error was swallowed');
  }
}

/** Returns false if the connection is unusable. Never throws: the first error counts. */
async function rollBack(client: PoolClient, error: unknown): Promise<boolean> {
  if (error instanceof CommitOutcomeUnknown || isConnectionLost(error)) return false;
  try {
    await client.query('ROLLBACK');
  } catch {
    return false;
  }
  // The server became a standby; the next connection finds the new primary.
  return !isReadOnly(error);
}
