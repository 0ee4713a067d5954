/**
 * A notification is only a hint; the poll is the guarantee (A16). A node does not read back its own sales
 * unless others changed something in between. Transactions are applied whole (A16).
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Catalogue } from '@keyport/catalogue/catalogue';
import { type PreparedProduct, prepareProduct } from '@keyport/catalogue/render';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import type { InSpan } from '../in-span.ts';
import { RepeatedTask } from '../repeated-task.ts';
import type { OrdersOnlyChange } from './catalogue-clock.sql.ts';
import { CATALOGUE_CHANNEL, loadAgeAfter, notifyCatalogue } from './feed.sql.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { type Changes, changesOfOrders, readChanges } from './read-changes.ts';

const STEP_SIZE = 100;
const POLL_INTERVAL_MS = 250;
/** Hundreds of batches a second must not cause as many pulls. */
const HINT_INTERVAL_MIN_MS = 40;
/** A node whose last successful pull is older is out of date. */
const STALE_AFTER_MS = 5000;
/** Each read scans the remaining log, so the work grows with the square of the backlog. */
const BACKLOG_SIZE_MAX = 100_000;

export type FeedOptions = {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly log: Logger;
  readonly inSpan: InSpan;
  /** In products. Default: BACKLOG_SIZE_MAX. */
  readonly backlogSizeMax?: number;
};

