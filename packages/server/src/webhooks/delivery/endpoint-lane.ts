/** Limits concurrent deliveries, so that a receiver that has just recovered is not flooded. */

const LIMIT_AT_START = 4;
const LIMIT_MIN = 2;
const LIMIT_MAX = 32;
const FAILURES_UNTIL_PAUSE = 3;
const PAUSE_MS = 1_000;

export class EndpointLane {
  readonly endpoint: number;
  host = '';
  readonly #startedAtMs = new Map<string, number>();
  #limit = LIMIT_AT_START;
  #failures = 0;
  #pausedUntilMs = 0;
  usedAtMs: number;

  constructor(endpoint: number, nowMs: number) {
    this.endpoint = endpoint;
    this.usedAtMs = nowMs;
  }

  has(eventId: string): boolean {
    return this.#startedAtMs.has(eventId);
  }

  get size(): number {
    return this.#startedAtMs.size;
  }

  roomAt(nowMs: number): number {
    return nowMs < this.#pausedUntilMs ? 0 : Math.max(0, this.#limit - this.size);
  }

  begin(eventId: string, nowMs: number): void {
    this.#startedAtMs.set(eventId, nowMs);
    this.usedAtMs = nowMs;
  }

  end(eventId: string, isDelivered: boolean, nowMs: number): void {
    this.#startedAtMs.delete(eventId);
    this.usedAtMs = nowMs;
    if (isDelivered) {
      this.#failures = 0;
      this.#pausedUntilMs = 0;
      this.#limit = Math.min(LIMIT_MAX, this.#limit + 1);
      return;
    }
    this.#failures += 1;
    this.#limit = Math.max(LIMIT_MIN, Math.floor(this.#limit / 2));
    if (this.#failures >= FAILURES_UNTIL_PAUSE) this.#pausedUntilMs = nowMs + PAUSE_MS;
  }

  isIdle(nowMs: number, forMs: number): boolean {
    return this.size === 0 && nowMs - this.usedAtMs >= forMs;
  }

  countSlow(nowMs: number, slowMs: number): number {
    let count = 0;
    for (const startedAtMs of this.#startedAtMs.values()) if (nowMs - startedAtMs > slowMs) count += 1;
    return count;
  }

  get isFailing(): boolean {
    return this.#failures > 0;
  }
}
