/** Every transaction that extends the chain locks the row of audit_head. */

import { allRows, allValues, execute, firstRow, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';

export type ChainEntry = {
  readonly id: number;
  readonly atMicros: number;
  readonly clientId: string;
  readonly role: string | null;
  readonly address: string | null;
  readonly action: string;
  readonly accountId: string | null;
  readonly orderId: string | null;
  readonly traceId: string | null;
  /** PostgreSQL's text form of the jsonb, which does not depend on its storage. */
  readonly data: string;
};

export type Head = { readonly position: number; readonly mac: Buffer; readonly proof: Buffer };

const ENTRY = sql`entry.id, ${deriveMicros('entry.at')} AS "atMicros", entry.client_id AS "clientId", entry.role,
  entry.address, entry.action,
  entry.account_id AS "accountId", entry.order_id::text AS "orderId", entry.trace_id AS "traceId",
  entry.data::text AS data`;

export async function insertHead(tx: Tx, head: Head): Promise<void> {
  await execute(tx)`
    INSERT INTO audit_head (position, mac, proof)
    VALUES (${head.position}, ${head.mac}::bytea, ${head.proof}::bytea)`;
}

/** Also undefined while another node seals. */
export function lockHead(tx: Tx): Promise<Head | undefined> {
  return firstRow<Head>(tx)`SELECT position, mac, proof FROM audit_head FOR UPDATE SKIP LOCKED`;
}

export function findHead(db: Db): Promise<Head | undefined> {
  return firstRow<Head>(db)`SELECT position, mac, proof FROM audit_head`;
}

export function hasUnsealed(db: Db): Promise<boolean> {
  return onlyValue<{ has: boolean }>(db)`SELECT EXISTS (SELECT FROM audit_unsealed) AS has`;
}

/** Age of the oldest entry outside the chain, or 0. Index: the primary keys. */
export function loadUnsealedSeconds(db: Db): Promise<number> {
  return onlyValue<{ age: number }>(db)`
    SELECT coalesce(greatest(0, extract(epoch FROM clock_timestamp() - (
      SELECT at FROM audit_unsealed JOIN audit_entry ON audit_entry.id = audit_entry_id ORDER BY audit_entry_id LIMIT 1
    ))), 0)::double precision AS age`;
}

/** The lowest ids first. Index: the primary keys. */
export function listUnsealed(tx: Tx, limit: number): Promise<ChainEntry[]> {
  return allRows<ChainEntry>(tx)`
    SELECT ${ENTRY} FROM audit_unsealed JOIN audit_entry AS entry ON entry.id = audit_entry_id
    ORDER BY audit_entry_id LIMIT ${limit}`;
}

export async function appendSeals(
  tx: Tx,
  seals: readonly { readonly position: number; readonly auditEntryId: number; readonly mac: Buffer }[],
  head: Head,
): Promise<void> {
  const ids = seals.map(({ auditEntryId }) => auditEntryId);
  await execute(tx)`
    INSERT INTO audit_seal (position, audit_entry_id, mac) SELECT * FROM unnest(
      ${seals.map(({ position }) => position)}::bigint[],
      ${ids}::bigint[],
      ${seals.map(({ mac }) => mac)}::bytea[])`;
  await execute(tx)`DELETE FROM audit_unsealed WHERE audit_entry_id = ANY (${ids}::bigint[])`;
  await execute(tx)`
    UPDATE audit_head SET position = ${head.position}, mac = ${head.mac}::bytea, proof = ${head.proof}::bytea`;
}

export type Sealed = {
  readonly position: number;
  readonly auditEntryId: number;
  readonly mac: Buffer;
  /** Undefined if the entry is missing. */
  readonly entry: ChainEntry | undefined;
};

/** Index: the primary keys. */
export async function listSealed(
  db: Db,
  { afterPosition, limit }: { readonly afterPosition: number; readonly limit: number },
): Promise<Sealed[]> {
  const rows = await allRows<
    { position: number; auditEntryId: number; mac: Buffer } & (ChainEntry | { readonly id: null })
  >(db)`
    SELECT seal.position, seal.audit_entry_id AS "auditEntryId", seal.mac, ${ENTRY}
    FROM audit_seal AS seal LEFT JOIN audit_entry AS entry ON entry.id = seal.audit_entry_id
    WHERE seal.position > ${afterPosition} ORDER BY seal.position LIMIT ${limit}`;
  return rows.map(({ position, auditEntryId, mac, ...entry }) => ({
    position,
    auditEntryId,
    mac,
    entry: entry.id === null ? undefined : entry,
  }));
}

/** Entries neither in the chain nor waiting for it, and waiting entries that are missing. */
export function listUncovered(db: Db): Promise<number[]> {
  return allValues<{ id: number }>(db)`
    SELECT id FROM audit_entry AS entry
    WHERE NOT EXISTS (SELECT FROM audit_seal WHERE audit_entry_id = entry.id)
      AND NOT EXISTS (SELECT FROM audit_unsealed WHERE audit_entry_id = entry.id)
    UNION ALL
    SELECT audit_entry_id FROM audit_unsealed
    WHERE NOT EXISTS (SELECT FROM audit_entry WHERE id = audit_entry_id)`;
}
