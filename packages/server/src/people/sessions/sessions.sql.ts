import type { OwnLimits } from '@keyport/http/server/principal';
import { execute, firstRow, firstValue, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';
import { deriveMicros } from '../../db/timestamps.ts';
import type { Audience, Identity } from '../audiences.ts';

const SESSION_LIFETIME = sql`interval '12 hours'`;
const PROOF_LIFETIME = sql`interval '5 minutes'`;
const LINK_LIFETIME = sql`interval '48 hours'`;
/** Only a session has `used_at`; `least` ignores a null. */
const ENDS_AT = "least(session.ends_at, session.used_at + interval '30 minutes')";
/** Ten requests of a page cause one write. */
const USE_INTERVAL = sql`interval '5 seconds'`;

export type SignInMethod = 'link' | 'password' | 'passkey' | 'oidc';

export type SessionRow = Identity & {
  readonly ownLimits: OwnLimits;
  readonly method: SignInMethod;
  readonly endsAtMicros: number;
  readonly isProven: boolean;
  readonly isUseDue: boolean;
};

/**
 * Also undefined if the session has ended, its person is disabled or of another audience, or the account is closed.
 * Indexes: the primary keys.
 */
export function findSession(db: Db, mac: Buffer, { name }: Audience): Promise<SessionRow | undefined> {
  return firstRow<SessionRow>(db)`
    SELECT person.id, account_id AS "accountId", person.name, person.email, person.role, session.method,
      json_build_object('reads', sandbox_reads_max, 'orders', sandbox_orders_max) AS "ownLimits",
      ${deriveMicros(ENDS_AT)} AS "endsAtMicros",
      session.ends_at > statement_timestamp() + ${SESSION_LIFETIME} - ${PROOF_LIFETIME} AS "isProven",
      session.used_at < statement_timestamp() - ${USE_INTERVAL} AS "isUseDue"
    FROM person_token AS session JOIN person ON person.id = session.person_id
    LEFT JOIN account ON account.id = account_id
    WHERE session.mac = ${mac} AND session.kind = 'session' AND person.audience = ${name}
      AND person.disabled_at IS NULL AND account.status IS DISTINCT FROM 'closed'
      AND ${sql.raw(ENDS_AT)} > statement_timestamp()`;
}

/** Returns the new end in microseconds. */
export function updateSessionUse(db: Db, mac: Buffer): Promise<number | undefined> {
  return firstValue<{ endsAtMicros: number }>(db)`
    WITH seen AS (
      UPDATE person SET last_seen_at = statement_timestamp()
      WHERE id = (SELECT person_id FROM person_token WHERE mac = ${mac} AND kind = 'session'))
    UPDATE person_token AS session SET used_at = statement_timestamp() WHERE mac = ${mac} AND kind = 'session'
    RETURNING ${deriveMicros(ENDS_AT)} AS "endsAtMicros"`;
}

/** Skips locked rows, so that no sign-in waits for another. */
export async function deleteEndedTokens(tx: Tx): Promise<void> {
  await execute(tx)`
    DELETE FROM person_token WHERE mac IN (SELECT mac FROM person_token AS session
      WHERE ${sql.raw(ENDS_AT)} <= statement_timestamp() FOR UPDATE SKIP LOCKED)`;
}

export async function insertSession(
  tx: Tx,
  session: { mac: Buffer; personId: string; method: SignInMethod },
): Promise<void> {
  await deleteEndedTokens(tx);
  await execute(tx)`
    INSERT INTO person_token (mac, kind, person_id, method, used_at, ends_at)
    VALUES (${session.mac}, 'session', ${session.personId}, ${session.method}, statement_timestamp(), statement_timestamp() + ${SESSION_LIFETIME})`;
  await execute(tx)`UPDATE person SET last_seen_at = statement_timestamp() WHERE id = ${session.personId}`;
}

export function deleteSession(tx: Tx, mac: Buffer): Promise<string | undefined> {
  return firstValue<{ personId: string }>(tx)`
    DELETE FROM person_token WHERE mac = ${mac} AND kind = 'session' RETURNING person_id AS "personId"`;
}

export async function deleteSessionsOf(tx: Tx, personId: string): Promise<void> {
  await execute(tx)`DELETE FROM person_token WHERE person_id = ${personId} AND kind = 'session'`;
}

export async function deleteOtherSessions(tx: Tx, personId: string, mac: Buffer): Promise<void> {
  await execute(tx)`
    DELETE FROM person_token WHERE person_id = ${personId} AND kind = 'session' AND mac <> ${mac}`;
}

/** Returns the end in microseconds. */
export async function insertLink(tx: Tx, link: { mac: Buffer; personId: string }): Promise<number> {
  await deleteEndedTokens(tx);
  return onlyValue<{ expiresAtMicros: number }>(tx)`
    INSERT INTO person_token (mac, kind, person_id, ends_at)
    VALUES (${link.mac}, 'link', ${link.personId}, statement_timestamp() + ${LINK_LIFETIME})
    RETURNING ${deriveMicros('ends_at')} AS "expiresAtMicros"`;
}

/** Returns the end in microseconds, or undefined if the link cannot be used. */
export function findLinkEnd(db: Db, mac: Buffer): Promise<number | undefined> {
  return firstValue<{ expiresAtMicros: number }>(db)`
    SELECT ${deriveMicros('ends_at')} AS "expiresAtMicros" FROM person_token
    WHERE mac = ${mac} AND kind = 'link' AND ends_at > statement_timestamp()`;
}

/** Locks the person first. Undefined if the link was used or has expired. */
export async function takeLink(tx: Tx, mac: Buffer): Promise<string | undefined> {
  await execute(tx)`
    SELECT FROM person_token AS link JOIN person ON person.id = link.person_id
    WHERE link.mac = ${mac} AND kind = 'link' FOR UPDATE OF person`;
  return firstValue<{ personId: string }>(tx)`
    DELETE FROM person_token WHERE mac = ${mac} AND kind = 'link' AND ends_at > statement_timestamp()
    RETURNING person_id AS "personId"`;
}

export async function deleteLinksOf(tx: Tx, personId: string): Promise<void> {
  await execute(tx)`DELETE FROM person_token WHERE person_id = ${personId} AND kind = 'link'`;
}
