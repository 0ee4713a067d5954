import { Type } from 'typebox';
import * as Desk from '../operators/desk.ts';
import * as Notifications from '../operators/notifications.ts';
import { created, cursorList, NO_CONTENT, ok, operatorRows } from './builders.ts';

const desk = operatorRows('Operator: desk', 'view');

export const DESK_OPERATIONS = {
  search: desk.unkeyed('/admin/v1/search', {
    summary: 'Search everything',
    description:
      'Returns the first 5 matches of each kind and omits kinds without matches. A kind that takes longer than 250 ms (2 s on the embedded database) is marked `late`. Ids are found by their beginnings, names and references by the beginnings of words, and people by any part, if the role may read operators. To search for a key, use `findKey`.',
    body: Desk.SearchBody,
    responses: ok(Type.Array(Desk.SearchGroup)),
  }),
  listViews: desk.read('/admin/v1/views', {
    summary: 'List the saved views of a list',
    description: 'Your own views and those that other operators share, sorted by name.',
    query: Desk.SavedViewsQuery,
    responses: ok(Type.Array(Desk.SavedView)),
  }),
  putView: desk.put('/admin/v1/views/{viewId}', {
    summary: 'Save a view of a list',
    description: 'Returns 201 if the view is new, otherwise 200. Only its owner can change it.',
    body: Desk.SavedViewBody,
    responses: created(Desk.SavedView),
    errors: ['conflict'],
  }),
  deleteView: desk.delete('/admin/v1/views/{viewId}', {
    summary: 'Delete a saved view',
    description: 'Its owner and admins can delete it.',
    responses: NO_CONTENT,
  }),
  listNotes: desk.read('/admin/v1/notes', {
    summary: 'List notes',
    description: 'Newest first.',
    ...cursorList(Desk.NotesQuery, Desk.Note),
  }),
  createNote: desk.post('/admin/v1/notes', {
    permission: 'notes',
    summary: 'Add a note to an order, an account or a seller',
    description: 'All operators can read it; resellers cannot.',
    body: Desk.NoteBody,
    responses: created(Desk.Note),
    errors: ['not-found'],
  }),
  withdrawNote: desk.delete('/admin/v1/notes/{noteId}', {
    permission: 'notes',
    summary: 'Withdraw a note',
    description: 'Its author and admins can withdraw it. The audit log keeps it.',
    responses: NO_CONTENT,
  }),
  listNotifications: desk.read('/admin/v1/me/notifications', {
    summary: 'List your notifications',
    description:
      'Events that you chose for the console and that need or needed attention, newest first. Kept for 30 days after they ended.',
    query: Notifications.NotificationsQuery,
    responses: { 200: Notifications.Notifications },
  }),
  readNotifications: desk.post('/admin/v1/me/notifications/read', {
    summary: 'Mark your notifications as read',
    description: 'Later ones stay unread.',
    body: Notifications.NotificationsReadBody,
    responses: ok(Notifications.NotificationsRead),
  }),
  getNotificationPreferences: desk.read('/admin/v1/me/notification-preferences', {
    summary: 'Get your notification preferences',
    description:
      'The events of which you are notified in the console and by mail. Default: all in the console, none by mail.',
    responses: ok(Notifications.NotificationPreferences),
  }),
  putNotificationPreferences: desk.put('/admin/v1/me/notification-preferences', {
    summary: 'Change your notification preferences',
    description:
      'Choose the events of which you are notified in the console and by mail. At most one mail a minute is sent; it contains everything new.',
    body: Notifications.NotificationPreferencesBody,
    responses: ok(Notifications.NotificationPreferences),
    errors: ['conflict'],
  }),
} as const;
