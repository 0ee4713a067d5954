/** Which product a picture is of. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

export async function findProductName(db: Kysely<Schema>, productId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM product WHERE id = ${productId}::bigint`.execute(db);
  return rows[0]?.name;
}
