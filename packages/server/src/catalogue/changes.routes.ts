/** A125 to A127. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChangeCursor, decodeCursor } from '@keyport/catalogue/change-cursor';
import type { ChangeFeed, ChangesPage, Start } from '@keyport/catalogue/change-feed';
import { CURSOR_RULE } from '@keyport/contract/catalogue/products';
import { CURSOR_LIMIT_DEFAULT } from '@keyport/contract/envelope';
import type { LongPolls } from '@keyport/http/admission/long-polls';
import { invalidField } from '@keyport/http/replies/api-error';
import type { Representation } from '@keyport/http/replies/representation';
import type { OperationHandlers, OperationRequest } from '../operations/operation.ts';

export type ChangesDeps = { readonly changes: ChangeFeed; readonly polls: LongPolls };

export function buildChangesHandlers(deps: ChangesDeps): Pick<OperationHandlers, 'listProductChanges'> {
  const { changes } = deps;
  return {
    async listProductChanges(request) {
      const { traceId, query } = request;
      const { cursor, limit = CURSOR_LIMIT_DEFAULT, wait = 0 } = query;
      const from = cursor === undefined ? undefined : parseCursor(cursor);
      const start = await changes.startAt(from, query.orderable === 'true');
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
  { changes, polls }: ChangesDeps,
  request: OperationRequest<'listProductChanges'>,
  read: HeldRead,
): Promise<ChangesPage> {
  const poll = polls.enter(request.principal.clientId);
  if (poll === undefined) return read.page;
  request.onHangUp(() => poll.leave());
  const endsAtMs = performance.now() + read.waitMs;
  let { start, page } = read;
  try {
    for (let remainingMs = read.waitMs; remainingMs > 0; remainingMs = endsAtMs - performance.now()) {
      // The epoch may have changed.
      start = await changes.startAt(start.cursor, start.cursor.orderableOnly);
      page = await readUntilNews(changes, start, read.limit);
      if (page.hasNews || start.restarted || poll.isOver) break;
      await poll.wait(remainingMs);
    }
  } finally {
    poll.leave();
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
