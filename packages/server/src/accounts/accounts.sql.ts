/** A transaction locks the account first. */
import type { AccountPatchBody } from '@keyport/contract/accounts/accounts';
import type { PaymentMethod } from '@keyport/core/ledger';
import { computeOffset, type Paging } from '@keyport/http/validation/paging';
import { plainArray } from '../db/engines/prepared.ts';
import { type List, numberKey, type Search, textKey } from '../db/keyset.sql.ts';
import { allRows, execute, firstRow, hasRows, onlyRow, onlyValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { matchesUuid, searchWords, type WordIndex } from '../db/search.sql.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';

/** Amounts are EUR cents. Null means no limit, payment method or seller. */
export type AccountSettings = {
  name: string;
  status: NonNullable<AccountPatchBody['status']>;
  paymentMethod: PaymentMethod | null;
  gatewayCustomer: string | null;
  /** 0 to 10000. */
  discountBasisPoints: number;
  holdOrders: boolean;
  /** Set if the account also sells. */
  sellerId: string | null;
  orderValueMaxMinor: number | null;
  dailySpendMaxMinor: number | null;
  dailyUnitsMax: number | null;
  reservedUnitsMax: number;
  balanceLowThresholdMinor: number | null;
  /** Counted from completion; 0 means no returns. */
  returnWindowHours: number;
  claimWindowHours: number;
};

export type AccountRecord = AccountSettings & {
  id: string;
  position: number;
  balanceMinor: number;
  /** Counts towards the daily spend limit. */
  todaySpendMinor: string;
  todayUnits: number;
  createdAtMicros: number;
};

/** If this statement began before midnight, the account may already count the next day. */
const isToday = sql`spend_day >= (statement_timestamp() AT TIME ZONE 'UTC')::date`;

const SETTINGS: Readonly<Record<keyof AccountSettings, string>> = {
  name: 'name',
  status: 'status',
  paymentMethod: 'payment_method',
  gatewayCustomer: 'gateway_customer',
  discountBasisPoints: 'discount_basis_points',
  holdOrders: 'hold_orders',
  sellerId: 'seller_id',
  orderValueMaxMinor: 'order_value_max_minor',
  dailySpendMaxMinor: 'daily_spend_max_minor',
  dailyUnitsMax: 'daily_units_max',
  reservedUnitsMax: 'reserved_units_max',
  balanceLowThresholdMinor: 'balance_low_threshold_minor',
  returnWindowHours: 'return_window_hours',
  claimWindowHours: 'claim_window_hours',
};
const SETTING_NAMES = Object.keys(SETTINGS) as (keyof AccountSettings)[];
const SETTING_COLUMNS = sql.join(Object.values(SETTINGS).map((column) => sql.identifier(column)));
const toValues = (settings: AccountSettings) => sql.join(SETTING_NAMES.map((name) => settings[name]));

const COLUMNS = sql`id, position, balance_minor AS "balanceMinor",
  ${sql.join(SETTING_NAMES.map((name) => sql`${sql.identifier(SETTINGS[name])} AS ${sql.identifier(name)}`))},
  CASE WHEN ${isToday} THEN day_spend_minor ELSE 0 END::text AS "todaySpendMinor",
  CASE WHEN ${isToday} THEN day_units ELSE 0 END AS "todayUnits", ${deriveMicros('created_at')} AS "createdAtMicros"`;

/** Also inserts the account's prepaid ledger account. */
export async function insertAccount(tx: Tx, settings: AccountSettings): Promise<AccountRecord> {
  const account = await onlyRow<AccountRecord>(tx)`
    INSERT INTO account (id, ${SETTING_COLUMNS}) VALUES (gen_random_uuid(), ${toValues(settings)})
    RETURNING ${COLUMNS}`;
  await execute(tx)`INSERT INTO ledger_account (kind, account_id) VALUES ('prepaid', ${account.id})`;
  return account;
}

export async function updateAccount(tx: Tx, accountId: string, settings: AccountSettings): Promise<void> {
  await execute(
    tx,
  )`UPDATE account SET (${SETTING_COLUMNS}) = ROW (${toValues(settings)}) WHERE id = ${accountId}`;
}

export function lockAccount(tx: Tx, accountId: string): Promise<AccountRecord | undefined> {
  // FOR NO KEY UPDATE still lets other transactions insert rows that refer to the account.
  return firstRow<AccountRecord>(tx)`
    SELECT ${COLUMNS} FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`;
}

export function findAccount(db: Db, accountId: string): Promise<AccountRecord | undefined> {
  return firstRow<AccountRecord>(db)`SELECT ${COLUMNS} FROM account WHERE id = ${accountId}`;
}

/** Oldest first. */
export function listAccounts(db: Db, paging: Paging): Promise<AccountRecord[]> {
  return allRows<AccountRecord>(db)`
    SELECT ${COLUMNS} FROM account ORDER BY position
    LIMIT ${paging.itemsPerPage} OFFSET ${computeOffset(paging)}`;
}

/** Indexes: account_position_ix, account_name_ix, account_words_ix. */
export function accountsList(
  { query, status }: { readonly query?: string | undefined; readonly status?: string | undefined },
  { by, isDescending }: { readonly by: 'createdAt' | 'name'; readonly isDescending: boolean },
): List {
  const position = numberKey('account.position');
  return {
    from: sql`account`,
    alias: 'account',
    key: by === 'name' ? [textKey(sql`sort_name(account.name) COLLATE "C"`), position] : [position],
    isDescending,
    filters: status === undefined ? [] : [sql`account.status = ${status}`],
    search: query === undefined ? undefined : searchAccounts(query),
  };
}

export const ACCOUNT_WORDS: WordIndex = {
  table: 'account',
  statistics: 'account_words_ix',
  words: sql`search_words(account.name || ' ' || coalesce(account.gateway_customer, ''))`,
};

function searchAccounts(query: string): Search {
  return searchWords(ACCOUNT_WORDS, query, matchesUuid(sql`account.id`, query));
}

export function loadAccounts(db: Db, positions: readonly string[]): Promise<AccountRecord[]> {
  return allRows<AccountRecord>(db)`
    SELECT ${COLUMNS} FROM account WHERE position = ANY (${plainArray(positions)}::bigint[])`;
}

export function countAccounts(db: Db): Promise<number> {
  return onlyValue<{ count: number }>(db)`SELECT count(*) AS count FROM account`;
}

/** Neither delivered nor final. */
export function hasOpenOrder(tx: Tx, accountId: string): Promise<boolean> {
  return hasRows(tx)`
    SELECT FROM "order" WHERE account_id = ${accountId}
      AND status IN ('pending', 'pending_payment', 'processing', 'held') LIMIT 1`;
}
