import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { RepeatedTask } from '../repeated-task.ts';
import { CATALOGUE_INVARIANT, type CheckResult } from './verify.ts';

/** It rests after each portion, so that requests do not feel it. */
const SHARE_MAX = 1 / 20;

export type CatalogueCheckOptions = {
  readonly compare: (rest: (tookMs: number) => Promise<void>) => Promise<CheckResult>;
  readonly log: Logger;
  /** Longer on a big catalogue. */
  readonly intervalMs: number;
};

export type LastComparison = {
  /** By this process's clock. */
  readonly finishedAtSeconds: number;
  readonly checked: number;
  readonly broken: number;
};

export class CatalogueCheck {
  readonly #options: CatalogueCheckOptions;
  readonly #task: RepeatedTask;
  #last: LastComparison | undefined;

  constructor(options: CatalogueCheckOptions) {
    this.#options = options;
    this.#task = new RepeatedTask({
      intervalMs: options.intervalMs,
      work: (closing) => this.#compare(closing),
      onFailure: (error, closing) => {
        if (closing.aborted) return;
        options.log.warn({ err: error }, 'comparing the catalogue with the database failed; retrying');
      },
    });
  }

  start(): void {
    this.#task.start('later');
  }

  get last(): LastComparison | undefined {
    return this.#last;
  }

  close(): Promise<void> {
    return this.#task.close();
  }

  async #compare(closing: AbortSignal): Promise<void> {
    const { compare, log } = this.#options;
    const rest = async (tookMs: number) => {
      await sleep(tookMs * (1 / SHARE_MAX - 1), undefined, { signal: closing });
    };
    const { checked, broken, examples } = await compare(rest);
    this.#last = { finishedAtSeconds: Date.now() / 1000, checked, broken };
    if (broken === 0) return;
    const { id, title } = CATALOGUE_INVARIANT;
    log.error({ invariant: id, broken, examples }, `the invariant ${id} is broken: ${title}`);
  }
}
