/** Lists key reveals (A46) and operator actions, newest first. R23. */

import { buildMeta } from '@keyport/contract/envelope';
import type { AuditEntry } from '@keyport/contract/operators/audit';
import { formatDateTime } from '@keyport/core/date-time';
import { isByCursor } from '@keyport/http/validation/list-cursor';
import { pagingOf } from '@keyport/http/validation/paging';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Static } from 'typebox';
import type { Database } from '../db/engines/database.ts';
import { readListPage } from '../operations/list-page.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { auditList, countAuditEntries, listAuditEntries, loadAuditEntries } from './audit.sql.ts';
import type { ChainCheck } from './chain.ts';

export function buildAuditHandlers({
  database,
  checkChain,
}: {
  readonly database: Database;
  /** `anchor`: as the contract has it. */
  readonly checkChain: (anchor: string | undefined) => Promise<ChainCheck>;
}): Pick<OperationHandlers, 'listAudit' | 'verifyAudit'> {
  return {
    async verifyAudit({ query }) {
      const { examples, head = null, ...counts } = await checkChain(query.anchor);
      return { status: 200, data: { ...counts, examples: [...examples], head } };
    },

    async listAudit({ query }) {
      const { orderId, clientId, action } = query;
      const filter = { orderId, clientId, action, ...parseTimeRange(query, 'dateFrom', 'dateTo') };
      if (isByCursor(query, ['accountId', 'traceId', 'actionsOnly', 'sort'])) {
        const { accountId, traceId, actionsOnly } = query;
        const wider = { ...filter, accountId, traceId, actionsOnly: actionsOnly === 'true' };
        const list = auditList(wider, query.sort !== 'ASC');
        const wanted = { name: 'audit', query, list, load: loadAuditEntries, idOf: ({ id }: AuditRow) => id };
        const { rows, meta } = await readListPage(database, wanted);
        return { status: 200, data: rows.map(formatEntry), meta };
      }
      const paging = pagingOf(query);
      const entries = await listAuditEntries(database.kysely, filter, paging);
      const totalResults = await countAuditEntries(database.kysely, filter);
      return { status: 200, data: entries.map(formatEntry), meta: buildMeta({ ...paging, totalResults }) };
    },
  };
}

type AuditRow = Awaited<ReturnType<typeof listAuditEntries>>[number];

function formatEntry(row: AuditRow): Static<typeof AuditEntry> {
  return {
    id: String(row.id),
    at: formatDateTime(row.atMicros),
    clientId: row.clientId,
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
