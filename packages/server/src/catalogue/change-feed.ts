/**
 * The change feed: what changed after a cursor, from the catalogue in memory (A125). The memory of this node may be
 * behind that of the node that gave the cursor, and the database may have been set back (A127): a cursor that does not
 * fit the memory is held against the database before its reader has to start over.
 */

import type { Catalogue, CatalogueChange } from '@keyport/catalogue/catalogue';
import { type ChangeCursor, encodeCursor } from '@keyport/catalogue/change-cursor';
import { formatDateTime } from '@keyport/core/date-time';
import { HeldRequests } from '@keyport/http/admission/held-requests';
import type { Logger } from 'pino';
import { RepeatedTask } from '../repeated-task.ts';
import type { CatalogueClock } from './catalogue-clock.sql.ts';

/** How often the database is asked whether an operator has begun a new epoch. */
const EPOCH_INTERVAL_MS = 1000;

export type ChangeFeedOptions = {
  /** What the database says now. */
  readonly loadClock: () => Promise<CatalogueClock>;
  readonly catalogue: Pick<Catalogue, 'newestStampMicros' | 'changesAfter' | 'onApplied'>;
  readonly log: Logger;
};

/** Where a request reads on. */
export type Start = {
  readonly cursor: ChangeCursor;
  /** The cursor that was given is of no use any more. */
  readonly restarted: boolean;
};

export type ChangesPage = {
  /** The body from the list of changes on: JSON without its beginning. */
  readonly bytes: Buffer;
  /** Names what is shown: equal under one cursor and limit for equal answers. */
  readonly tag: string;
  /** There is a change in it. */
  readonly hasNews: boolean;
  /** Nothing to show so far, but not everything was looked at: to be read on from here at once. */
  readonly readOn: ChangeCursor | undefined;
};

export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly held = new HeldRequests();
  #clock: CatalogueClock = { epoch: '', lastStampMicros: 0 };
  #loading: Promise<void> | undefined;
  /** The one that begins when the present one has ended. */
  #loadingNext: Promise<void> | undefined;
  readonly #epochCheck: RepeatedTask;
  #stopListening = () => {};
  /** The last response: those who wait for news mostly wait at the same place. */
  #last: { readonly key: string; readonly response: ChangesPage } | undefined;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#epochCheck = new RepeatedTask({
      intervalMs: EPOCH_INTERVAL_MS,
      work: () => this.#loadClock(),
      onFailure: (error) =>
        options.log.debug({ err: error }, 'the epoch of the catalogue could not be read; trying again'),
    });
  }

  /** After the catalogue was loaded. */
  async start(): Promise<void> {
    await this.#loadClock();
    this.#stopListening = this.#options.catalogue.onApplied(() => {
      this.#last = undefined;
      this.held.wake();
    });
    this.#epochCheck.start('later');
  }

  /** Held requests are answered, and the epoch is looked at no more. */
  async close(): Promise<void> {
    this.#stopListening();
    this.held.close();
    await this.#epochCheck.close();
  }

  /** Resolves when this node knows an epoch that began before the call. */
  checkEpoch(): Promise<void> {
    return this.#loadClock();
  }

  /** Undefined is the beginning. */
  async startAt(cursor: ChangeCursor | undefined): Promise<Start> {
    if (cursor === undefined) return { cursor: this.#beginning(), restarted: false };
    if (this.#fits(cursor)) return { cursor, restarted: false };
    try {
      await this.#loadClock();
    } catch (error) {
      // Whether the cursor is valid is unknown: nothing is shown until it is known.
      this.#options.log.debug({ err: error }, 'a cursor ahead of this node could not be checked');
      return { cursor, restarted: false };
    }
    if (this.#fits(cursor)) return { cursor, restarted: false };
    return { cursor: this.#beginning(), restarted: true };
  }

  /** The changes after a cursor, at most `limit`; none while this node is behind the one that gave it. */
  read({ cursor, restarted }: Start, limit: number): ChangesPage {
    const { catalogue } = this.#options;
    const { epoch, startedMicros, afterMicros } = cursor;
    if (epoch !== this.#clock.epoch || newestOf(cursor) > catalogue.newestStampMicros) {
      const meta = { nextCursor: encodeCursor(cursor), hasMore: afterMicros < startedMicros, restarted };
      return { ...render([], meta), hasNews: false, readOn: undefined };
    }
    const key = `${epoch} ${startedMicros} ${afterMicros} ${limit} ${restarted}`;
    if (this.#last?.key === key) return this.#last.response;
    const { changes, throughMicros, hasMore } = catalogue.changesAfter({
      afterMicros,
      removalsAfterMicros: startedMicros,
      limit,
    });
    // Past the beginning it does not matter any more where that was: every reader at this point gets the same cursor.
    const isPastStart = throughMicros >= startedMicros;
    const next = { epoch, startedMicros: isPastStart ? 0 : startedMicros, afterMicros: throughMicros };
    const hasNews = changes.length > 0;
    const response = {
      ...render(changes, { nextCursor: encodeCursor(next), hasMore, restarted }),
      hasNews,
      readOn: hasMore && !hasNews ? next : undefined,
    };
    this.#last = { key, response };
    return response;
  }

  #beginning(): ChangeCursor {
    const startedMicros = this.#options.catalogue.newestStampMicros;
    return { epoch: this.#clock.epoch, startedMicros, afterMicros: 0 };
  }

  /** Of this epoch, and not of a future that the catalogue does not have. */
  #fits(cursor: ChangeCursor): boolean {
    const newestMicros = Math.max(this.#clock.lastStampMicros, this.#options.catalogue.newestStampMicros);
    return cursor.epoch === this.#clock.epoch && newestOf(cursor) <= newestMicros;
  }

  /** Callers share a look at the database, but only one that begins later: a cursor may be newer than the present one. */
  #loadClock(): Promise<void> {
    if (this.#loading === undefined) return this.#beginLoading();
    this.#loadingNext ??= this.#loading
      .catch(() => undefined)
      .then(() => {
        this.#loadingNext = undefined;
        return this.#beginLoading();
      });
    return this.#loadingNext;
  }

  #beginLoading(): Promise<void> {
    this.#loading = this.#options
      .loadClock()
      .then((clock) => {
        const isNewEpoch = clock.epoch !== this.#clock.epoch;
        this.#clock = clock;
        if (isNewEpoch) this.held.wake();
      })
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }
}

function newestOf({ startedMicros, afterMicros }: ChangeCursor): number {
  return Math.max(startedMicros, afterMicros);
}

function render(
  changes: readonly CatalogueChange[],
  meta: { readonly nextCursor: string; readonly hasMore: boolean; readonly restarted: boolean },
): Pick<ChangesPage, 'bytes' | 'tag'> {
  const [first, ...others] = changes.map((change) =>
    'piece' in change ? change.piece : Buffer.from(renderRemoval(change)),
  );
  const list = first === undefined ? [] : [first.subarray(1), ...others];
  const bytes = Buffer.concat([Buffer.from('['), ...list, Buffer.from(`],"meta":${JSON.stringify(meta)}}`)]);
  // Of the changes up to a stamp some may go, when their products change again, but none can come.
  const tag = [meta.nextCursor, changes.length, Number(meta.hasMore), Number(meta.restarted)].join('.');
  return { bytes, tag };
}

/** As the catalogue gives products: with a comma before it. */
function renderRemoval(change: { readonly removedId: string; readonly stampMicros: number }): string {
  return `,{"id":"${change.removedId}","removed":true,"updatedAt":"${formatDateTime(change.stampMicros)}"}`;
}