export class CatalogueFeed {
  readonly #options: FeedOptions;
  readonly #node = randomUUID();
  #inStepAtMs = performance.now();
  #isLoaded = false;
  #isClosed = false;
  #pulling: Promise<void> | undefined;
  /** Another pull was requested during the current one. */
  #isWanted = false;
  /** There may be changes other than this node's sales. */
  #mustRead = true;
  #sales: OrdersOnlyChange[] = [];
  #hintedAtMs = Number.NEGATIVE_INFINITY;
  #hint: NodeJS.Timeout | undefined;
  #hasNews = false;
  readonly #poll = new RepeatedTask({
    intervalMs: POLL_INTERVAL_MS,
    work: () => this.pull(),
    onFailure: (error) => this.#warn(error),
  });
  /** Loads a new catalogue beside the current one. */
  #loading: Promise<void> | undefined;
  #loaded: Catalogue | undefined;
  #listener: { close(): Promise<void> } | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { database } = this.#options;
    await this.#reload();
    await this.pull();
    if (database.kind === 'postgres') {
      this.#listener = await database.listen(CATALOGUE_CHANNEL, (node) => {
        if (node === this.#node) return;
        this.#mustRead = true;
        this.#wake();
      });
    }
    this.#poll.start('later');
  }

  get isInStep(): boolean {
    return this.#isLoaded && performance.now() - this.#inStepAtMs < STALE_AFTER_MS;
  }

  /** Time since the memory was last known to be complete, or began to load. */
  get lagSeconds(): number {
    return (performance.now() - this.#inStepAtMs) / 1000;
  }

  /** Age of the oldest change that the memory lacks, or 0. Queries the database. */
  behindSeconds(): Promise<number> {
    const { database, catalogue } = this.#options;
    return loadAgeAfter(database.db, catalogue.throughMicros);
  }

  /** Announces a change by this node. `sale` is given if it only sold. Other nodes are notified soon. */
  announce(sale?: OrdersOnlyChange): void {
    this.#hasNews = true;
    if (sale === undefined) this.#mustRead = true;
    else this.#sales.push(sale);
    this.#wake();
  }

  #wake(): void {
    if (this.#hint !== undefined || this.#isClosed) return;
    const waitMs = Math.max(0, this.#hintedAtMs + HINT_INTERVAL_MIN_MS - performance.now());
    this.#hint = setTimeout(() => {
      this.#hint = undefined;
      this.#hintedAtMs = performance.now();
      if (this.#hasNews) this.#notifyOthers();
      this.#follow().catch((error: unknown) => this.#warn(error));
    }, waitMs);
  }

  #warn(error: unknown): void {
    this.#options.log.warn({ err: error }, 'updating the catalogue failed; retrying');
  }

  #notifyOthers(): void {
    const { database, log } = this.#options;
    this.#hasNews = false;
    if (database.kind !== 'postgres') return;
    notifyCatalogue(database.db, this.#node).catch((error: unknown) => {
      log.debug({ err: error }, 'notifying other nodes of a change failed; their polls will find it');
    });
  }

  /** Applies everything committed by now. Calls during a pull share the next pull. */
  pull(): Promise<void> {
    this.#mustRead = true;
    return this.#follow();
  }

  async #follow(): Promise<void> {
    if (this.#isClosed || (!this.#isLoaded && this.#loaded === undefined)) return;
    if (this.#pulling === undefined) {
      this.#pulling = this.#followUntilCurrent().finally(() => {
        this.#pulling = undefined;
      });
    } else {
      this.#isWanted = true;
    }
    return this.#pulling;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#hint);
    await this.#listener?.close();
    await this.#poll.close();
    await this.#pulling?.catch(() => undefined);
    await this.#loading?.catch(() => undefined);
  }

  async #followUntilCurrent(): Promise<void> {
    do {
      this.#isWanted = false;
      const sales = this.#sales;
      this.#sales = [];
      if (!this.#mustRead && (await this.#takeSales(sales))) continue;
      this.#mustRead = false;
      await this.#options.inSpan('pull the catalogue', () => this.#pullOnce(), { extent: 'whole' });
    } while (this.#isWanted && !this.#isClosed);
  }

  async #pullOnce(): Promise<void> {
    const { database, catalogue, log, backlogSizeMax = BACKLOG_SIZE_MAX } = this.#options;
    for (;;) {
      const target = this.#loaded ?? catalogue;
      const startedAtMs = performance.now();
      // A newly loaded catalogue follows any number of changes, because reloading it would not help.
      const changes = await readChanges(
        database,
        target,
        target === catalogue ? backlogSizeMax : Number.POSITIVE_INFINITY,
      );
      if (changes === undefined) {
        log.info('the catalogue is too far behind to follow; reloading it');
        await this.#reload();
        continue;
      }
      await this.#take(target, changes);
      if (this.#isClosed) return;
      if (!changes.isAll) continue;
      if (target !== catalogue) {
        catalogue.takeOver(target);
        this.#loaded = undefined;
        this.#isLoaded = true;
      }
      this.#inStepAtMs = startedAtMs;
      return;
    }
  }

  async #takeSales(sales: readonly OrdersOnlyChange[]): Promise<boolean> {
    const { catalogue } = this.#options;
    const changes = this.#loaded === undefined ? changesOfOrders(sales, catalogue) : undefined;
    if (changes !== undefined) await this.#take(catalogue, changes);
    return changes !== undefined;
  }

  async #take(target: Catalogue, { rows, newcomers, throughMicros }: Changes): Promise<void> {
    // Lets responses prepared in this turn of the event loop be sent first.
    await nextTurn();
    target.admit(newcomers);
    let prepared: PreparedProduct[] = [];
    for (const [index, row] of rows.entries()) {
      prepared.push(prepareProduct(row.product));
      const isStep = (index + 1) % STEP_SIZE === 0;
      if (isStep) await nextTurn();
      if (this.#isClosed) return;
      const next = rows[index + 1];
      const isEnd = next?.transaction !== row.transaction;
      if (!isEnd || (next !== undefined && prepared.length < STEP_SIZE)) continue;
      target.apply(prepared);
      prepared = [];
    }
    target.throughMicros = throughMicros;
  }

  async #reload(): Promise<void> {
    this.#loading ??= loadCatalogue(this.#options.database).then(
      (loaded) => {
        this.#loaded = loaded;
        this.#loading = undefined;
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }
}
