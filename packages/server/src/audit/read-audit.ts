import type { AuditEntry } from '@keyport/contract/operators/audit';
import { formatDateTime } from '@keyport/core/date-time';
import { describeCaller, isOrderId, normalizeUuid } from '@keyport/core/ids';
import { invalidField } from '@keyport/http/replies/api-error';
import { isByCursor } from '@keyport/http/validation/list-cursor';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Static } from 'typebox';
import type { Database } from '../db/engines/database.ts';
import { listResponse, pageResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import {
  type AuditEntry as AuditRow,
  auditList,
  countAuditEntries,
  listAuditEntries,
  loadAuditEntries,
} from './audit.sql.ts';

const NAMED = ['orderId', 'traceId', 'accountId', 'clientId'] as const;

/** `isWhole` includes operators' addresses. */
export function readAudit(
  database: Database,
  query: OperationRequest<'listAudit'>['query'],
  isWhole: boolean,
) {
  const format = (row: AuditRow) => formatEntry(isWhole ? row : withoutAddresses(row));
  const { orderId, clientId, action, accountId, traceId, actionsOnly } = withMeaning(query);
  const filter = { orderId, clientId, action, ...parseTimeRange(query, 'dateFrom', 'dateTo') };
  if (!isByCursor(query, ['accountId', 'traceId', 'actionsOnly', 'sort', 'count', 'query'])) {
    return pageResponse(query, {
      load: (paging) => listAuditEntries(database.db, filter, paging),
      count: () => countAuditEntries(database.db, filter),
      format,
    });
  }
  const wider = { ...filter, accountId, traceId, actionsOnly: actionsOnly === 'true' };
  return listResponse(database, {
    name: 'audit',
    query,
    list: auditList(wider, query.sort !== 'ASC'),
    load: loadAuditEntries,
    toId: ({ id }: AuditRow) => id,
    format,
  });
}

const TRACE_ID = /^[0-9a-f]{32}$/i;
const ITEM_ID = /^([0-9]{16})[0-9]{2}$/;

/** The format of an id determines its filter. Lists show ids of orders in groups. */
function withMeaning<Query extends Partial<Record<'query' | (typeof NAMED)[number], string>>>(
  query: Query,
): Query {
  const id = query.query?.replaceAll(/\s/g, '');
  if (id === undefined) return query;
  const orderId = isOrderId(id) ? id : ITEM_ID.exec(id)?.[1];
  const name =
    orderId !== undefined
      ? 'orderId'
      : TRACE_ID.test(id)
        ? 'traceId'
        : normalizeUuid(id) === undefined
          ? 'clientId'
          : 'accountId';
  const value = orderId ?? (name === 'clientId' ? id : id.toLowerCase());
  if (query[name] !== undefined && query[name] !== value)
    throw invalidField('query.query', `names a different ${name} than the filter; leave out one of them`);
  return { ...query, [name]: value };
}

function withoutAddresses(row: AuditRow): AuditRow {
  return { ...row, address: null, data: /^(?:operator|member)\./.test(row.action) ? {} : row.data };
}

function formatEntry(row: AuditRow): Static<typeof AuditEntry> {
  return {
    id: String(row.id),
    at: formatDateTime(row.atMicros),
    ...describeCaller(row.clientId),
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.role === null ? {} : { role: row.role }),
    ...(row.address === null ? {} : { address: row.address }),
    action: row.action,
    ...(row.accountId === null ? {} : { accountId: row.accountId }),
    ...(row.orderId === null ? {} : { orderId: row.orderId }),
    ...(row.traceId === null ? {} : { traceId: row.traceId }),
    data: { ...(typeof row.data === 'object' ? row.data : {}) },
  };
}
