/** The log of requests as resellers and operators read it. */
import type { LoggedRequest } from '@keyport/contract/accounts/requests';
import { formatDateTime } from '@keyport/core/date-time';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Static } from 'typebox';
import type { Database } from '../db/engines/database.ts';
import { readListPage } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import {
  countLeftOut,
  listCounts,
  loadRequests,
  type RequestFilter,
  type RequestRow,
  requestsList,
} from './requests.sql.ts';

export async function readRequests(
  database: Database,
  accountId: string,
  query: OperationRequest<'listOwnRequests'>['query'],
) {
  const filter: RequestFilter = { ...query, ...parseTimeRange(query, 'from', 'to') };
  const { rows, meta } = await readListPage(database, {
    name: `requests of ${accountId}`,
    query: { limit: 20, ...query },
    list: requestsList(accountId, filter),
    load: (db, ids) => loadRequests(db, accountId, ids),
    idOf: ({ id }: RequestRow) => id,
  });
  const omitted = await countLeftOut(database.kysely, accountId, filter);
  return { status: 200, data: rows.map(formatRequest), meta: { ...meta, omitted } };
}

export async function readCounts(
  { kysely }: Database,
  accountId: string,
  query: OperationRequest<'listOwnRequestCounts'>['query'],
) {
  const rows = await listCounts(kysely, accountId, parseTimeRange(query, 'from', 'to'));
  const data = rows.map(({ minuteMicros, ...row }) => ({ minute: formatDateTime(minuteMicros), ...row }));
  return { status: 200, data };
}

function formatRequest({ id, atMicros, ...row }: RequestRow): Static<typeof LoggedRequest> {
  const members = Object.entries(row).filter(([, value]) => value !== null);
  return {
    id: `req_${id.replaceAll('-', '')}`,
    at: formatDateTime(atMicros),
    ...(Object.fromEntries(members) as Omit<Static<typeof LoggedRequest>, 'id' | 'at'>),
  };
}
