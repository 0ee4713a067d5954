import { formatDateTime } from '@keyport/core/date-time';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { listResponse } from '../operations/list-page.ts';
import type { OperationHandlers, OperationRequest } from '../operations/operation.ts';
import type { Platform } from '../platform.ts';
import type { Verification } from '../verify/feature.ts';
import { type IncidentRow, incidentsList, loadIncidents } from './incidents.sql.ts';
import { forgetMatters, recordMatters } from './matters.sql.ts';

export function openMatters({ config, database }: Platform, { listBrokenInvariants }: Verification) {
  const { lowStockUnits } = config;
  return {
    /** A lock lets one node record at a time. */
    async record() {
      const brokenInvariants = await listBrokenInvariants();
      await runTransaction(database, {}, (tx) => recordMatters(tx, { lowStockUnits, brokenInvariants }));
    },
    forgetOld: () => runTransaction(database, {}, forgetMatters),
    handlers: {
      listIncidents: ({ query }) => readIncidents(database, query),
    } satisfies Partial<OperationHandlers>,
  };
}

function readIncidents(database: Database, query: OperationRequest<'listIncidents'>['query']) {
  return listResponse(database, {
    name: 'incidents',
    query,
    list: incidentsList(query, parseTimeRange(query, 'from', 'to')),
    load: loadIncidents,
    toId: ({ id }: IncidentRow) => id,
    format: ({ id, beganMicros, endedMicros, ...incident }) => ({
      id: String(id),
      ...incident,
      beganAt: formatDateTime(beganMicros),
      endedAt: endedMicros === null ? null : formatDateTime(endedMicros),
    }),
  });
}
