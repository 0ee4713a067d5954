/**
 * Keeps the buckets of the order history close behind the orders. Every node runs it; the lock on the horizon lets one
 * work at a time, and the others then find the work done.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { runTransaction } from '../db/transaction.ts';
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
  readonly #options: HistoryWorkerOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  /** Waits for the transactions that ran when it was taken. */
  #mark: HistoryMark | undefined;
  #isClosed = false;

  constructor(options: HistoryWorkerOptions) {
    this.#options = options;
  }

  /** The first round comes at once: after an upgrade the whole past has to be counted. */
  start(): void {
    void this.run();
    this.#timer = setInterval(() => void this.run(), INTERVAL_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#round;
  }

  /** One round; a call while one is under way waits for that one. Never throws. */
  run(): Promise<void> {
    this.#round ??= this.#runOnce().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #runOnce(): Promise<void> {
    const { database, log } = this.#options;
    try {
      this.#mark ??= await takeMark(database.kysely);
      if (!(await this.#waitUntilSettled(this.#mark))) return;
      const { until } = this.#mark;
      this.#mark = undefined;
      for (let hasMore = true; hasMore && !this.#isClosed; ) {
        hasMore = await runTransaction(database, {}, async (tx) =>
          countSlice(tx, await lockHorizon(tx), until),
        );
        await this.#divideBuckets();
      }
    } catch (error) {
      // A mark of another server would never settle.
      this.#mark = undefined;
      log.warn({ err: error }, 'the order history could not be counted; the next round tries again');
    }
  }

  async #waitUntilSettled(mark: HistoryMark): Promise<boolean> {
    for (let tries = 1; !this.#isClosed; tries += 1) {
      if (await isSettled(this.#options.database.kysely, mark)) return true;
      if (tries === SETTLE_TRIES_MAX) return false;
      await sleep(SETTLE_DELAY_MS);
    }
    return false;
  }

  async #divideBuckets(): Promise<void> {
    const divideNext = () =>
      runTransaction(this.#options.database, {}, async (tx) => {
        await lockHorizon(tx);
        return divideBucket(tx);
      });
    while (!this.#isClosed && (await divideNext()));
  }
}
