import { Type } from 'typebox';
import { Note, NoteBody, NotesQuery } from '../operators/notes.ts';
import { SavedView, SavedViewBody, SavedViewsQuery } from '../operators/views.ts';
import { created, cursorPages, NO_CONTENT, ok, operatorRows } from './builders.ts';

const desk = operatorRows('Operator: desk');

export const DESK_OPERATIONS = {
  listViews: desk.read('/admin/v1/views', {
    summary: 'List the saved views of a list',
    description: 'Your own and those that other operators share, by name.',
    query: SavedViewsQuery,
    responses: ok(Type.Array(SavedView)),
  }),
  putView: desk.put('/admin/v1/views/{viewId}', {
    permission: 'view',
    summary: 'Save a view of a list',
    description: '201 if it is new, otherwise 200. Only its owner changes it.',
    body: SavedViewBody,
    responses: created(SavedView),
    errors: ['conflict'],
  }),
  deleteView: desk.delete('/admin/v1/views/{viewId}', {
    permission: 'view',
    summary: 'Delete a saved view',
    description: 'Its owner and admins can delete it.',
    responses: NO_CONTENT,
  }),
  listNotes: desk.read('/admin/v1/notes', {
    summary: 'List notes',
    description: 'Newest first.',
    query: NotesQuery,
    responses: cursorPages(Note),
  }),
  createNote: desk.post('/admin/v1/notes', {
    permission: 'notes',
    summary: 'Add a note to an order, an account or a seller',
    description: 'All operators can read it; resellers cannot.',
    body: NoteBody,
    responses: created(Note),
    errors: ['not-found'],
  }),
  withdrawNote: desk.delete('/admin/v1/notes/{noteId}', {
    permission: 'notes',
    summary: 'Withdraw a note',
    description: 'Its author and admins can withdraw it. The audit log keeps it.',
    responses: NO_CONTENT,
  }),
} as const;
