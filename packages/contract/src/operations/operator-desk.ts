import { Type } from 'typebox';
import { SavedView, SavedViewBody, SavedViewsQuery } from '../operators/views.ts';
import { created, NO_CONTENT, ok, operatorRows } from './builders.ts';

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
} as const;
