import { sql } from 'kysely';
import type { Tx } from '../db/schema.ts';

/** Index: assignee_pkey. */
export async function writeAssignee(
  tx: Tx,
  {
    subject,
    assignee,
    by,
  }: { readonly subject: string; readonly assignee: string | null; readonly by: string },
): Promise<void> {
  if (assignee === null) await sql`DELETE FROM assignee WHERE subject = ${subject}`.execute(tx);
  else {
    await sql`
      INSERT INTO assignee (subject, person, assigned_by) VALUES (${subject}, ${assignee}, ${by})
      ON CONFLICT ON CONSTRAINT assignee_pkey DO UPDATE
        SET person = excluded.person, assigned_by = excluded.assigned_by,
          assigned_at = excluded.assigned_at`.execute(tx);
  }
}
