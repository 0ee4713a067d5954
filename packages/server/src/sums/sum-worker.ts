/** A chore. A lock lets one node fold at a time. Reads add the rows that are not folded yet, so a late step only makes them slower. */
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import { forgetScarceOffers, noteScarceOffers } from './scarce-offers.sql.ts';
import * as sql from './sums.sql.ts';

type SumWorkerOptions = {
  readonly database: Database;
  readonly scarceUnitsMax: number;
};

export class SumWorker {
  readonly #options: SumWorkerOptions;
  #mark: sql.SumMark | undefined;

  constructor(options: SumWorkerOptions) {
    this.#options = options;
  }

  /** Folds one batch. Returns whether more rows wait. */
  async fold(): Promise<boolean> {
    const { database, scarceUnitsMax } = this.#options;
    const { db } = database;
    try {
      if (this.#mark === undefined && !(await sql.hasUnfolded(db))) return false;
      this.#mark ??= await sql.takeMark(db);
      const mark = this.#mark;
      // The next round counts transactions in progress.
      if (!(await sql.isSettled(db, mark))) return false;
      for (const name of sql.STREAM_NAMES) {
        const foldOnce = async (tx: Tx) => {
          if (name === 'change') await noteScarceOffers(tx, mark, scarceUnitsMax);
          return sql.foldStream(tx, name, mark);
        };
        if ((await this.#transact(foldOnce)) === true) return true;
      }
      this.#mark = undefined;
      return false;
    } catch (error) {
      // After a fail-over, the mark might never settle.
      this.#mark = undefined;
      throw error;
    }
  }

  /** Offers that have enough units again are not scarce. */
  async forgetScarce(): Promise<void> {
    await this.#transact((tx) => forgetScarceOffers(tx, this.#options.scarceUnitsMax));
  }

  /** Returns undefined if another node has the lock. */
  #transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result | undefined> {
    return runTransaction(this.#options.database, {}, async (tx) =>
      (await sql.lockSums(tx)) ? work(tx) : undefined,
    );
  }
}
