/** Notes never change; the author or an admin can withdraw them. */
import type { Note } from '@keyport/contract/operators/desk';
import { formatDateTime } from '@keyport/core/date-time';
import { requireFound } from '@keyport/http/replies/api-error';
import { parseTimeRange } from '@keyport/http/validation/query';
import { audit } from '../audit/action.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { listResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { requirePermission } from '../operations/permission.ts';
import * as sql from './notes.sql.ts';
import { findSubject, requireSubject } from './subjects.sql.ts';

export function readNotes(database: Database, { query, principal }: OperationRequest<'listNotes'>) {
  const { clientId } = principal;
  const { fromMicros } = parseTimeRange(query, 'from', 'to');
  const { subject } = query;
  return listResponse(database, {
    name: `notes for ${clientId}`,
    query,
    list: sql.notesList({ subject, fromMicros }),
    load: sql.loadNotes,
    toId: ({ id }: sql.NoteRow) => id,
    format: (note) => show(note, clientId),
  });
}

export async function createNote(tx: Tx, request: OperationRequest<'createNote'>) {
  const { subject, text } = request.body;
  const author = request.principal.clientId;
  const { accountId, orderId } = await requireSubject(tx, subject);
  const note = await sql.insertNote(tx, { subject, text, author });
  const data = { noteId: String(note.id), subject, text };
  await audit(tx, request, 'note.create', { accountId, orderId, data });
  return show(note, author);
}

export async function withdrawNote(tx: Tx, request: OperationRequest<'withdrawNote'>): Promise<void> {
  const { clientId, operatorRole } = request.principal;
  const [found] = await sql.loadNotes(tx, [request.params.noteId]);
  const { id, subject, author } = requireFound(found, 'note');
  if (author !== clientId) requirePermission(operatorRole, 'administer');
  await sql.deleteNote(tx, id);
  const { accountId = null, orderId = null } = (await findSubject(tx, subject)) ?? {};
  const data = { noteId: String(id), subject };
  await audit(tx, request, 'note.withdraw', { accountId, orderId, data });
}

function show({ createdMicros, ...note }: sql.NoteRow, reader: string): Note {
  return {
    ...note,
    id: String(note.id),
    own: note.author === reader,
    createdAt: formatDateTime(createdMicros),
  };
}
