/** Locks: account, order, claim. A withdrawal locks the claim alone. */

import { must } from '@keyport/core/assert';
import {
  CLAIM_REASONS,
  type ClaimOutcome,
  type ClaimReason,
  type ClaimStatus,
} from '@keyport/core/orders/after-sale';
import { type List, numberKey } from '../../db/keyset.sql.ts';
import { allRows, execute, firstRow, hasRows, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { matchesUuid, matchesWords } from '../../db/search.sql.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { deriveMicros, toTimestamp } from '../../db/timestamps.ts';
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
  readonly keys: readonly ClaimKeyRow[];
};

/** Indexes: primary keys. */
const SELECT_CLAIM = sql`
  SELECT claim.id, claim.position, claim.account_id AS "accountId", account.name AS "accountName", order_id::text AS "orderId",
    item_id::text AS "itemId", claim.seller_id AS "sellerId", seller.name AS "sellerName", product.id::text AS "productId",
    product.name AS "productName", reason, message, claim.status, ${deriveMicros('claim.created_at')} AS "createdAtMicros",
    ${deriveMicros('decided_at')} AS "decidedAtMicros", answer, available_text AS available,
    (SELECT json_agg(json_build_object('place', place, 'stockKeyId', stock_key_id, 'outcome', outcome) ORDER BY place)
      FROM claim_key WHERE claim_id = claim.id) AS keys
  FROM claim JOIN account ON account.id = claim.account_id JOIN "order" ON "order".id = order_id
  JOIN offer ON offer.id = "order".offer_id JOIN seller ON seller.id = claim.seller_id
  JOIN product ON product.id = offer.product_id`;

export function findClaim(db: Db, id: string, accountId?: string): Promise<ClaimRow | undefined> {
  const isOwn = accountId === undefined ? sql`true` : sql`claim.account_id = ${accountId}::uuid`;
  return firstRow<ClaimRow>(db)`${SELECT_CLAIM} WHERE claim.id = ${id} AND ${isOwn}`;
}

export function loadClaims(db: Db, positions: readonly string[]): Promise<ClaimRow[]> {
  return allRows<ClaimRow>(db)`
    ${SELECT_CLAIM} WHERE claim.position = ANY (${[...positions]}::bigint[])`;
}

export async function lockClaim(tx: Tx, id: string): Promise<ClaimRow> {
  await execute(tx)`SELECT FROM claim WHERE id = ${id} FOR NO KEY UPDATE`;
  return must(await findClaim(tx, id), 'a claim is never deleted');
}

export function countOpenClaims(db: Db): Promise<number> {
  return onlyValue<{ open: number }>(db)`
    SELECT count(*) AS open FROM claim WHERE status = 'open'`;
}

/** Claims by unit. Index: claim_key_open_uq. */
export async function listOpenClaims(tx: Tx, unitIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await allRows<{ unit: number; claim: string }>(tx)`
    SELECT stock_key_id AS unit, claim_id AS claim FROM claim_key
    WHERE is_open AND stock_key_id = ANY (${[...unitIds]}::bigint[]) ORDER BY claim_id`;
  return new Map(rows.map(({ unit, claim }) => [unit, claim]));
}

export async function insertClaim(
  tx: Tx,
  claim: Pick<ClaimRow, 'id' | 'orderId' | 'itemId' | 'reason' | 'message'> & {
    readonly unitIds: readonly number[];
  },
): Promise<void> {
  await execute(tx)`
    INSERT INTO claim (id, account_id, order_id, item_id, seller_id, reason, message, created_at)
    SELECT ${claim.id}, account_id, "order".id, ${claim.itemId}::bigint, seller_id, ${claim.reason}, ${claim.message},
      statement_timestamp()
    FROM "order" JOIN offer ON offer.id = offer_id WHERE "order".id = ${claim.orderId}::bigint`;
  await execute(tx)`
    INSERT INTO claim_key (claim_id, place, stock_key_id)
    SELECT ${claim.id}, place, id
    FROM unnest(${[...claim.unitIds]}::bigint[]) WITH ORDINALITY AS unit (id, place)`;
}

/** The claim must be locked. `outcomes`: by place of the key; empty for a withdrawal. */
export async function closeClaim(
  tx: Tx,
  id: string,
  closed: {
    readonly status: 'decided' | 'withdrawn';
    readonly answer?: string | undefined;
    readonly outcomes: ReadonlyMap<number, ClaimOutcome>;
  },
): Promise<void> {
  await execute(tx)`
    UPDATE claim SET status = ${closed.status}, answer = ${closed.answer ?? null},
      decided_at = CASE ${closed.status} WHEN 'decided' THEN statement_timestamp() END
    WHERE id = ${id}`;
  await execute(tx)`
    UPDATE claim_key SET is_open = false, outcome = (
      SELECT decided.outcome FROM unnest(${[...closed.outcomes.keys()]}::smallint[], ${[...closed.outcomes.values()]}::text[])
        AS decided (place, outcome) WHERE decided.place = claim_key.place)
    WHERE claim_id = ${id}`;
}

/** Stores the refund that was just booked. Index: ledger_transfer_order_ix. */
export async function noteRefund(tx: Tx, id: string): Promise<void> {
  await execute(tx)`
    UPDATE claim SET transfer_id = (SELECT max(ledger_transfer.id) FROM ledger_transfer
      WHERE ledger_transfer.order_id = claim.order_id AND kind = 'refund')
    WHERE id = ${id}`;
}

/** Index: stock_key_pkey. */
export function listClaimedUnits(db: Db, unitIds: readonly number[]): Promise<SealedUnit[]> {
  return allRows<SealedUnit>(db)`
    SELECT id, offer_id AS "offerId", data_key_id AS "dataKeyId", nonce, ciphertext FROM stock_key
    WHERE id = ANY (${[...unitIds]}::bigint[])`;
}

