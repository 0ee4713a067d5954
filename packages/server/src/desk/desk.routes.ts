import type { Database } from '../db/engines/database.ts';
import { done, type OperationHandlers, shown, written } from '../operations/operation.ts';
import { createNote, readNotes, withdrawNote } from './notes.ts';
import { searchAll } from './search.ts';
import { putView, readViews, removeView } from './views.ts';

type DeskHandlers = Pick<
  OperationHandlers,
  'search' | 'listViews' | 'putView' | 'deleteView' | 'listNotes' | 'createNote' | 'withdrawNote'
>;

export function buildDeskHandlers(database: Database): DeskHandlers {
  return {
    search: (request) => shown(searchAll(database, request)),
    listViews: (request) => shown(readViews(database, request)),
    putView: (request) => (tx) => putView(tx, request),
    deleteView: (request) => done((tx) => removeView(tx, request)),
    listNotes: (request) => readNotes(database, request),
    createNote: (request) => written(201, (tx) => createNote(tx, request)),
    withdrawNote: (request) => done((tx) => withdrawNote(tx, request)),
  };
}
