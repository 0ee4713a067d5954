import type { SavedViewBody } from '@keyport/contract/operators/desk';
import { allRows, execute, firstRow } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';

export type ViewRow = SavedViewBody & {
  readonly id: string;
  readonly owner: string;
  readonly ownerName: string;
};

const COLUMNS = sql`saved_view.id, saved_view.owner, saved_view.list, saved_view.name, saved_view.search,
  is_shared AS shared, coalesce(
    (SELECT person.name FROM person WHERE person.id = owner),
    (SELECT client.name FROM client WHERE client.id = owner), owner) AS "ownerName"`;

export function listViews(db: Db, list: string, owner: string): Promise<ViewRow[]> {
  return allRows<ViewRow>(db)`
    SELECT ${COLUMNS} FROM saved_view WHERE list = ${list} AND (owner = ${owner} OR is_shared)
    ORDER BY sort_name(saved_view.name) COLLATE "C", saved_view.id`;
}

/** Locks the row. Index: saved_view_pkey. */
export function lockView(tx: Tx, id: string): Promise<ViewRow | undefined> {
  return firstRow<ViewRow>(tx)`
    SELECT ${COLUMNS} FROM saved_view WHERE id = ${id}::uuid FOR UPDATE OF saved_view`;
}

export async function writeView(
  tx: Tx,
  { id, owner, list, name, search, shared }: Omit<ViewRow, 'ownerName'>,
): Promise<ViewRow | undefined> {
  await execute(tx)`
    INSERT INTO saved_view (id, owner, list, name, search, is_shared)
    VALUES (${id}::uuid, ${owner}, ${list}, ${name}, ${search}, ${shared})
    ON CONFLICT ON CONSTRAINT saved_view_pkey DO UPDATE
      SET list = excluded.list, name = excluded.name, search = excluded.search,
        is_shared = excluded.is_shared`;
  return lockView(tx, id);
}

export async function deleteView(tx: Tx, id: string): Promise<void> {
  await execute(tx)`DELETE FROM saved_view WHERE id = ${id}::uuid`;
}
