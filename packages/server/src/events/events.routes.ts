import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import type { EventFeed } from './event-feed.ts';
import type { EventDisplay } from './event-view.ts';
import { readEvent, readEvents } from './read-events.ts';

export function buildEventHandlers(
  { kysely }: Database,
  feed: EventFeed,
  display: EventDisplay,
): Pick<OperationHandlers, 'listEvents' | 'getEvent' | 'getAccountEvent'> {
  return {
    listEvents: async (request) => ({ status: 200, ...(await readEvents(kysely, feed, display, request)) }),
    getEvent: async (request) => ({ status: 200, data: await readEvent(kysely, display, request) }),
    getAccountEvent: async ({ params }) => ({
      status: 200,
      data: await readEvent(kysely, display, { params, principal: params }),
    }),
  };
}
