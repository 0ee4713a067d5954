import type { Breaks } from './break.ts';

export const SUM_BREAKS: Breaks = {
  I95: [
    { statements: () => [`UPDATE order_sum SET status = 'closed' WHERE status = 'complete'`] },
    { statements: () => ['UPDATE order_sum SET total_minor = total_minor + 1'] },
    { statements: () => [`DELETE FROM order_sum WHERE status = 'complete'`] },
    {
      statements: () => [
        `INSERT INTO order_sum_change VALUES ('2026-01-01 00:00:00+00', 'complete', 1, 0, 0, 0)`,
      ],
    },
  ],
  I96: [
    { statements: () => [`UPDATE book_sum SET amount_minor = amount_minor - 1 WHERE kind = 'charge'`] },
    { statements: () => [`DELETE FROM book_sum WHERE kind = 'deposit'`] },
    { statements: () => ['UPDATE seller_sum SET refunded_minor = refunded_minor + 1'] },
    { statements: () => ['UPDATE sum_position SET transfer_id = 0'] },
  ],
  I125: [
    {
      statements: () => [`UPDATE sale_sum SET charged_minor = charged_minor - 1 WHERE dimension = 'region'`],
    },
    { statements: () => [`DELETE FROM sale_sum WHERE dimension = 'account'`] },
    { statements: () => ['UPDATE sale_position SET transfer_id = 0'] },
  ],
  I97: { statements: () => ['UPDATE rejection_sum SET rejections = rejections - 1'] },
};
