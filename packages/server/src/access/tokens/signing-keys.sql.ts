import { sql } from 'kysely';
import type { Db, Tx } from '../../db/schema.ts';

export type SigningKeyRow = {
  readonly kid: string;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  readonly privateWrapped: Buffer;
  /** Null: from before master keys had ids. */
  readonly masterKeyId: string | null;
};

/** Nodes read the keys every 10 s, and clients keep them for 30 s: until then a new key signs nothing. */
const KNOWN_AFTER_SECONDS = 40;

/** The one that signs first: the newest that everyone knows. */
export async function listLiveSigningKeys(db: Db, algorithm: string): Promise<SigningKeyRow[]> {
  const { rows } = await sql<SigningKeyRow>`
    SELECT kid, public_jwk AS "publicJwk", private_wrapped AS "privateWrapped", master_key_id AS "masterKeyId"
    FROM (SELECT *, created_at > clock_timestamp() - make_interval(secs => ${KNOWN_AFTER_SECONDS}) AS is_new
      FROM signing_key WHERE retired_at IS NULL AND algorithm = ${algorithm}) AS live
    ORDER BY is_new, CASE WHEN is_new THEN created_at END, created_at DESC, kid`.execute(db);
  return rows;
}

export async function isSigningKeyDue(
  db: Db,
  { algorithm, ageSecondsMax }: { readonly algorithm: string; readonly ageSecondsMax: number },
): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    SELECT NOT EXISTS (SELECT FROM signing_key WHERE retired_at IS NULL AND algorithm = ${algorithm}
      AND created_at > clock_timestamp() - make_interval(secs => ${ageSecondsMax})) AS "isDue"`.execute(db);
  return rows[0]?.isDue ?? true;
}

export async function insertSigningKey(
  tx: Tx,
  key: SigningKeyRow & { readonly algorithm: string },
): Promise<void> {
  await sql`
    INSERT INTO signing_key (kid, algorithm, public_jwk, private_wrapped, master_key_id)
    VALUES (${key.kid}, ${key.algorithm}, ${JSON.stringify(key.publicJwk)}::jsonb, ${key.privateWrapped},
      ${key.masterKeyId})`.execute(tx);
}

export async function retireSigningKey(tx: Tx, kid: string): Promise<boolean> {
  const { rows } = await sql`
    UPDATE signing_key SET retired_at = clock_timestamp()
    WHERE kid = ${kid} AND retired_at IS NULL RETURNING kid`.execute(tx);
  return rows.length > 0;
}

/** Those that had a successor for longer than their tokens live. */
export async function retireSupersededKeys(tx: Tx, supersededSeconds: number): Promise<void> {
  await sql`
    UPDATE signing_key AS old SET retired_at = clock_timestamp()
    WHERE retired_at IS NULL AND EXISTS (
      SELECT FROM signing_key AS newer
      WHERE newer.retired_at IS NULL AND newer.algorithm = old.algorithm AND newer.created_at > old.created_at
        AND newer.created_at < clock_timestamp() - make_interval(secs => ${supersededSeconds})
          - clock_lead(make_interval(secs => ${supersededSeconds})))`.execute(tx);
}

export async function lockSigningKeys(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('keyport/signing-keys'))`.execute(tx);
}
