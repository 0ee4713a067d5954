/** The change feed with its removals, and with requests that wait for news. A125 to A127. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChangeCursor, decodeCursor } from '@keyport/catalogue/change-cursor';
import { CURSOR_RULE } from '@keyport/contract/catalogue/products';
import { CURSOR_LIMIT_DEFAULT } from '@keyport/contract/envelope';
import { invalidField } from '@keyport/http/replies/api-error';
import { ByteRanges } from '@keyport/http/replies/byte-ranges';
import type { Representation } from '@keyport/http/replies/representation';
import type { OperationHandlers, OperationRequest } from '../operations/operation.ts';
import type { ChangeFeed, ChangesPage, Start } from './change-feed.ts';

export function buildChangesHandlers({
  changes,
}: {
  readonly changes: ChangeFeed;
}): Pick<OperationHandlers, 'listProductChanges'> {
  return {
    async listProductChanges(request) {
      const { cursor, limit = CURSOR_LIMIT_DEFAULT, wait = 0 } = request.query;
      const given = cursor === undefined ? undefined : parseCursor(cursor);
      const start = await changes.startAt(given);
      const response = await readUntilNews(changes, start, limit);
      if (response.hasNews || start.restarted || wait === 0) return reply(request.traceId, response);
      return reply(
        request.traceId,
        await hold(changes, request, { start, limit, response, waitMs: wait * 1000 }),
      );
    },
  };
}

type Held = {
  readonly start: Start;
  readonly limit: number;
  readonly waitMs: number;
  /** What is answered when there is nothing new. */
  readonly response: ChangesPage;
};

/** Waits for news. Without a free place, or when the service closes, the response is the one that there is. */
async function hold(
  changes: ChangeFeed,
  request: OperationRequest<'listProductChanges'>,
  held: Held,
): Promise<ChangesPage> {
  const place = changes.held.enter(request.principal.clientId);
  if (place === undefined) return held.response;
  request.onHangUp(() => place.leave());
  const endsAtMs = performance.now() + held.waitMs;
  let { start, response } = held;
  try {
    for (let leftMs = held.waitMs; leftMs > 0; leftMs = endsAtMs - performance.now()) {
      // The epoch may be another one by now.
      start = await changes.startAt(start.cursor);
      response = await readUntilNews(changes, start, held.limit);
      if (response.hasNews || start.restarted || place.isOver) break;
      await place.wait(leftMs);
    }
  } finally {
    place.leave();
  }
  return response;
}

/** Continues over products that are not shown, a part in each turn of the event loop. */
async function readUntilNews(changes: ChangeFeed, start: Start, limit: number): Promise<ChangesPage> {
  let response = changes.read(start, limit);
  while (response.readOn !== undefined) {
    await nextTurn();
    response = changes.read({ ...start, cursor: response.readOn }, limit);
  }
  return response;
}

function reply(traceId: string, { bytes, tag }: ChangesPage): Representation {
  return {
    status: 200,
    head: `{"traceId":"${traceId}","data":`,
    ranges: ByteRanges.of(bytes),
    tail: '',
    tag,
  };
}

function parseCursor(text: string): ChangeCursor {
  const cursor = decodeCursor(text);
  if (cursor === undefined) throw invalidField('query.cursor', CURSOR_RULE);
  return cursor;
}
