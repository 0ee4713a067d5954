/**
 * Runs on every node; the position's lock lets only one node work at a time. Events and the position are
 * committed together, so a node that dies neither loses nor repeats an event.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { runPipelinedTransaction, runTransaction } from '../db/transaction.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { forgetEvents, loadPosition, lockPosition, type WrittenEvents, writeEvents } from './events.sql.ts';

/** Finds changes and events of other nodes. */
const POLL_INTERVAL_MS = 250;
/** Announcements within this time share a round. */
const ROUND_INTERVAL_MIN_MS = 200;
/** Each change can have a few hundred events. */
const CHANGES_MAX = 100;
const FORGOTTEN_MAX = 5000;

export type EventRange = { readonly afterId: string; readonly throughId: string };

export type EventWorkerOptions = { readonly database: Database; readonly log: Logger };

export class EventWorker {
  readonly #database: Database;
  readonly #writing: RepeatedTask;
  readonly #listeners = new Set<(range: EventRange) => void>();
  #lastId: string | undefined;
  #hint: NodeJS.Timeout | undefined;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #isAnnounced = false;
  #isClosed = false;

  constructor({ database, log }: EventWorkerOptions) {
    this.#database = database;
    this.#writing = new RepeatedTask({
      intervalMs: POLL_INTERVAL_MS,
      // Otherwise the work would join the trace of the request that announced a change.
      work: (closing) => database.inSpan('write events', () => this.#write(closing), { extent: 'whole' }),
      onFailure: (error) => log.warn({ err: error }, 'writing events failed; retrying'),
    });
  }

  start(): void {
    this.#writing.start('at-once');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#hint);
    await this.#writing.close();
  }

  /** Called after this node committed a change that may become events. */
  announce(): void {
    this.#isAnnounced = true;
    if (this.#hint !== undefined || this.#isClosed) return;
    const waitMs = Math.max(0, this.#startedAtMs + ROUND_INTERVAL_MIN_MS - performance.now());
    this.#hint = setTimeout(() => {
      this.#hint = undefined;
      void this.#writing.run();
    }, waitMs);
  }

  /** Also calls the listener for events that other nodes wrote. */
  onWritten(listener: (range: EventRange) => void): void {
    this.#listeners.add(listener);
  }

  async catchUp(): Promise<void> {
    do await this.#writing.run();
    while ((await loadPosition(this.#database.db)).hasUnread && !this.#isClosed);
  }

  async #write(closing: AbortSignal): Promise<void> {
    this.#startedAtMs = performance.now();
    const wasAnnounced = this.#isAnnounced;
    this.#isAnnounced = false;
    if (!wasAnnounced) {
      const { lastId, hasUnread } = await loadPosition(this.#database.db);
      this.#notify(lastId);
      if (!hasUnread) return;
    }
    let changes = CHANGES_MAX;
    while (changes === CHANGES_MAX && !closing.aborted) {
      const written = await this.#writeOnce();
      if (written === undefined) return;
      if (written.lastId !== null) this.#notify(written.lastId);
      ({ changes } = written);
    }
  }

  async #writeOnce(): Promise<WrittenEvents | undefined> {
    let writing: Promise<WrittenEvents> | undefined;
    await runPipelinedTransaction(
      this.#database,
      { keepsPlans: true },
      {
        load: lockPosition,
        save(session, position) {
          writing = position && writeEvents(session, { ...position, limit: CHANGES_MAX });
          return { value: undefined, sent: writing === undefined ? [] : [writing] };
        },
      },
    );
    return writing;
  }

  #notify(lastId: string): void {
    const afterId = this.#lastId;
    this.#lastId = lastId;
    if (afterId === undefined || BigInt(lastId) <= BigInt(afterId)) return;
    for (const listener of this.#listeners) listener({ afterId, throughId: lastId });
  }

  /** Returns whether more old events wait. */
  async forget(): Promise<boolean> {
    return (
      FORGOTTEN_MAX === (await runTransaction(this.#database, {}, (tx) => forgetEvents(tx, FORGOTTEN_MAX)))
    );
  }
}
