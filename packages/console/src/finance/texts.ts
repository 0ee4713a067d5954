import { plural } from '../texts.ts';

export const texts = {
  sections: 'Finance sections',
  tabs: { books: 'Books', statements: 'Statements' },
  downloadDays: 'Download by day as CSV',
  downloadLines: 'Download all lines as CSV',
  toEnd: 'At the end of this UTC day. If empty: now.',
  search: 'Account name',
  at: 'Books as of',
  addsUp: 'All accounts add up to',
  house: 'House accounts',
  resellers: 'Resellers',
  kinds: {
    prepaid: 'Prepaid',
    cash: 'Cash',
    sales: 'Sales',
    gateway: 'Payment provider',
    adjustments: 'Corrections',
  },
  more: (count: number, shown: number) => `${shown} of ${plural(count, 'account')}. Search for the others.`,
} as const;
