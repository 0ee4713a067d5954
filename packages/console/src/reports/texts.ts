import { isolated, plural } from '../texts.ts';

export const texts = {
  by: 'Group by',
  dimensions: { day: 'Day', product: 'Product', seller: 'Seller', account: 'Account', region: 'Region' },
  noRegion: 'No region',
  refunded: 'Refunded',
  refundRate: 'Refund rate',
  net: 'Net',
  chart: (figure: string) => `${figure} over time; the table has the numbers`,
  figure: 'Figure',
  step: 'Bars',
  steps: { day: 'Days', week: 'Weeks', month: 'Months' },
  compared: (first: string, last: string) => `Compared with ${first} to ${last}.`,
  toOrders: (what: string, figure: string) => `Orders: ${isolated(what)}, ${figure}`,
  omitted: (count: number) => `${plural(count, 'more row')}: download the CSV file to see them.`,
} as const;
