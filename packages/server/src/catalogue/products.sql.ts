/** Index: primary key. */
import type { StoredDetails } from '@keyport/catalogue/details-cache';
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

export async function listDetails(db: Db, productIds: readonly number[]): Promise<StoredDetails[]> {
  const { rows } = await sql<StoredDetails>`
    SELECT id, details_version AS version, details FROM product
    WHERE id = ANY(${[...productIds]}::bigint[])`.execute(db);
  return rows;
}
