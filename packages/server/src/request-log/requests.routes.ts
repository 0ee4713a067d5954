import { requireFound } from '@keyport/http/replies/api-error';
import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { type FindCreatedBodies, readCounts, readRequests } from './read-requests.ts';

export function buildRequestHandlers(
  database: Database,
  findCreatedBodies: FindCreatedBodies,
  written: () => Promise<void>,
  findAccount: (accountId: string) => Promise<unknown>,
) {
  const read = { database, findCreatedBodies };
  return {
    async listOwnRequests({ principal, query }) {
      await written();
      return readRequests(read, principal.accountId, query);
    },
    async listOwnRequestCounts({ principal, query }) {
      await written();
      return readCounts(database, principal.accountId, query);
    },
    async listAccountRequests({ params, query }) {
      await written();
      requireFound(await findAccount(params.accountId), 'account');
      return readRequests(read, params.accountId, query);
    },
    async listAccountRequestCounts({ params, query }) {
      await written();
      requireFound(await findAccount(params.accountId), 'account');
      return readCounts(database, params.accountId, query);
    },
  } satisfies Partial<OperationHandlers>;
}
