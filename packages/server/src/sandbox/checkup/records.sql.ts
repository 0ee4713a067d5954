/** What was seen of clients, kept for all nodes and over restarts. Bounded for each client. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/schema.ts';
import type { Seen } from './seen.ts';

export type ClientSeen = { readonly clientId: string; readonly seen: Seen };

export async function insertSeen(tx: Tx, rows: readonly ClientSeen[]): Promise<void> {
  await sql`
    INSERT INTO sandbox_request (client_id, started_at, seen)
    SELECT client_id, to_timestamp((seen ->> 'startedAtMs')::double precision / 1000), seen
    FROM unnest(${rows.map(({ clientId }) => clientId)}::text[], ${rows.map(({ seen }) => JSON.stringify(seen))}::jsonb[])
      AS row (client_id, seen)`.execute(tx);
}

/** Leaves each of the clients its newest rows. Index: sandbox_request_client_ix. */
export async function pruneSeen(tx: Tx, clientIds: readonly string[], keptMax: number): Promise<void> {
  await sql`
    DELETE FROM sandbox_request USING (
      SELECT client.id AS client_id, (
        SELECT sandbox_request.id FROM sandbox_request WHERE sandbox_request.client_id = client.id
        ORDER BY sandbox_request.id DESC OFFSET ${keptMax} LIMIT 1
      ) AS last_id
      FROM unnest(${[...clientIds]}::text[]) AS client (id)
    ) AS old
    WHERE sandbox_request.client_id = old.client_id AND sandbox_request.id <= old.last_id`.execute(tx);
}

/** Undefined for a client that is no reseller's. */
export async function findAccountOfClient(db: Db, clientId: string): Promise<string | undefined> {
  const { rows } = await sql<{ accountId: string | null }>`
    SELECT account_id AS "accountId" FROM client WHERE id = ${clientId}`.execute(db);
  return rows[0]?.accountId ?? undefined;
}

/** In the order in which the requests began. */
export async function listSeen(db: Db, clientId: string, sinceMs: number): Promise<Seen[]> {
  const { rows } = await sql<{ seen: Seen }>`
    SELECT seen FROM sandbox_request
    WHERE client_id = ${clientId} AND started_at >= to_timestamp(${sinceMs}::double precision / 1000)
    ORDER BY started_at, id`.execute(db);
  return rows.map(({ seen }) => seen);
}

/** Those of the orders whose keys were read at least once. */
export async function listReadOrders(db: Db, orderIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT order_id::text AS id FROM audit_entry
    WHERE action = 'keys.read' AND order_id = ANY (${[...orderIds]}::bigint[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
