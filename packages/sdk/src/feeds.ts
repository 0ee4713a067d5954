/** Lists without an end, which are followed with a cursor: changes of the catalogue, and events. */
import { type CallOptions, splitOptions } from './options.ts';
import { monotonicMs, sleep } from './time.ts';
import type { Transport } from './transport.ts';

/** One page of a feed, as the service answered it. */
export interface FeedPage<Item> {
  readonly data: Item[];
  readonly meta: {
    /** For the next request. */
    readonly nextCursor: string;
    /** There is more already. */
    readonly hasMore: boolean;
    /** Of changes: the feed starts from the beginning. When `hasMore` is false again, drop what did not come since. */
    readonly restarted?: boolean;
  };
}

/** An element of a feed, and where to go on after it. */
export type WithCursor<Item> = Item & {
  /** Store it with what you made of the element; going on from it brings what comes after. */
  readonly cursor: string;
  /** Of changes: from this element on the feed starts from the beginning. Follow `pages()` to know where that pass ends. */
  readonly restarted?: true;
};

/** A request that is answered at once although it asked to wait is not repeated at once. */
const EMPTY_PAUSE_MS = 1000;

type FeedSpec<Item> = {
  readonly path: string;
  /** Says where in its page an element is. */
  readonly mark: (item: Item) => string;
  /** Marks grow from element to element. */
  readonly isOrdered: boolean;
};

/**
 * A feed that is read when it is iterated. Without `wait` it ends with what there is; with it, it goes on for ever: leave the
 * loop, or abort its signal.
 */
export class Feed<Item> implements AsyncIterable<WithCursor<Item>> {
  readonly #transport: Transport;
  readonly #spec: FeedSpec<Item>;
  readonly #query: Readonly<Record<string, unknown>>;
  readonly #options: CallOptions;

  /** @internal */
  constructor(transport: Transport, spec: FeedSpec<Item>, filters: object, options: CallOptions) {
    const { query, options: all } = splitOptions(filters, options);
    this.#transport = transport;
    this.#spec = spec;
    this.#query = query;
    this.#options = all;
  }

  /** Page by page, with what the service says about each. */
  async *pages(): AsyncGenerator<FeedPage<Item>, void, undefined> {
    const { cursor } = splitCursor(this.#query['cursor']);
    yield* this.#read(cursor);
  }

  async *#read(from: string): AsyncGenerator<FeedPage<Item>, void, undefined> {
    const { path } = this.#spec;
    const isFollowing = Number(this.#query['wait'] ?? 0) > 0;
    let options = this.#options;
    for (let cursor = from; ; ) {
      const sentAtMs = monotonicMs();
      // A first request for one element makes a cursor that every element of the first page can be resumed with.
      const start = cursor === '' ? { limit: 1 } : { cursor };
      const query = { ...this.#query, cursor: undefined, ...start };
      const envelope = await this.#transport.envelope({ method: 'GET', path, query }, options);
      const page = envelope as unknown as FeedPage<Item>;
      options = { ...options, scenario: undefined };
      cursor = page.meta.nextCursor;
      yield page;
      if (page.meta.hasMore) continue;
      if (!isFollowing) return;
      const pauseMs = sentAtMs + EMPTY_PAUSE_MS - monotonicMs();
      if (page.data.length === 0 && pauseMs > 0) await sleep(pauseMs, options.signal);
    }
  }

  /** Its elements, one after another, each with its cursor. */
  async *[Symbol.asyncIterator](): AsyncGenerator<WithCursor<Item>, void, undefined> {
    let { cursor, mark } = splitCursor(this.#query['cursor']);
    let isRestarted = false;
    for await (const { data, meta } of this.#read(cursor)) {
      isRestarted ||= meta.restarted === true;
      const rest = isRestarted ? data : this.#after(data, mark);
      if (isRestarted || rest.length > 0 || !this.#spec.isOrdered) mark = '';
      const last = rest.at(-1);
      for (const item of rest) {
        const next = item === last ? meta.nextCursor : `${cursor}~${this.#spec.mark(item)}`;
        yield { ...item, ...(isRestarted ? { restarted: true } : {}), cursor: next };
        isRestarted = false;
      }
      cursor = meta.nextCursor;
    }
  }

  /** What of a page comes after the element with the mark. */
  #after(data: Item[], mark: string): Item[] {
    const { isOrdered, mark: markOf } = this.#spec;
    if (mark === '') return data;
    if (isOrdered) return data.filter((item) => markOf(item) > mark);
    return data.slice(data.findIndex((item) => markOf(item) === mark) + 1);
  }
}

/** The service's cursor, and the element of the page behind it that was the last one. */
function splitCursor(given: unknown): { cursor: string; mark: string } {
  const text = typeof given === 'string' ? given : '';
  const at = text.indexOf('~');
  return at < 0 ? { cursor: text, mark: '' } : { cursor: text.slice(0, at), mark: text.slice(at + 1) };
}
