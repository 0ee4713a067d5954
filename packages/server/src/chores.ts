/**
 * Every node does its work in the background, apart from requests, in this loop. The lock or claim of a chore lets one
 * node do its work.
 * A chore waits for nothing but the database: work that waits for a provider, a mail server or an endpoint, or that keeps a
 * promise of a few seconds, is a separate RepeatedTask.
 */
import { must } from '@keyport/core/assert';
import type { Logger } from 'pino';
import { RepeatedTask } from './repeated-task.ts';

const ROUND_INTERVAL_MS = 500;

export type Chore = {
  readonly everyMs: number;
  /**
   * One short step. If it returns true, more work waits, and the next step follows when the other due chores had a
   * turn: so a long chore delays the others by one step at a time.
   */
  readonly step: () => Promise<unknown>;
  /** The level of the log line about a failed step. */
  readonly level?: 'warn' | 'error';
};

type Turn = Required<Chore> & { readonly name: string; dueAtMs: number; waiting: (() => void)[] };

/** A chore that fails is logged under its name and runs again after its interval; the other chores still run. */
export function createChores<Name extends string>(chores: Readonly<Record<Name, Chore>>, log: Logger) {
  const turns = Object.entries<Chore>(chores).map(
    ([name, chore]): Turn => ({
      level: 'warn',
      ...chore,
      name,
      dueAtMs: performance.now() + chore.everyMs,
      waiting: [],
    }),
  );
  const findDue = () => turns.filter(({ dueAtMs }) => dueAtMs <= performance.now());
  const task = new RepeatedTask({
    intervalMs: ROUND_INTERVAL_MS,
    async work(closing) {
      for (let due = findDue(); due.length > 0 && !closing.aborted; due = findDue())
        for (const turn of due) if (!closing.aborted) await take(turn, closing);
    },
    onFailure: (error) => log.error({ err: error }, 'a round of chores failed; retrying'),
  });

  async function take(turn: Turn, closing: AbortSignal): Promise<void> {
    const { name, everyMs, level, step, waiting } = turn;
    turn.waiting = [];
    turn.dueAtMs = performance.now() + everyMs;
    try {
      const isMore = (await step()) === true;
      if (isMore && !closing.aborted) {
        turn.dueAtMs = 0;
        turn.waiting.push(...waiting);
        return;
      }
    } catch (error) {
      if (!closing.aborted) log[level]({ err: error, chore: name }, `${name} failed; retrying`);
    }
    for (const resolve of waiting) resolve();
  }

  return {
    /** All steps of a chore, from now on. Never throws. */
    async run(name: Name): Promise<void> {
      const turn = must(
        turns.find((one) => one.name === name),
        name,
      );
      const done = new Promise<void>((resolve) => void turn.waiting.push(resolve));
      turn.dueAtMs = 0;
      // On a busy machine a round may last, because other chores become due during it.
      void task.runFresh();
      await done;
    },
    start: () => task.start('later'),
    async close() {
      await task.close();
      for (const { waiting } of turns) for (const resolve of waiting) resolve();
    },
  };
}
