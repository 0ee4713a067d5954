import { isolated, plural } from '../texts.ts';

export const texts = {
  by: 'Group by',
  dimensions: { day: 'Day', product: 'Product', seller: 'Seller', account: 'Account', region: 'Region' },
  noRegion: 'No region',
  refunded: 'Refunded',
  refundRate: 'Refund rate',
  net: 'Net',
  chart: 'Turnover by UTC day',
  legend: 'Turnover by UTC day; dashed: the previous period. Select a bar to see its orders.',
  compared: (first: string, last: string) => `Compared with ${first} to ${last}.`,
  toOrders: (what: string, figure: string) => `Orders: ${isolated(what)}, ${figure}`,
  omitted: (count: number) => `${plural(count, 'more row')}: download the CSV file to see them.`,
} as const;
