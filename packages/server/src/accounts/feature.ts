import type { Access } from '../access/feature.ts';
import { buildBookingHandlers } from '../ledger/bookings.routes.ts';
import { buildStatementHandlers } from '../ledger/statement.routes.ts';
import type { Platform } from '../platform.ts';
import { buildAccountHandlers } from './accounts.routes.ts';
import { accountsList } from './accounts.sql.ts';
import { buildClientHandlers } from './clients.routes.ts';

export function openAccounts({ database }: Platform, { clients, onAccountChanged, onClientChanged }: Access) {
  return {
    handlers: {
      ...buildAccountHandlers(database, onAccountChanged),
      ...buildClientHandlers(database, clients, onClientChanged),
      ...buildBookingHandlers({ onAccountChanged }),
      ...buildStatementHandlers({ database, accountsList }),
    },
  };
}
