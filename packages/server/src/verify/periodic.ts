/**
 * Checks the invariants periodically, on the node that holds the lease. Violations are logged as errors.
 * A111.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { isTimeout } from '../db/errors.ts';
import type { Tx } from '../db/schema.ts';
import type { InSpan } from '../in-span.ts';
import { RepeatedTask } from '../repeated-task.ts';
import type { Invariant } from './invariant.ts';
import { INVARIANTS } from './invariants.ts';
import { bringForward, claimRun, finishRun, type LastRun, loadLastRun, putOff } from './schedule.sql.ts';
import { verifyInvariant } from './verify.ts';

/** How often each node looks whether a run is due. */
const LOOK_INTERVAL_MS = 5_000;

/**
 * A longer check is given up: it would hold its snapshot, and with it the old rows of busy tables, for too
 * long.
 */
const CHECK_TIMEOUT_MS = 60_000;

/** The rest after a check is as long as the check, but no longer than this. */
const REST_MAX_MS = 5_000;

/** A node that says nothing for this long has died: longer than a check and the rest after it. */
const LEASE_MS = 2 * (CHECK_TIMEOUT_MS + REST_MAX_MS);

/**
 * Runs take at most this share of the time of one processor, also on a big database: the pause grows with the
 * run.
 */
const SHARE_MAX = 1 / 20;

/** How long closing waits for a running check; its connection is then cut with the others. */
const CLOSE_WAIT_MS = 2_000;

export type PeriodicVerifierOptions = {
  readonly database: Database;
  readonly log: Logger;
  readonly inSpan: InSpan;
  /** Looks whether the database's clock has stepped: what it makes look overdue is then not reported. */
  readonly checkClock: () => Promise<void>;
  /** From the end of one run to the next; longer on a big database. */
  readonly intervalMs: number;
};

export class PeriodicVerifier {
  readonly #options: PeriodicVerifierOptions;
  readonly #node = randomUUID();
  readonly #task: RepeatedTask;

  constructor(options: PeriodicVerifierOptions) {
    this.#options = options;
    this.#task = new RepeatedTask({
      intervalMs: Math.min(LOOK_INTERVAL_MS, options.intervalMs),
      work: (closing) => this.#runIfDue(closing),
      onFailure: (error, closing) => {
        if (closing.aborted) return;
        options.log.warn({ err: error }, 'periodic check of the invariants failed; retrying');
      },
    });
  }

  start(): void {
    this.#task.start('later');
  }

  /**
   * Runs when a run is due and no other node is at it; a call during a run waits for its end. Never throws.
   */
  runIfDue(): Promise<void> {
    return this.#task.run();
  }

  /**
   * Runs in the transaction after the database's clock went back. A running check extends its lease in time.
   */
  async onClockStepBack(tx: Tx): Promise<void> {
    await bringForward(tx, LEASE_MS);
  }

  /** The results of the last run on any node; undefined before the first one. */
  lastRun(): Promise<LastRun | undefined> {
    return loadLastRun(this.#options.database.kysely);
  }

  async lastResults() {
    const last = await this.lastRun();
    if (last === undefined) return undefined;
    const { broken, unchecked, brokenSinceMicros, ...run } = last;
    const invariants = INVARIANTS.filter(({ id }) => id in broken || unchecked.includes(id)).map(
      ({ id, title }) => ({
        id,
        title,
        broken: broken[id] ?? null,
        brokenSinceMicros: brokenSinceMicros[id] ?? null,
      }),
    );
    return { ...run, invariants };
  }

  /** A running check is abandoned, and another node may begin immediately. */
  async close(): Promise<void> {
    await Promise.race([this.#task.close(), sleep(CLOSE_WAIT_MS, undefined, { ref: false })]);
  }

  async #runIfDue(closing: AbortSignal): Promise<void> {
    const { database, inSpan } = this.#options;
    const { kysely } = database;
    if (closing.aborted || !(await claimRun(kysely, this.#node, LEASE_MS))) return;
    try {
      await this.#options.checkClock();
      await inSpan('check the invariants', () => this.#checkAll(closing), { extent: 'whole' });
    } finally {
      if (closing.aborted) await putOff(kysely, this.#node, 0);
    }
  }

  async #checkAll(closing: AbortSignal): Promise<void> {
    const { database, log, inSpan, intervalMs } = this.#options;
    let workedMs = 0;
    let checked = 0;
    const broken: Record<string, number> = {};
    const unchecked: string[] = [];
    for (const invariant of INVARIANTS) {
      const startedAt = performance.now();
      const result = await inSpan(`check ${invariant.id}`, () => this.#check(invariant));
      const tookMs = performance.now() - startedAt;
      workedMs += tookMs;
      if (result === undefined) unchecked.push(invariant.id);
      else broken[invariant.id] = result.broken;
      checked += result?.checked ?? 0;
      await sleep(Math.min(tookMs, REST_MAX_MS), undefined, { signal: closing });
      if (!(await putOff(database.kysely, this.#node, LEASE_MS))) return;
    }
    const durationMs = Math.round(workedMs);
    const nextInMs = Math.max(intervalMs, Math.round(workedMs / SHARE_MAX));
    await finishRun(database.kysely, this.#node, { durationMs, checked, broken, unchecked, nextInMs });
    const names = Object.keys(broken).filter((id) => broken[id] !== 0);
    const metrics = {
      invariants: INVARIANTS.length,
      checked,
      durationMs,
      nextInMs,
      broken: names,
      unchecked,
    };
    if (names.length === 0) log.info(metrics, 'the invariants were checked');
    else log.error(metrics, `broken invariants: ${names.join(', ')}`);
  }

  /** Undefined when it took too long. */
  async #check(invariant: Invariant): Promise<{ checked: number; broken: number } | undefined> {
    const { database, log } = this.#options;
    const { id, title } = invariant;
    try {
      const result = await verifyInvariant(database, invariant, CHECK_TIMEOUT_MS);
      const { broken, examples } = result;
      if (broken > 0)
        log.error({ invariant: id, broken, examples }, `the invariant ${id} is broken: ${title}`);
      return result;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      log.warn({ invariant: id }, `the check of the invariant ${id} took longer than ${CHECK_TIMEOUT_MS} ms`);
      return undefined;
    }
  }
}
