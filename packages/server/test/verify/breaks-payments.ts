/** Cases that break the invariants of `src/verify/invariants/payments.sql.ts`. */
import type { Breaks } from './break.ts';

export const PAYMENT_BREAKS: Breaks = {
  I50: {
    statements: ({ gatewayPaid }) => [
      `UPDATE gateway_payment SET state = 'declined' WHERE order_id = ${gatewayPaid}`,
    ],
  },
  I51: {
    statements: ({ gatewayRefunded }) => [
      `UPDATE gateway_refund SET amount_minor = amount_minor + 1 WHERE order_id = ${gatewayRefunded}`,
    ],
  },
};
