/** Texts of the menu of notifications, which the first screen does not need. */
import { isolated, plural } from '../../texts.ts';

export const texts = {
  none: 'No notifications. New items that need attention appear here.',
  unread: 'Unread',
  held: (count: number) => `${plural(count, 'order')} held`,
  latest: (title: string) => `The latest: ${isolated(title)}`,
  soldOut: 'Offer sold out',
  over: {
    'held-order': 'No longer held',
    approval: 'Decided',
    claim: 'No longer open',
    endpoint: 'No longer failing',
    invariant: 'No longer violated',
    'low-stock': 'No longer running low',
  },
  markRead: 'Mark all as read',
  choose: 'Choose notifications',
} as const;
