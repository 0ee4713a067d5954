import { must } from '@keyport/core/assert';
import { type List, numberKey } from '../db/keyset.sql.ts';
import { allRows, execute } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros, toTimestamp } from '../db/timestamps.ts';

export type NoteRow = {
  readonly id: number;
  readonly subject: string;
  readonly text: string;
  readonly author: string;
  readonly authorName: string;
  readonly createdMicros: number;
};

/** Newest first. Indexes: note_pkey, note_subject_ix. */
export function notesList(filter: {
  readonly subject?: string | undefined;
  readonly fromMicros: number | undefined;
}): List {
  const { subject, fromMicros } = filter;
  return {
    from: sql`note`,
    alias: 'note',
    key: [numberKey('note.id')],
    isDescending: true,
    scanned: subject === undefined ? [] : [sql`note.subject = ${subject}`],
    filters: fromMicros === undefined ? [] : [sql`note.created_at >= ${toTimestamp(fromMicros)}`],
  };
}

export function loadNotes(db: Db, ids: readonly string[]): Promise<NoteRow[]> {
  return allRows<NoteRow>(db)`
    SELECT id, subject, body AS text, author, coalesce(
        (SELECT name FROM person WHERE person.id = author),
        (SELECT name FROM client WHERE client.id = author), author) AS "authorName",
      ${deriveMicros('created_at')} AS "createdMicros"
    FROM note WHERE id = ANY (${[...ids]}::bigint[])`;
}

export async function insertNote(
  tx: Tx,
  { subject, text, author }: Pick<NoteRow, 'subject' | 'text' | 'author'>,
): Promise<NoteRow> {
  const rows = await allRows<{ id: number }>(tx)`
    INSERT INTO note (subject, author, body)
    VALUES (${subject}, ${author}, ${text}) RETURNING id`;
  const ids = rows.map(({ id }) => String(id));
  return must((await loadNotes(tx, ids))[0], 'the note that was written');
}

export async function deleteNote(tx: Tx, id: number): Promise<void> {
  await execute(tx)`DELETE FROM note WHERE id = ${id}::bigint`;
}
