import { Type } from 'typebox';
import { AssigneeBody, Assignment } from '../operators/assignees.ts';
import { Note, NoteBody, NotesQuery } from '../operators/notes.ts';
import {
  ChatWebhook,
  ChatWebhookBody,
  NotificationPreferences,
  NotificationPreferencesBody,
  Notifications,
  NotificationsQuery,
  NotificationsRead,
  NotificationsReadBody,
} from '../operators/notifications.ts';
import { SearchBody, SearchGroup } from '../operators/search.ts';
import { SavedView, SavedViewBody, SavedViewsQuery } from '../operators/views.ts';
import { created, cursorPages, NO_CONTENT, ok, operatorRows } from './builders.ts';

const desk = operatorRows('Operator: desk');

export const DESK_OPERATIONS = {
  search: desk.unkeyed('/admin/v1/search', {
    permission: 'view',
    summary: 'Search everything',
    description:
      'The first 5 matches of each kind that has any, within 300 ms. Ids are found by their beginnings, names and references by the beginnings of words, and people by any part, if the role may read operators. Keys are not searched (`findKey`).',
    body: SearchBody,
    responses: ok(Type.Array(SearchGroup)),
  }),
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
  assign: desk.put('/admin/v1/assignees/{subject}', {
    permission: 'notes',
    summary: 'Assign a held order, an open claim or a pending approval',
    description: 'To an active operator, or to no one.',
    body: AssigneeBody,
    responses: ok(Assignment),
    errors: ['not-found', 'conflict'],
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
  listNotifications: desk.read('/admin/v1/me/notifications', {
    summary: 'List your notifications',
    description:
      'What began to need attention, of the events that you chose for the console, newest first. Kept for 30 days after it ended.',
    query: NotificationsQuery,
    responses: { 200: Notifications },
  }),
  readNotifications: desk.post('/admin/v1/me/notifications/read', {
    permission: 'view',
    summary: 'Mark your notifications as read',
    description: 'Later ones stay unread.',
    body: NotificationsReadBody,
    responses: ok(NotificationsRead),
  }),
  getNotificationPreferences: desk.read('/admin/v1/me/notification-preferences', {
    summary: 'Get where you are notified of what',
    description: 'Until you choose: of everything in the console, of nothing by mail and chat.',
    responses: ok(NotificationPreferences),
  }),
  putNotificationPreferences: desk.put('/admin/v1/me/notification-preferences', {
    permission: 'view',
    summary: 'Choose where you are notified of what',
    description: 'Mail and chat bring at most one message a minute each, with everything new.',
    body: NotificationPreferencesBody,
    responses: ok(NotificationPreferences),
    errors: ['conflict'],
  }),
  putChatWebhook: desk.put('/admin/v1/me/chat-webhook', {
    permission: 'view',
    summary: 'Set where your chat notifications are sent',
    description:
      'A POST of `{ "text": … }`, signed as webhooks are, with a new secret. The rules for the URL are those of webhook endpoints.',
    body: ChatWebhookBody,
    responses: ok(ChatWebhook),
    errors: ['conflict'],
  }),
  deleteChatWebhook: desk.delete('/admin/v1/me/chat-webhook', {
    permission: 'view',
    summary: 'Send no more chat notifications',
    description: 'Your choice of events is kept.',
    responses: NO_CONTENT,
  }),
} as const;
