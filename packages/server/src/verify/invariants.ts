import { CLAIM_INVARIANTS } from './invariants/claims.sql.ts';
import { EVENT_INVARIANTS } from './invariants/events.sql.ts';
import { MONEY_INVARIANTS } from './invariants/money.sql.ts';
import { ORDER_INVARIANTS } from './invariants/orders.sql.ts';
import { RECORD_INVARIANTS } from './invariants/records.sql.ts';
import { STOCK_INVARIANTS } from './invariants/stock.sql.ts';
import { SUM_INVARIANTS } from './invariants/sums.sql.ts';
import { WEBHOOK_INVARIANTS } from './invariants/webhooks.sql.ts';

export const INVARIANTS = [
  ...MONEY_INVARIANTS,
  ...ORDER_INVARIANTS,
  ...STOCK_INVARIANTS,
  ...RECORD_INVARIANTS,
  ...EVENT_INVARIANTS,
  ...SUM_INVARIANTS,
  ...WEBHOOK_INVARIANTS,
  ...CLAIM_INVARIANTS,
];
