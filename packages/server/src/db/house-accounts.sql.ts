/** The house's own sides of the books: they exist from the first migration on and never change. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Ids of the house's ledger accounts by kind. */
export type HouseAccounts = Readonly<Record<'cash' | 'sales' | 'gateway', number>>;

export async function loadHouseAccounts(db: Kysely<Schema>): Promise<HouseAccounts> {
  const { rows } = await sql<{ kind: keyof HouseAccounts; id: number }>`
    SELECT kind, id FROM ledger_account WHERE account_id IS NULL AND currency = 'EUR'`.execute(db);
  const idOf = (kind: keyof HouseAccounts) => {
    const row = rows.find((candidate) => candidate.kind === kind);
    if (row === undefined) throw new Error(`the ledger account ${kind} is missing; run \`keyport migrate\``);
    return row.id;
  };
  return { cash: idOf('cash'), sales: idOf('sales'), gateway: idOf('gateway') };
}
