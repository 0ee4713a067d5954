/** Notes never change; the author or an admin can withdraw them. A587. */
import type { Note } from '@keyport/contract/operators/desk';
import { formatDateTime } from '@keyport/core/date-time';
import { invalidField, requireFound } from '@keyport/http/replies/api-error';
import { parseTimeRange } from '@keyport/http/validation/query';
import { audit } from '../audit/action.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { listResponse } from '../operations/list-page.ts';
import type { OperationRequest, WriteWork } from '../operations/operation.ts';
import { requirePermission } from '../operations/permission.ts';
import type { Custody } from '../stock/product-keys.ts';
import * as sql from './notes.sql.ts';
import { findSubject, requireSubject } from './subjects.sql.ts';

/** A code may be written in groups. Texts shorter than CODE_LENGTH_MIN count as words. */
const GROUPS_MAX = 6;
const CODE_LENGTH_MIN = 5;
const PUNCTUATION = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu;

export function readNotes(database: Database, { query, principal }: OperationRequest<'listNotes'>) {
  const { clientId } = principal;
  const { fromMicros } = parseTimeRange(query, 'from', 'to');
  const { subject } = query;
  return listResponse(database, {
    name: `notes for ${clientId}`,
    query,
    list: sql.notesList({ subject, fromMicros }),
    load: sql.loadNotes,
    idOf: ({ id }: sql.NoteRow) => id,
    format: (note) => show(note, clientId),
  });
}

export function createNote(
  request: OperationRequest<'createNote'>,
  codeMacs: Custody['codeMacs'],
): WriteWork<Note> {
  const macs = codeMacs(codesIn(request.body.text));
  return (tx) => insert(tx, request, macs);
}

/** Rejects product keys. */
async function insert(tx: Tx, request: OperationRequest<'createNote'>, macs: readonly Buffer[]) {
  const { subject, text } = request.body;
  const author = request.principal.clientId;
  const { accountId, orderId } = await requireSubject(tx, subject);
  if (await sql.hasKey(tx, macs))
    throw invalidField('body.text', 'contains a product key; write only its last characters');
  const note = await sql.insertNote(tx, { subject, text, author });
  const data = { noteId: String(note.id), subject, text };
  await audit(tx, request, 'note.create', { accountId, orderId, data });
  return { status: 201, data: show(note, author) } as const;
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

/** Returns each word and each run of words, with and without surrounding punctuation. */
function codesIn(text: string): string[] {
  const words = text.split(/[\s:=,;/|<>"'()]+/);
  const runs = words.flatMap((_, from) =>
    words.slice(from, from + GROUPS_MAX).map((_, more) => words.slice(from, from + more + 1).join('')),
  );
  const codes = runs.flatMap((run) => [run, run.replaceAll(PUNCTUATION, '')]);
  return [...new Set(codes)].filter(({ length }) => length >= CODE_LENGTH_MIN);
}
