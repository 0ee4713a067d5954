import type { Database } from '../db/engines/database.ts';
import { type OperationHandlers, replyEmpty, replyOk, replyWith } from '../operations/operation.ts';
import { createNote, readNotes, withdrawNote } from './notes.ts';
import { searchAll } from './search.ts';
import { putView, readViews, removeView } from './views.ts';

type DeskHandlers = Pick<
  OperationHandlers,
  'search' | 'listViews' | 'putView' | 'deleteView' | 'listNotes' | 'createNote' | 'withdrawNote'
>;

export function buildDeskHandlers(database: Database): DeskHandlers {
  return {
    search: (request) => replyOk(searchAll(database, request)),
    listViews: (request) => replyOk(readViews(database, request)),
    putView: (request) => (tx) => putView(tx, request),
    deleteView: (request) => replyEmpty((tx) => removeView(tx, request)),
    listNotes: (request) => readNotes(database, request),
    createNote: (request) => replyWith(201, (tx) => createNote(tx, request)),
    withdrawNote: (request) => replyEmpty((tx) => withdrawNote(tx, request)),
  };
}
