import { allRows, execute, firstRow, hasRows } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { deriveMicros } from '../../db/timestamps.ts';
import { deleteEndedTokens } from '../sessions/sessions.sql.ts';

export type PasskeyRow = {
  readonly id: string;
  readonly name: string;
  readonly usedAtMicros: number | null;
  readonly createdAtMicros: number;
};

export function listPasskeys(db: Db, personId: string): Promise<PasskeyRow[]> {
  return allRows<PasskeyRow>(db)`
    SELECT id, name, ${deriveMicros('used_at')} AS "usedAtMicros", ${deriveMicros('created_at')} AS "createdAtMicros"
    FROM person_passkey WHERE person_id = ${personId} ORDER BY created_at, id`;
}

export type StoredPasskey = {
  readonly id: string;
  readonly personId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
};

export function findPasskey(db: Db, id: string): Promise<StoredPasskey | undefined> {
  return firstRow<StoredPasskey>(db)`
    SELECT id, person_id AS "personId", public_key AS "publicKey", counter
    FROM person_passkey WHERE id = ${id}`;
}

/** False if the passkey already exists. */
export function insertPasskey(
  tx: Tx,
  { id, personId, name, publicKey, counter }: StoredPasskey & { readonly name: string },
): Promise<boolean> {
  return hasRows(tx)`
    INSERT INTO person_passkey (id, person_id, name, public_key, counter)
    VALUES (${id}, ${personId}, ${name}, ${publicKey}, ${counter})
    ON CONFLICT (id) DO NOTHING RETURNING id`;
}

/** False if the passkey no longer exists. */
export function updatePasskeyUse(tx: Tx, id: string, counter: number): Promise<boolean> {
  return hasRows(tx)`
    UPDATE person_passkey SET counter = ${counter}, used_at = statement_timestamp() WHERE id = ${id}
    RETURNING id`;
}

export function deletePasskey(tx: Tx, id: string, personId: string): Promise<boolean> {
  return hasRows(tx)`
    DELETE FROM person_passkey WHERE id = ${id} AND person_id = ${personId} RETURNING id`;
}

/** Returns how many it deleted. */
export function deletePasskeys(tx: Tx, personId: string): Promise<number> {
  return execute(tx)`DELETE FROM person_passkey WHERE person_id = ${personId}`;
}

/** False if the challenge was used before. */
export async function takeChallenge(tx: Tx, mac: Buffer, lifetimeMs: number): Promise<boolean> {
  await deleteEndedTokens(tx);
  return hasRows(tx)`
    INSERT INTO person_token (mac, kind, ends_at)
    VALUES (${mac}, 'challenge', statement_timestamp() + ${lifetimeMs}::integer * interval '1 millisecond')
    ON CONFLICT (mac) DO NOTHING RETURNING mac`;
}
