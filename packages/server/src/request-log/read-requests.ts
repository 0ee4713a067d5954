import { LOGGED_BODY_BYTES_MAX, type LoggedRequest } from '@keyport/contract/accounts/requests';
import { OPERATIONS } from '@keyport/contract/operations';
import { formatDateTime } from '@keyport/core/date-time';
import { describeCaller } from '@keyport/core/ids';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Static } from 'typebox';
import type { Database } from '../db/engines/database.ts';
import type { Db } from '../db/schema.ts';
import { readListPage } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { withTraceId } from '../orders/order-response.ts';
import { cut, maskSecrets } from './mask.ts';
import * as sql from './requests.sql.ts';

export type FindCreatedBodies = (
  db: Db,
  accountId: string,
  idempotencyKeys: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

export async function readRequests(
  {
    database,
    findCreatedBodies,
  }: { readonly database: Database; readonly findCreatedBodies: FindCreatedBodies },
  accountId: string,
  query: OperationRequest<'listOwnRequests'>['query'],
) {
  const filter: sql.RequestFilter = { ...query, ...parseTimeRange(query, 'from', 'to') };
  const { rows, meta } = await readListPage(database, {
    name: `requests of ${accountId}`,
    query: { limit: 20, ...query },
    list: sql.requestsList(accountId, filter),
    async load(db, ids) {
      const loaded = await sql.loadRequests(db, accountId, ids);
      const keys = loaded.filter(isCreated).map(({ idempotencyKey }) => String(idempotencyKey));
      if (keys.length === 0) return loaded;
      const bodies = await findCreatedBodies(db, accountId, keys);
      return loaded.map((row) => (isCreated(row) ? withCreatedBody(row, bodies) : row));
    },
    toId: ({ id }: sql.RequestRow) => id,
  });
  const omitted = await sql.countLeftOut(database.db, accountId, filter);
  return { status: 200, data: rows.map(formatRequest), meta: { ...meta, omitted } };
}

export async function readCounts(
  { db }: Database,
  accountId: string,
  query: OperationRequest<'listOwnRequestCounts'>['query'],
) {
  const rows = await sql.listCounts(db, accountId, parseTimeRange(query, 'from', 'to'));
  const data = rows.map(({ minuteMicros, ...row }) => ({ minute: formatDateTime(minuteMicros), ...row }));
  return { status: 200, data };
}

/** The order keeps the response, so the log does not repeat it. */
const isCreated = ({ responseBody, orderId, idempotencyKey, path, status }: sql.RequestRow) =>
  responseBody === null &&
  orderId !== null &&
  idempotencyKey !== null &&
  path === OPERATIONS.createOrder.path &&
  status < 300;

function withCreatedBody(row: sql.RequestRow, bodies: ReadonlyMap<string, string>): sql.RequestRow {
  const body = bodies.get(String(row.idempotencyKey));
  if (body === undefined) return row;
  return { ...row, responseBody: cut(maskSecrets(withTraceId(body, row.traceId)), LOGGED_BODY_BYTES_MAX) };
}

function formatRequest({ id, atMicros, clientId, ...row }: sql.RequestRow): Static<typeof LoggedRequest> {
  const members = Object.entries(row).filter(([, value]) => value !== null);
  return {
    id: `req_${id.replaceAll('-', '')}`,
    at: formatDateTime(atMicros),
    ...describeCaller(clientId),
    ...(Object.fromEntries(members) as Omit<Static<typeof LoggedRequest>, 'id' | 'at' | 'clientId'>),
  };
}

export type HistoryQuery = Parameters<typeof sql.listOfClient>[2];

/** A client's requests for the sandbox's check-up. Before `gapUntilMicros`, requests may be missing. */
export async function readHistory(db: Db, accountId: string, query: HistoryQuery) {
  const gapUntilMicros = await sql.findLastGap(db, accountId);
  return { rows: await sql.listOfClient(db, accountId, query), gapUntilMicros };
}
