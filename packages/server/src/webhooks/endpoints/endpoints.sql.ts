import { must } from '@keyport/core/assert';
import type { Wrapped } from '../../custody/envelope.ts';
import { allRows, execute, firstRow, firstValue, hasRows, onlyRow } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';
import { deriveMicros } from '../../db/timestamps.ts';

export type EndpointSettings = {
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string | null;
  readonly disabledReason: string | null;
};

export type EndpointRow = EndpointSettings & {
  readonly number: number;
  readonly id: string;
  readonly accountId: string;
  readonly failingSinceMicros: number | null;
  readonly createdAtMicros: number;
};

export type NewSecret = Wrapped & { readonly id: string };

export const ENDPOINTS = sql`
  SELECT endpoint.number, endpoint.id, account_id AS "accountId", url, types, description,
    disabled_reason AS "disabledReason", ${deriveMicros('failing_since')} AS "failingSinceMicros",
    ${deriveMicros('created_at')} AS "createdAtMicros"
  FROM webhook_endpoint AS endpoint`;

/** Until this transaction ends, no other one can add an endpoint to the account. */
export async function lockEndpointsOf(tx: Tx, accountId: string): Promise<void> {
  await execute(tx)`SELECT pg_advisory_xact_lock(hashtextextended(${`webhook-endpoints/${accountId}`}, 0))`;
}

export function hasAccount(db: Db, accountId: string): Promise<boolean> {
  return hasRows(db)`SELECT FROM account WHERE id = ${accountId}`;
}

/** Oldest first. Index: webhook_endpoint_account_ix. */
export function listEndpoints(db: Db, accountId: string): Promise<EndpointRow[]> {
  return allRows<EndpointRow>(db)`
    ${ENDPOINTS} WHERE account_id = ${accountId} AND deleted_at IS NULL ORDER BY endpoint.number`;
}

export function findEndpoint(db: Db, accountId: string, id: string): Promise<EndpointRow | undefined> {
  return firstRow<EndpointRow>(db)`
    ${ENDPOINTS} WHERE endpoint.id = ${id} AND account_id = ${accountId} AND deleted_at IS NULL`;
}

export function lockEndpoint(tx: Tx, accountId: string, id: string): Promise<EndpointRow | undefined> {
  return firstRow<EndpointRow>(tx)`
    ${ENDPOINTS} WHERE endpoint.id = ${id} AND account_id = ${accountId} AND deleted_at IS NULL
    FOR NO KEY UPDATE OF endpoint`;
}

export async function insertEndpoint(
  tx: Tx,
  { id, accountId, ...settings }: EndpointSettings & { readonly id: string; readonly accountId: string },
): Promise<EndpointRow> {
  const row = await onlyRow<{ number: number; createdAtMicros: number }>(tx)`
    INSERT INTO webhook_endpoint (id, account_id, url, types, description, disabled_reason)
    VALUES (${id}, ${accountId}, ${settings.url}, ${[...settings.types]}::text[], ${settings.description},
      ${settings.disabledReason})
    RETURNING number, ${deriveMicros('created_at')} AS "createdAtMicros"`;
  return { ...row, id, accountId, ...settings, failingSinceMicros: null };
}

/** `isRenewed`: earlier failures no longer count. */
export async function updateEndpoint(
  tx: Tx,
  number: number,
  { url, types, description, disabledReason, isRenewed }: EndpointSettings & { readonly isRenewed: boolean },
): Promise<void> {
  await execute(tx)`
    UPDATE webhook_endpoint SET url = ${url}, tested_url = CASE url WHEN ${url} THEN tested_url END, types = ${[...types]}::text[], description = ${description},
      enabled_at = CASE WHEN disabled_reason IS NULL THEN enabled_at ELSE statement_timestamp() END,
      disabled_at = CASE WHEN disabled_reason IS NULL AND ${disabledReason}::text IS NOT NULL
        THEN statement_timestamp() ELSE disabled_at END,
      disabled_reason = ${disabledReason},
      failing_since = CASE WHEN ${isRenewed} THEN NULL ELSE failing_since END
    WHERE number = ${number}`;
}

export async function deleteEndpoint(tx: Tx, number: number): Promise<void> {
  await execute(tx)`DELETE FROM webhook_secret WHERE endpoint = ${number}`;
  await execute(tx)`UPDATE webhook_endpoint SET deleted_at = statement_timestamp() WHERE number = ${number}`;
}

export async function insertSecret(tx: Tx, endpoint: number, secret: NewSecret): Promise<void> {
  await execute(tx)`
    INSERT INTO webhook_secret (id, endpoint, wrapped, master_key_id)
    VALUES (${secret.id}::uuid, ${endpoint}, ${secret.wrapped}, ${secret.masterKeyId})`;
}

/** A312. */
const OLD_SECRETS_MAX = 4;

/** Returns when the replaced secret expires. A repeated rotation must not end the one that receivers use. */
export async function expireSecrets(tx: Tx, endpoint: number, overlapHours: number): Promise<number> {
  const validUntil = await firstValue<{ validUntil: number }>(tx)`
    UPDATE webhook_secret
    SET expires_at = least(expires_at, statement_timestamp() + make_interval(hours => ${overlapHours}))
    WHERE endpoint = ${endpoint}
    RETURNING ${deriveMicros(`(statement_timestamp() + make_interval(hours => ${overlapHours}))`)} AS "validUntil"`;
  await execute(tx)`
    DELETE FROM webhook_secret WHERE endpoint = ${endpoint} AND (expires_at <= statement_timestamp() OR id NOT IN (
      SELECT id FROM webhook_secret WHERE endpoint = ${endpoint}
      ORDER BY expires_at DESC LIMIT ${OLD_SECRETS_MAX}))`;
  return must(validUntil, 'an endpoint has a secret');
}
