/** The reseller's own account (R16). */
import { CURRENCY } from '@keyport/contract/formats';
import { formatMinor, formatPercent } from '@keyport/core/money';
import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { formatAmount } from './account-settings.ts';
import { findAccount } from './accounts.sql.ts';

type RateLimits = { readonly readsPerSecondMax: number | null; readonly ordersPerSecondMax: number | null };

export function buildOwnAccountHandlers(deps: {
  readonly database: Database;
  /** Given in the sandbox only (A526). */
  readonly findRateLimits: ((accountId: string) => Promise<RateLimits>) | undefined;
}): Pick<OperationHandlers, 'getOwnAccount'> {
  return {
    getOwnAccount: async ({ principal }) => {
      const account = await findAccount(deps.database.kysely, principal.accountId);
      if (account === undefined) throw new Error(`the account ${principal.accountId} of a token is gone`);
      return {
        status: 200,
        data: {
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
            ...(await deps.findRateLimits?.(account.id)),
          },
          balanceLowThreshold: formatAmount(account.balanceLowThresholdMinor),
        },
      };
    },
  };
}
