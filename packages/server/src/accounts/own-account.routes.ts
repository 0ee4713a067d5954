/** The reseller's own account (R16). */
import { CURRENCY } from '@keyport/contract/formats';
import { formatMinor, formatPercent } from '@keyport/core/money';
import type { Database } from '../db/database.ts';
import type { OperationHandlers } from '../http/operation.ts';
import { loadOwnAccount } from './own-account.sql.ts';

export function buildOwnAccountHandlers(deps: {
  readonly database: Database;
}): Pick<OperationHandlers, 'getOwnAccount'> {
  return {
    getOwnAccount: async ({ principal }) => {
      const row = await loadOwnAccount(deps.database.kysely, principal.accountId);
      return {
        status: 200,
        data: {
          id: row.id,
          name: row.name,
          currency: CURRENCY,
          balance: formatMinor(row.balance_minor),
          paymentMethod: row.payment_method,
          discountPercent: formatPercent(row.discount_basis_points),
          limits: {
            orderValueMax: formatNullable(row.order_value_max_minor),
            dailySpendMax: formatNullable(row.daily_spend_max_minor),
            dailyUnitsMax: row.daily_units_max,
          },
        },
      };
    },
  };
}

function formatNullable(amountMinor: number | null): string | null {
  return amountMinor === null ? null : formatMinor(amountMinor);
}
