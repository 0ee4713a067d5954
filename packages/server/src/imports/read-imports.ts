import type { ImportRunRecord } from '@keyport/contract/catalogue/imports';
import { formatDateTime } from '@keyport/core/date-time';
import { requireFound } from '@keyport/http/replies/api-error';
import type { Database } from '../db/engines/database.ts';
import { listResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import * as sql from './import-lists.sql.ts';

export function readImports(database: Database, { query }: OperationRequest<'listImports'>) {
  return listResponse(database, {
    name: 'imports',
    query,
    list: sql.runsList(query),
    load: sql.loadRuns,
    toId: ({ id }: sql.ListedRun) => id,
    format: formatRun,
  });
}

export async function readImportRejects(
  database: Database,
  { params, query }: OperationRequest<'listImportRejects'>,
) {
  const { id } = requireFound((await sql.loadRuns(database.db, [params.runId]))[0], 'import');
  return listResponse(database, {
    name: `rejects/${id}`,
    query,
    list: sql.rejectsList(id),
    load: (db, lines) => sql.loadRejects(db, id, lines),
    toId: ({ line }: sql.RejectRow) => line,
    format: (row) => row,
  });
}

function formatRun(row: sql.ListedRun): ImportRunRecord {
  const { id, startedAtMicros, endedAtMicros, undoneAtMicros, name, ...run } = row;
  return {
    id: String(id),
    ...run,
    ...(name === null ? {} : { name }),
    undoneAt: undoneAtMicros === null ? null : formatDateTime(undoneAtMicros),
    startedAt: formatDateTime(startedAtMicros),
    endedAt: run.state === 'running' ? null : formatDateTime(endedAtMicros),
  };
}
