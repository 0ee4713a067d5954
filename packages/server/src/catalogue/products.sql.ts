/** Reads the details of products that do not depend on offers. Index: primary key. */
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

export type DetailsRow = {
  readonly id: number;
  readonly version: number;
  /** The ProductDetail members that an operator sets (slug, region, … videos), as they are answered. */
  readonly details: Readonly<Record<string, unknown>>;
};

export async function listDetails(db: Db, productIds: readonly number[]): Promise<DetailsRow[]> {
  const { rows } = await sql<DetailsRow>`
    SELECT id, details_version AS version, details FROM product
    WHERE id = ANY(${[...productIds]}::bigint[])`.execute(db);
  return rows;
}
