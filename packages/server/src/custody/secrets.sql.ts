import { allRows, execute, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import type { Wrapped } from './envelope.ts';

export type WrappedSecret = Wrapped & { readonly name: string };

export function listServiceSecrets(db: Db): Promise<WrappedSecret[]> {
  return allRows<WrappedSecret>(db)`
    SELECT name, wrapped, master_key_id AS "masterKeyId" FROM service_secret`;
}

export async function lockSecrets(tx: Tx): Promise<void> {
  await execute(tx)`SELECT pg_advisory_xact_lock(hashtextextended('keyport/service-secrets', 0))`;
}

/** True if nothing depends on a secret and the service has never run. */
export function isUnused(db: Db): Promise<boolean> {
  return onlyValue<{ isUnused: boolean }>(db)`
    SELECT NOT (EXISTS (SELECT FROM audit_head) OR EXISTS (SELECT FROM audit_entry) OR EXISTS (SELECT FROM client)
      OR EXISTS (SELECT FROM account) OR EXISTS (SELECT FROM data_key) OR EXISTS (SELECT FROM signing_key))
      AS "isUnused"`;
}

export async function insertServiceSecrets(db: Db, secrets: readonly WrappedSecret[]): Promise<void> {
  await execute(db)`
    INSERT INTO service_secret (name, wrapped, master_key_id)
    SELECT * FROM unnest(
      ${secrets.map(({ name }) => name)}::text[],
      ${secrets.map(({ wrapped }) => wrapped)}::bytea[],
      ${secrets.map(({ masterKeyId }) => masterKeyId)}::text[])`;
}
