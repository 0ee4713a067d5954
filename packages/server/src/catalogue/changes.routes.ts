/** A125 to A127. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChangeCursor, decodeCursor } from '@keyport/catalogue/change-cursor';
import type { ChangeFeed, ChangesPage, Start } from '@keyport/catalogue/change-feed';
import { CURSOR_RULE } from '@keyport/contract/catalogue/products';
import { CURSOR_LIMIT_DEFAULT } from '@keyport/contract/envelope';
import type { HeldRequests } from '@keyport/http/admission/held-requests';
import { invalidField } from '@keyport/http/replies/api-error';
import type { Representation } from '@keyport/http/replies/representation';
import type { OperationHandlers, OperationRequest } from '../operations/operation.ts';

export type ChangesDeps = { readonly changes: ChangeFeed; readonly held: HeldRequests };

export function buildChangesHandlers(deps: ChangesDeps): Pick<OperationHandlers, 'listProductChanges'> {
  const { changes } = deps;
  return {
    async listProductChanges(request) {
      const { traceId, query } = request;
      const { cursor, limit = CURSOR_LIMIT_DEFAULT, wait = 0 } = query;
      const start = await changes.startAt(cursor === undefined ? undefined : parseCursor(cursor));
      const page = await readUntilNews(changes, start, limit);
      if (page.hasNews || start.restarted || wait === 0) return reply(traceId, page);
      return reply(traceId, await hold(deps, request, { start, limit, page, waitMs: wait * 1000 }));
    },
  };
}

type HeldRead = {
  readonly start: Start;
  readonly limit: number;
  readonly waitMs: number;
  readonly page: ChangesPage;
};

async function hold(
  { changes, held }: ChangesDeps,
  request: OperationRequest<'listProductChanges'>,
  read: HeldRead,
): Promise<ChangesPage> {
  const place = held.enter(request.principal.clientId);
  if (place === undefined) return read.page;
  request.onHangUp(() => place.leave());
  const endsAtMs = performance.now() + read.waitMs;
  let { start, page } = read;
  try {
    for (let remainingMs = read.waitMs; remainingMs > 0; remainingMs = endsAtMs - performance.now()) {
      // The epoch may have changed.
      start = await changes.startAt(start.cursor);
      page = await readUntilNews(changes, start, read.limit);
      if (page.hasNews || start.restarted || place.isOver) break;
      await place.wait(remainingMs);
    }
  } finally {
    place.leave();
  }
  return page;
}

async function readUntilNews(changes: ChangeFeed, start: Start, limit: number): Promise<ChangesPage> {
  let page = changes.read(start, limit);
  while (page.continueAt !== undefined) {
    await nextTurn();
    page = changes.read({ ...start, cursor: page.continueAt }, limit);
  }
  return page;
}

function reply(traceId: string, { bytes, tag }: ChangesPage): Representation {
  return {
    status: 200,
    head: `{"traceId":"${traceId}","data":`,
    parts: [bytes],
    tail: '',
    tag,
  };
}

function parseCursor(text: string): ChangeCursor {
  const cursor = decodeCursor(text);
  if (cursor === undefined) throw invalidField('query.cursor', CURSOR_RULE);
  return cursor;
}
