import type { Platform } from '../platform.ts';
import type { Stock } from '../stock/feature.ts';
import { buildImportHandlers } from './imports.routes.ts';

export function openImports(
  { database, log, metrics }: Platform,
  stock: Stock,
  onCatalogueChanged: () => void,
) {
  return {
    handlers: buildImportHandlers({
      database,
      stock,
      onCatalogueChanged,
      onError: (error) => log.warn({ err: error }, 'background task failed; retrying'),
      onImported: metrics?.onImported,
    }),
  };
}
