import { plural } from '../texts.ts';

export const texts = {
  title: 'Held orders',
  empty: 'No held orders. New ones appear here.',
  since: 'placed',
  place: (index: number, count: number, hasMore: boolean) =>
    `${index} of ${count}${hasMore ? '+' : ''}, oldest first`,
  history: (days: number, orders: number, refunded: number) =>
    `${plural(days, 'day')} old, ${plural(orders, 'order')}, ${refunded} refunded`,
} as const;
