import type { OwnAccount } from '@keyport/contract/accounts/own-account';
import { CURRENCY } from '@keyport/contract/formats';
import { formatMinor, formatPercent } from '@keyport/core/money';
import { requireFound } from '@keyport/http/replies/api-error';
import { isByCursor } from '@keyport/http/validation/list-cursor';
import type { Static } from 'typebox';
import type { Database } from '../db/engines/database.ts';
import type { Db } from '../db/schema.ts';
import { listResponse, orderOf, pageResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { formatAccount, formatAmount } from './account-settings.ts';
import {
  type AccountRecord,
  accountsList,
  countAccounts,
  findAccount,
  listAccounts,
  loadAccounts,
} from './accounts.sql.ts';

export function readAccounts(database: Database, { query }: Pick<OperationRequest<'listAccounts'>, 'query'>) {
  if (!isByCursor(query, ['query', 'status', 'sort'])) {
    return pageResponse(query, {
      load: (paging) => listAccounts(database.kysely, paging),
      count: () => countAccounts(database.kysely),
      format: formatAccount,
    });
  }
  return listResponse(database, {
    name: 'accounts',
    query,
    list: accountsList(query, orderOf(query.sort ?? 'createdAt')),
    load: loadAccounts,
    idOf: ({ position }: AccountRecord) => position,
    format: formatAccount,
  });
}

/** Throws not-found. */
export async function readAccount(db: Db, accountId: string) {
  return formatAccount(requireFound(await findAccount(db, accountId), 'account'));
}

export async function readOwnAccount(db: Db, accountId: string): Promise<Static<typeof OwnAccount>> {
  const account = await findAccount(db, accountId);
  if (account === undefined) throw new Error(`the account ${accountId} of a token is gone`);
  return {
    id: account.id,
    name: account.name,
    currency: CURRENCY,
    balance: formatMinor(account.balanceMinor),
    paymentMethod: account.paymentMethod,
    discountPercent: formatPercent(account.discountBasisPoints),
    limits: {
      orderValueMax: formatAmount(account.orderValueMaxMinor),
      dailySpendMax: formatAmount(account.dailySpendMaxMinor),
      dailyUnitsMax: account.dailyUnitsMax,
      reservedUnitsMax: account.reservedUnitsMax,
    },
    balanceLowThreshold: formatAmount(account.balanceLowThresholdMinor),
    returnWindowHours: account.returnWindowHours,
    claimWindowHours: account.claimWindowHours,
  };
}
