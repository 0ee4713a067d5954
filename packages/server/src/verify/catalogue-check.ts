import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Comparison } from '../metrics/sources.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { CATALOGUE_INVARIANT, type CheckResult } from './verify.ts';

/** The check takes this share of the time, so that it does not slow requests down. */
const SHARE_MAX = 1 / 20;

export function createCatalogueCheck(
  compare: (rest: (tookMs: number) => Promise<void>) => Promise<CheckResult>,
  log: Logger,
  intervalMs: number,
) {
  let last: Comparison | undefined;
  const task = new RepeatedTask({
    intervalMs,
    async work(closing) {
      const rest = async (tookMs: number) => {
        await sleep(tookMs * (1 / SHARE_MAX - 1), undefined, { signal: closing });
      };
      const { checked, broken, examples } = await compare(rest);
      last = { finishedAtSeconds: Date.now() / 1000, checked, broken };
      if (broken === 0) return;
      const { id, title } = CATALOGUE_INVARIANT;
      log.error({ invariant: id, broken, examples }, `the invariant ${id} is violated: ${title}`);
    },
    onFailure(error, closing) {
      if (closing.aborted) return;
      log.warn({ err: error }, 'comparing the catalogue with the database failed; retrying');
    },
  });
  return {
    start: () => task.start('later'),
    /** On this node. */
    last: () => last,
    close: () => task.close(),
  };
}
