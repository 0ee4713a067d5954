import type { Breaks } from './break.ts';

const OPEN_CLAIM = `(SELECT min(id) FROM claim WHERE status = 'open')`;

export const CLAIM_BREAKS: Breaks = {
  I120: [
    { statements: () => [`UPDATE claim_key SET is_open = false WHERE claim_id = ${OPEN_CLAIM}`] },
    { statements: () => [`DELETE FROM claim_key WHERE claim_id = ${OPEN_CLAIM}`] },
    { statements: () => [`UPDATE claim_key SET outcome = NULL WHERE outcome = 'rejected'`] },
  ],
  I121: [
    { statements: () => [`UPDATE claim_key SET outcome = 'refunded' WHERE outcome = 'rejected'`] },
    { statements: () => [`UPDATE claim_key SET outcome = 'replaced' WHERE outcome = 'rejected'`] },
    {
      statements: ({ complete }) => [
        `INSERT INTO audit_entry (client_id, action, order_id, data)
          VALUES ('nobody', 'order.return', ${complete}, '{ "amount": "10.00" }')`,
      ],
    },
  ],
};
