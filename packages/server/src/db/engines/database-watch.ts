import type { Logger } from 'pino';
import { RepeatedTask } from '../../repeated-task.ts';
import { advanceSequences } from '../../sequences.sql.ts';
import { isOutOfResources } from '../errors.ts';
import type { Database } from './database.ts';
import * as sql from './database-state.sql.ts';

/** While space is used up, the node serves nothing that writes, so it looks often. */
const INTERVAL_MS = 500;
const STATE_INTERVAL_MS = 10_000;
const SNAPSHOT_SECONDS_MAX = 60;
const NAMED_EVERY_MS = 60_000;

export type DatabaseStatistics = {
  readonly transactionIdsUsedRatio: number;
  readonly oldestSnapshotSeconds: number;
  readonly archiveFailsForSeconds: number;
};

export type DatabaseWatchOptions = {
  readonly database: Database;
  readonly log: Logger;
  readonly snapshotSecondsMax?: number;
};

export class DatabaseWatch {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #snapshotSecondsMax: number;
  readonly #task: RepeatedTask;
  #stateDueAtMs = 0;
  #state: sql.DatabaseState | undefined;
  #oldestSnapshotSeconds = 0;
  #heldSince = { holder: '', transactions: 0, atMs: 0 };
  #namedAtMs = -NAMED_EVERY_MS;
  /** The number of failures when space last became available again. */
  #overcome = 0;
  /** The number of failures at the last round, and when the log last named them. */
  #seen = 0;
  #saidFailures = 0;

  constructor({ database, log, snapshotSecondsMax = SNAPSHOT_SECONDS_MAX }: DatabaseWatchOptions) {
    this.#database = database;
    this.#log = log;
    this.#snapshotSecondsMax = snapshotSecondsMax;
    const onFailure = (error: unknown, closing: AbortSignal) => {
      if (!closing.aborted) log.warn({ err: error }, 'the state of the database could not be read; retrying');
    };
    this.#task = new RepeatedTask({
      intervalMs: INTERVAL_MS,
      work: async () => {
        await this.#lookIfDue();
        await this.#lookForSpace();
      },
      onFailure,
    });
  }

  start(): void {
    this.#task.start('at-once');
  }

  /** Looks for space twice, because space is only free after an interval without a failure. */
  async run(): Promise<void> {
    await this.#task.run();
    this.#stateDueAtMs = 0;
    await this.#task.runFresh();
  }

  close(): Promise<void> {
    return this.#task.close();
  }

  /** False while transaction ids, disk space or memory are used up. */
  get canWrite(): boolean {
    return this.#hasTransactionIds && this.#database.counts.transactionsOutOfResources === this.#overcome;
  }

  get #hasTransactionIds(): boolean {
    return (this.#state?.transactionIdsUsed ?? 0) < sql.TRANSACTION_IDS_MAX;
  }

  get statistics(): DatabaseStatistics | undefined {
    if (this.#state === undefined) return undefined;
    const { transactionIdsUsed, archiveFailsForSeconds } = this.#state;
    return {
      transactionIdsUsedRatio: transactionIdsUsed / sql.TRANSACTION_IDS_MAX,
      oldestSnapshotSeconds: this.#oldestSnapshotSeconds,
      archiveFailsForSeconds,
    };
  }

  async #lookIfDue(): Promise<void> {
    if (performance.now() < this.#stateDueAtMs) return;
    this.#stateDueAtMs = performance.now() + STATE_INTERVAL_MS;
    const { db } = this.#database;
    this.#state = await sql.readDatabaseState(db);
    this.#judgeSnapshot(await sql.findOldestSnapshot(db));
    if (this.#hasTransactionIds) await repairSequences(this.#database, this.#log);
    else this.#log.error(this.#state, 'PostgreSQL accepts no writes: its transaction ids are used up');
  }

  async #lookForSpace(): Promise<void> {
    const failures = this.#database.counts.transactionsOutOfResources;
    if (failures === this.#overcome) return;
    // Space counts as free only after an interval without a failure.
    const isStill = failures === this.#seen;
    this.#seen = failures;
    if (!isStill) return;
    try {
      await sql.probeSpace(this.#database);
    } catch (error) {
      if (!isOutOfResources(error)) throw error;
      if (this.#saidFailures === failures) return;
      this.#saidFailures = failures;
      this.#log.error(
        { err: error },
        'the database is out of disk space or memory; writes resume when you free some',
      );
      return;
    }
    this.#overcome = failures;
    this.#log.warn('the database has disk space and memory again');
  }

  #judgeSnapshot(oldest: sql.SnapshotHolder | undefined): void {
    const nowMs = performance.now();
    // The snapshot is the same if its age in transactions has not fallen.
    const { holder, transactions, atMs } = this.#heldSince;
    const isSame = oldest?.holder === holder && oldest.transactions >= transactions;
    this.#heldSince = {
      holder: oldest?.holder ?? '',
      transactions: oldest?.transactions ?? 0,
      atMs: isSame ? atMs : nowMs,
    };
    this.#oldestSnapshotSeconds =
      oldest === undefined ? 0 : (oldest.seconds ?? (nowMs - this.#heldSince.atMs) / 1000);
    if (this.#oldestSnapshotSeconds < this.#snapshotSecondsMax || nowMs - this.#namedAtMs < NAMED_EVERY_MS)
      return;
    this.#namedAtMs = nowMs;
    const seconds = Math.round(this.#oldestSnapshotSeconds);
    this.#log.warn(
      { ...oldest, seconds },
      `${oldest?.holder} has kept VACUUM from removing old row versions for ${seconds} s`,
    );
  }
}

/** After a fail-over, sequences may be behind their tables. */
export async function repairSequences(database: Database, log: Logger): Promise<void> {
  const advanced = await advanceSequences(database);
  if (advanced.length === 0) return;
  log.warn({ sequences: advanced }, 'advanced sequences that were behind their tables');
}
