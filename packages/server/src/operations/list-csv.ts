/** Written page by page, so a file of any size takes one page of memory. A87. */
import type { CursorMeta } from '@keyport/contract/envelope';
import { columnsRecord, isListWithCsv, listColumns, rowRecord } from '@keyport/contract/list-csv';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { csvReply, inTurn } from '@keyport/http/replies/csv';
import type { MaybePromise } from '@keyport/http/server/maybe-promise';
import { prefers } from '@keyport/http/validation/accept';
import type { OperationReply } from './operation.ts';

const PAGE_ROWS = 1_000;
/** Formatting a whole page at once would block the event loop for 40 ms. */
const PIECE_ROWS = 100;

type ListRequest = { readonly query: unknown; readonly headers: unknown };
type Handler<Request> = (request: Request) => MaybePromise<OperationReply>;

export function withCsv<Request extends ListRequest>(
  operation: OperationSpec & { readonly name: string },
  handler: Handler<Request>,
): Handler<Request> {
  if (!isListWithCsv(operation)) return handler;
  const columns = listColumns(operation);
  return (request) => {
    const { accept } = request.headers as { readonly accept?: string };
    if (!prefers('text/csv', accept)) return handler(request);
    const pageFrom = async (cursor: string | undefined) => {
      const query = {
        ...(request.query as object),
        // A file has no place for it.
        count: undefined,
        ...(cursor === undefined ? {} : { cursor }),
        limit: PAGE_ROWS,
      };
      return toPage(await handler({ ...request, query }));
    };
    return inTurn(() => pageFrom(undefined)).then((first) =>
      csvReply(fileName(operation.name), toRecords(first, columns, pageFrom)),
    );
  };
}

type Page = { readonly rows: readonly unknown[]; readonly next: string | null };

async function* toRecords(
  first: Page,
  columns: ReturnType<typeof listColumns>,
  pageFrom: (cursor: string) => Promise<Page>,
): AsyncGenerator<string> {
  yield columnsRecord(columns);
  for (let page = first; ; page = await pageFrom(page.next)) {
    for (let start = 0; start < page.rows.length; start += PIECE_ROWS) {
      const rows = page.rows.slice(start, start + PIECE_ROWS);
      yield rows.map((row) => rowRecord(columns, row)).join('');
    }
    if (page.next === null) return;
    // This ends the turn even if the page had no match.
    yield '';
  }
}

function toPage(reply: OperationReply): Page {
  const { data, meta }: { readonly data?: unknown; readonly meta?: unknown } = reply;
  const { nextCursor = null } = { ...(meta as Partial<CursorMeta>) };
  return { rows: Array.isArray(data) ? data : [], next: nextCursor };
}

/** Such as `all-orders` for listAllOrders. */
function fileName(operation: string): string {
  return operation
    .replace(/^list/, '')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase();
}
