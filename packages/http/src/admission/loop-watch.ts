/** Notices from a late heartbeat that the event loop stood still, so that readiness can say so. A186. */

const HEARTBEAT_MS = 250;

export type LoopWatchLimits = {
  readonly stuckMs: number;
  readonly stuckRestMs: number;
};

export class LoopWatch {
  readonly #limits: LoopWatchLimits;
  #timer: NodeJS.Timeout | undefined;
  #beatAt = 0;
  #stuckUntil = 0;

  constructor(limits: LoopWatchLimits) {
    this.#limits = limits;
  }

  start(): void {
    this.#beatAt = performance.now();
    this.#timer ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** False while the loop stands still or did so a moment ago. */
  get isResponsive(): boolean {
    return !this.#isLate() && performance.now() >= this.#stuckUntil;
  }

  #isLate(): boolean {
    return (
      this.#timer !== undefined && performance.now() - this.#beatAt > this.#limits.stuckMs + HEARTBEAT_MS
    );
  }

  #beat(): void {
    const now = performance.now();
    if (this.#isLate()) this.#stuckUntil = now + this.#limits.stuckRestMs;
    this.#beatAt = now;
  }
}
