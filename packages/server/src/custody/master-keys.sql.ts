/** Transactions lock the row of the installation first: FOR SHARE to wrap, FOR UPDATE to change the key. */

import { allRows, execute, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';
import { NAME_OF, type Wrapped } from './envelope.ts';

/** The key stays current until the transaction ends. If no key is current, `firstId` becomes current. */
export async function lockCurrentMasterKey(tx: Tx, firstId: string): Promise<string> {
  // Writes only the first time.
  await execute(tx)`UPDATE installation SET master_key_id = ${firstId} WHERE master_key_id IS NULL`;
  return onlyValue<{ id: string }>(tx)`
    SELECT master_key_id AS id FROM installation FOR SHARE`;
}

/** Null if nothing has been wrapped yet. */
export function findCurrentMasterKey(db: Db): Promise<string | null> {
  return onlyValue<{ id: string | null }>(db)`SELECT master_key_id AS id FROM installation`;
}

/** Blocks all transactions that wrap secrets. */
export function lockInstallation(tx: Tx): Promise<string | null> {
  return onlyValue<{ id: string | null }>(tx)`
    SELECT master_key_id AS id FROM installation FOR UPDATE`;
}

export async function saveCurrentMasterKey(tx: Tx, id: string): Promise<void> {
  await execute(tx)`UPDATE installation SET master_key_id = ${id}`;
}

export async function saveHolder(
  db: Db,
  node: { readonly id: string; readonly version: string },
  ids: readonly string[],
): Promise<void> {
  await execute(db)`
    INSERT INTO master_key_holder (node_id, version, master_key_ids, seen_at)
    VALUES (${node.id}::uuid, ${node.version}, ${[...ids]}::text[], clock_timestamp())
    ON CONFLICT (node_id) DO UPDATE
    SET master_key_ids = excluded.master_key_ids, seen_at = excluded.seen_at`;
}

/** Also deletes holders that have not been seen for `goneAfterSeconds`. */
export async function deleteHolder(db: Db, nodeId: string, goneAfterSeconds: number): Promise<void> {
  await execute(db)`
    DELETE FROM master_key_holder
    WHERE node_id = ${nodeId}::uuid OR seen_at < clock_timestamp()
      - make_interval(secs => ${goneAfterSeconds})`;
}

export type Holder = {
  readonly nodeId: string;
  readonly version: string;
  readonly startedAtMicros: number;
  readonly seenAtMicros: number;
  readonly masterKeyIds: readonly string[];
};

export function listHolders(db: Db, seenWithinSeconds: number): Promise<Holder[]> {
  return allRows<Holder>(db)`
    SELECT node_id AS "nodeId", version, ${deriveMicros('started_at')} AS "startedAtMicros", ${deriveMicros('seen_at')} AS "seenAtMicros",
      master_key_ids AS "masterKeyIds"
    FROM master_key_holder
    WHERE seen_at > clock_timestamp() - make_interval(secs => ${seenWithinSeconds}) ORDER BY node_id`;
}

/** The tables with all values that master keys wrap. */
export const WRAPPED_TABLES = ['service_secret', 'signing_key', 'data_key', 'webhook_secret'] as const;
export type WrappedTable = (typeof WRAPPED_TABLES)[number];
type Columns = { readonly id: string; readonly idType: string; readonly wrapped: string };

const COLUMNS: Readonly<Record<WrappedTable, Columns>> = {
  service_secret: { id: 'name', idType: 'text', wrapped: 'wrapped' },
  signing_key: { id: 'kid', idType: 'text', wrapped: 'private_wrapped' },
  data_key: { id: 'id', idType: 'bigint', wrapped: 'wrapped' },
  webhook_secret: { id: 'id', idType: 'uuid', wrapped: 'wrapped' },
};

const NAMES: Readonly<Record<WrappedTable, (id: string) => string>> = {
  service_secret: NAME_OF.serviceSecret,
  signing_key: NAME_OF.signingKey,
  data_key: NAME_OF.dataKey,
  webhook_secret: NAME_OF.webhookSecret,
};

export type WrappedRow = Wrapped & { readonly id: string; readonly name: string };

export async function countWrapped(db: Db): Promise<Map<string | null, number>> {
  const parts = WRAPPED_TABLES.map((table) => sql`SELECT master_key_id FROM ${sql.identifier(table)}`);
  const rows = await allRows<{ id: string | null; count: number }>(db)`
    SELECT master_key_id AS id, count(*) AS count FROM (${sql.join(parts, sql` UNION ALL `)}) AS value
    GROUP BY master_key_id`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** FOR NO KEY UPDATE, so that imports, which refer to data keys, do not wait. */
export async function listWrappedUnderOthers(
  tx: Tx,
  table: WrappedTable,
  { masterKeyId, limit }: { readonly masterKeyId: string; readonly limit: number },
): Promise<WrappedRow[]> {
  return listRows(
    tx,
    table,
    sql`WHERE master_key_id IS DISTINCT FROM ${masterKeyId} ORDER BY 1 LIMIT ${limit} FOR NO KEY UPDATE`,
  );
}

export async function listWrappedAfter(
  db: Db,
  table: WrappedTable,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<WrappedRow[]> {
  const id = sql`${sql.identifier(COLUMNS[table].id)}::text COLLATE "C"`;
  return listRows(db, table, sql`WHERE ${id} > ${afterId} ORDER BY ${id} LIMIT ${limit}`);
}

async function listRows(db: Db, table: WrappedTable, rest: Sql): Promise<WrappedRow[]> {
  const { id, wrapped } = COLUMNS[table];
  const rows = await allRows<Wrapped & { id: string }>(db)`
    SELECT ${sql.identifier(id)}::text AS id, ${sql.identifier(wrapped)} AS wrapped, master_key_id AS "masterKeyId"
    FROM ${sql.identifier(table)} ${rest}`;
  return rows.map((row) => ({ ...row, name: NAMES[table](row.id) }));
}

export async function saveWrapped(
  tx: Tx,
  table: WrappedTable,
  rows: readonly { readonly id: string; readonly wrapped: Buffer }[],
  masterKeyId: string,
): Promise<void> {
  const { id, idType, wrapped } = COLUMNS[table];
  await execute(tx)`
    UPDATE ${sql.identifier(table)} AS value SET ${sql.identifier(wrapped)} = fresh.wrapped, master_key_id = ${masterKeyId}
    FROM unnest(${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.wrapped)}::bytea[]) AS fresh (id, wrapped)
    WHERE value.${sql.identifier(id)} = fresh.id::${sql.raw(idType)}`;
}
