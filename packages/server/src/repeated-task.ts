/** Runs one round at a time. The next round retries a failed one. */

export type RepeatedTaskOptions = {
  /** A longer round skips the starts that fall into it. */
  readonly intervalMs: number;
  readonly work: (closing: AbortSignal) => Promise<void>;
  /** Also called if work fails because the task closes. */
  readonly onFailure: (error: unknown, closing: AbortSignal) => void;
  readonly nowMs?: () => number;
};

export class RepeatedTask {
  readonly #options: RepeatedTaskOptions;
  readonly #nowMs: () => number;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #roundStartedAtMs = 0;

  constructor(options: RepeatedTaskOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** The timer does not keep the process alive. */
  start(firstRound: 'at-once' | 'later'): void {
    this.#timer = setInterval(() => void this.run(), this.#options.intervalMs).unref();
    if (firstRound === 'at-once') void this.run();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#round;
  }

  /** Runs a last round for everything that exists by now. */
  async closeAfterWork(): Promise<void> {
    clearInterval(this.#timer);
    await this.runFresh();
    await this.close();
  }

  /** Starts a new round, since one in progress may have begun too early. */
  async runFresh(): Promise<void> {
    await this.#round;
    await this.run();
  }

  get busyForMs(): number {
    return this.#round === undefined ? 0 : this.#nowMs() - this.#roundStartedAtMs;
  }

  /** Concurrent calls share a round. Never throws. */
  run(): Promise<void> {
    if (this.#round === undefined) {
      this.#roundStartedAtMs = this.#nowMs();
      this.#round = this.#runOnce().finally(() => {
        this.#round = undefined;
      });
    }
    return this.#round;
  }

  async #runOnce(): Promise<void> {
    const { work, onFailure } = this.#options;
    try {
      await work(this.#closing.signal);
    } catch (error) {
      onFailure(error, this.#closing.signal);
    }
  }
}

/** Repeats `step` until it handles fewer than `full` items, or the task closes. */
export async function whileFull(
  full: number,
  step: () => Promise<number | undefined>,
  closing: AbortSignal,
): Promise<void> {
  for (let done: number | undefined = full; done === full && !closing.aborted; ) done = await step();
}
