/**
 * Statements about claims. Locks in the one order of order-updates.sql.ts: account, order, then the claim. A withdrawal locks the
 * claim alone.
 */

import { must } from '@keyport/core/assert';
import type { ClaimOutcome, ClaimReason, ClaimStatus } from '@keyport/core/orders/after-sale';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/schema.ts';
import { microsOf } from '../../db/timestamps.ts';
import { assigneeOf } from '../../operations/assignees.sql.ts';
import type { SealedUnit } from '../keys/order-keys.sql.ts';

export type ClaimKeyRow = {
  readonly place: number;
  readonly stockKeyId: number;
  readonly outcome: ClaimOutcome | null;
};

export type ClaimRow = {
  readonly id: string;
  readonly position: number;
  readonly accountId: string;
  readonly accountName: string;
  readonly orderId: string;
  readonly itemId: string;
  readonly sellerId: string;
  readonly sellerName: string;
  readonly productId: string;
  readonly productName: string;
  readonly reason: ClaimReason;
  readonly message: string | null;
  readonly status: ClaimStatus;
  readonly createdAtMicros: number;
  readonly decidedAtMicros: number | null;
  readonly answer: string | null;
  readonly available: number;
  readonly assignee: string | null;
  /** In the order of their places. */
  readonly keys: readonly ClaimKeyRow[];
};

/** Indexes: primary keys. */
const SELECT_CLAIM = sql`
  SELECT claim.id, claim.position, claim.account_id AS "accountId", account.name AS "accountName", order_id::text AS "orderId",
    item_id::text AS "itemId", claim.seller_id AS "sellerId", seller.name AS "sellerName", product.id::text AS "productId",
    product.name AS "productName", reason, message, claim.status, ${microsOf('claim.created_at')} AS "createdAtMicros",
    ${microsOf('decided_at')} AS "decidedAtMicros", answer, available_text AS available, ${assigneeOf('claim')} AS assignee,
    (SELECT json_agg(json_build_object('place', place, 'stockKeyId', stock_key_id, 'outcome', outcome) ORDER BY place)
      FROM claim_key WHERE claim_id = claim.id) AS keys
  FROM claim JOIN account ON account.id = claim.account_id JOIN "order" ON "order".id = order_id
  JOIN offer ON offer.id = "order".offer_id JOIN seller ON seller.id = claim.seller_id
  JOIN product ON product.id = offer.product_id`;

export async function findClaim(db: Db, id: string, accountId?: string): Promise<ClaimRow | undefined> {
  const isOwn = accountId === undefined ? sql`true` : sql`claim.account_id = ${accountId}::uuid`;
  const { rows } = await sql<ClaimRow>`${SELECT_CLAIM} WHERE claim.id = ${id} AND ${isOwn}`.execute(db);
  return rows[0];
}

export async function loadClaims(db: Db, positions: readonly string[]): Promise<ClaimRow[]> {
  const { rows } = await sql<ClaimRow>`
    ${SELECT_CLAIM} WHERE claim.position = ANY (${[...positions]}::bigint[])`.execute(db);
  return rows;
}

/** The claim as it is once it is locked. */
export async function lockClaim(tx: Tx, id: string): Promise<ClaimRow> {
  await sql`SELECT FROM claim WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
  return must(await findClaim(tx, id), 'a claim is never deleted');
}

/** Index: claim_open_ix. */
export async function countOpenClaims(db: Db): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    SELECT count(*) AS open FROM claim WHERE status = 'open'`.execute(db);
  return rows[0]?.open ?? 0;
}

/** The open claims that have these units, by unit. Index: claim_key_open_uq. */
export async function listOpenClaims(tx: Tx, unitIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ unit: number; claim: string }>`
    SELECT stock_key_id AS unit, claim_id AS claim FROM claim_key
    WHERE is_open AND stock_key_id = ANY (${[...unitIds]}::bigint[]) ORDER BY claim_id`.execute(tx);
  return new Map(rows.map(({ unit, claim }) => [unit, claim]));
}

