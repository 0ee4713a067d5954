import type { Breaks } from './break.ts';

export const WEBHOOK_BREAKS: Breaks = {
  I86: {
    statements: ({ otherAccountId }) => [`UPDATE webhook_endpoint SET account_id = '${otherAccountId}'`],
  },
};
