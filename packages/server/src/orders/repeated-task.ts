/** Work that is done every few seconds, one round at a time. A round that fails is logged; the next one tries again. */
import type { Logger } from 'pino';

export type RepeatedTaskOptions = {
  /** For the log. */
  readonly name: string;
  readonly intervalMs: number;
  readonly log: Logger;
  /** Of a clock that only goes forward. */
  readonly nowMs: () => number;
  /** `signal` aborts when the task is closed. */
  readonly work: (signal: AbortSignal) => Promise<void>;
};

export class RepeatedTask {
  readonly #options: RepeatedTaskOptions;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #roundStartedAtMs = 0;

  constructor(options: RepeatedTaskOptions) {
    this.#options = options;
  }

  /** The first round begins at once. */
  start(): void {
    this.#timer = setInterval(() => void this.run(), this.#options.intervalMs);
    void this.run();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#round;
  }

  /** How long the round that is under way has taken so far; 0 without one. */
  get busyForMs(): number {
    return this.#round === undefined ? 0 : this.#options.nowMs() - this.#roundStartedAtMs;
  }

  /** One round; a call while one is under way waits for that one. Never throws. */
  run(): Promise<void> {
    if (this.#round === undefined) {
      this.#roundStartedAtMs = this.#options.nowMs();
      this.#round = this.#runOnce().finally(() => {
        this.#round = undefined;
      });
    }
    return this.#round;
  }

  async #runOnce(): Promise<void> {
    const { name, log, work } = this.#options;
    try {
      await work(this.#closing.signal);
    } catch (error) {
      log.warn({ err: error, task: name }, 'a round of a background task failed; the next one tries again');
    }
  }
}
