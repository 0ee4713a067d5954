import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import type { Custody } from '../stock/product-keys.ts';
import { assign } from './assignees.ts';
import { createNote, readNotes, withdrawNote } from './notes.ts';
import { searchAll } from './search.ts';
import { putView, readViews, removeView } from './views.ts';

type DeskHandlers = Pick<
  OperationHandlers,
  'search' | 'listViews' | 'putView' | 'deleteView' | 'listNotes' | 'createNote' | 'withdrawNote' | 'assign'
>;

export function buildDeskHandlers(database: Database, { codeMacs }: Pick<Custody, 'codeMacs'>): DeskHandlers {
  return {
    search: async (request) => ({ status: 200, data: await searchAll(database, request) }),
    listViews: async (request) => ({ status: 200, data: await readViews(database, request) }),
    putView: (request) => (tx) => putView(tx, request),
    deleteView: (request) => async (tx) => {
      await removeView(tx, request);
      return { status: 204 };
    },
    assign: (request) => (tx) => assign(tx, request),
    listNotes: (request) => readNotes(database, request),
    createNote: (request) => createNote(request, codeMacs),
    withdrawNote: (request) => async (tx) => {
      await withdrawNote(tx, request);
      return { status: 204 };
    },
  };
}
