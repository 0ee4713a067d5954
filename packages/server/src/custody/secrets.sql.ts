/** Statements of the named service secrets. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { Wrapped } from './master-keys.ts';

export type WrappedSecret = Wrapped & { readonly name: string };

/** Every stored secret. Few rows, read once at start. */
export async function listServiceSecrets(db: Kysely<Schema>): Promise<WrappedSecret[]> {
  const { rows } = await sql<WrappedSecret>`
    SELECT name, wrapped, master_key_id AS "masterKeyId" FROM service_secret`.execute(db);
  return rows;
}

/** Stores the secrets whose names are free and returns these. Of several nodes that start at once the first one's stay. */
export async function insertServiceSecrets(
  db: Kysely<Schema>,
  secrets: readonly WrappedSecret[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    INSERT INTO service_secret (name, wrapped, master_key_id)
    SELECT * FROM unnest(
      ${secrets.map(({ name }) => name)}::text[],
      ${secrets.map(({ wrapped }) => wrapped)}::bytea[],
      ${secrets.map(({ masterKeyId }) => masterKeyId)}::text[])
    -- In one order everywhere, so that two nodes cannot wait for each other.
    ORDER BY 1
    ON CONFLICT (name) DO NOTHING RETURNING name`.execute(db);
  return rows.map(({ name }) => name);
}
