/** Compares each node's catalogue with the database, and checks the invariants on one node at a time. R33. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { isTimeout } from '../db/errors.ts';
import type { InSpan } from '../in-span.ts';
import type { Comparison } from '../metrics/sources.ts';
import { RepeatedTask } from '../repeated-task.ts';
import type { Invariant } from './invariant.ts';
import { INVARIANTS } from './invariants.ts';
import * as sql from './schedule.sql.ts';
import { CATALOGUE_INVARIANT, type CheckResult, verifyInvariant } from './verify.ts';

const LOOK_INTERVAL_MS = 5_000;
/** A snapshot must not last longer. */
const CHECK_TIMEOUT_MS = 60_000;
const REST_MAX_MS = 5_000;
/** A node silent for longer counts as dead. */
const LEASE_MS = 2 * (CHECK_TIMEOUT_MS + REST_MAX_MS);
/** Runs and comparisons use at most this share of one processor, even with a large database. */
const SHARE_MAX = 1 / 20;
/** Afterwards the connection of a running check is closed with the others. */
const CLOSE_WAIT_MS = 2_000;

export type PeriodicVerifierOptions = {
  readonly database: Database;
  readonly log: Logger;
  readonly inSpan: InSpan;
  /** Compares this node's catalogue with the database; `rest` keeps it from slowing requests down. */
  readonly compareCatalogue: (rest: (tookMs: number) => Promise<void>) => Promise<CheckResult>;
  /** Between runs; longer on a big database. */
  readonly intervalMs: number;
};

export class PeriodicVerifier {
  readonly #options: PeriodicVerifierOptions;
  readonly #node = randomUUID();
  readonly #task: RepeatedTask;
  #compareDueAtMs: number;
  #comparison: Comparison | undefined;

  constructor(options: PeriodicVerifierOptions) {
    this.#options = options;
    this.#compareDueAtMs = performance.now() + options.intervalMs;
    this.#task = new RepeatedTask({
      intervalMs: Math.min(LOOK_INTERVAL_MS, options.intervalMs),
      work: async (closing) => {
        await this.#compareIfDue(closing);
        await this.#runIfDue(closing);
      },
      onFailure: (error, closing) => {
        if (closing.aborted) return;
        options.log.warn({ err: error }, 'periodic check of the invariants failed; retrying');
      },
    });
  }

  start(): void {
    this.#task.start('later');
  }

  /** Never throws. */
  runIfDue(): Promise<void> {
    return this.#task.run();
  }

  /** This is the last comparison of this node. */
  get lastComparison(): Comparison | undefined {
    return this.#comparison;
  }

  lastRun(): Promise<sql.LastRun | undefined> {
    return sql.loadLastRun(this.#options.database.db);
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

  /** Abandons a running check. */
  async close(): Promise<void> {
    await Promise.race([this.#task.close(), sleep(CLOSE_WAIT_MS, undefined, { ref: false })]);
  }

  /** Never throws, so that the run begins in any case. */
  async #compareIfDue(closing: AbortSignal): Promise<void> {
    const { compareCatalogue, intervalMs, log } = this.#options;
    if (closing.aborted || performance.now() < this.#compareDueAtMs) return;
    const rest = async (tookMs: number) => {
      await sleep(tookMs * (1 / SHARE_MAX - 1), undefined, { signal: closing });
    };
    try {
      const { checked, broken, examples } = await compareCatalogue(rest);
      this.#comparison = { finishedAtSeconds: Date.now() / 1000, checked, broken };
      const { id, title } = CATALOGUE_INVARIANT;
      if (broken > 0)
        log.error({ invariant: id, broken, examples }, `the invariant ${id} is violated: ${title}`);
    } catch (error) {
      if (!closing.aborted)
        log.warn({ err: error }, 'comparing the catalogue with the database failed; retrying');
    }
    this.#compareDueAtMs = performance.now() + intervalMs;
  }

  async #runIfDue(closing: AbortSignal): Promise<void> {
    const { database, inSpan } = this.#options;
    const { db } = database;
    if (closing.aborted || !(await sql.claimRun(db, this.#node, LEASE_MS))) return;
    try {
      await inSpan('check the invariants', () => this.#checkAll(closing), { extent: 'whole' });
    } finally {
      if (closing.aborted) await sql.putOff(db, this.#node, 0);
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
      if (!(await sql.putOff(database.db, this.#node, LEASE_MS))) return;
    }
    const durationMs = Math.round(workedMs);
    const nextInMs = Math.max(intervalMs, Math.round(workedMs / SHARE_MAX));
    await sql.finishRun(database.db, this.#node, { durationMs, checked, broken, unchecked, nextInMs });
    const names = Object.keys(broken).filter((id) => broken[id] !== 0);
    const run = { invariants: INVARIANTS.length, checked, durationMs, nextInMs };
    const metrics = { ...run, broken: names, unchecked };
    if (names.length === 0) log.info(metrics, 'the invariants were checked');
    else log.error(metrics, `violated invariants: ${names.join(', ')}`);
  }

  /** Undefined on timeout. */
  async #check(invariant: Invariant): Promise<{ checked: number; broken: number } | undefined> {
    const { database, log } = this.#options;
    const { id, title } = invariant;
    try {
      const result = await verifyInvariant(database, invariant, CHECK_TIMEOUT_MS);
      const { broken, examples } = result;
      if (broken > 0)
        log.error({ invariant: id, broken, examples }, `the invariant ${id} is violated: ${title}`);
      return result;
    } catch (error) {
      if (!isTimeout(error)) throw error;
      log.warn({ invariant: id }, `the check of the invariant ${id} took longer than ${CHECK_TIMEOUT_MS} ms`);
      return undefined;
    }
  }
}
