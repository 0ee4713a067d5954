import type { Breaks } from './break.ts';

export const HISTORY_BREAKS: Breaks = {
  I60: {
    statements: ({ accountId }) => [
      `UPDATE history_bucket SET complete = complete - 1, closed = closed + 1 WHERE history = '${accountId}'`,
    ],
  },
};
