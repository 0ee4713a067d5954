import type { NewEvent } from '@keyport/core/events';
import { logEvents } from '../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../db/schema.ts';
import { type OperationHandlers, replyOk } from '../operations/operation.ts';
import type { Platform } from '../platform.ts';
import { EventFeed } from './event-feed.ts';
import { eventIdAt, formatEventId } from './event-id.ts';
import { type EventDisplay, type LoadOrderMoments, viewEvents } from './event-view.ts';
import { EventWorker } from './event-worker.ts';
import { type EventRow, loadLagSeconds } from './events.sql.ts';
import { ExpiringKeys } from './expiring-keys.ts';
import { readEvent, readEvents } from './read-events.ts';

export type Events = ReturnType<typeof openEvents>;

export function openEvents({ config, database, log, metrics }: Platform, loadOrderMoments: LoadOrderMoments) {
  const { keysWindowHours } = config;
  const display: EventDisplay = {
    loadOrderMoments,
    onUnshown({ id, type }, error) {
      log.error({ err: error, eventId: formatEventId(id), type }, 'an event cannot be shown; omitting it');
      metrics?.onEventUnshown();
    },
  };
  const worker = new EventWorker({ database, log });
  const feed = new EventFeed({ database, log });
  const expiringKeys = new ExpiringKeys({ database, keysWindowHours });
  worker.onWritten((range) => void feed.wake(range));
  return {
    worker,
    expiringKeys,
    polls: feed.polls,
    lagSeconds: () => loadLagSeconds(database.db),
    view: (rows: readonly EventRow[]) => viewEvents(database.db, rows, display),
    /** Must be the last step of the transaction. Returns the events' ids. */
    async announce(tx: Tx, events: readonly NewEvent[]): Promise<string[]> {
      const stampMicros = await logEvents(tx, events);
      return events.map((_, poll) => formatEventId(eventIdAt(stampMicros, poll)));
    },
    handlers: {
      listEvents: (request) => readEvents(database.db, feed, display, request),
      getEvent: (request) => replyOk(readEvent(database.db, display, request)),
      getAccountEvent: ({ params }) =>
        replyOk(readEvent(database.db, display, { params, principal: params })),
    } satisfies Partial<OperationHandlers>,
    start: () => worker.start(),
    async close() {
      feed.polls.close();
      await worker.close();
    },
  };
}
