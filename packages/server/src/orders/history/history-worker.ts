/** Runs on every node; the horizon's lock lets one node work at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/engines/database.ts';
import { runTransaction } from '../../db/transaction.ts';
import { RepeatedTask } from '../../repeated-task.ts';
import * as sql from './history-buckets.sql.ts';
import { summarizeTraces } from './order-lists.sql.ts';

/** How often the worker waits for concurrent transactions to end. */
const SETTLE_TRIES_MAX = 20;
const SETTLE_DELAY_MS = 100;
/** Every read counts the orders since the last round. */
const INTERVAL_MS = 30_000;
/** Buckets per transaction (about 20 ms, during which late changes wait), and per round. */
const RECOUNTED_AT_ONCE = 20;
const RECOUNTED_MAX = 100;

export type HistoryWorkerOptions = { readonly database: Database; readonly log: Logger };

export class HistoryWorker {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #task: RepeatedTask;
  /** Usable once it is settled. */
  #mark: sql.HistoryMark | undefined;
  /** The last recounted bucket; undefined to start over. */
  #recounted: sql.BucketPlace | undefined;

  constructor({ database, log }: HistoryWorkerOptions) {
    this.#database = database;
    this.#log = log;
    this.#task = new RepeatedTask({
      intervalMs: INTERVAL_MS,
      work: (closing) => this.#count(closing),
      onFailure: (error) => {
        // After a fail-over, a mark from the old server would never settle.
        this.#mark = undefined;
        log.warn({ err: error }, 'order history count failed; retrying in the next round');
      },
    });
  }

  /** Immediately: after an upgrade all past orders must be counted. */
  start(): void {
    this.#task.start('at-once');
  }

  close(): Promise<void> {
    return this.#task.close();
  }

  run(): Promise<void> {
    return this.#task.run();
  }

  async #count(closing: AbortSignal): Promise<void> {
    if (this.#database.kind === 'embedded') await summarizeTraces(this.#database.db);
    await this.#moveHorizon(closing);
    await this.#recount(closing);
    await this.#divideBuckets(closing);
  }

  async #moveHorizon(closing: AbortSignal): Promise<void> {
    this.#mark ??= await sql.takeMark(this.#database.db);
    if (!(await this.#waitUntilSettled(this.#mark, closing))) return;
    const { until } = this.#mark;
    this.#mark = undefined;
    for (let hasMore = true; hasMore && !closing.aborted; ) {
      hasMore = await runTransaction(this.#database, {}, async (tx) =>
        sql.countSlice(tx, await sql.lockHorizon(tx), until),
      );
      await this.#divideBuckets(closing);
    }
  }

  /** Recounts some buckets in each round, so that none stays wrong. */
  async #recount(closing: AbortSignal): Promise<void> {
    for (let recounted = 0; recounted < RECOUNTED_MAX && !closing.aborted; recounted += RECOUNTED_AT_ONCE) {
      const after = this.#recounted;
      const { corrected, last } = await runTransaction(this.#database, {}, async (tx) => {
        await sql.lockHorizon(tx);
        if (after === undefined) await sql.addMissingBuckets(tx);
        return sql.recountBuckets(tx, after, RECOUNTED_AT_ONCE);
      });
      this.#reportCorrected(corrected);
      this.#recounted = last;
      if (last === undefined) return;
    }
  }

  async #waitUntilSettled(mark: sql.HistoryMark, closing: AbortSignal): Promise<boolean> {
    for (let tries = 1; !closing.aborted; tries += 1) {
      if (await sql.isSettled(this.#database.db, mark)) return true;
      if (tries === SETTLE_TRIES_MAX) return false;
      await sleep(SETTLE_DELAY_MS);
    }
    return false;
  }

  async #divideBuckets(closing: AbortSignal): Promise<void> {
    while (!closing.aborted) {
      const result = await runTransaction(this.#database, {}, async (tx) =>
        sql.divideBucket(tx, await sql.lockHorizon(tx)),
      );
      if (result === 'none') return;
      if (result === 'corrected') this.#reportCorrected(1);
    }
  }

  #reportCorrected(corrected: number): void {
    if (corrected > 0)
      this.#log.error({ corrected }, 'order history buckets had wrong counts; corrected them');
  }
}
