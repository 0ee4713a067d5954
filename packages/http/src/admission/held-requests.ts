/**
 * Requests that wait for something new (A126). Their number is bounded, for each client and in all. News wake them in
 * parts, one in each turn of the event loop, so that the responses to thousands of them hold up no other request.
 */

export type HeldLimits = { readonly all: number; readonly perClient: number };

export const HELD_LIMITS: HeldLimits = { all: 2000, perClient: 10 };

/** Woken in one turn: their responses take a few milliseconds. */
const WOKEN_AT_ONCE = 50;

/** The place of one request. */
export type HeldPlace = {
  /** Resolves after this many ms, or sooner when there may be news since the last time, or when waiting is over. */
  wait(waitMs: number): Promise<void>;
  /** The place was given up or the service closes: nothing is to be waited for any more. */
  readonly isOver: boolean;
  /** Gives the place up. May be called again. */
  leave(): void;
};

export class HeldRequests {
  readonly #limits: HeldLimits;
  readonly #places = new Set<Place>();
  readonly #counts = new Map<string, number>();
  #isClosed = false;

  constructor(limits: HeldLimits = HELD_LIMITS) {
    this.#limits = limits;
  }

  /** Requests that have a place now. */
  get count(): number {
    return this.#places.size;
  }

  /** Undefined when all places are taken. `topic`: what it waits for news of. A place that was taken must be left. */
  enter(clientId: string, topic = ''): HeldPlace | undefined {
    const ofClient = this.#counts.get(clientId) ?? 0;
    const isFull = this.#places.size >= this.#limits.all || ofClient >= this.#limits.perClient;
    if (this.#isClosed || isFull) return undefined;
    const place = new Place(topic, () => this.#leave(place, clientId));
    this.#places.add(place);
    this.#counts.set(clientId, ofClient + 1);
    return place;
  }

  /** There may be news, of these topics or of all: everyone who waits for them now looks again. */
  wake(isNew: (topic: string) => boolean = () => true): void {
    if (this.#places.size > 0) this.#wakeInChunks([...this.#places].filter(({ topic }) => isNew(topic)));
  }

  /** Ends all waits; none starts from now on. */
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

class Place implements HeldPlace {
  readonly topic: string;
  readonly #onLeave: () => void;
  #isOver = false;
  /** Woken while it did not wait: it may have looked too early. */
  #isWoken = false;
  #wakeUp: (() => void) | undefined;

  constructor(topic: string, onLeave: () => void) {
    this.topic = topic;
    this.#onLeave = onLeave;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

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
