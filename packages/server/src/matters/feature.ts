/** Runs on every node; a lock lets one node record at a time. */
import { formatDateTime } from '@keyport/core/date-time';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { listResponse } from '../operations/list-page.ts';
import type { OperationHandlers, OperationRequest } from '../operations/operation.ts';
import type { Platform } from '../platform.ts';
import { RepeatedTask } from '../repeated-task.ts';
import type { Verification } from '../verify/feature.ts';
import { type IncidentRow, incidentsList, loadIncidents } from './incidents.sql.ts';
import { forgetMatters, recordMatters } from './matters.sql.ts';

const INTERVAL_MS = 10_000;

export function openMatters({ config, database, log }: Platform, { listBrokenInvariants }: Verification) {
  const { lowStockUnits } = config;
  const watch = new RepeatedTask({
    intervalMs: INTERVAL_MS,
    async work() {
      const brokenInvariants = await listBrokenInvariants();
      await runTransaction(database, {}, (tx) => recordMatters(tx, { lowStockUnits, brokenInvariants }));
    },
    onFailure: (error) =>
      log.warn({ err: error }, 'incidents and notices could not be recorded; retrying in the next round'),
  });
  return {
    watch,
    forgetOld: () => runTransaction(database, {}, forgetMatters),
    handlers: {
      listIncidents: ({ query }) => readIncidents(database, query),
    } satisfies Partial<OperationHandlers>,
    start: () => watch.start('later'),
    close: () => watch.close(),
  };
}

function readIncidents(database: Database, query: OperationRequest<'listIncidents'>['query']) {
  return listResponse(database, {
    name: 'incidents',
    query,
    list: incidentsList(query, parseTimeRange(query, 'from', 'to')),
    load: loadIncidents,
    idOf: ({ id }: IncidentRow) => id,
    format: ({ id, beganMicros, endedMicros, ...incident }) => ({
      id: String(id),
      ...incident,
      beganAt: formatDateTime(beganMicros),
      endedAt: endedMicros === null ? null : formatDateTime(endedMicros),
    }),
  });
}
