import { requireFound } from '@keyport/http/replies/api-error';
import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { readCounts, readRequests } from './read-requests.ts';

export function buildRequestHandlers({
  database,
  written,
  findAccount,
}: {
  readonly database: Database;
  /** Resolves when the requests of this node are in the log. */
  readonly written: () => Promise<void>;
  readonly findAccount: (accountId: string) => Promise<unknown>;
}): Pick<
  OperationHandlers,
  'listOwnRequests' | 'listOwnRequestCounts' | 'listAccountRequests' | 'listAccountRequestCounts'
> {
  return {
    async listOwnRequests({ principal, query }) {
      await written();
      return readRequests(database, principal.accountId, query);
    },
    async listOwnRequestCounts({ principal, query }) {
      await written();
      return readCounts(database, principal.accountId, query);
    },
    async listAccountRequests({ params, query }) {
      await written();
      requireFound(await findAccount(params.accountId), 'account');
      return readRequests(database, params.accountId, query);
    },
    async listAccountRequestCounts({ params, query }) {
      await written();
      requireFound(await findAccount(params.accountId), 'account');
      return readCounts(database, params.accountId, query);
    },
  };
}
