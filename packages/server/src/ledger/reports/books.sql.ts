import type { LedgerAccountKind } from '@keyport/core/ledger';
import { allRows } from '../../db/rows.ts';
import type { Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';
import { deriveMicros, toTimestamp } from '../../db/timestamps.ts';
import { currentSums } from '../../sums/sums.sql.ts';

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

/** `transfers`: the kind of the transfer, and those of its two ledger accounts. `%` stands for any. */
const computeSum = (transfers: string) =>
  sql.raw(`coalesce(sum(amount_minor) FILTER (WHERE label LIKE '${transfers}'), 0)`);

/** EUR cents as digits. A88. */
export function loadDailyBooks(tx: Tx, { fromMicros, beforeMicros }: Days): Promise<DayRow[]> {
  return allRows<DayRow>(tx)`
    SELECT CASE WHEN bucket >= ${toTimestamp(fromMicros)} THEN ${deriveMicros(`date_trunc('day', bucket, 'UTC')`)}
        END AS "dayMicros",
      ${computeSum('deposit %')}::text AS deposits, ${computeSum('charge %')}::text AS charges,
      ${computeSum('charge gateway %')}::text AS "gatewayCharges",
      ${computeSum('refund %')}::text AS refunds, ${computeSum('refund % gateway')}::text AS "gatewayRefunds",
      (${computeSum('adjustment % prepaid')} - ${computeSum('adjustment prepaid %')})::text AS adjustments,
      ${computeSum('payout %')}::text AS payouts,
      (${computeSum('% % prepaid')} - ${computeSum('% prepaid %')})::text AS "prepaidChange"
    FROM (${currentSums('transfer', { beforeMicros })}) AS booked GROUP BY 1 ORDER BY 1 NULLS FIRST`;
}

export type SellerRow = {
  readonly sellerId: string;
  readonly sellerName: string;
  readonly orders: number;
  readonly chargedMinor: string;
  readonly refundedMinor: string;
};

/** EUR cents as digits. */
export function loadSellerSales(tx: Tx, days: Days): Promise<SellerRow[]> {
  return allRows<SellerRow>(tx)`
    SELECT seller.id AS "sellerId", seller.name AS "sellerName", "orders", "chargedMinor"::text, "refundedMinor"::text
    FROM (
      SELECT key, coalesce(sum(count) FILTER (WHERE label = 'charge'), 0)::bigint AS orders,
        coalesce(sum(amount_minor) FILTER (WHERE label = 'charge'), 0) AS "chargedMinor",
        coalesce(sum(amount_minor) FILTER (WHERE label = 'refund'), 0) AS "refundedMinor"
      FROM (${currentSums('seller-sale', days)}) AS part GROUP BY 1
    ) AS sold JOIN seller ON seller.id = key::uuid
    ORDER BY "chargedMinor" - "refundedMinor" DESC, seller.id`;
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
      FROM ledger_transfer WHERE created_at <= ${toTimestamp(atMicros)}
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