export type KeyRead = {
  readonly atMicros: number;
  readonly clientId: string;
  readonly name: string | null;
  readonly address: string | null;
};

/** Oldest first. Index: audit_entry_order_ix. */
export function listReads(db: Db, orderId: string): Promise<KeyRead[]> {
  return allRows<KeyRead>(db)`
    SELECT ${deriveMicros('at')} AS "atMicros", client_id AS "clientId",
      coalesce(
        (SELECT name FROM person WHERE person.id = audit_entry.client_id),
        (SELECT name FROM client WHERE client.id = audit_entry.client_id)) AS name, address
    FROM audit_entry WHERE order_id = ${orderId}::bigint AND action = 'keys.read'
    ORDER BY audit_entry.id`;
}

export type KeyTimes = {
  readonly stockKeyId: number;
  /** When the order got the key, and when the key left it, if it has. */
  readonly fromMicros: number;
  readonly untilMicros: number | null;
};

/** Indexes: key_replacement_pkey, key_replacement_order_ix. */
export function listKeyTimes(db: Db, orderId: string, unitIds: readonly number[]): Promise<KeyTimes[]> {
  return allRows<KeyTimes>(db)`
    SELECT stock_key.id AS "stockKeyId", ${deriveMicros('coalesce(came.at, completed_at, created_at)')} AS "fromMicros",
      ${deriveMicros('coalesce(went.at, CASE WHEN is_withdrawn THEN refunded_at END)')} AS "untilMicros"
    FROM stock_key JOIN "order" ON "order".id = ${orderId}::bigint
    LEFT JOIN key_replacement AS came ON came.order_id = "order".id AND came.replaced_by = stock_key.id
    LEFT JOIN key_replacement AS went ON went.stock_key_id = stock_key.id
    WHERE stock_key.id = ANY (${[...unitIds]}::bigint[])`;
}

type ClaimFilter = {
  readonly [Name in 'query' | 'accountId' | 'sellerId' | 'orderId']?: string | undefined;
} & { readonly status?: ClaimStatus | undefined; readonly reason?: ClaimReason | undefined };

/** Indexes: claim_position_uq, claim_account_ix, claim_order_ix. */
export function claimsList(
  { query, status, reason, accountId, sellerId, orderId }: ClaimFilter,
  isDescending: boolean,
): List {
  const scanned: Sql[] = [];
  if (accountId !== undefined) scanned.push(sql`claim.account_id = ${accountId}::uuid`);
  if (orderId !== undefined) scanned.push(sql`claim.order_id = ${orderId}::bigint`);
  if (status !== undefined) scanned.push(sql`claim.status = ${sql.constant(status)}`);
  const filters: Sql[] = [];
  if (reason !== undefined) filters.push(sql`claim.reason = ${reason}`);
  if (sellerId !== undefined) filters.push(sql`claim.seller_id = ${sellerId}::uuid`);
  if (query !== undefined) filters.push(matchesClaim(query.trim()));
  return {
    from: sql`claim`,
    alias: 'claim',
    key: [numberKey('claim.position')],
    isDescending,
    scanned,
    filters,
  };
}

function matchesClaim(query: string): Sql {
  const ofAccount = matchesUuid(sql`claim.account_id`, query) ?? sql`false`;
  const ofSeller = matchesUuid(sql`claim.seller_id`, query) ?? sql`false`;
  const words = matchesWords(
    sql`search_words(account.name || ' ' || seller.name || ' ' || product.name)`,
    query,
  );
  return sql`(${query} IN (claim.id, claim.order_id::text) OR ${ofAccount} OR ${ofSeller} OR EXISTS (
    SELECT FROM account, seller, "order" JOIN offer ON offer.id = "order".offer_id JOIN product ON product.id = product_id
    WHERE account.id = claim.account_id AND seller.id = claim.seller_id AND "order".id = claim.order_id AND ${words}))`;
}

type MicrosRange = { readonly fromMicros: number; readonly toMicros: number };

/** `toMicros` is excluded. */
export async function countClaims(
  db: Db,
  sellerId: string,
  range: MicrosRange,
): Promise<Readonly<Record<ClaimReason, number>>> {
  const rows = await allRows<{ reason: ClaimReason; count: number }>(db)`
    SELECT reason, count(*) AS count FROM claim
    WHERE seller_id = ${sellerId}::uuid AND status <> 'withdrawn' AND ${isWithin(sql`created_at`, range)}
    GROUP BY reason`;
  const none = Object.fromEntries(CLAIM_REASONS.map((reason) => [reason, 0])) as Record<ClaimReason, number>;
  return { ...none, ...Object.fromEntries(rows.map(({ reason, count }) => [reason, count])) };
}

/** Indexes: order_created_ix, order_first_unit_uq. */
export async function countUnitsSold(db: Db, sellerId: string, range: MicrosRange): Promise<number> {
  const rows = await allRows<{ units: number }>(db)`
    SELECT coalesce(sum(quantity_shipped), 0)::bigint AS units FROM "order" JOIN offer ON offer.id = offer_id
    WHERE seller_id = ${sellerId}::uuid AND ${isWithin(sql`created_at`, range)}`;
  return rows[0]?.units ?? 0;
}

export function hasSeller(db: Db, sellerId: string): Promise<boolean> {
  return hasRows(db)`SELECT FROM seller WHERE id = ${sellerId}::uuid`;
}

function isWithin(column: Sql, { fromMicros, toMicros }: MicrosRange): Sql {
  return sql`${column} >= ${toTimestamp(fromMicros)} AND ${column} < ${toTimestamp(toMicros)}`;
}
