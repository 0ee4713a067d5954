/** Keeps the content of the change feed's responses and checks that they are consistent. */
import { equal, ok } from 'node:assert/strict';
import type { ShownProduct } from './changing-shop.ts';
import type { ApiResponse, Reseller } from './harness.ts';

type Change =
  | (ShownProduct & { readonly removed?: undefined })
  | { readonly id: string; readonly removed: true; readonly updatedAt: string };

export type FeedQuery = { readonly cursor?: string; readonly limit?: number; readonly wait?: number };

export type ChangesBody = {
  readonly data: readonly Change[];
  readonly meta: { readonly nextCursor: string; readonly hasMore: boolean; readonly restarted: boolean };
};

export function askForChanges(reseller: Reseller, query: FeedQuery = {}): Promise<ApiResponse> {
  const members = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return reseller.get(`/product-offers/changes?${new URLSearchParams(members)}`);
}

export async function readChanges(reseller: Reseller, query: FeedQuery = {}): Promise<ChangesBody> {
  const { status, body } = await askForChanges(reseller, query);
  equal(status, 200, JSON.stringify(body));
  return body;
}

export class FeedReader {
  #cursor: string | undefined;
  /** The snapshot being read from the beginning; undefined once it is complete. */
  #incoming: Map<string, ShownProduct> | undefined;
  #newest = '';
  products = new Map<string, ShownProduct>();

  /** Where to continue; undefined means the beginning. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** A lost response leaves the reader where it was. Returns true if there may be more. */
  async step(reseller: Reseller, query: Omit<FeedQuery, 'cursor'>, isAnswerLost = false): Promise<boolean> {
    const cursor = this.#cursor === undefined ? {} : { cursor: this.#cursor };
    const response = await readChanges(reseller, { ...query, ...cursor });
    if (!isAnswerLost) this.take(response);
    return isAnswerLost || response.data.length > 0 || response.meta.hasMore;
  }

  take({ data, meta }: ChangesBody): void {
    if (this.#cursor === undefined || meta.restarted) {
      this.#incoming = new Map();
      this.#newest = '';
    }
    const target = this.#incoming ?? this.products;
    for (const change of data) {
      ok(change.updatedAt > this.#newest, 'changes come in the order of updatedAt');
      this.#newest = change.updatedAt;
      if (change.removed === true) target.delete(change.id);
      else target.set(change.id, change);
    }
    this.#cursor = meta.nextCursor;
    if (meta.hasMore || this.#incoming === undefined) return;
    this.products = this.#incoming;
    this.#incoming = undefined;
  }

  /** Products in the order of their ids, for a comparison with the database. */
  known(): ShownProduct[] {
    return [...this.products.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  }
}
