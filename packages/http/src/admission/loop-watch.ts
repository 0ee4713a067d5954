/** A late heartbeat shows that the event loop was blocked. A185. */

const HEARTBEAT_MS = 250;

export type LoopWatchLimits = { readonly stuckMs: number; readonly stuckRestMs: number };

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
