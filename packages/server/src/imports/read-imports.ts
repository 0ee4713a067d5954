/** Imports with their results, and their rejected lines, also as a CSV file. */
import type { ImportRunRecord } from '@keyport/contract/catalogue/import-runs';
import { csvRecord } from '@keyport/contract/csv';
import { formatDateTime } from '@keyport/core/date-time';
import { requireFound } from '@keyport/http/replies/api-error';
import { csvReply } from '@keyport/http/replies/csv';
import { prefers } from '@keyport/http/validation/accept';
import type { Database } from '../db/engines/database.ts';
import { listResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import {
  type ListedRun,
  listRejectsAfter,
  loadRejects,
  loadRuns,
  type RejectRow,
  rejectsList,
  runsList,
} from './import-lists.sql.ts';

/** Lines in memory at a time while a CSV file is written. */
const CSV_BATCH_LINES = 1_000;

export function readImports(database: Database, { query }: Pick<OperationRequest<'listImports'>, 'query'>) {
  const { dryRun, ...filter } = query;
  const isDryRun = dryRun === undefined ? undefined : dryRun === 'true';
  return listResponse(database, {
    name: 'imports',
    query,
    list: runsList({ ...filter, isDryRun }, query.sort !== 'startedAt'),
    load: loadRuns,
    idOf: ({ id }: ListedRun) => id,
    format: formatRun,
  });
}

/** Throws not-found. */
export async function readImportRejects(
  database: Database,
  { params, query, headers }: OperationRequest<'listImportRejects'>,
) {
  const { id } = requireFound((await loadRuns(database.kysely, [params.runId]))[0], 'import');
  if (prefers('text/csv', headers.accept)) return csvReply(`import-${id}-rejects`, csvOf(database, id));
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

async function* csvOf({ kysely }: Database, run: number): AsyncGenerator<string> {
  yield csvRecord([{ bare: 'line' }, { bare: 'message' }]);
  let last = 0;
  for (;;) {
    const rows = await listRejectsAfter(kysely, run, last, CSV_BATCH_LINES);
    yield rows.map(({ line, message }) => csvRecord([{ bare: String(line) }, { text: message }])).join('');
    last = rows.at(-1)?.line ?? last;
    if (rows.length < CSV_BATCH_LINES) return;
  }
}
