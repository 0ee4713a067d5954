/** Line numbers have no gaps. A line has the balance and sums after it. Index: ledger_transfer_line_uq. */
import { TRANSFER_KINDS, type TransferKind } from '@keyport/core/ledger';
import type { TimeRange } from '@keyport/http/validation/query';
import { plainArray } from '../db/engines/prepared.ts';
import { allRows } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { deriveMicros, toTimestamp } from '../db/timestamps.ts';

export type LineRecord = {
  readonly id: number;
  readonly number: number;
  readonly createdAtMicros: number;
  readonly kind: TransferKind;
  readonly amountMinor: number;
  /** The balance after this line. Amounts are EUR cents, negative if they left the account. */
  readonly balanceMinor: number;
  readonly orderId: string | null;
  /** The claim that this line refunds. */
  readonly claimId: string | null;
  /** From the booking, or else from the order. */
  readonly reference: string | null;
  readonly reason: string | null;
};

export const selectLines = sql`
  SELECT transfer.id, transfer.line AS number, transfer.kind, transfer.reason,
    coalesce(transfer.reference, "order".reference) AS reference,
    transfer.order_id::text AS "orderId", claim.id AS "claimId", transfer.prepaid_balance_after_minor AS "balanceMinor",
    CASE target.kind WHEN 'prepaid' THEN transfer.amount_minor ELSE -transfer.amount_minor END AS "amountMinor",
    ${deriveMicros('transfer.created_at')} AS "createdAtMicros"
  FROM ledger_transfer AS transfer
  JOIN ledger_account AS target ON target.id = transfer.to_ledger_account_id
  LEFT JOIN "order" ON "order".id = transfer.order_id
  LEFT JOIN claim ON claim.transfer_id = transfer.id`;

export function listLines(
  db: Db,
  { accountId, first, last }: { accountId: string; first: number; last: number },
): Promise<LineRecord[]> {
  return allRows<LineRecord>(db)`
    ${selectLines}
    WHERE transfer.account_id = ${accountId}::uuid AND transfer.line BETWEEN ${first} AND ${last}
    ORDER BY transfer.line`;
}

/** Sums may exceed a safe integer. */
type Totals = { readonly balanceMinor: number } & { readonly [Kind in TransferKind]: bigint };

export type StatementRange = TimeRange & {
  readonly accountId: string;
  readonly accountName: string;
  readonly position: number;
  readonly first: number;
  readonly last: number;
  readonly opening: Totals;
  readonly closing: Totals;
};

type RangeRow = Pick<StatementRange, 'accountId' | 'accountName' | 'position' | 'last'> & {
  before: number;
  opening: Record<'balance' | TransferKind, string> | null;
  closing: Record<'balance' | TransferKind, string> | null;
};

export async function loadRange(
  db: Db,
  accountId: string,
  bounds: TimeRange,
  /** Ignores later lines. */
  lastLine?: number,
): Promise<StatementRange | undefined> {
  const [range] = await loadRangesOf(db, sql`account.id = ${accountId}::uuid`, bounds, lastLine);
  return range;
}

export function loadRanges(
  db: Db,
  positions: readonly string[],
  bounds: TimeRange,
): Promise<StatementRange[]> {
  return loadRangesOf(db, sql`account.position = ANY (${plainArray(positions)}::bigint[])`, bounds);
}

async function loadRangesOf(
  db: Db,
  condition: Sql,
  bounds: TimeRange,
  lastLine?: number,
): Promise<StatementRange[]> {
  const { fromMicros, toMicros } = bounds;
  const before = fromMicros === undefined ? sql`0::bigint` : linesBefore(fromMicros);
  const last = toMicros === undefined ? sql`newest.line` : linesBefore(toMicros + 1);
  const rows = await allRows<RangeRow>(db)`
    SELECT account.id AS "accountId", account.name AS "accountName", account.position, numbers.before, numbers.last,
      ${computeTotals('opening')} AS opening, ${computeTotals('closing')} AS closing
    FROM account
    CROSS JOIN LATERAL (
      SELECT coalesce(least(max(line), ${lastLine ?? null}::bigint), 0) AS line
      FROM ledger_transfer WHERE account_id = account.id
    ) AS newest
    CROSS JOIN LATERAL (SELECT ${before} AS before, ${last} AS last) AS numbers
    LEFT JOIN ledger_transfer AS opening ON opening.account_id = account.id AND opening.line = numbers.before
    LEFT JOIN ledger_transfer AS closing ON closing.account_id = account.id AND closing.line = numbers.last
    WHERE ${condition}`;
  return rows.map(({ before, opening, closing, ...row }) => ({
    ...row,
    ...bounds,
    first: before + 1,
    opening: viewTotals(opening),
    closing: viewTotals(closing),
  }));
}

/** Returns the number of the account's last line before this time, by binary search. */
function linesBefore(epochMicros: number): Sql {
  const isBefore = sql`middle.created_at < ${toTimestamp(epochMicros)}`;
  return sql`(
    WITH RECURSIVE search (low, high) AS (
      SELECT 0::bigint, newest.line
      UNION ALL
      SELECT CASE WHEN ${isBefore} THEN middle.line ELSE low END, CASE WHEN ${isBefore} THEN high ELSE middle.line - 1 END
      FROM search
      JOIN ledger_transfer AS middle ON middle.account_id = account.id AND middle.line = (low + high + 1) / 2
      WHERE low < high
    )
    SELECT low FROM search WHERE low = high)`;
}

function computeTotals(line: 'opening' | 'closing'): Sql {
  const sums = TRANSFER_KINDS.map(
    (kind) => sql`${sql.constant(kind)}, ${sql.identifier(`${line}.${kind}_sum_minor`)}::text`,
  );
  return sql`CASE WHEN ${sql.identifier(`${line}.line`)} IS NOT NULL THEN json_build_object(
    'balance', ${sql.identifier(`${line}.prepaid_balance_after_minor`)}::text, ${sql.join(sums)}) END`;
}

function viewTotals(row: RangeRow['opening']): Totals {
  return {
    balanceMinor: Number(row?.balance ?? 0),
    deposit: BigInt(row?.deposit ?? 0),
    charge: BigInt(row?.charge ?? 0),
    refund: BigInt(row?.refund ?? 0),
    adjustment: BigInt(row?.adjustment ?? 0),
    payout: BigInt(row?.payout ?? 0),
  };
}
