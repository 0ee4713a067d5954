/** The event loop reads database responses once per turn; they must not wait behind hundreds of requests. */

type Waiting = { readonly go: (waitedMs: number) => void; readonly sinceMs: number };

export class Turns {
  readonly #requestsMax: number;
  #waiting: Waiting[] = [];
  #next = 0;
  #begunCount = 0;
  #isOpen = false;
  #number = 0;

  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax;
  }

  get number(): number {
    return this.#number;
  }

  take(go: Waiting['go'], mayOvertake: () => boolean): void {
    if (!this.#isOpen) {
      this.#isOpen = true;
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
    this.#isOpen = count > 0;
    // One `setImmediate` per request, so that its promises are settled before the next begins.
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
