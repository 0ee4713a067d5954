/** The database's time, which all nodes share, between two readings of it. */
import type { Logger } from 'pino';
import type { Database } from './engines/database.ts';
import { loadNow } from './timestamps.ts';

/** A node with a larger difference is not ready (A221). */
const SKEW_SECONDS_MAX = 30;

export type DatabaseClockOptions = { readonly database: Database; readonly log: Logger };

export class DatabaseClock {
  readonly #options: DatabaseClockOptions;
  /** How far the database's time is ahead of this process's elapsed time. */
  #aheadMs = Date.now() - performance.now();
  #isSkewLogged = false;

  constructor(options: DatabaseClockOptions) {
    this.#options = options;
  }

  nowMs(): number {
    return this.#aheadMs + performance.now();
  }

  /** Lead of this machine's clock over the database's; negative if it is behind. */
  get skewSeconds(): number {
    return (Date.now() - this.nowMs()) / 1000;
  }

  get isInStep(): boolean {
    return Math.abs(this.skewSeconds) <= SKEW_SECONDS_MAX;
  }

  /** A chore. */
  async read(): Promise<void> {
    this.#aheadMs = (await loadNow(this.#options.database.db)) / 1000 - performance.now();
    if (this.isInStep !== this.#isSkewLogged) return;
    this.#isSkewLogged = !this.isInStep;
    const skewSeconds = Math.round(this.skewSeconds);
    if (this.isInStep) this.#options.log.warn({ skewSeconds }, "this machine's clock is correct again");
    else
      this.#options.log.error(
        { skewSeconds },
        `this machine's clock is ${Math.abs(skewSeconds)} s ${skewSeconds > 0 ? 'ahead of' : 'behind'} the database's; not ready until it is correct: check its time synchronization`,
      );
  }
}
