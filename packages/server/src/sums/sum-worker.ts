/**
 * Runs on every node; a lock lets one node fold at a time. Reads add the rows that are not folded yet, so a late round
 * only makes them slower.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { forgetScarceOffers, noteScarceOffers } from './scarce-offers.sql.ts';
import * as sql from './sums.sql.ts';

const INTERVAL_MS = 2_000;

type SumWorkerOptions = {
  readonly database: Database;
  readonly log: Logger;
  readonly scarceUnitsMax: number;
};

export class SumWorker {
  readonly #options: SumWorkerOptions;
  readonly #task: RepeatedTask;
  #mark: sql.SumMark | undefined;

  constructor(options: SumWorkerOptions) {
    this.#options = options;
    this.#task = new RepeatedTask({
      intervalMs: INTERVAL_MS,
      work: (closing) => this.#fold(closing),
      onFailure: (error) => {
        // After a fail-over, the mark might never settle.
        this.#mark = undefined;
        options.log.warn({ err: error }, 'sums could not be updated; retrying in the next round');
      },
    });
  }

  /** Immediately, because rows may have been added since the last node stopped. */
  start(): void {
    this.#task.start('at-once');
  }

  close(): Promise<void> {
    return this.#task.close();
  }

  /** Joins a round in progress. Never throws. */
  run(): Promise<void> {
    return this.#task.run();
  }

  /** A step of the cleanup: offers that have enough units again are not scarce. */
  async forgetScarce(): Promise<void> {
    await this.#transact((tx) => forgetScarceOffers(tx, this.#options.scarceUnitsMax));
  }

  async #fold(closing: AbortSignal): Promise<void> {
    const { database, scarceUnitsMax } = this.#options;
    const { db } = database;
    if (!(await sql.hasUnfolded(db))) return;
    this.#mark ??= await sql.takeMark(db);
    const mark = this.#mark;
    // The next round counts transactions in progress.
    if (!(await sql.isSettled(db, mark))) return;
    for (const name of sql.STREAM_NAMES) {
      const foldOnce = async (tx: Tx) => {
        if (name === 'change') await noteScarceOffers(tx, mark, scarceUnitsMax);
        return sql.foldStream(tx, name, mark);
      };
      while (!closing.aborted && (await this.#transact(foldOnce)));
    }
    this.#mark = undefined;
  }

  /** Returns undefined if another node has the lock. */
  #transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result | undefined> {
    return runTransaction(this.#options.database, {}, async (tx) =>
      (await sql.lockSums(tx)) ? work(tx) : undefined,
    );
  }
}
