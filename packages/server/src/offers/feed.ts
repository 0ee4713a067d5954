/**
 * Keeps the catalogue in memory in step with the database: a cursor over the stamped changes (A8) that is pulled when
 * somebody says that there is something new, and every poll interval whether or not. Notifications are hints; the poll
 * is the guarantee (A16).
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Catalogue } from './catalogue.ts';
import {
  CATALOGUE_CHANNEL,
  listChangedProducts,
  listProductsInOrder,
  loadNewestStamp,
  notifyCatalogue,
} from './feed.sql.ts';

/** Products read by one statement. */
const READ_SIZE_MAX = 2000;

/** How often the database is asked without a hint. */
const POLL_INTERVAL_MS = 250;

/** Hints that come faster than this share a pull: hundreds of batches a second must not cost hundreds of pulls. */
const HINT_INTERVAL_MIN_MS = 40;

/** Out of step: the last successful pull is older than this. */
const STALE_AFTER_MS = 5000;

export type FeedOptions = {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly log: Logger;
};

export class CatalogueFeed {
  readonly #options: FeedOptions;
  /** What this node signs its notifications with, since it hears them too. */
  readonly #node = randomUUID();
  #cursorMicros = 0;
  #pulledAtMs = 0;
  #isLoaded = false;
  #isClosed = false;
  /** The pull under way, and whether another one was asked for meanwhile. */
  #pulling: Promise<void> | undefined;
  #isWanted = false;
  #hintedAtMs = Number.NEGATIVE_INFINITY;
  #hint: NodeJS.Timeout | undefined;
  /** This node has committed changes that the others were not told of yet. */
  #hasNews = false;
  #timer: NodeJS.Timeout | undefined;
  #listener: { close(): Promise<void> } | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Loads the whole catalogue, then follows it. Resolves when the memory is in step. */
  async start(): Promise<void> {
    const { database, catalogue } = this.#options;
    // Changes that are committed while the pages are read are stamped above this and pulled again afterwards.
    this.#cursorMicros = await loadNewestStamp(database.kysely);
    for (let afterPosition = 0; ; ) {
      const products = await listProductsInOrder(database.kysely, { afterPosition, limit: READ_SIZE_MAX });
      catalogue.apply(products);
      const last = products.at(-1);
      if (last === undefined || products.length < READ_SIZE_MAX) break;
      afterPosition = last.position;
    }
    this.#isLoaded = true;
    await this.pull();
    if (database.kind === 'postgres') {
      this.#listener = await database.listen(CATALOGUE_CHANNEL, (node) => {
        if (node !== this.#node) this.#wake();
      });
    }
    this.#timer = setInterval(() => this.#wake(), POLL_INTERVAL_MS);
  }

  /** True when the memory is loaded and was in step a moment ago. */
  get isInStep(): boolean {
    return this.#isLoaded && performance.now() - this.#pulledAtMs < STALE_AFTER_MS;
  }

  /** Seconds since the memory was last known to be in step. */
  get lagSeconds(): number {
    return (performance.now() - this.#pulledAtMs) / 1000;
  }

  /** This node committed a change: pull it and tell the other nodes, both in a moment. */
  announce(): void {
    this.#hasNews = true;
    this.#wake();
  }

  #wake(): void {
    if (this.#hint !== undefined || this.#isClosed) return;
    const waitMs = Math.max(0, this.#hintedAtMs + HINT_INTERVAL_MIN_MS - performance.now());
    this.#hint = setTimeout(() => {
      this.#hint = undefined;
      this.#hintedAtMs = performance.now();
      if (this.#hasNews) this.#tellOthers();
      this.pull().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'the catalogue could not be brought in step; trying again');
      });
    }, waitMs);
  }

  #tellOthers(): void {
    const { database, log } = this.#options;
    this.#hasNews = false;
    if (database.kind !== 'postgres') return;
    notifyCatalogue(database.kysely, this.#node).catch((error: unknown) => {
      log.debug({ err: error }, 'other nodes could not be told of a change; their poll finds it');
    });
  }

  /** Applies everything that is committed by now. Calls during a pull share the next one. */
  async pull(): Promise<void> {
    if (this.#isClosed || !this.#isLoaded) return;
    if (this.#pulling === undefined) {
      this.#pulling = this.#pullUntilQuiet().finally(() => {
        this.#pulling = undefined;
      });
    } else {
      this.#isWanted = true;
    }
    return this.#pulling;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#hint);
    await this.#listener?.close();
    await this.#pulling?.catch(() => undefined);
  }

  async #pullUntilQuiet(): Promise<void> {
    do {
      this.#isWanted = false;
      await this.#pullOnce();
    } while (this.#isWanted && !this.#isClosed);
  }

  async #pullOnce(): Promise<void> {
    const { database, catalogue } = this.#options;
    for (;;) {
      const products = await listChangedProducts(database.kysely, {
        cursorMicros: this.#cursorMicros,
        limit: READ_SIZE_MAX,
      });
      catalogue.apply(products);
      this.#cursorMicros = products.at(-1)?.stampMicros ?? this.#cursorMicros;
      this.#pulledAtMs = performance.now();
      if (products.length < READ_SIZE_MAX) return;
    }
  }
}
