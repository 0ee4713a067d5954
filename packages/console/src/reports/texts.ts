import { isolated, LOCALE, plural } from '../texts.ts';

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
  compared: (first: string, last: string) =>
    `Compared with ${first} to ${last}. Orders are counted when they are charged; Home counts all that were placed.`,
  points: (points: number) =>
    `${points.toLocaleString(LOCALE, { signDisplay: 'always' })} ${Math.abs(points) === 1 ? 'point' : 'points'}`,
  toOrders: (what: string, figure: string) => `Orders: ${isolated(what)}, ${figure}`,
  omitted: (count: number) => `${plural(count, 'more row')}: download the CSV file to see them.`,
} as const;
