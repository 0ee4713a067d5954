/** The database checks a cursor that this node does not know, since the node may be behind. A125, A127. */
import { formatDateTime } from '@keyport/core/date-time';
import type { Catalogue, CatalogueChange } from './catalogue.ts';
import { type ChangeCursor, encodeCursor } from './change-cursor.ts';

export type FeedClock = { readonly epoch: string; readonly lastStampMicros: number };

export type ChangeFeedOptions = {
  readonly loadClock: () => Promise<FeedClock>;
  readonly catalogue: Pick<Catalogue, 'newestStampMicros' | 'changesAfter' | 'onApplied'>;
  readonly onNews: () => void;
  readonly onUnchecked: (error: unknown) => void;
};

export type Start = {
  readonly cursor: ChangeCursor;
  readonly restarted: boolean;
};

export type ChangesPage = {
  /** The end of the body, beginning with the list of changes. */
  readonly bytes: Buffer;
  /** Equal pages of the same cursor and limit have equal tags. */
  readonly tag: string;
  readonly hasNews: boolean;
  /** Defined if nothing was found, but more can be read. */
  readonly continueAt: ChangeCursor | undefined;
};

export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  #clock: FeedClock = { epoch: '', lastStampMicros: 0 };
  #loading: Promise<void> | undefined;
  #loadingNext: Promise<void> | undefined;
  #stopListening = () => {};
  #last: { readonly key: string; readonly page: ChangesPage } | undefined;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.checkEpoch();
    this.#stopListening = this.#options.catalogue.onApplied(() => {
      this.#last = undefined;
      this.#options.onNews();
    });
  }

  close(): void {
    this.#stopListening();
  }

  /** A cursor of the other filter starts over. */
  async startAt(cursor: ChangeCursor | undefined, orderableOnly: boolean): Promise<Start> {
    if (cursor === undefined) return { cursor: this.#beginning(orderableOnly), restarted: false };
    if (cursor.orderableOnly !== orderableOnly)
      return { cursor: this.#beginning(orderableOnly), restarted: true };
    if (this.#fits(cursor)) return { cursor, restarted: false };
    try {
      await this.checkEpoch();
    } catch (error) {
      // The cursor may be valid, so no changes are returned until it can be checked.
      this.#options.onUnchecked(error);
      return { cursor, restarted: false };
    }
    if (this.#fits(cursor)) return { cursor, restarted: false };
    return { cursor: this.#beginning(orderableOnly), restarted: true };
  }

  /** Returns no changes while this node is behind the cursor. */
  read({ cursor, restarted }: Start, limit: number): ChangesPage {
    const { catalogue } = this.#options;
    const { epoch, startedMicros, afterMicros, orderableOnly } = cursor;
    if (epoch !== this.#clock.epoch || findNewest(cursor) > catalogue.newestStampMicros) {
      const meta = { nextCursor: encodeCursor(cursor), hasMore: afterMicros < startedMicros, restarted };
      return { ...render([], meta), hasNews: false, continueAt: undefined };
    }
    const key = `${epoch} ${startedMicros} ${afterMicros} ${limit} ${restarted} ${orderableOnly}`;
    if (this.#last?.key === key) return this.#last.page;
    const { changes, throughMicros, hasMore } = catalogue.changesAfter({
      afterMicros,
      removalsAfterMicros: startedMicros,
      orderableOnly,
      limit,
    });
    const isPastStart = throughMicros >= startedMicros;
    const next = {
      epoch,
      startedMicros: isPastStart ? 0 : startedMicros,
      afterMicros: throughMicros,
      orderableOnly,
    };
    const hasNews = changes.length > 0;
    const page = {
      ...render(changes, { nextCursor: encodeCursor(next), hasMore, restarted }),
      hasNews,
      continueAt: hasMore && !hasNews ? next : undefined,
    };
    this.#last = { key, page };
    return page;
  }

  #beginning(orderableOnly: boolean): ChangeCursor {
    const startedMicros = this.#options.catalogue.newestStampMicros;
    return { epoch: this.#clock.epoch, startedMicros, afterMicros: 0, orderableOnly };
  }

  #fits(cursor: ChangeCursor): boolean {
    const newestMicros = Math.max(this.#clock.lastStampMicros, this.#options.catalogue.newestStampMicros);
    return cursor.epoch === this.#clock.epoch && findNewest(cursor) <= newestMicros;
  }

  /** Never joins a load in progress, because the cursor may be newer than its result. */
  checkEpoch(): Promise<void> {
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
        if (isNewEpoch) this.#options.onNews();
      })
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }
}

function findNewest({ startedMicros, afterMicros }: ChangeCursor): number {
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
  // Changes up to a stamp can disappear if their products change again, but none can be added.
  const tag = [meta.nextCursor, changes.length, Number(meta.hasMore), Number(meta.restarted)].join('.');
  return { bytes, tag };
}

function renderRemoval(change: { readonly removedId: string; readonly stampMicros: number }): string {
  return `,{"id":"${change.removedId}","removed":true,"updatedAt":"${formatDateTime(change.stampMicros)}"}`;
}
