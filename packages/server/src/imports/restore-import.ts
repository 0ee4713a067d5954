/** Puts back on sale what an import with deleteMissing took off sale. */
import { must } from '@keyport/core/assert';
import { ApiError, conflict } from '@keyport/http/replies/api-error';
import type { Acting } from '../audit/action.ts';
import type { Database } from '../db/engines/database.ts';
import { restoreRemoved } from './import-missing.ts';
import { findRemovalRun } from './import-runs.sql.ts';

/** Throws not-found, and conflict while the import is running. */
export async function restoreImport(
  deps: { readonly database: Database; readonly onCatalogueChanged: () => void },
  request: Acting,
  runId: string,
  reason: string,
) {
  const { kysely } = deps.database;
  const run = await findRemovalRun(kysely, Number(runId));
  if (run === undefined)
    throw new ApiError('not-found', { message: 'There is no import with deleteMissing and this runId.' });
  if (run.isHeld) throw conflict('The import is still running; wait for its end.');
  await restoreRemoved({ ...deps, request, kind: run.kind, run: run.number, reason });
  const { removed, restored } = must(await findRemovalRun(kysely, run.number), 'runs are never deleted');
  return { runId: String(run.number), removed, restored, kept: removed - restored };
}
