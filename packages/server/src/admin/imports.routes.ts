/** Takes the stream of an import, NDJSON or CSV of any size, line by line. Decisions section 9. */
import type { Readable } from 'node:stream';
import { must } from '@keyport/core/assert';
import { ApiError } from '../http/api-error.ts';
import type { OperationHandlers } from '../http/operation.ts';
import { readCsv, readNdjson } from './import-lines.ts';
import { buildImports, type ImportDeps } from './imports.ts';

export function buildImportHandlers(deps: ImportDeps): Pick<OperationHandlers, 'importLines'> {
  const imports = buildImports(deps);
  return {
    async importLines(request) {
      const { kind } = request.params;
      const { contentType, body } = must(request.stream, 'an import has a streamed body');
      const chunks = readChunks(body);
      const lines = contentType === 'text/csv' ? readCsv(chunks, kind) : readNdjson(chunks);
      return { status: 200, data: await imports[kind](request, lines) };
    },
  };
}

/** Throws request-timeout when the caller breaks off; what was committed until then stays. */
async function* readChunks(body: Readable): AsyncGenerator<Buffer> {
  try {
    // Not destroyed when the import is refused early: the answer still has to go out on the same connection.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) yield chunk;
  } catch (cause) {
    throw new ApiError('request-timeout', { message: 'The import broke off before its end.', cause });
  }
}
