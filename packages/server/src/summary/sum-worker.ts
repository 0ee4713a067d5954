/**
 * Runs on every node; the position's lock lets one node work at a time. Reads add unfolded rows, so a late
 * round only makes them slower.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { RepeatedTask, whileFull } from '../repeated-task.ts';
import * as sql from './fold.sql.ts';
import { foldSoldThings } from './sales.sql.ts';

const INTERVAL_MS = 2_000;
const FORGET_INTERVAL_MS = 60_000;

type SumWorkerOptions = {
  readonly database: Database;
  readonly log: Logger;
  readonly scarceUnitsMax: number;
};

export class SumWorker {
  readonly #options: SumWorkerOptions;
  readonly #folding: RepeatedTask;
  readonly #forgetting: RepeatedTask;
  #mark: sql.SumMark | undefined;

  constructor(options: SumWorkerOptions) {
    this.#options = options;
    const onFailure = (error: unknown) => {
      // After a fail-over, the mark might never settle.
      this.#mark = undefined;
      options.log.warn({ err: error }, 'sums for operators could not be updated; retrying in the next round');
    };
    this.#folding = new RepeatedTask({
      intervalMs: INTERVAL_MS,
      work: (closing) => this.#fold(closing),
      onFailure,
    });
    this.#forgetting = new RepeatedTask({
      intervalMs: FORGET_INTERVAL_MS,
      work: () => this.#transact((tx) => sql.forgetScarceOffers(tx, options.scarceUnitsMax)).then(() => {}),
      onFailure,
    });
  }

  /** Immediately, because after an upgrade the whole past has to be folded. */
  start(): void {
    this.#folding.start('at-once');
    this.#forgetting.start('later');
  }

  async close(): Promise<void> {
    await Promise.all([this.#folding.close(), this.#forgetting.close()]);
  }

  /** One round of both tasks; joins rounds in progress. Never throws. */
  async run(): Promise<void> {
    await this.#folding.run();
    await this.#forgetting.run();
  }

  async #fold(closing: AbortSignal): Promise<void> {
    const { database, scarceUnitsMax } = this.#options;
    const { db } = database;
    if (!(await sql.hasUnfolded(db))) return;
    await this.#repeat(closing, sql.FOLDED_MAX, sql.foldOrderChanges);
    await this.#repeat(closing, sql.CHANGES_MAX, (tx) => sql.foldSales(tx, scarceUnitsMax));
    this.#mark ??= await sql.takeMark(db);
    const mark = this.#mark;
    // The next round counts transactions in progress.
    if (!(await sql.isSettled(db, mark))) return;
    for (const fold of [sql.foldTransfers, foldSoldThings, sql.foldRejections])
      await this.#repeat(closing, sql.FOLDED_MAX, (tx) => fold(tx, mark));
    this.#mark = undefined;
  }

  /** Until less than a full batch remains, or another node has the lock. */
  #repeat(closing: AbortSignal, full: number, fold: (tx: Tx) => Promise<number>): Promise<void> {
    return whileFull(full, () => this.#transact(fold), closing);
  }

  /** Returns undefined if another node has the lock. */
  #transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result | undefined> {
    return runTransaction(this.#options.database, {}, async (tx) =>
      (await sql.lockPosition(tx)) ? work(tx) : undefined,
    );
  }
}
