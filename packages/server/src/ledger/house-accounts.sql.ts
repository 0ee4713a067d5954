import type { HouseAccountKind } from '@keyport/core/ledger';
import { allRows } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';

export type HouseAccounts = Readonly<Record<HouseAccountKind, number>>;

export async function loadHouseAccounts(db: Db): Promise<HouseAccounts> {
  const rows = await allRows<{ kind: HouseAccountKind; id: number }>(db)`
    SELECT kind, id FROM ledger_account WHERE account_id IS NULL AND currency = 'EUR'`;
  const toId = (kind: HouseAccountKind) => {
    const row = rows.find((candidate) => candidate.kind === kind);
    if (row === undefined) throw new Error(`the ledger account ${kind} is missing; run \`keyport migrate\``);
    return row.id;
  };
  return {
    cash: toId('cash'),
    sales: toId('sales'),
    gateway: toId('gateway'),
    adjustments: toId('adjustments'),
  };
}
