import type { AuditEntry } from '@keyport/contract/operators/audit';
import { formatDateTime } from '@keyport/core/date-time';
import { describeCaller } from '@keyport/core/ids';
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

/** `isWhole` includes operators' addresses. */
export function readAudit(
  database: Database,
  query: OperationRequest<'listAudit'>['query'],
  isWhole: boolean,
) {
  const format = (row: AuditRow) => formatEntry(isWhole ? row : withoutAddresses(row));
  const { orderId, clientId, action } = query;
  const filter = { orderId, clientId, action, ...parseTimeRange(query, 'dateFrom', 'dateTo') };
  if (!isByCursor(query, ['accountId', 'traceId', 'actionsOnly', 'sort', 'count'])) {
    return pageResponse(query, {
      load: (paging) => listAuditEntries(database.db, filter, paging),
      count: () => countAuditEntries(database.db, filter),
      format,
    });
  }
  const { accountId, traceId, actionsOnly } = query;
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
