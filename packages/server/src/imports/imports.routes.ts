import { type OperationHandlers, replyOk } from '../operations/operation.ts';
import { restoreImport } from './import-missing.ts';
import { undoImport } from './import-undo.ts';
import { type ImportDeps, importLines } from './imports.ts';
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

    importLines(request) {
      const { params, query, stream } = request;
      return replyOk(
        importLines(deps, request, {
          kind: params.kind,
          format: stream?.contentType === 'text/csv' ? 'csv' : 'ndjson',
          hasMapping: query.hasMapping === 'true',
          importId: query.importId,
          fileName: query.fileName,
          dryRun: query.dryRun === 'true',
          deleteMissing: query.deleteMissing === 'true',
          confirmRemovals: query.confirmRemovals,
        }),
      );
    },

    undoImport: (request) => replyOk(undoImport({ ...deps, request }, request.params.runId, request.body)),
    restoreImport: (request) =>
      replyOk(restoreImport(deps, request, request.params.runId, request.body.reason)),
  };
}
