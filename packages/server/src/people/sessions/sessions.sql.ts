import type { Role } from '@keyport/contract/roles';
import { execute, firstRow, firstValue, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';
import { deriveMicros } from '../../db/timestamps.ts';

const SESSION_LIFETIME = sql`interval '12 hours'`;
const PROOF_LIFETIME = sql`interval '5 minutes'`;
const LINK_LIFETIME = sql`interval '48 hours'`;
/** Only a session has `used_at`; `least` ignores a null. */
const ENDS_AT = "least(session.ends_at, session.used_at + interval '30 minutes')";
/** Ten requests of a page cause one write. */
const USE_INTERVAL = sql`interval '5 seconds'`;

export type SignInMethod = 'link' | 'password' | 'passkey' | 'oidc';

export type SessionRow = {
  readonly operatorId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly method: SignInMethod;
  readonly endsAtMicros: number;
  readonly isProven: boolean;
  readonly isUseDue: boolean;
};

/** Also undefined if the session has ended or the operator is disabled. Indexes: the primary keys. */
export function findSession(db: Db, mac: Buffer): Promise<SessionRow | undefined> {
  return firstRow<SessionRow>(db)`
    SELECT operator.id AS "operatorId", operator.name, operator.email, operator.role, session.method,
      ${deriveMicros(ENDS_AT)} AS "endsAtMicros",
      session.ends_at > statement_timestamp() + ${SESSION_LIFETIME} - ${PROOF_LIFETIME} AS "isProven",
      session.used_at < statement_timestamp() - ${USE_INTERVAL} AS "isUseDue"
    FROM operator_token AS session JOIN operator ON operator.id = session.operator_id
    WHERE session.mac = ${mac} AND session.kind = 'session' AND operator.disabled_at IS NULL
      AND ${sql.raw(ENDS_AT)} > statement_timestamp()`;
}

/** Returns the new end in microseconds. */
export function updateSessionUse(db: Db, mac: Buffer): Promise<number | undefined> {
  return firstValue<{ endsAtMicros: number }>(db)`
    WITH seen AS (
      UPDATE operator SET last_seen_at = statement_timestamp()
      WHERE id = (SELECT operator_id FROM operator_token WHERE mac = ${mac} AND kind = 'session'))
    UPDATE operator_token AS session SET used_at = statement_timestamp() WHERE mac = ${mac} AND kind = 'session'
    RETURNING ${deriveMicros(ENDS_AT)} AS "endsAtMicros"`;
}

/** Skips locked rows, so that no sign-in waits for another. */
export async function deleteEndedTokens(tx: Tx): Promise<void> {
  await execute(tx)`
    DELETE FROM operator_token WHERE mac IN (SELECT mac FROM operator_token AS session
      WHERE ${sql.raw(ENDS_AT)} <= statement_timestamp() FOR UPDATE SKIP LOCKED)`;
}

export async function insertSession(
  tx: Tx,
  session: { mac: Buffer; operatorId: string; method: SignInMethod },
): Promise<void> {
  await deleteEndedTokens(tx);
  await execute(tx)`
    INSERT INTO operator_token (mac, kind, operator_id, method, used_at, ends_at)
    VALUES (${session.mac}, 'session', ${session.operatorId}, ${session.method}, statement_timestamp(), statement_timestamp() + ${SESSION_LIFETIME})`;
  await execute(
    tx,
  )`UPDATE operator SET last_seen_at = statement_timestamp() WHERE id = ${session.operatorId}`;
}

export function deleteSession(tx: Tx, mac: Buffer): Promise<string | undefined> {
  return firstValue<{ operatorId: string }>(tx)`
    DELETE FROM operator_token WHERE mac = ${mac} AND kind = 'session' RETURNING operator_id AS "operatorId"`;
}

export async function deleteSessionsOf(tx: Tx, operatorId: string): Promise<void> {
  await execute(tx)`DELETE FROM operator_token WHERE operator_id = ${operatorId} AND kind = 'session'`;
}

export async function deleteOtherSessions(tx: Tx, operatorId: string, mac: Buffer): Promise<void> {
  await execute(tx)`
    DELETE FROM operator_token WHERE operator_id = ${operatorId} AND kind = 'session' AND mac <> ${mac}`;
}

/** Returns the end in microseconds. */
export async function insertLink(tx: Tx, link: { mac: Buffer; operatorId: string }): Promise<number> {
  await deleteEndedTokens(tx);
  return onlyValue<{ expiresAtMicros: number }>(tx)`
    INSERT INTO operator_token (mac, kind, operator_id, ends_at)
    VALUES (${link.mac}, 'link', ${link.operatorId}, statement_timestamp() + ${LINK_LIFETIME})
    RETURNING ${deriveMicros('ends_at')} AS "expiresAtMicros"`;
}

/** Returns the end in microseconds, or undefined if the link cannot be used. */
export function findLinkEnd(db: Db, mac: Buffer): Promise<number | undefined> {
  return firstValue<{ expiresAtMicros: number }>(db)`
    SELECT ${deriveMicros('ends_at')} AS "expiresAtMicros" FROM operator_token
    WHERE mac = ${mac} AND kind = 'link' AND ends_at > statement_timestamp()`;
}

/** Locks the operator first. Undefined if the link was used or has expired. */
export async function takeLink(tx: Tx, mac: Buffer): Promise<string | undefined> {
  await execute(tx)`
    SELECT FROM operator_token AS link JOIN operator ON operator.id = link.operator_id
    WHERE link.mac = ${mac} AND kind = 'link' FOR UPDATE OF operator`;
  return firstValue<{ operatorId: string }>(tx)`
    DELETE FROM operator_token WHERE mac = ${mac} AND kind = 'link' AND ends_at > statement_timestamp()
    RETURNING operator_id AS "operatorId"`;
}

export async function deleteLinksOf(tx: Tx, operatorId: string): Promise<void> {
  await execute(tx)`DELETE FROM operator_token WHERE operator_id = ${operatorId} AND kind = 'link'`;
}
