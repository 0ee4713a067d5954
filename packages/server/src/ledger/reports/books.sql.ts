import type { LedgerAccountKind } from '@keyport/core/ledger';
import { allRows } from '../../db/rows.ts';
import type { Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';
import { microsOf, timestampOf } from '../../db/timestamps.ts';

/** The start of the first day, and of the day after the last. */
export type Days = { readonly fromMicros: number; readonly beforeMicros: number };

type Amount =
  | 'deposits'
  | 'charges'
  | 'gatewayCharges'
  | 'refunds'
  | 'gatewayRefunds'
  | 'adjustments'
  | 'payouts';

/** Amounts are EUR cents as digits. */
export type DayRow = {
  /** Null for all days before the first. */
  readonly dayMicros: number | null;
} & Readonly<Record<Amount | 'prepaidChange', string>>;

const sumOf = (condition: string, sign = '') =>
  sql.raw(`coalesce(sum(${sign}amount_minor) FILTER (WHERE ${condition}), 0)`);

/** Adds the transfers that the sums do not include yet; EUR cents as digits. A88. Index: book_sum_pk. */
export function loadDailyBooks(tx: Tx, { fromMicros, beforeMicros }: Days): Promise<DayRow[]> {
  return allRows<DayRow>(tx)`
    WITH booked AS (
      SELECT hour, kind, from_kind, to_kind, amount_minor FROM book_sum WHERE hour < ${timestampOf(beforeMicros)}
      UNION ALL
      SELECT transfer.created_at, transfer.kind, source.kind, target.kind, amount_minor FROM ledger_transfer AS transfer
      JOIN ledger_account AS source ON source.id = from_ledger_account_id
      JOIN ledger_account AS target ON target.id = to_ledger_account_id
      WHERE transfer.id > (SELECT transfer_id FROM sum_position) AND transfer.created_at < ${timestampOf(beforeMicros)}
    )
    SELECT CASE WHEN hour >= ${timestampOf(fromMicros)}
        THEN ${microsOf(`date_bin(interval '1 day', hour, timestamptz '2000-01-01 00:00:00+00')`)}
        END AS "dayMicros",
      ${sumOf(`kind = 'deposit'`)}::text AS deposits, ${sumOf(`kind = 'charge'`)}::text AS charges,
      ${sumOf(`kind = 'charge' AND from_kind = 'gateway'`)}::text AS "gatewayCharges",
      ${sumOf(`kind = 'refund'`)}::text AS refunds,
      ${sumOf(`kind = 'refund' AND to_kind = 'gateway'`)}::text AS "gatewayRefunds",
      (${sumOf(`kind = 'adjustment' AND to_kind = 'prepaid'`)}
        - ${sumOf(`kind = 'adjustment' AND from_kind = 'prepaid'`)})::text AS adjustments,
      ${sumOf(`kind = 'payout'`)}::text AS payouts,
      (${sumOf(`to_kind = 'prepaid'`)} - ${sumOf(`from_kind = 'prepaid'`)})::text AS "prepaidChange"
    FROM booked GROUP BY 1 ORDER BY 1 NULLS FIRST`;
}

export type SellerRow = {
  readonly sellerId: string;
  readonly sellerName: string;
  readonly orders: number;
  readonly chargedMinor: string;
  readonly refundedMinor: string;
};

/** EUR cents as digits. Indexes: seller_sum_pk, ledger_transfer_pkey. */
export function loadSellerSales(tx: Tx, { fromMicros, beforeMicros }: Days): Promise<SellerRow[]> {
  const [from, before] = [timestampOf(fromMicros), timestampOf(beforeMicros)];
  return allRows<SellerRow>(tx)`
    SELECT seller.id AS "sellerId", seller.name AS "sellerName", sum(charges)::bigint AS orders,
      sum(charged_minor)::text AS "chargedMinor", sum(refunded_minor)::text AS "refundedMinor"
    FROM (
      SELECT seller_id, charges, charged_minor, refunded_minor FROM seller_sum
      WHERE day >= (${from} AT TIME ZONE 'UTC')::date AND day < (${before} AT TIME ZONE 'UTC')::date
      UNION ALL
      SELECT seller_id, (kind = 'charge')::integer, CASE kind WHEN 'charge' THEN amount_minor ELSE 0 END,
        CASE kind WHEN 'refund' THEN amount_minor ELSE 0 END
      FROM ledger_transfer AS transfer JOIN "order" ON "order".id = transfer.order_id JOIN offer ON offer.id = offer_id
      WHERE transfer.id > (SELECT transfer_id FROM sum_position) AND kind IN ('charge', 'refund')
        AND transfer.created_at >= ${from} AND transfer.created_at < ${before}
    ) AS part JOIN seller ON seller.id = seller_id
    GROUP BY seller.id ORDER BY sum(charged_minor) - sum(refunded_minor) DESC, seller.id`;
}

type LedgerAccountRecord = {
  readonly kind: LedgerAccountKind;
  /** Null unless prepaid. */
  readonly accountId: string | null;
  readonly accountName: string | null;
  /** EUR cents that left and entered the account, as digits. */
  readonly debits: string;
  readonly credits: string;
};

/** Lists house accounts first, then the oldest. Takes seconds on a large database. */
export function listLedgerAccounts(db: Tx, atMicros: number): Promise<LedgerAccountRecord[]> {
  return allRows<LedgerAccountRecord>(db)`
    WITH booked AS (
      SELECT from_ledger_account_id, to_ledger_account_id, amount_minor
      FROM ledger_transfer WHERE created_at <= ${timestampOf(atMicros)}
    ), side AS (
      SELECT from_ledger_account_id AS id, sum(amount_minor) AS debits, 0 AS credits FROM booked GROUP BY 1
      UNION ALL
      SELECT to_ledger_account_id, 0, sum(amount_minor) FROM booked GROUP BY 1
    )
    SELECT ledger_account.kind, account.id AS "accountId", account.name AS "accountName",
      coalesce(sum(side.debits), 0)::text AS debits, coalesce(sum(side.credits), 0)::text AS credits
    FROM ledger_account
    LEFT JOIN account ON account.id = ledger_account.account_id
    LEFT JOIN side ON side.id = ledger_account.id
    GROUP BY ledger_account.id, account.id, account.name, account.position
    ORDER BY account.position NULLS FIRST, ledger_account.id`;
}
