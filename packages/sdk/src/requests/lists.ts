import type { Pagination } from '../generated/reseller-contract.ts';
import { type CallOptions, splitOptions } from '../options.ts';
import type { Call } from './call.ts';
import type { Transport } from './transport.ts';

export interface Page<Item> {
  readonly data: Item[];
  readonly meta: Pagination;
  readonly traceId?: string;
}

const ITEMS_PER_PAGE = 100;

/**
 * Reads while you iterate, one request per page.
 *
 * @example
 * ```ts
 * for await (const order of keyport.orders.list({ status: 'complete' })) console.log(order.id);
 * const { data, meta } = await keyport.orders.list().page(2);
 * ```
 */
export class PagedList<Item extends { readonly id: string }> implements AsyncIterable<Item> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #query: Readonly<Record<string, unknown>>;
  readonly #options: CallOptions;

  /** @internal */
  constructor(transport: Transport, path: string, filters: object, options: CallOptions) {
    const { query, options: all } = splitOptions(filters, options);
    this.#transport = transport;
    this.#path = path;
    this.#query = query;
    this.#options = all;
  }

  /** One page; the first is 1. */
  page(page: number, options: CallOptions = {}): Call<Page<Item>> {
    return this.#read({ ...this.#query, page }, options);
  }

  #read(query: Record<string, unknown>, options: CallOptions): Call<Page<Item>> {
    const request = { method: 'GET', path: this.#path, query };
    return this.#transport.envelope(request, { ...this.#options, ...options });
  }

  /**
   * Page by page. Each page starts after the last element of the page before, so that no element is missed or
   * repeated when others enter or leave the list; numbers and totals count from there.
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const query = { itemsPerPage: ITEMS_PER_PAGE, ...this.#query };
    let place: { readonly after?: string; readonly page: number } = {
      page: Number(this.#query['page'] ?? 1),
    };
    let options: CallOptions = {};
    for (let number = place.page; ; number += 1) {
      let page = await this.#read({ ...query, ...place }, options);
      // A scenario applies to one request only.
      options = { scenario: undefined };
      // A service before version 0.3.0 ignores `after` and returns its first page.
      if (place.after !== undefined && !page.meta.hasPrevious)
        page = await this.#read({ ...query, page: number }, options);
      yield page;
      const last = page.data.at(-1);
      if (!page.meta.hasNext || last === undefined) return;
      place = { after: last.id, page: 1 };
    }
  }

  /** Elements of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }
}

/** Where the next page starts. */
export type Cursor = { readonly nextCursor: string | null; readonly hasMore: boolean };

export interface CursorPage<Item, Meta extends Cursor = Cursor> {
  readonly data: Item[];
  readonly meta: Meta;
  readonly traceId?: string;
}

/**
 * Reads while you iterate, one request per page.
 *
 * @example
 * ```ts
 * for await (const line of keyport.account.statement({ from, to })) console.log(line.kind, line.amount);
 * ```
 */
export class CursorList<Item, Meta extends Cursor = Cursor> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined, isFirst: boolean) => Call<CursorPage<Item, Meta>>;

  /** @internal */
  constructor(transport: Transport, path: string, filters: object, options: CallOptions) {
    const { query, options: all } = splitOptions(filters, options);
    this.#read = (cursor, isFirst) => {
      const request = { method: 'GET', path, query: { ...query, ...(cursor && { cursor }) } };
      // A scenario applies to one request only.
      const once = isFirst ? all : { ...all, scenario: undefined };
      return transport.envelope(request, once);
    };
  }

  /** The first page, or the one at the `cursor` of the filters. */
  page(): Call<CursorPage<Item, Meta>> {
    return this.#read(undefined, true);
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<CursorPage<Item, Meta>, void, undefined> {
    for (let page = await this.page(); ; page = await this.#read(page.meta.nextCursor ?? undefined, false)) {
      yield page;
      if (page.meta.nextCursor === null) return;
    }
  }

  /** Elements of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }
}
