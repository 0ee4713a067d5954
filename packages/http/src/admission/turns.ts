/**
 * Bounds how many requests a turn of the event loop begins; what came with them is begun in the next turns, in the order in
 * which it came. What the database answers is read once a turn: it would wait behind hundreds of requests that are mostly
 * rejected, and orders would take so long that few are accepted.
 */

type Waiting = { readonly go: (waitedMs: number) => void; readonly sinceMs: number };

export class Turns {
  readonly #requestsMax: number;
  /** From #next on, in the order in which they came. */
  #waiting: Waiting[] = [];
  #next = 0;
  #begunCount = 0;
  #isUnderWay = false;
  #number = 0;

  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax;
  }

  /** Turns so far. */
  get number(): number {
    return this.#number;
  }

  /** Calls `go` now, or in one of the next turns unless the request may overtake those that wait. */
  take(go: Waiting['go'], mayOvertake: () => boolean): void {
    if (!this.#isUnderWay) {
      this.#isUnderWay = true;
      // Runs as soon as all that was ready to be read has been read.
      setImmediate(this.#end);
    }
    const mustWait = this.#next < this.#waiting.length || this.#begunCount >= this.#requestsMax;
    if (mustWait && !mayOvertake()) {
      this.#waiting.push({ go, sinceMs: performance.now() });
      return;
    }
    this.#begunCount += 1;
    go(0);
  }

  readonly #end = () => {
    this.#number += 1;
    const count = Math.min(Math.max(1, this.#requestsMax), this.#waiting.length - this.#next);
    this.#begunCount = count;
    this.#isUnderWay = count > 0;
    // Each by itself: what it leaves to promises is done before the next one begins.
    for (let index = 0; index < count; index += 1) setImmediate(this.#beginNext);
    if (count > 0) setImmediate(this.#end);
  };

  readonly #beginNext = () => {
    const waiting = this.#waiting[this.#next];
    this.#next += 1;
    if (this.#next >= this.#waiting.length) {
      this.#waiting = [];
      this.#next = 0;
    }
    if (waiting !== undefined) waiting.go(performance.now() - waiting.sinceMs);
  };
}
