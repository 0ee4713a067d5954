/**
 * Keeps the buckets of the order history close behind the orders. Every node runs it; the lock on the horizon lets one
 * work at a time, and the others then find the work done.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { RepeatedTask } from '../repeated-task.ts';
import {
  countSlice,
  divideBucket,
  type HistoryMark,
  isSettled,
  lockHorizon,
  takeMark,
} from './history-buckets.sql.ts';

/** Transactions under way take milliseconds; a round waits for them this long, and leaves the rest to the next one. */
const SETTLE_TRIES_MAX = 20;
const SETTLE_DELAY_MS = 100;

/** What is not counted yet is counted at every read, so a busy account's reads want this short. */
const INTERVAL_MS = 30_000;

export type HistoryWorkerOptions = { readonly database: Database; readonly log: Logger };

export class HistoryWorker {
  readonly #database: Database;
  readonly #task: RepeatedTask;
  /** Waits for the transactions that ran when it was taken. */
  #mark: HistoryMark | undefined;

  constructor({ database, log }: HistoryWorkerOptions) {
    this.#database = database;
    this.#task = new RepeatedTask({
      intervalMs: INTERVAL_MS,
      work: (closing) => this.#count(closing),
      onFailure: (error) => {
        // A mark of another server would never settle.
        this.#mark = undefined;
        log.warn({ err: error }, 'the order history could not be counted; the next round tries again');
      },
    });
  }

  /** The first round comes at once: after an upgrade the whole past has to be counted. */
  start(): void {
    this.#task.start('at-once');
  }

  close(): Promise<void> {
    return this.#task.close();
  }

  /** One round; a call while one is under way waits for that one. Never throws. */
  run(): Promise<void> {
    return this.#task.run();
  }

  async #count(closing: AbortSignal): Promise<void> {
    this.#mark ??= await takeMark(this.#database.kysely);
    if (!(await this.#waitUntilSettled(this.#mark, closing))) return;
    const { until } = this.#mark;
    this.#mark = undefined;
    for (let hasMore = true; hasMore && !closing.aborted; ) {
      hasMore = await runTransaction(this.#database, {}, async (tx) =>
        countSlice(tx, await lockHorizon(tx), until),
      );
      await this.#divideBuckets(closing);
    }
  }

  async #waitUntilSettled(mark: HistoryMark, closing: AbortSignal): Promise<boolean> {
    for (let tries = 1; !closing.aborted; tries += 1) {
      if (await isSettled(this.#database.kysely, mark)) return true;
      if (tries === SETTLE_TRIES_MAX) return false;
      await sleep(SETTLE_DELAY_MS);
    }
    return false;
  }

  async #divideBuckets(closing: AbortSignal): Promise<void> {
    const divideNext = () =>
      runTransaction(this.#database, {}, async (tx) => {
        await lockHorizon(tx);
        return divideBucket(tx);
      });
    while (!closing.aborted && (await divideNext()));
  }
}
