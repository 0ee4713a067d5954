/** Runs on every node; an index keeps open incidents unique. A362. */
import { formatDateTime } from '@keyport/core/date-time';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { listResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { RepeatedTask } from '../repeated-task.ts';
import * as sql from './incidents.sql.ts';
import type { AttentionDeps } from './read-attention.ts';

const INTERVAL_MS = 15_000;

export function incidentWatch(
  { database, listBrokenInvariants }: Pick<AttentionDeps, 'database' | 'listBrokenInvariants'>,
  log: Logger,
): RepeatedTask {
  return new RepeatedTask({
    intervalMs: INTERVAL_MS,
    async work() {
      const broken = await listBrokenInvariants();
      const violated = broken.map(({ id, title }) => {
        return { kind: 'invariant', subject: id, title: `${id}: ${title}`, accountId: null } as const;
      });
      await runTransaction(database, {}, async (tx) =>
        sql.recordFaults(tx, [...violated, ...(await sql.listFaults(tx))]),
      );
    },
    onFailure: (error) =>
      log.warn({ err: error }, 'incidents could not be recorded; retrying in the next round'),
  });
}

export function readIncidents(database: Database, query: OperationRequest<'listIncidents'>['query']) {
  return listResponse(database, {
    name: 'incidents',
    query,
    list: sql.incidentsList(query, parseTimeRange(query, 'from', 'to')),
    load: sql.loadIncidents,
    idOf: ({ id }: sql.IncidentRow) => id,
    format: ({ id, beganMicros, endedMicros, ...incident }) => ({
      id: String(id),
      ...incident,
      beganAt: formatDateTime(beganMicros),
      endedAt: endedMicros === null ? null : formatDateTime(endedMicros),
    }),
  });
}
