import { parseTime } from '@keyport/http/validation/query';
import type { Database } from '../../db/engines/database.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import { readTrialBalance } from './read-trial-balance.ts';

export function buildTrialBalanceHandlers({
  database,
}: {
  readonly database: Database;
}): Pick<OperationHandlers, 'getTrialBalance'> {
  return {
    getTrialBalance: async ({ query }) => ({
      status: 200,
      data: await readTrialBalance(database, parseTime('query.at', query.at)),
    }),
  };
}
