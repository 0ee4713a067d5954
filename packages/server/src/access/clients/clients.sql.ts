/** The client is locked before a secret is added, so two additions cannot leave three live secrets. */
import type { Role } from '@keyport/contract/roles';
import type { OwnLimits } from '@keyport/http/server/principal';
import { allRows, allValues, execute, firstRow, firstValue, hasRows, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';

export type ClientRole = 'reseller' | 'operator';

export type ClientRow = { readonly id: string; readonly role: ClientRole; readonly accountId: string | null };

type NewClient = ClientRow & { readonly name: string | null; readonly operatorRole?: Role | undefined };

const IS_LIVE_SECRET = sql.raw(
  'retired_at IS NULL AND (expires_at IS NULL OR expires_at > statement_timestamp())',
);

/** The hashes of the live secrets of the client `c`, oldest first. Index: client_secret_pkey. */
const LIVE_MACS = sql`ARRAY(
  SELECT s.secret_mac FROM client_secret s WHERE s.client_id = c.id AND ${IS_LIVE_SECRET} ORDER BY s.id
) AS "liveMacs"`;

/** False if the id is taken. */
export function insertClient(tx: Tx, client: NewClient): Promise<boolean> {
  return hasRows(tx)`
    INSERT INTO client (id, account_id, role, operator_role, name)
    VALUES (${client.id}, ${client.accountId}::uuid, ${client.role}, ${client.operatorRole ?? null}, ${client.name})
    ON CONFLICT (id) DO NOTHING RETURNING id`;
}

export function findClientForUpdate(
  tx: Tx,
  clientId: string,
): Promise<(ClientRow & { readonly isDisabled: boolean }) | undefined> {
  return firstRow<ClientRow & { isDisabled: boolean }>(tx)`
    SELECT id, role, account_id AS "accountId", disabled_at IS NOT NULL AS "isDisabled"
    FROM client WHERE id = ${clientId} FOR UPDATE`;
}

/** Oldest first. Index: client_secret_pkey. */
export function listLiveSecretMacs(tx: Tx, clientId: string): Promise<Buffer[]> {
  return allValues<{ mac: Buffer }>(tx)`
    SELECT secret_mac AS mac FROM client_secret
    WHERE client_id = ${clientId} AND ${IS_LIVE_SECRET} ORDER BY id`;
}

export async function insertClientSecret(tx: Tx, secret: { clientId: string; mac: Buffer }): Promise<void> {
  await execute(tx)`
    INSERT INTO client_secret (client_id, secret_mac) VALUES (${secret.clientId}, ${secret.mac})`;
}

export async function retireOldestSecrets(tx: Tx, clientId: string, keptCount: number): Promise<void> {
  await execute(tx)`
    UPDATE client_secret SET retired_at = clock_timestamp()
    WHERE id IN (
      SELECT id FROM client_secret WHERE client_id = ${clientId} AND retired_at IS NULL
      ORDER BY id DESC OFFSET ${keptCount}::integer)`;
}

/** Returns the latest time at which they expire. Index: client_secret_pkey. */
export function expireSecrets(tx: Tx, clientId: string, overlapHours: number): Promise<number> {
  const until = sql<string>`statement_timestamp() + make_interval(hours => ${overlapHours})`;
  return onlyValue<{ validUntil: number }>(tx)`
    WITH expired AS (
      UPDATE client_secret SET expires_at = least(expires_at, ${until})
      WHERE client_id = ${clientId} AND retired_at IS NULL)
    SELECT (extract(epoch FROM ${until}) * 1000000)::bigint AS "validUntil"`;
}

export async function updateClientDisabled(tx: Tx, clientId: string, isDisabled: boolean): Promise<void> {
  await execute(tx)`
    UPDATE client SET disabled_at = CASE WHEN ${isDisabled}::boolean THEN coalesce(disabled_at, clock_timestamp()) END
    WHERE id = ${clientId}`;
}

export type ClaimedClient = ClientRow & {
  /** Also false for an unknown client. */
  readonly mayHaveTokens: boolean;
  /** Empty if all addresses are allowed. */
  readonly allowedAddresses: readonly string[];
  readonly liveMacs: readonly Buffer[];
};

/** For an unknown id, returns a different client in the same time. Undefined if there are no clients. */
export function findClaimedClient(db: Db, clientId: string): Promise<ClaimedClient | undefined> {
  return firstRow<ClaimedClient>(db)`
    SELECT c.id, c.role, c.account_id AS "accountId",
      c.id = ${clientId} AND c.disabled_at IS NULL AND a.status IS DISTINCT FROM 'closed' AS "mayHaveTokens",
      c.allowed_addresses AS "allowedAddresses", ${LIVE_MACS}
    FROM client c LEFT JOIN account a ON a.id = c.account_id
    -- least() ignores nulls and, unlike coalesce, always evaluates both.
    WHERE c.id = least(
      (SELECT id FROM client WHERE id >= ${clientId} ORDER BY id LIMIT 1),
      (SELECT id FROM client ORDER BY id DESC LIMIT 1))`;
}

export type ActiveClient = {
  readonly id: string;
  readonly operatorRole: Role | null;
  readonly allowedAddresses: readonly string[];
  readonly isReadOnly: boolean;
  readonly ownLimits: OwnLimits;
  readonly liveMacs: readonly Buffer[];
};

/** Lists the clients whose tokens are valid. */
export function listActiveClients(db: Db, clientIds: readonly string[]): Promise<ActiveClient[]> {
  return allRows<ActiveClient>(db)`
    SELECT c.id, c.operator_role AS "operatorRole", c.allowed_addresses AS "allowedAddresses",
      c.is_read_only AS "isReadOnly",
      json_build_object('reads', a.sandbox_reads_max, 'orders', a.sandbox_orders_max) AS "ownLimits", ${LIVE_MACS}
    FROM client c LEFT JOIN account a ON a.id = c.account_id
    WHERE c.id = ANY (${[...clientIds]}::text[])
      AND c.disabled_at IS NULL AND a.status IS DISTINCT FROM 'closed'`;
}

/** Undefined members stay unchanged. */
export type ClientSettings = {
  readonly name?: string | undefined;
  readonly allowedAddresses?: readonly string[] | undefined;
  readonly isReadOnly?: boolean | undefined;
  readonly operatorRole?: Role | undefined;
};

export async function updateClientSettings(
  tx: Tx,
  clientId: string,
  { name, allowedAddresses, isReadOnly, operatorRole }: ClientSettings,
): Promise<void> {
  await execute(tx)`
    UPDATE client SET name = coalesce(${name ?? null}, name),
      allowed_addresses = coalesce(${allowedAddresses === undefined ? null : [...allowedAddresses]}::text[], allowed_addresses),
      is_read_only = coalesce(${isReadOnly ?? null}, is_read_only),
      operator_role = coalesce(${operatorRole ?? null}, operator_role)
    WHERE id = ${clientId}`;
}

export function findOldestClientId(
  tx: Tx,
  kind: { role: ClientRole; accountId: string | null; operatorRole?: Role | undefined },
): Promise<string | undefined> {
  return firstValue<{ id: string }>(tx)`
    SELECT id FROM client
    WHERE role = ${kind.role} AND account_id IS NOT DISTINCT FROM ${kind.accountId}::uuid
      AND operator_role IS NOT DISTINCT FROM ${kind.operatorRole ?? null} AND disabled_at IS NULL
    ORDER BY created_at, id LIMIT 1`;
}

export async function lockBootstrap(tx: Tx): Promise<void> {
  await execute(tx)`SELECT pg_advisory_xact_lock(hashtext('keyport/bootstrap'))`;
}
