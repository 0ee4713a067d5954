import { CURSOR_LIMIT_DEFAULT } from '@keyport/contract/envelope';
import { EVENT_CURSOR_RULE, CURSOR_OF_NOW as NOW } from '@keyport/contract/webhooks/events';
import { must } from '@keyport/core/assert';
import { ApiError, invalidField, requireFound } from '@keyport/http/replies/api-error';
import type { Db } from '../db/schema.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { decodeEventCursor, type EventCursor, encodeEventCursor } from './event-cursor.ts';
import type { EventFeed } from './event-feed.ts';
import { parseEventId } from './event-id.ts';
import { type EventDisplay, viewEvents } from './event-view.ts';
import { findEvent } from './events.sql.ts';

export async function readEvents(
  db: Db,
  feed: EventFeed,
  display: EventDisplay,
  { query, principal, onHangUp }: OperationRequest<'listEvents'>,
) {
  const { accountId, clientId } = principal;
  const page = await feed.read({
    accountId,
    clientId,
    cursor: query.cursor === undefined ? undefined : readCursor(query.cursor, accountId),
    types: query['types[]'],
    limit: query.limit ?? CURSOR_LIMIT_DEFAULT,
    waitMs: (query.wait ?? 0) * 1000,
    onHangUp,
  });
  if (page.kind === 'expired') throw new ApiError('cursor-expired');
  const shown = await viewEvents(db, page.rows, display);
  const data = shown.filter((event) => event !== undefined);
  const nextCursor = encodeEventCursor(page.next, accountId);
  return { status: 200, data, meta: { nextCursor, hasMore: page.hasMore } };
}

export async function readEvent(
  db: Db,
  display: EventDisplay,
  {
    params,
    principal: { accountId },
  }: Pick<OperationRequest<'getEvent'>, 'params'> & { readonly principal: { readonly accountId: string } },
) {
  const id = parseEventId(params.eventId);
  const row = id === undefined ? undefined : await findEvent(db, { id, accountId });
  const [event] = await viewEvents(db, [requireFound(row, 'event')], display);
  return must(event, 'an event that can be shown');
}

function readCursor(text: string, accountId: string): EventCursor | typeof NOW {
  if (text === NOW) return NOW;
  const cursor = decodeEventCursor(text, accountId);
  if (cursor === undefined) throw invalidField('query.cursor', EVENT_CURSOR_RULE);
  return cursor;
}
