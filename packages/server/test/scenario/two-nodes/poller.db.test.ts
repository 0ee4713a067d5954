/**
 * A8: a client that requests everything since the newest update it has seen, at alternating nodes, ends with
 * every product on offer. A8.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { test } from 'vitest';
import {
  openShop,
  readListedProducts,
  type ShownProduct,
  slowDownTransactions,
} from '../../support/changing-shop.ts';
import type { Reseller } from '../../support/harness.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const { h, nodes } = await startTwoNodes(wholeFile);

const WRITER_COUNT = 4;
const ROUND_COUNT = 3;
const CHANGES_PER_WRITER = 20;
const POLL_PAUSE_MS = 20;

const PATIENCE_MS = 120_000;

const urls = nodes.map(({ url }) => url);
const seed = String(randomInt(2 ** 31));
const shop = await openShop(h, { urls, productCount: 40, random: createRandom(seed) });
await slowDownTransactions(h.database, 40);

class Poller {
  readonly #reseller: Reseller;
  readonly #random: Random;
  /** The largest stamp seen; initially a time before all stamps. */
  #newest = '2000-01-01T00:00:00Z';
  readonly products = new Map<string, ShownProduct>();

  constructor(reseller: Reseller, random: Random) {
    this.#reseller = reseller;
    this.#random = random;
  }

  /** All pages are read at one node. */
  async poll(url: string): Promise<void> {
    const itemsPerPage = this.#random.pick([10, 20, 50, 100]);
    const filter = `updatedAtFrom=${this.#newest}&itemsPerPage=${itemsPerPage}`;
    const first = await this.#page(url, filter);
    const newest = first.data.reduce((latest, { updatedAt }) => max(latest, updatedAt), this.#newest);
    if (!first.meta.hasNext) this.#take(first.data);
    else await this.#readWindow(url, `${filter}&updatedAtTo=${newest}`, itemsPerPage);
    this.#newest = newest;
  }

  /**
   * No product enters a window that ends with an update that this node has already shown. One that leaves
   * moves the others towards the first page, so reading from the last page to the first misses none.
   */
  async #readWindow(url: string, filter: string, itemsPerPage: number): Promise<void> {
    const { meta } = await this.#page(url, filter);
    for (let page = Math.ceil(meta.totalResults / itemsPerPage); page >= 1; page -= 1)
      this.#take((await this.#page(url, `${filter}&page=${page}`)).data);
  }

  #take(data: readonly ShownProduct[]): void {
    for (const product of data) {
      const known = this.products.get(product.id);
      if (known === undefined || known.updatedAt < product.updatedAt) this.products.set(product.id, product);
    }
  }

  async #page(url: string, query: string) {
    const { status, body } = await this.#reseller.at(url).get(`/product-offers?${query}`);
    equal(status, 200, JSON.stringify(body));
    return body as { data: ShownProduct[]; meta: { totalResults: number; hasNext: boolean } };
  }
}

/** Timestamps of one length and format sort by time; the first one is older than any. */
function max(left: string, right: string): string {
  return left < right ? right : left;
}

/** The list cannot show that a product is gone. */
function listKnown(poller: Poller, listed: readonly ShownProduct[]): (ShownProduct | undefined)[] {
  return listed.map(({ id }) => poller.products.get(id));
}

/** Asserts that each poller has the database's state when all is quiet. */
async function assertNothingMissed(pollerUrls: readonly (readonly string[])[]): Promise<void> {
  const reseller = await h.seed.reseller();
  const pollers = pollerUrls.map((_, index) => new Poller(reseller, createRandom(`${seed}/poller ${index}`)));
  for (let round = 0; round < ROUND_COUNT; round += 1) {
    const writing = Promise.all(
      Array.from({ length: WRITER_COUNT }, (_, writer) =>
        shop.change(CHANGES_PER_WRITER, createRandom(`${seed}/${round}/writer ${writer}`)),
      ),
    );
    let isWritten = false;
    const written = writing.then(() => {
      isWritten = true;
    });
    const pollTo = async (poller: Poller, nodeUrls: readonly string[]) => {
      let giveUpAt = Number.POSITIVE_INFINITY;
      for (let turn = 0; performance.now() < giveUpAt; turn += 1) {
        const isLast = isWritten;
        await poller.poll(nodeUrls[turn % nodeUrls.length] ?? '');
        // A poller that never rests leaves the writers no processor time.
        await sleep(POLL_PAUSE_MS);
        if (!isLast) continue;
        giveUpAt = Math.min(giveUpAt, performance.now() + PATIENCE_MS);
        const listed = await readListedProducts(h.database);
        if (isDeepStrictEqual(listKnown(poller, listed), listed)) return;
      }
    };
    await Promise.all([written, ...pollers.map((poller, index) => pollTo(poller, pollerUrls[index] ?? []))]);
    const listed = await readListedProducts(h.database);
    ok(listed.length > 0);
    for (const poller of pollers) deepEqual(listKnown(poller, listed), listed, `seed ${seed}`);
  }
}

test('pollers that read from the newest update they have seen miss none, regardless of the node', async (t) => {
  await t.annotate(`seed ${seed}`);
  const [first = '', second = ''] = urls;
  // The third poller stays with one node, so that the other cannot make up for what that node misses.
  await assertNothingMissed([[first, second], [second, second, first], [second]]);
});
