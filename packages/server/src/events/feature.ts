/** Events: what happened to something of an account, made of what transactions logged. */
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { EventFeed } from './event-feed.ts';
import type { LoadOrderMoments } from './event-view.ts';
import { EventWorker } from './event-worker.ts';
import { buildEventHandlers } from './events.routes.ts';

export type EventsOptions = {
  readonly database: Database;
  readonly log: Logger;
  readonly loadOrderMoments: LoadOrderMoments;
};

export function createEvents({ database, log, loadOrderMoments }: EventsOptions) {
  const worker = new EventWorker({ database, log });
  const feed = new EventFeed({ database, log });
  worker.onWritten((range) => void feed.wake(range));
  return {
    worker,
    held: feed.held,
    handlers: buildEventHandlers({ database, feed, loadOrderMoments }),
    start() {
      worker.start();
    },
    async close() {
      feed.held.close();
      await worker.close();
    },
  };
}
