/** Reads a reseller's own account. */
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';

export type OwnAccountRow = {
  readonly id: string;
  readonly name: string;
  readonly payment_method: 'balance' | 'gateway' | null;
  readonly balance_minor: number;
  readonly discount_basis_points: number;
  readonly order_value_max_minor: number | null;
  readonly daily_spend_max_minor: number | null;
  readonly daily_units_max: number | null;
};

export async function loadOwnAccount(db: Db, accountId: string): Promise<OwnAccountRow> {
  const { rows } = await sql<OwnAccountRow>`
    SELECT id, name, payment_method, balance_minor, discount_basis_points, order_value_max_minor,
      daily_spend_max_minor, daily_units_max
    FROM account WHERE id = ${accountId}::uuid`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`the account ${accountId} of a token is gone`);
  return row;
}
