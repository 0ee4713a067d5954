/**
 * Takes the stream of an import, NDJSON or CSV of any size, and answers with its result: at its end, or line by line
 * while it is still being read. R23.
 */
import type { ImportResult } from '@keyport/contract/catalogue/imports';
import { must } from '@keyport/core/assert';
import { ApiError } from '@keyport/http/replies/api-error';
import { prefers } from '@keyport/http/validation/accept';
import type { OperationHandlers } from '../operations/operation.ts';
import { restoreRemoved } from './import-missing.ts';
import { findRemovalRun } from './import-runs.sql.ts';
import { undoImport } from './import-undo.ts';
import { type ImportDeps, startImport } from './imports.ts';

export function buildImportHandlers(
  deps: ImportDeps,
): Pick<OperationHandlers, 'importLines' | 'restoreImport' | 'undoImport'> {
  return {
    async importLines(request) {
      const { params, query, headers } = request;
      const { contentType, body } = must(request.stream, 'an import has a streamed body');
      const options = {
        kind: params.kind,
        format: contentType === 'text/csv' ? 'csv' : 'ndjson',
        importId: query.importId,
        fileName: query.fileName,
        dryRun: query.dryRun === 'true',
        deleteMissing: query.deleteMissing === 'true',
        confirmRemovals: query.confirmRemovals,
      } as const;
      const events = await startImport(deps, request, options, body);
      if (prefers('application/x-ndjson', headers.accept)) return { status: 200, events };
      let data: ImportResult | undefined;
      for await (const some of events) {
        for (const event of some) if ('result' in event) data = event.result;
      }
      return { status: 200, data: must(data, 'the last event is the result') };
    },

    async undoImport(request) {
      const data = await undoImport({ ...deps, request }, request.params.runId, request.body);
      return { status: 200, data };
    },

    async restoreImport(request) {
      const { kysely } = deps.database;
      const runId = Number(request.params.runId);
      const run = await findRemovalRun(kysely, runId);
      if (run === undefined)
        throw new ApiError('not-found', { message: 'There is no import with deleteMissing and this runId.' });
      if (run.isHeld)
        throw new ApiError('conflict', { message: 'The import is still running; wait for its end.' });
      const { kind } = run;
      const { reason } = request.body;
      await restoreRemoved({ ...deps, request, kind, run: run.number, reason });
      const { removed, restored } = must(await findRemovalRun(kysely, runId), 'runs are never deleted');
      const data = { runId: String(runId), removed, restored, kept: removed - restored };
      return { status: 200, data };
    },
  };
}
