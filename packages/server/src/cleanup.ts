/** Deletes what is no longer kept, for all features. Runs on every node; each step deletes in small transactions. */
import type { Logger } from 'pino';
import { RepeatedTask } from './repeated-task.ts';

const INTERVAL_MS = 60_000;

type CleanupStep = (closing: AbortSignal) => Promise<void>;

/** A step that fails is logged under its name and runs again in the next round; the other steps still run. */
export function createCleanup(steps: Readonly<Record<string, CleanupStep>>, log: Logger) {
  const warn = (err: unknown, step?: string) =>
    log.warn({ err, step }, 'the cleanup failed; retrying in the next round');
  const task = new RepeatedTask({
    intervalMs: INTERVAL_MS,
    async work(closing) {
      for (const [name, step] of Object.entries(steps))
        if (!closing.aborted) await step(closing).catch((error: unknown) => warn(error, name));
    },
    onFailure: (error) => warn(error),
  });
  return {
    /** A whole round. Never throws. */
    run: () => task.runFresh(),
    start: () => task.start('later'),
    close: () => task.close(),
  };
}
