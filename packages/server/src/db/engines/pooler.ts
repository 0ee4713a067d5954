/**
 * A166. In a pooler's transaction mode, each transaction may get a session without earlier settings and
 * prepared statements.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database } from './database.ts';
import { type Difference, isPooled, missingSettings } from './session-settings.ts';

const UNDEFINED_STATEMENT = '26000';
const DUPLICATE_STATEMENT = '42P05';
/** A session that takes longer to get is held by this process itself. */
const WAIT_MAX_MS = 1_000;
const OTHERS_MAX = 8;

export type Pooler = {
  readonly keepsPreparedStatements: boolean | undefined;
  readonly missing: readonly Difference[];
};

export async function inspectPooler(database: Database): Promise<Pooler | undefined> {
  const client = await database.connect();
  try {
    if (!isPooled(client)) return undefined;
    const missing = await missingSettings(client);
    return {
      missing,
      keepsPreparedStatements: database.preparesByName
        ? await keepsPreparedStatements(database, client)
        : undefined,
    };
  } finally {
    client.release(true);
  }
}

/** Prepares a name on one session, lets other connections take that session, and uses the name again. */
async function keepsPreparedStatements(database: Database, client: PoolClient): Promise<boolean> {
  const name = `keyport_probe_${randomUUID()}`;
  const usePrepared = async () => {
    const { rows } = await client.query<{ pid: number }>({ name, text: 'SELECT pg_backend_pid() AS pid' });
    return rows[0]?.pid;
  };
  const others: PoolClient[] = [];
  let isOver = false;
  const holdSession = async () => {
    const other = await database.connect();
    if (isOver) {
      other.release(true);
      return undefined;
    }
    others.push(other);
    await other.query('BEGIN');
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]?.pid;
  };
  try {
    const first = await usePrepared();
    for (let held: number | undefined; held !== first && others.length < OTHERS_MAX; ) {
      const session = await withTimeout(holdSession());
      if (session === TIMED_OUT) break;
      held = session;
    }
    return (await withTimeout(usePrepared())) !== TIMED_OUT;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === UNDEFINED_STATEMENT || code === DUPLICATE_STATEMENT) return false;
    throw error;
  } finally {
    isOver = true;
    for (const other of others) other.release(true);
  }
}

const TIMED_OUT = Symbol('too late');

async function withTimeout<T>(promise: Promise<T>): Promise<T | typeof TIMED_OUT> {
  promise.catch(() => {});
  return Promise.race([promise, sleep(WAIT_MAX_MS, TIMED_OUT, { ref: false })]);
}
