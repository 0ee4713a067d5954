import type { Breaks } from './break.ts';

export const SUM_BREAKS: Breaks = {
  I95: [
    {
      statements: () => [
        `UPDATE bucket_sum SET label = 'elsewhere' WHERE kind = 'order' AND label = 'complete'`,
      ],
    },
    { statements: () => [`UPDATE bucket_sum SET count = count - 1 WHERE kind = 'account-order'`] },
    { statements: () => [`UPDATE bucket_sum SET amount_minor = amount_minor - 1 WHERE kind = 'transfer'`] },
    {
      statements: () => [`UPDATE bucket_sum SET amount_minor = amount_minor + 1 WHERE kind = 'region-sale'`],
    },
    { statements: () => [`DELETE FROM bucket_sum WHERE kind = 'account-sale'`] },
    { statements: () => [`UPDATE bucket_sum SET units = units + 1 WHERE kind = 'paid-unit'`] },
    { statements: () => [`UPDATE stream_position SET position = 0 WHERE stream = 'status'`] },
    { statements: () => [`UPDATE stream_position SET position = 0 WHERE stream = 'transfer'`] },
  ],
  I97: { statements: () => [`UPDATE bucket_sum SET count = count - 1 WHERE kind = 'rejection'`] },
};
