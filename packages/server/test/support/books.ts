/** Reads everything that an order could have changed, so that a test can assert that nothing was written. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { sql } from '../../src/db/sql.ts';
import type { Harness } from './harness.ts';

export type Scope = { readonly accountId: string; readonly offerId?: string | undefined };

export type Books = {
  readonly orders: number;
  readonly statusChanges: number;
  readonly transfers: number;
  readonly balanceMinor: number;
  readonly daySpendMinor: number;
  readonly dayUnits: number;
  readonly units: Readonly<Record<string, number>>;
};

export async function readBooks(h: Harness, { accountId, offerId }: Scope): Promise<Books> {
  const { rows } = await sql<{
    orders: number;
    status_changes: number;
    transfers: number;
    balance_minor: number;
    day_spend_minor: number;
    day_units: number;
    units: Record<string, number> | null;
  }>`
    SELECT balance_minor, day_spend_minor, day_units,
      (SELECT count(*) FROM "order" WHERE account_id = account.id) AS orders,
      (SELECT count(*) FROM order_status_log WHERE order_id IN
        (SELECT id FROM "order" WHERE account_id = account.id)) AS status_changes,
      (SELECT count(*) FROM ledger_transfer WHERE account_id = account.id) AS transfers,
      (SELECT json_object_agg(state, units) FROM (SELECT state, count(*) AS units FROM unit
        WHERE offer_id = ${offerId ?? null}::uuid GROUP BY state) AS counts) AS units
    FROM account WHERE id = ${accountId}::uuid`.execute(h.database.db);
  const [row] = rows;
  ok(row !== undefined, 'the account exists');
  return {
    orders: row.orders,
    statusChanges: row.status_changes,
    transfers: row.transfers,
    balanceMinor: row.balance_minor,
    daySpendMinor: row.day_spend_minor,
    dayUnits: row.day_units,
    units: row.units ?? {},
  };
}

/** Counts the account's requests whose keys are taken: orders and rejections. */
export async function countRecords(h: Harness, accountId: string): Promise<number> {
  const { rows } = await sql<{ records: number }>`
    SELECT (SELECT count(*) FROM "order" WHERE account_id = ${accountId}::uuid AND idempotency_key IS NOT NULL)
      + (SELECT count(*) FROM rejected_order WHERE account_id = ${accountId}::uuid) AS records`.execute(
    h.database.db,
  );
  return rows[0]?.records ?? 0;
}

/** Asserts that `work` changed no row except adding `records` stored responses (A39). */
export async function assertNothingWritten<Result>(
  h: Harness,
  options: Scope & { readonly records: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const [books, records] = [await readBooks(h, options), await countRecords(h, options.accountId)];
  const result = await work();
  deepEqual(await readBooks(h, options), books, 'orders, books and stock are as they were');
  const added = (await countRecords(h, options.accountId)) - records;
  equal(added, options.records, `${options.records} stored responses were added`);
  return result;
}
