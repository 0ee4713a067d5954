import { allRows, execute, hasRows, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';

export type SigningKeyRow = {
  readonly kid: string;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  readonly privateWrapped: Buffer;
  /** Null if it was wrapped before master keys had ids. */
  readonly masterKeyId: string | null;
};

/** Nodes read the keys every 10 s, and clients cache them for 30 s; a new key signs only after both. */
const KNOWN_AFTER_SECONDS = 40;

/** The signing key comes first: the newest that all nodes and clients know. */
export function listLiveSigningKeys(db: Db, algorithm: string): Promise<SigningKeyRow[]> {
  return allRows<SigningKeyRow>(db)`
    SELECT kid, public_jwk AS "publicJwk", private_wrapped AS "privateWrapped", master_key_id AS "masterKeyId"
    FROM (SELECT *, created_at > clock_timestamp() - make_interval(secs => ${KNOWN_AFTER_SECONDS}) AS is_new
      FROM signing_key WHERE retired_at IS NULL AND algorithm = ${algorithm}) AS live
    ORDER BY is_new, CASE WHEN is_new THEN created_at END, created_at DESC, kid`;
}

export function isSigningKeyDue(
  db: Db,
  { algorithm, ageSecondsMax }: { readonly algorithm: string; readonly ageSecondsMax: number },
): Promise<boolean> {
  return onlyValue<{ isDue: boolean }>(db)`
    SELECT NOT EXISTS (SELECT FROM signing_key WHERE retired_at IS NULL AND algorithm = ${algorithm}
      AND created_at > clock_timestamp() - make_interval(secs => ${ageSecondsMax})) AS "isDue"`;
}

export async function insertSigningKey(
  tx: Tx,
  key: SigningKeyRow & { readonly algorithm: string },
): Promise<void> {
  await execute(tx)`
    INSERT INTO signing_key (kid, algorithm, public_jwk, private_wrapped, master_key_id)
    VALUES (${key.kid}, ${key.algorithm}, ${JSON.stringify(key.publicJwk)}::jsonb, ${key.privateWrapped},
      ${key.masterKeyId})`;
}

export function retireSigningKey(tx: Tx, kid: string): Promise<boolean> {
  return hasRows(tx)`
    UPDATE signing_key SET retired_at = clock_timestamp()
    WHERE kid = ${kid} AND retired_at IS NULL RETURNING kid`;
}

/** Retires keys that have had a successor for longer than their tokens live. */
export async function retireSupersededKeys(tx: Tx, supersededSeconds: number): Promise<void> {
  await execute(tx)`
    UPDATE signing_key AS old SET retired_at = clock_timestamp()
    WHERE retired_at IS NULL AND EXISTS (
      SELECT FROM signing_key AS newer
      WHERE newer.retired_at IS NULL AND newer.algorithm = old.algorithm AND newer.created_at > old.created_at
        AND newer.created_at < clock_timestamp() - make_interval(secs => ${supersededSeconds}))`;
}

export async function lockSigningKeys(tx: Tx): Promise<void> {
  await execute(tx)`SELECT pg_advisory_xact_lock(hashtext('keyport/signing-keys'))`;
}
