/**
 * Stores steps of the database's clock, so that daily limits and reservations follow the time that has
 * actually passed (A221). While no node runs, steps forward are missed.
 */
import { uptime } from 'node:os';
import { MICROS_PER_SECOND } from '@keyport/core/date-time';
import type { Logger } from 'pino';
import { RepeatedTask } from '../repeated-task.ts';
import { type ClockReading, insertStep, readClock, saveSeen } from './clock.sql.ts';
import type { Database } from './engines/database.ts';
import type { Tx } from './schema.ts';
import { runTransaction } from './transaction.ts';

/** A time from a transaction can be as old as the longest transaction. */
const TOLERANCE_MICROS = 60 * MICROS_PER_SECOND;
/** A node with a larger difference is not ready (A514). */
const SKEW_SECONDS_MAX = 30;
const LOOK_INTERVAL_MS = 5_000;
const SEEN_INTERVAL_MICROS = 60 * MICROS_PER_SECOND;

export type DatabaseClockOptions = { readonly database: Database; readonly log: Logger };

type Anchor = {
  readonly clockMicros: number;
  readonly runningMs: number;
  readonly uptimeSeconds: number;
};

export class DatabaseClock {
  readonly #options: DatabaseClockOptions;
  readonly #task: RepeatedTask;
  readonly #onStepBack: ((tx: Tx) => Promise<unknown>)[] = [];
  readonly counts = { forward: 0, back: 0 };
  #anchor: Anchor | undefined;
  #shiftMicros = 0;
  #allStepsMicros = 0;
  #isSkewLogged = false;
  /** Undefined before the first reading, so that earlier steps are not reported. */
  #lastStep: number | undefined;

  constructor(options: DatabaseClockOptions) {
    this.#options = options;
    this.#task = new RepeatedTask({
      intervalMs: LOOK_INTERVAL_MS,
      work: () => this.#look(),
      onFailure: (error, closing) => {
        if (closing.aborted) return;
        options.log.warn({ err: error }, "the database's clock could not be read; retrying");
      },
    });
  }

  /** `work` corrects stored due times in the transaction that records a step back. */
  onStepBack(work: (tx: Tx) => Promise<unknown>): void {
    this.#onStepBack.push(work);
  }

  async start(): Promise<void> {
    this.#task.start('later');
    await this.#task.run();
  }

  close(): Promise<void> {
    return this.#task.close();
  }

  look(): Promise<void> {
    return this.#task.run();
  }

  /** Lead of the clock from the steps of recent days; negative if it is behind. */
  get shiftSeconds(): number {
    return this.#shiftMicros / MICROS_PER_SECOND;
  }

  /**
   * The database's time, for values that others compare with their own clocks. A step may be a fault or a
   * correction, so this removes all, recent or no steps, whichever is nearest to this machine's clock.
   */
  nowMs(): number {
    const ownMs = Date.now();
    const clockMs = this.#clockMs() ?? ownMs;
    const distance = (ms: number) => Math.abs(ms - ownMs);
    return [this.#shiftMicros, this.#allStepsMicros]
      .map((micros) => clockMs - micros / 1000)
      .reduce((nearest, ms) => (distance(ms) < distance(nearest) ? ms : nearest), clockMs);
  }

  /**
   * Excludes steps, so that no token expires early or late. Only nodes compare these times, which need not be
   * correct.
   */
  tokenMs(): number {
    return (this.#clockMs() ?? Date.now()) - this.#allStepsMicros / 1000;
  }

  #clockMs(): number | undefined {
    if (this.#anchor === undefined) return undefined;
    return this.#anchor.clockMicros / 1000 + performance.now() - this.#anchor.runningMs;
  }

  /** Lead of this machine's clock over the database's; negative if it is behind. */
  get skewSeconds(): number {
    return (Date.now() - this.nowMs()) / 1000;
  }

  get isInStep(): boolean {
    return Math.abs(this.skewSeconds) <= SKEW_SECONDS_MAX;
  }

  /** `nowMicros` is a recent reading of the database's clock. Removes the steps of recent days. */
  realMicros(nowMicros: number): number {
    return nowMicros - this.#shiftMicros - this.unnoticedMicros(nowMicros);
  }

  unnoticedMicros(nowMicros: number): number {
    if (this.#anchor === undefined) return 0;
    const { clockMicros, runningMs, uptimeSeconds } = this.#anchor;
    const passed = nowMicros - clockMicros;
    const step = passed - (performance.now() - runningMs) * 1000;
    if (Math.abs(step) <= TOLERANCE_MICROS) return 0;
    // If the machine slept, its uptime includes that time, but the monotonic clock does not.
    const stepByUptime = passed - (uptime() - uptimeSeconds) * MICROS_PER_SECOND;
    if (Math.abs(stepByUptime) <= TOLERANCE_MICROS) return 0;
    return Math.round(Math.abs(stepByUptime) < Math.abs(step) ? stepByUptime : step);
  }

  async #look(): Promise<void> {
    const { database } = this.#options;
    for (;;) {
      const reading = await readClock(database.db, this.#lastStep);
      const { nowMicros, seenAtMicros, lastStep, newSteps } = reading;
      const isFirst = this.#anchor === undefined;
      const step = isFirst ? Math.min(0, nowMicros - seenAtMicros) : this.unnoticedMicros(nowMicros);
      // Another node may have recorded the step.
      const unnoticed = step === 0 ? 0 : step - newSteps.reduce((sum, one) => sum + one, 0);
      if (Math.abs(unnoticed) > TOLERANCE_MICROS) {
        await runTransaction(database, {}, async (tx) => {
          const isInserted = await insertStep(tx, lastStep, unnoticed);
          if (isInserted && unnoticed < 0) for (const work of this.#onStepBack) await work(tx);
        });
        if (isFirst) this.#take(reading);
        continue;
      }
      this.#take(reading);
      this.#report(newSteps);
      this.#reportSkew();
      if (Math.abs(nowMicros - seenAtMicros) > SEEN_INTERVAL_MICROS) await saveSeen(database.db);
      return;
    }
  }

  #take({ nowMicros, shiftMicros, allStepsMicros, lastStep }: ClockReading): void {
    this.#anchor = { clockMicros: nowMicros, runningMs: performance.now(), uptimeSeconds: uptime() };
    this.#shiftMicros = shiftMicros;
    this.#allStepsMicros = allStepsMicros;
    this.#lastStep = lastStep;
  }

  #reportSkew(): void {
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

  #report(steps: readonly number[]): void {
    for (const step of steps) {
      this.counts[step < 0 ? 'back' : 'forward'] += 1;
      const stepSeconds = Math.round(step / MICROS_PER_SECOND);
      const words = step < 0 ? `went back by ${-stepSeconds} s` : `went forward by ${stepSeconds} s`;
      const shiftSeconds = Math.round(this.shiftSeconds);
      this.#options.log.error(
        { stepSeconds, shiftSeconds },
        `the database's clock ${words}: limits and reservations follow the time that has actually passed; correct the clock`,
      );
    }
  }
}
