import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { putView, readViews, removeView } from './views.ts';

export function buildDeskHandlers(
  database: Database,
): Pick<OperationHandlers, 'listViews' | 'putView' | 'deleteView'> {
  return {
    listViews: async (request) => ({ status: 200, data: await readViews(database, request) }),
    putView: (request) => (tx) => putView(tx, request),
    deleteView: (request) => async (tx) => {
      await removeView(tx, request);
      return { status: 204 };
    },
  };
}
