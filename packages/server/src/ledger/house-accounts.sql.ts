import type { HouseAccountKind } from '@keyport/core/ledger';
import { allRows } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';

export type HouseAccounts = Readonly<Record<HouseAccountKind, number>>;

export async function loadHouseAccounts(db: Db): Promise<HouseAccounts> {
  const rows = await allRows<{ kind: HouseAccountKind; id: number }>(db)`
    SELECT kind, id FROM ledger_account WHERE account_id IS NULL AND currency = 'EUR'`;
  const idOf = (kind: HouseAccountKind) => {
    const row = rows.find((candidate) => candidate.kind === kind);
    if (row === undefined) throw new Error(`the ledger account ${kind} is missing; run \`keyport migrate\``);
    return row.id;
  };
  return {
    cash: idOf('cash'),
    sales: idOf('sales'),
    gateway: idOf('gateway'),
    adjustments: idOf('adjustments'),
  };
}
