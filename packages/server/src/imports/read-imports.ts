import type { ImportRunRecord } from '@keyport/contract/catalogue/imports';
import { formatDateTime } from '@keyport/core/date-time';
import { requireFound } from '@keyport/http/replies/api-error';
import type { Database } from '../db/engines/database.ts';
import { listResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import {
  type ListedRun,
  loadRejects,
  loadRuns,
  type RejectRow,
  rejectsList,
  runsList,
} from './import-lists.sql.ts';

export function readImports(database: Database, { query }: Pick<OperationRequest<'listImports'>, 'query'>) {
  return listResponse(database, {
    name: 'imports',
    query,
    list: runsList(query),
    load: loadRuns,
    idOf: ({ id }: ListedRun) => id,
    format: formatRun,
  });
}

export async function readImportRejects(
  database: Database,
  { params, query }: OperationRequest<'listImportRejects'>,
) {
  const { id } = requireFound((await loadRuns(database.kysely, [params.runId]))[0], 'import');
  return listResponse(database, {
    name: `rejects/${id}`,
    query,
    list: rejectsList(id),
    load: (db, lines) => loadRejects(db, id, lines),
    idOf: ({ line }: RejectRow) => line,
    format: (row) => row,
  });
}

function formatRun(row: ListedRun): ImportRunRecord {
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