export async function insertClaim(
  tx: Tx,
  claim: Pick<ClaimRow, 'id' | 'orderId' | 'itemId' | 'reason' | 'message'> & {
    readonly unitIds: readonly number[];
  },
): Promise<void> {
  await sql`
    INSERT INTO claim (id, account_id, order_id, item_id, seller_id, reason, message, created_at)
    SELECT ${claim.id}, account_id, "order".id, ${claim.itemId}::bigint, seller_id, ${claim.reason}, ${claim.message},
      statement_timestamp()
    FROM "order" JOIN offer ON offer.id = offer_id WHERE "order".id = ${claim.orderId}::bigint`.execute(tx);
  await sql`
    INSERT INTO claim_key (claim_id, place, stock_key_id)
    SELECT ${claim.id}, place, id FROM unnest(${[...claim.unitIds]}::bigint[]) WITH ORDINALITY AS unit (id, place)`.execute(
    tx,
  );
}

/** The claim is locked. `outcomes`: one for each key, by its place; empty when it is withdrawn. */
export async function closeClaim(
  tx: Tx,
  id: string,
  closed: {
    readonly status: 'decided' | 'withdrawn';
    readonly answer?: string | undefined;
    readonly outcomes: ReadonlyMap<number, ClaimOutcome>;
  },
): Promise<void> {
  await sql`
    UPDATE claim SET status = ${closed.status}, answer = ${closed.answer ?? null},
      decided_at = CASE ${closed.status} WHEN 'decided' THEN statement_timestamp() END
    WHERE id = ${id}`.execute(tx);
  await sql`
    UPDATE claim_key SET is_open = false, outcome = (
      SELECT decided.outcome FROM unnest(${[...closed.outcomes.keys()]}::smallint[], ${[...closed.outcomes.values()]}::text[])
        AS decided (place, outcome) WHERE decided.place = claim_key.place)
    WHERE claim_id = ${id}`.execute(tx);
}

/** Remembers the refund that was just booked for the order. Index: ledger_transfer_order_ix. */
export async function noteRefund(tx: Tx, id: string): Promise<void> {
  await sql`
    UPDATE claim SET transfer_id = (SELECT max(ledger_transfer.id) FROM ledger_transfer
      WHERE ledger_transfer.order_id = claim.order_id AND kind = 'refund')
    WHERE id = ${id}`.execute(tx);
}

/** Sealed, by id. Index: stock_key_pkey. */
export async function listClaimedUnits(db: Db, unitIds: readonly number[]): Promise<SealedUnit[]> {
  const { rows } = await sql<SealedUnit>`
    SELECT id, offer_id AS "offerId", data_key_id AS "dataKeyId", nonce, ciphertext FROM stock_key
    WHERE id = ANY (${[...unitIds]}::bigint[])`.execute(db);
  return rows;
}

export type KeyRead = {
  readonly atMicros: number;
  readonly clientId: string;
  readonly name: string | null;
  readonly address: string | null;
};

/** Reads of the order's keys, oldest first. Index: audit_entry_order_ix. */
export async function listReads(db: Db, orderId: string): Promise<KeyRead[]> {
  const { rows } = await sql<KeyRead>`
    SELECT ${microsOf('at')} AS "atMicros", client_id AS "clientId",
      (SELECT name FROM client WHERE client.id = audit_entry.client_id) AS name, address
    FROM audit_entry WHERE order_id = ${orderId}::bigint AND action = 'keys.read'
    ORDER BY audit_entry.id`.execute(db);
  return rows;
}

export type KeyTimes = {
  readonly stockKeyId: number;
  /** When the order got it. */
  readonly fromMicros: number;
  /** When it left the order; null: it has it still. */
  readonly untilMicros: number | null;
};

/** When the order had which of these keys. Indexes: key_replacement_pkey, key_replacement_order_ix. */
export async function listKeyTimes(db: Db, orderId: string, unitIds: readonly number[]): Promise<KeyTimes[]> {
  const { rows } = await sql<KeyTimes>`
    SELECT stock_key.id AS "stockKeyId", ${microsOf('coalesce(came.at, completed_at, created_at)')} AS "fromMicros",
      ${microsOf('coalesce(went.at, CASE WHEN is_withdrawn THEN refunded_at END)')} AS "untilMicros"
    FROM stock_key JOIN "order" ON "order".id = ${orderId}::bigint
    LEFT JOIN key_replacement AS came ON came.order_id = "order".id AND came.replaced_by = stock_key.id
    LEFT JOIN key_replacement AS went ON went.stock_key_id = stock_key.id
    WHERE stock_key.id = ANY (${[...unitIds]}::bigint[])`.execute(db);
  return rows;
}
