import type { Database } from '../db/engines/database.ts';
import { type OperationHandlers, replyOk, replyWith } from '../operations/operation.ts';
import { changeAccount, createAccount } from './change-account.ts';
import { readAccount, readAccounts, readOwnAccount } from './read-accounts.ts';

/** `onAccountChanged` is called after the commit. */
export function buildAccountHandlers(database: Database, onAccountChanged: (accountId: string) => void) {
  const { db } = database;
  return {
    createAccount: (request) => replyWith(201, (tx) => createAccount(tx, request)),
    listAccounts: (request) => readAccounts(database, request),
    getAccount: ({ params }) => replyOk(readAccount(db, params.accountId)),
    updateAccount: (request) => async (tx) => {
      const data = await changeAccount(tx, request, request.params.accountId, request.body);
      return { status: 200, data, onCommitted: () => onAccountChanged(data.id) };
    },
  } satisfies Partial<OperationHandlers>;
}

type RateLimits = { readonly readsPerSecondMax: number | null; readonly ordersPerSecondMax: number | null };

export function buildOwnAccountHandlers(
  { db }: Database,
  /** Undefined except in the sandbox. */
  findRateLimits: ((accountId: string) => Promise<RateLimits>) | undefined,
) {
  return {
    async getOwnAccount({ principal: { accountId } }) {
      const account = await readOwnAccount(db, accountId);
      const limits = { ...account.limits, ...(await findRateLimits?.(accountId)) };
      return { status: 200, data: { ...account, limits } };
    },
  } satisfies Partial<OperationHandlers>;
}
