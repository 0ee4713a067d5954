/** Requests are woken in chunks, so that thousands of responses do not delay other requests. A126. */

export const LONG_POLL_LIMITS = { all: 2000, perClient: 10 };

const WOKEN_AT_ONCE = 50;

export class LongPolls {
  readonly #limits: typeof LONG_POLL_LIMITS;
  readonly #polls = new Set<LongPoll>();
  readonly #counts = new Map<string, number>();
  #isClosed = false;

  constructor(limits = LONG_POLL_LIMITS) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#polls.size;
  }

  /** Returns undefined if no more may wait. The caller must later call the poll's `leave`. */
  enter(clientId: string, topic = ''): LongPoll | undefined {
    const clientCount = this.#counts.get(clientId) ?? 0;
    const isFull = this.#polls.size >= this.#limits.all || clientCount >= this.#limits.perClient;
    if (this.#isClosed || isFull) return undefined;
    const poll = new LongPoll(topic, () => this.#leave(poll, clientId));
    this.#polls.add(poll);
    this.#counts.set(clientId, clientCount + 1);
    return poll;
  }

  wake(isNew: (topic: string) => boolean = () => true): void {
    if (this.#polls.size > 0) this.#wakeInChunks([...this.#polls].filter(({ topic }) => isNew(topic)));
  }

  close(): void {
    this.#isClosed = true;
    for (const poll of this.#polls) poll.leave();
  }

  #wakeInChunks(polls: readonly LongPoll[]): void {
    for (const poll of polls.slice(0, WOKEN_AT_ONCE)) poll.wake();
    const rest = polls.slice(WOKEN_AT_ONCE);
    if (rest.length > 0) setImmediate(() => this.#wakeInChunks(rest));
  }

  #leave(poll: LongPoll, clientId: string): void {
    this.#polls.delete(poll);
    const count = (this.#counts.get(clientId) ?? 1) - 1;
    if (count === 0) this.#counts.delete(clientId);
    else this.#counts.set(clientId, count);
  }
}

export class LongPoll {
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
