import { CURSOR_OF_NOW } from '@keyport/contract/webhooks/events';
import type { EventType } from '@keyport/core/events';
import { type LongPoll, LongPolls } from '@keyport/http/admission/long-polls';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import type { EventCursor } from './event-cursor.ts';
import type { EventRange } from './event-worker.ts';
import { type EventPage, type EventRow, listAccountsWithEvents, loadEventPage } from './events.sql.ts';

/** Events per scan: one statement of a few milliseconds. */
const SCANNED_MAX = 5000;
/** Per request. If these scans find no event, the response has no data, but `hasMore` is true. */
const SCANS_MAX = 20;
/** No event has a higher id. */
const LAST_ID = '9223372036854775807';

export type FeedRequest = {
  readonly accountId: string;
  readonly clientId: string;
  readonly cursor: EventCursor | typeof CURSOR_OF_NOW | undefined;
  readonly types: readonly EventType[] | undefined;
  readonly limit: number;
  readonly waitMs: number;
  readonly onHangUp: (callback: () => void) => void;
};

export type FeedPage =
  | { readonly kind: 'expired' }
  | {
      readonly kind: 'page';
      readonly rows: readonly EventRow[];
      readonly next: EventCursor;
      readonly hasMore: boolean;
    };

export class EventFeed {
  readonly #database: Database;
  readonly #log: Logger;
  readonly polls = new LongPolls();

  constructor({ database, log }: { readonly database: Database; readonly log: Logger }) {
    this.#database = database;
    this.#log = log;
  }

  /** Wakes the held requests of accounts with new events. */
  async wake(range: EventRange): Promise<void> {
    if (this.polls.count === 0) return;
    try {
      const accounts = new Set(await listAccountsWithEvents(this.#database.db, range));
      this.polls.wake((accountId) => accounts.has(accountId));
    } catch (error) {
      this.#log.debug({ err: error }, 'reading the accounts of new events failed; waking all held requests');
      this.polls.wake();
    }
  }

  async read(request: FeedRequest): Promise<FeedPage> {
    const page = await this.#readUntilFound(request);
    if (request.waitMs === 0 || request.cursor === CURSOR_OF_NOW || !isQuiet(page)) return page;
    const poll = this.polls.enter(request.clientId, request.accountId);
    if (poll === undefined) return page;
    request.onHangUp(() => poll.leave());
    try {
      return await this.#wait(request, poll);
    } finally {
      poll.leave();
    }
  }

  async #wait(request: FeedRequest, poll: LongPoll): Promise<FeedPage> {
    const endsAtMs = performance.now() + request.waitMs;
    let { cursor } = request;
    for (;;) {
      const page = await this.#readUntilFound({ ...request, cursor });
      const leftMs = endsAtMs - performance.now();
      if (!isQuiet(page) || poll.isOver || leftMs <= 0) return page;
      if (page.kind === 'page') cursor = page.next;
      await poll.wait(leftMs);
    }
  }

  async #readUntilFound(request: FeedRequest): Promise<FeedPage> {
    let page = await this.#readOnce(request);
    for (let scans = 1; scans < SCANS_MAX && page.kind === 'page'; scans += 1) {
      if (page.rows.length > 0 || !page.hasMore) break;
      page = await this.#readOnce({ ...request, cursor: page.next });
    }
    return page;
  }

  async #readOnce({ accountId, cursor, types, limit }: FeedRequest): Promise<FeedPage> {
    const scanLimit = types === undefined ? limit + 1 : Math.max(limit + 1, SCANNED_MAX);
    const afterId = cursor === CURSOR_OF_NOW ? LAST_ID : (cursor?.afterId ?? '0');
    const { epoch, lastId, forgottenId, scanned, scannedId, events } = await loadEventPage(
      this.#database.db,
      { accountId, afterId, types, scanLimit, limit: limit + 1 },
    );
    if (typeof cursor === 'object' && !isKept(cursor, { epoch, lastId, forgottenId }))
      return { kind: 'expired' };
    const rows = events.slice(0, limit);
    const last = rows.at(-1);
    const isFull = events.length > limit && last !== undefined;
    const isScanned = scanned < scanLimit;
    const readId = isFull ? last.id : isScanned ? lastId : (scannedId ?? lastId);
    return { kind: 'page', rows, next: { epoch, afterId: readId }, hasMore: isFull || !isScanned };
  }
}

/** Whether the cursor lies between the deleted events and the end of the history. */
function isKept(
  cursor: EventCursor,
  { epoch, lastId, forgottenId }: Pick<EventPage, 'epoch' | 'lastId' | 'forgottenId'>,
): boolean {
  const afterId = BigInt(cursor.afterId);
  return cursor.epoch === epoch && afterId >= BigInt(forgottenId) && afterId <= BigInt(lastId);
}

function isQuiet(page: FeedPage): boolean {
  return page.kind === 'page' && page.rows.length === 0 && !page.hasMore;
}
