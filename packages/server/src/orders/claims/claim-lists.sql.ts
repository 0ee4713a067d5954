/** Lists of claims, and how many a seller has. */
import type { ClaimReason, ClaimStatus } from '@keyport/core/orders/after-sale';
import { type RawBuilder, sql } from 'kysely';
import { type List, numberKey } from '../../db/keyset.sql.ts';
import type { Db } from '../../db/schema.ts';
import { matchesUuid, matchesWords } from '../../db/search.sql.ts';
import { assignedTo } from '../../operations/assignees.sql.ts';

export type ClaimFilter = {
  readonly query?: string | undefined;
  readonly status?: ClaimStatus | undefined;
  readonly reason?: ClaimReason | undefined;
  readonly accountId?: string | undefined;
  readonly sellerId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly assignee?: string | undefined;
};

/** Indexes: claim_position_uq, claim_account_ix, claim_order_ix, claim_open_ix. */
export function claimsList(
  { query, status, reason, accountId, sellerId, orderId, assignee }: ClaimFilter,
  isDescending: boolean,
): List {
  const scanned: RawBuilder<unknown>[] = [];
  if (accountId !== undefined) scanned.push(sql`claim.account_id = ${accountId}::uuid`);
  if (orderId !== undefined) scanned.push(sql`claim.order_id = ${orderId}::bigint`);
  if (status !== undefined) scanned.push(sql`claim.status = ${sql.lit(status)}`);
  const filters: RawBuilder<unknown>[] = assignedTo('claim', assignee);
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

function matchesClaim(query: string): RawBuilder<unknown> {
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

/** From `fromMicros` on, up to before `toMicros`. Index: claim_seller_ix. */
export async function countClaims(
  db: Db,
  sellerId: string,
  range: { readonly fromMicros: number; readonly toMicros: number },
): Promise<{ readonly reason: ClaimReason; readonly count: number }[]> {
  const { rows } = await sql<{ reason: ClaimReason; count: number }>`
    SELECT reason, count(*) AS count FROM claim
    WHERE seller_id = ${sellerId}::uuid AND status <> 'withdrawn' AND ${isWithin(sql`created_at`, range)}
    GROUP BY reason`.execute(db);
  return rows;
}

/** Indexes: order_created_ix, order_first_unit_uq. */
export async function countUnitsSold(
  db: Db,
  sellerId: string,
  range: { readonly fromMicros: number; readonly toMicros: number },
): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    SELECT coalesce(sum(quantity_shipped), 0)::bigint AS units FROM "order" JOIN offer ON offer.id = offer_id
    WHERE seller_id = ${sellerId}::uuid AND ${isWithin(sql`created_at`, range)}`.execute(db);
  return rows[0]?.units ?? 0;
}

export async function hasSeller(db: Db, sellerId: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM seller WHERE id = ${sellerId}::uuid`.execute(db);
  return rows.length > 0;
}

function isWithin(
  column: RawBuilder<unknown>,
  { fromMicros, toMicros }: { readonly fromMicros: number; readonly toMicros: number },
): RawBuilder<unknown> {
  const time = (micros: number) => sql`to_timestamp(0) + ${micros}::bigint * interval '1 microsecond'`;
  return sql`${column} >= ${time(fromMicros)} AND ${column} < ${time(toMicros)}`;
}
