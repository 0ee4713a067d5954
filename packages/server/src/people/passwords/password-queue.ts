/**
 * Hashes one password at a time. The address range with the fewest failures is next, so that a flood delays
 * no other range. A426.
 */
import { ApiError } from '@keyport/http/replies/api-error';

/** About two seconds of work. */
const WAITING_MAX = 40;
const WINDOW_MS = 15 * 60_000;
const RANGES_MAX = 10_000;

type Job = {
  readonly range: string;
  /** Failures of the address range plus its waiting jobs; the lowest is next. */
  readonly rank: number;
  readonly start: () => Promise<void>;
  readonly reject: (error: Error) => void;
};

export class PasswordQueue {
  readonly #waiting: Job[] = [];
  readonly #failures = new Map<string, number>();
  #windowEndsAtMs = 0;
  #isBusy = false;

  /** Throws service-unavailable if too many jobs of lower ranks wait. */
  run<T>(range: string, compute: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const rank = this.#failuresOf(range) + this.#waiting.filter((job) => job.range === range).length;
      const start = () => compute().then(resolve, reject);
      const place = this.#waiting.findIndex((job) => job.rank > rank);
      this.#waiting.splice(place === -1 ? this.#waiting.length : place, 0, { range, rank, start, reject });
      if (this.#waiting.length > WAITING_MAX) this.#waiting.pop()?.reject(tooMany());
      if (!this.#isBusy) void this.#work();
    });
  }

  recordFailure(range: string): void {
    if (this.#failures.size < RANGES_MAX || this.#failures.has(range))
      this.#failures.set(range, this.#failuresOf(range) + 1);
  }

  #failuresOf(range: string): number {
    const nowMs = performance.now();
    if (nowMs > this.#windowEndsAtMs) {
      this.#failures.clear();
      this.#windowEndsAtMs = nowMs + WINDOW_MS;
    }
    return this.#failures.get(range) ?? 0;
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) await job.start();
    this.#isBusy = false;
  }
}

function tooMany(): ApiError {
  return new ApiError('service-unavailable', { headers: { 'retry-after': '2' } });
}
