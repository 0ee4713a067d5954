import { type CallOptions, splitOptions } from './options.ts';
import { monotonicMs, sleep } from './requests/time.ts';
import type { Transport } from './requests/transport.ts';

/** One page of a feed. */
export interface FeedPage<Item> {
  readonly data: Item[];
  readonly meta: {
    /** The cursor for the next request. */
    readonly nextCursor: string;
    /** Whether the next page is available. */
    readonly hasMore: boolean;
    /**
     * Change feed only: it starts again from the beginning. When `hasMore` is false, drop the products that
     * were not repeated.
     */
    readonly restarted?: boolean;
  };
}

/** An element of a feed, and the cursor after it. */
export type WithCursor<Item> = Item & {
  /** Store it with your copy of the element: the feed continues from it. */
  readonly cursor: string;
  /** Change feed only: it starts again with this element. `pages()` shows where that pass ends. */
  readonly restarted?: true;
};

/** A pause after an empty response that arrived without waiting. */
const EMPTY_PAUSE_MS = 1000;

type FeedSpec<Item> = {
  readonly path: string;
  /** Unique within a page. */
  readonly mark: (item: Item) => string;
  /** Whether marks increase. */
  readonly isOrdered: boolean;
};

/**
 * Reads while you iterate. Without `wait` it ends with the latest element; with `wait` it never ends: leave
 * the loop, or abort its signal.
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

  /** The pages, each with its metadata. */
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
      // A first page of one element makes the whole next page resumable.
      const start = cursor === '' ? { limit: 1 } : { cursor };
      const query = { ...this.#query, cursor: undefined, ...start };
      const request = { method: 'GET', path, query };
      const page = await this.#transport.envelope<FeedPage<Item>>(request, options);
      options = { ...options, scenario: undefined };
      cursor = page.meta.nextCursor;
      yield page;
      if (page.meta.hasMore) continue;
      if (!isFollowing) return;
      const pauseMs = sentAtMs + EMPTY_PAUSE_MS - monotonicMs();
      if (page.data.length === 0 && pauseMs > 0) await sleep(pauseMs, options.signal);
    }
  }

  /** Its elements in order, each with its cursor. */
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

  #after(data: Item[], mark: string): Item[] {
    const { isOrdered, mark: markOf } = this.#spec;
    if (mark === '') return data;
    if (isOrdered) return data.filter((item) => markOf(item) > mark);
    return data.slice(data.findIndex((item) => markOf(item) === mark) + 1);
  }
}

function splitCursor(value: unknown): { cursor: string; mark: string } {
  const [, cursor = '', mark = ''] = /^([^~]*)~?(.*)$/s.exec(typeof value === 'string' ? value : '') ?? [];
  return { cursor, mark };
}
