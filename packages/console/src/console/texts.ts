/** Texts of the console's frame. The portal has none of these parts. */
import { formatCount } from '../texts.ts';

export const texts = {
  keys: [
    ['Ctrl K', 'Search or jump to'],
    ['p', 'Peek'],
    ['x', 'Select'],
    ['[ ]', 'Previous and next'],
    ['h r f', 'Hold, release, refund'],
    ['c', 'Change the selected offers'],
  ],
  search: 'Search or jump to',
  searchKeys: 'Ctrl K',
  notifications: {
    bell: (unread: number) =>
      unread === 0 ? 'Notifications' : `Notifications, ${formatCount(unread)} unread`,
  },
} as const;
