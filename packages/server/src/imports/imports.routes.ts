import type { ImportResult } from '@keyport/contract/catalogue/imports';
import { must } from '@keyport/core/assert';
import { prefers } from '@keyport/http/validation/accept';
import { type OperationHandlers, shown } from '../operations/operation.ts';
import { restoreImport } from './import-missing.ts';
import { undoImport } from './import-undo.ts';
import { type ImportDeps, startImport } from './imports.ts';
import { readImportRejects, readImports } from './read-imports.ts';

export function buildImportHandlers(
  deps: ImportDeps,
): Pick<
  OperationHandlers,
  'importLines' | 'restoreImport' | 'undoImport' | 'listImports' | 'listImportRejects'
> {
  const { database } = deps;
  return {
    listImports: (request) => readImports(database, request),
    listImportRejects: (request) => readImportRejects(database, request),

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

    undoImport: (request) => shown(undoImport({ ...deps, request }, request.params.runId, request.body)),
    restoreImport: (request) =>
      shown(restoreImport(deps, request, request.params.runId, request.body.reason)),
  };
}
