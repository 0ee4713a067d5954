/** Deletes what is no longer kept, for all features. Runs on every node; each step deletes in small transactions. */
import type { Logger } from 'pino';
import { RepeatedTask } from './repeated-task.ts';

const INTERVAL_MS = 60_000;

export type CleanupStep = (closing: AbortSignal) => Promise<void>;

/** A step that fails is logged under its name and runs again in the next round; the other steps still run. */
export function createCleanup(steps: Readonly<Record<string, CleanupStep>>, log: Logger): RepeatedTask {
  const onFailure = (error: unknown) => log.warn({ err: error }, 'cleanup failed; retrying');
  return new RepeatedTask({
    intervalMs: INTERVAL_MS,
    async work(closing) {
      for (const [name, step] of Object.entries(steps)) {
        if (closing.aborted) return;
        await step(closing).catch((error: unknown) =>
          log.warn({ err: error, step: name }, 'a step of the cleanup failed; retrying in the next round'),
        );
      }
    },
    onFailure,
  });
}
