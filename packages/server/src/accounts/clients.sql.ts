import type { Role } from '@keyport/contract/roles';
import { computeOffset, type Paging } from '@keyport/http/validation/paging';
import { type List, textKey, timeKey } from '../db/keyset.sql.ts';
import { allRows, execute, firstRow, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { matchesWords } from '../db/search.sql.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';

export type ClientRow = {
  id: string;
  accountId: string | null;
  role: 'reseller' | 'operator';
  operatorRole: Role | null;
  name: string | null;
  allowedAddresses: string[];
  isReadOnly: boolean;
  disabledAtMicros: number | null;
  createdAtMicros: number;
  liveSecretCount: number;
};

const CLIENTS = sql`
  SELECT id, account_id AS "accountId", role, operator_role AS "operatorRole", name, allowed_addresses AS "allowedAddresses",
    is_read_only AS "isReadOnly", ${deriveMicros('disabled_at')} AS "disabledAtMicros", ${deriveMicros('created_at')} AS "createdAtMicros",
    (SELECT count(*) FROM client_secret WHERE client_id = client.id AND retired_at IS NULL
      AND (expires_at IS NULL OR expires_at > statement_timestamp())) AS "liveSecretCount"
  FROM client`;

/** Oldest first. */
export function listClients(db: Db, accountId: string, paging: Paging): Promise<ClientRow[]> {
  return allRows<ClientRow>(db)`
    ${CLIENTS} WHERE account_id = ${accountId} ORDER BY created_at, id
    LIMIT ${paging.itemsPerPage} OFFSET ${computeOffset(paging)}`;
}

/** Oldest first. */
export function listOwnClients(db: Db, accountId: string): Promise<ClientRow[]> {
  return allRows<ClientRow>(db)`
    ${CLIENTS} WHERE account_id = ${accountId} ORDER BY created_at, id`;
}

/** Locks them in the order of their ids. */
export async function lockOwnClients(tx: Tx, accountId: string): Promise<ClientRow[]> {
  await execute(tx)`SELECT FROM client WHERE account_id = ${accountId} ORDER BY id FOR UPDATE`;
  return listOwnClients(tx, accountId);
}

export type ClientFilter = {
  readonly query?: string | undefined;
  readonly accountId?: string | undefined;
  readonly role?: ClientRow['role'] | undefined;
  readonly status?: 'enabled' | 'disabled' | undefined;
};

/** No index: a reseller has one or two clients. */
export function clientsList({ query, accountId, role, status }: ClientFilter, isDescending: boolean): List {
  const account = accountId === undefined ? [] : [sql`client.account_id = ${accountId}::uuid`];
  const words = query === undefined ? [] : [matchesWords(CLIENT_WORDS, query)];
  // The account comes first, because it has few clients.
  const [indexed, ...rest] = [...account, ...words];
  const filters = [
    ...rest,
    ...(role === undefined ? [] : [sql`client.role = ${role}`]),
    ...(status === undefined ? [] : [sql`(client.disabled_at IS NULL) = ${status === 'enabled'}`]),
  ];
  return {
    from: sql`client`,
    alias: 'client',
    key: [timeKey('client.created_at'), textKey(sql`client.id`)],
    isDescending,
    filters,
    search: indexed && { condition: indexed },
  };
}

const CLIENT_WORDS = sql`search_words(client.id || ' ' || coalesce(client.name, ''))`;

export type ListedClientRow = ClientRow & { readonly accountName: string | null };

export function loadClients(db: Db, ids: readonly string[]): Promise<ListedClientRow[]> {
  return allRows<ListedClientRow>(db)`
    SELECT row.*, account.name AS "accountName"
    FROM (${CLIENTS} WHERE id = ANY (${[...ids]}::text[])) AS row
    LEFT JOIN account ON account.id = row."accountId"`;
}

export function findClient(db: Db, clientId: string): Promise<ClientRow | undefined> {
  return firstRow<ClientRow>(db)`${CLIENTS} WHERE id = ${clientId}`;
}

export function countClients(db: Db, accountId: string): Promise<number> {
  return onlyValue<{ count: number }>(db)`
    SELECT count(*) AS count FROM client WHERE account_id = ${accountId}`;
}
