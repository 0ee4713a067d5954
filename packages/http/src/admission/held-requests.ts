/** Requests are woken in chunks, so that thousands of responses do not delay other requests. A126. */

export const HELD_LIMITS = { all: 2000, perClient: 10 };

const WOKEN_AT_ONCE = 50;

export class HeldRequests {
  readonly #limits: typeof HELD_LIMITS;
  readonly #places = new Set<Place>();
  readonly #counts = new Map<string, number>();
  #isClosed = false;

  constructor(limits = HELD_LIMITS) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#places.size;
  }

  /** Returns undefined if no place is free. The caller must later call the place's `leave`. */
  enter(clientId: string, topic = ''): Place | undefined {
    const ofClient = this.#counts.get(clientId) ?? 0;
    const isFull = this.#places.size >= this.#limits.all || ofClient >= this.#limits.perClient;
    if (this.#isClosed || isFull) return undefined;
    const place = new Place(topic, () => this.#leave(place, clientId));
    this.#places.add(place);
    this.#counts.set(clientId, ofClient + 1);
    return place;
  }

  wake(isNew: (topic: string) => boolean = () => true): void {
    if (this.#places.size > 0) this.#wakeInChunks([...this.#places].filter(({ topic }) => isNew(topic)));
  }

  close(): void {
    this.#isClosed = true;
    for (const place of this.#places) place.leave();
  }

  #wakeInChunks(places: readonly Place[]): void {
    for (const place of places.slice(0, WOKEN_AT_ONCE)) place.wake();
    const rest = places.slice(WOKEN_AT_ONCE);
    if (rest.length > 0) setImmediate(() => this.#wakeInChunks(rest));
  }

  #leave(place: Place, clientId: string): void {
    this.#places.delete(place);
    const count = (this.#counts.get(clientId) ?? 1) - 1;
    if (count === 0) this.#counts.delete(clientId);
    else this.#counts.set(clientId, count);
  }
}

export class Place {
  readonly topic: string;
  readonly #onLeave: () => void;
  #isOver = false;
  /** True if woken between two waits, because the last read may have missed the change. */
  #isWoken = false;
  #wakeUp: (() => void) | undefined;

  constructor(topic: string, onLeave: () => void) {
    this.topic = topic;
    this.#onLeave = onLeave;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends after `waitMs`, or when woken or left, even if that happened between two waits. */
  async wait(waitMs: number): Promise<void> {
    const isWoken = this.#isWoken;
    this.#isWoken = false;
    if (this.#isOver || isWoken) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    this.#wakeUp = resolve;
    await promise;
    this.#wakeUp = undefined;
    clearTimeout(timer);
  }

  wake(): void {
    if (this.#wakeUp === undefined) this.#isWoken = true;
    else this.#wakeUp();
  }

  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onLeave();
    this.#wakeUp?.();
  }
}
