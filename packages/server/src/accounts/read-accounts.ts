import type { OwnAccount } from '@keyport/contract/accounts/accounts';
import { must } from '@keyport/core/assert';
import { requireFound } from '@keyport/http/replies/api-error';
import { isByCursor } from '@keyport/http/validation/list-cursor';
import type { Static } from 'typebox';
import type { Database } from '../db/engines/database.ts';
import type { Db } from '../db/schema.ts';
import { listResponse, pageResponse, toOrder } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { formatAccount, formatOwnAccount } from './account-settings.ts';
import * as sql from './accounts.sql.ts';

export function readAccounts(database: Database, { query }: Pick<OperationRequest<'listAccounts'>, 'query'>) {
  if (!isByCursor(query, ['query', 'status', 'sort', 'count'])) {
    return pageResponse(query, {
      load: (paging) => sql.listAccounts(database.db, paging),
      count: () => sql.countAccounts(database.db),
      format: formatAccount,
    });
  }
  return listResponse(database, {
    name: 'accounts',
    query,
    list: sql.accountsList(query, toOrder(query.sort ?? 'createdAt')),
    load: sql.loadAccounts,
    toId: ({ position }: sql.AccountRecord) => position,
    format: formatAccount,
  });
}

/** Throws not-found. */
export async function readAccount(db: Db, accountId: string) {
  return formatAccount(requireFound(await sql.findAccount(db, accountId), 'account'));
}

export async function readOwnAccount(db: Db, accountId: string): Promise<Static<typeof OwnAccount>> {
  const account = must(await sql.findAccount(db, accountId), `the account ${accountId} of a token`);
  return formatOwnAccount(formatAccount(account));
}
