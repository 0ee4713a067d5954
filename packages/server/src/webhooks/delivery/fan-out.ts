/** Runs on every node; the position's lock lets only one node work at a time. */
import type { Logger } from 'pino';
import type { Database } from '../../db/engines/database.ts';
import { runTransaction } from '../../db/transaction.ts';
import { RepeatedTask } from '../../repeated-task.ts';
import { fanOut, hasNewEvents, lockDeliveryPosition, notifyDeliveries } from './fan-out.sql.ts';

const POLL_INTERVAL_MS = 500;
const EVENTS_MAX = 2_000;

export type FanOutOptions = {
  readonly database: Database;
  readonly log: Logger;
  readonly onDeliveries: () => void;
};

export class FanOut {
  readonly #options: FanOutOptions;
  readonly #task: RepeatedTask;
  #isWanted = false;

  constructor(options: FanOutOptions) {
    this.#options = options;
    this.#task = new RepeatedTask({
      intervalMs: POLL_INTERVAL_MS,
      work: (closing) => this.#work(closing),
      onFailure: (error) => options.log.warn({ err: error }, 'creating deliveries failed; retrying'),
    });
  }

  start(): void {
    this.#task.start('at-once');
  }

  close(): Promise<void> {
    return this.#task.close();
  }

  wake(): void {
    this.#isWanted = true;
    void this.#task.run();
  }

  async #work(closing: AbortSignal): Promise<void> {
    do {
      this.#isWanted = false;
      while (!closing.aborted && (await this.#step()));
    } while (this.#isWanted && !closing.aborted);
  }

  async #step(): Promise<boolean> {
    const { database, onDeliveries } = this.#options;
    if (!(await hasNewEvents(database.db))) return false;
    const made = await runTransaction(database, {}, async (tx) => {
      const afterId = await lockDeliveryPosition(tx);
      if (afterId === undefined) return undefined;
      const made = await fanOut(tx, afterId, EVENTS_MAX);
      if (made.deliveries > 0 && database.kind === 'postgres') await notifyDeliveries(tx);
      return made;
    });
    if (made === undefined) return false;
    if (made.deliveries > 0) onDeliveries();
    return made.events === EVENTS_MAX;
  }
}
