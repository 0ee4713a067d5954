import type { Database } from '../db/engines/database.ts';
import type { HouseAccounts } from '../ledger/house-accounts.sql.ts';
import type { Custody } from '../stock/product-keys.ts';

export type OrderDeps = Pick<Custody, 'openCodes' | 'codeMacs'> & {
  readonly database: Database;
  readonly houseAccounts: HouseAccounts;
  readonly keysWindowHours: number;
  /** Base of doc_url in stored responses. */
  readonly publicUrl: () => string;
  readonly onCatalogueChanged: () => void;
};
