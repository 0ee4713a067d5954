/**
 * Accounts as an operator sees them. The balance is only read here: books.sql.ts moves it. Lock order: the account is
 * the first thing that a transaction locks.
 */
import type { AccountPatchBody } from '@keyport/contract/admin';
import type { PaymentMethod } from '@keyport/core/ledger';
import { type Kysely, sql, type Transaction } from 'kysely';
import { offsetOf, type Paging } from '../audit/action.ts';
import type { Schema } from '../db/schema.ts';

/** What an operator decides about an account. Amounts are EUR cents; null: no limit, no method, no seller. */
export type AccountSettings = {
  name: string;
  status: NonNullable<AccountPatchBody['status']>;
  paymentMethod: PaymentMethod | null;
  gatewayCustomer: string | null;
  /** 0 to 10000. */
  discountBasisPoints: number;
  holdOrders: boolean;
  /** The seller that the account is itself; it does not buy its own offers (A33). */
  sellerId: string | null;
  orderValueMaxMinor: number | null;
  dailySpendMaxMinor: number | null;
  dailyUnitsMax: number | null;
};

export type AccountRecord = AccountSettings & {
  id: string;
  /** EUR cents. */
  balanceMinor: number;
  createdAtMicros: number;
};

const COLUMNS = [
  'id',
  'name',
  'status',
  'payment_method as paymentMethod',
  'gateway_customer as gatewayCustomer',
  'discount_basis_points as discountBasisPoints',
  'hold_orders as holdOrders',
  'seller_id as sellerId',
  'order_value_max_minor as orderValueMaxMinor',
  'daily_spend_max_minor as dailySpendMaxMinor',
  'daily_units_max as dailyUnitsMax',
  'balance_minor as balanceMinor',
] as const;

const createdAtMicros = sql<number>`(extract(epoch FROM created_at) * 1000000)::bigint`.as('createdAtMicros');

/** Creates the account together with the prepaid side of its books, and returns it. */
export async function insertAccount(
  tx: Transaction<Schema>,
  settings: AccountSettings,
): Promise<AccountRecord> {
  const account = await tx
    .insertInto('account')
    .values({ id: sql`gen_random_uuid()`, ...columnsOf(settings) })
    .returning([...COLUMNS, createdAtMicros])
    .executeTakeFirstOrThrow();
  await tx.insertInto('ledger_account').values({ kind: 'prepaid', account_id: account.id }).execute();
  return account;
}

export async function updateAccount(
  tx: Transaction<Schema>,
  accountId: string,
  settings: AccountSettings,
): Promise<void> {
  await tx.updateTable('account').set(columnsOf(settings)).where('id', '=', accountId).execute();
}

/** Locks the account's row until the end of the transaction (as placing an order does). */
export function lockAccount(tx: Transaction<Schema>, accountId: string): Promise<AccountRecord | undefined> {
  // NO KEY: rows that refer to the account (clients, transfers) can still be added.
  return selectAccounts(tx).where('id', '=', accountId).forNoKeyUpdate().executeTakeFirst();
}

export function findAccount(db: Kysely<Schema>, accountId: string): Promise<AccountRecord | undefined> {
  return selectAccounts(db).where('id', '=', accountId).executeTakeFirst();
}

/** One page, oldest account first. */
export function listAccounts(db: Kysely<Schema>, paging: Paging): Promise<AccountRecord[]> {
  return selectAccounts(db).orderBy('position').limit(paging.itemsPerPage).offset(offsetOf(paging)).execute();
}

export async function countAccounts(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom('account')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Whether an order of the account can still move money: one that is neither delivered nor final. */
export async function hasOpenOrder(tx: Transaction<Schema>, accountId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('order')
    .select('status')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['pending', 'pending_payment', 'processing', 'held'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function selectAccounts(db: Kysely<Schema>) {
  return db.selectFrom('account').select([...COLUMNS, createdAtMicros]);
}

function columnsOf(settings: AccountSettings) {
  return {
    name: settings.name,
    status: settings.status,
    payment_method: settings.paymentMethod,
    gateway_customer: settings.gatewayCustomer,
    discount_basis_points: settings.discountBasisPoints,
    hold_orders: settings.holdOrders,
    seller_id: settings.sellerId,
    order_value_max_minor: settings.orderValueMaxMinor,
    daily_spend_max_minor: settings.dailySpendMaxMinor,
    daily_units_max: settings.dailyUnitsMax,
  };
}
