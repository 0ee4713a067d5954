/** Lists imports with what came of them, and their rejected lines, also as a CSV file. A414. */

import type { ImportRunRecord } from '@keyport/contract/catalogue/import-runs';
import { csvRecord } from '@keyport/contract/csv';
import { formatDateTime } from '@keyport/core/date-time';
import { requireFound } from '@keyport/http/replies/api-error';
import { csvReply } from '@keyport/http/replies/csv';
import { prefers } from '@keyport/http/validation/accept';
import type { Database } from '../db/engines/database.ts';
import { readListPage } from '../operations/list-page.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import {
  type ListedRun,
  listRejectsAfter,
  loadRejects,
  loadRuns,
  type RejectRow,
  rejectsList,
  runsList,
} from './import-lists.sql.ts';

/** Lines that are in memory at a time while a CSV file is written. */
const CSV_BATCH_LINES = 1_000;

export function buildImportListHandlers(
  database: Database,
): Pick<OperationHandlers, 'listImports' | 'listImportRejects'> {
  const loadRun = async (runId: string) =>
    requireFound((await loadRuns(database.kysely, [runId]))[0], 'import');
  return {
    async listImports({ query }) {
      const { dryRun, ...filter } = query;
      const isDryRun = dryRun === undefined ? undefined : dryRun === 'true';
      const list = runsList({ ...filter, isDryRun }, query.sort !== 'startedAt');
      const wanted = { name: 'imports', query, list, load: loadRuns, idOf: ({ id }: ListedRun) => id };
      const { rows, meta } = await readListPage(database, wanted);
      return { status: 200, data: rows.map(formatRun), meta };
    },

    async listImportRejects({ params, query, headers }) {
      const { id } = await loadRun(params.runId);
      if (prefers('text/csv', headers.accept)) return csvReply(`import-${id}-rejects`, csvOf(database, id));
      const { rows, meta } = await readListPage(database, {
        name: `rejects/${id}`,
        query,
        list: rejectsList(id),
        load: (db, lines) => loadRejects(db, id, lines),
        idOf: ({ line }: RejectRow) => line,
      });
      return { status: 200, data: rows, meta };
    },
  };
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
