/** Totals of every ledger account at a moment. Reads all transfers up to it: seconds on a big database. */
import type { LedgerAccountKind } from '@keyport/core/ledger';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { timestampOf } from '../../db/timestamps.ts';

export type LedgerAccountRecord = {
  readonly kind: LedgerAccountKind;
  /** For a reseller's prepaid account. */
  readonly accountId: string | null;
  readonly accountName: string | null;
  /** EUR cents that left it and came to it, as digits: sums may exceed what a number holds exactly. */
  readonly debits: string;
  readonly credits: string;
};

/** The house accounts first, then those of the resellers, oldest first. */
export async function listLedgerAccounts(db: Db, atMicros: number): Promise<LedgerAccountRecord[]> {
  const { rows } = await sql<LedgerAccountRecord>`
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
    ORDER BY account.position NULLS FIRST, ledger_account.id`.execute(db);
  return rows;
}
