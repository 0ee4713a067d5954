import { plural } from '../texts.ts';

export const texts = {
  goesOn: 'Ongoing',
  kinds: {
    invariant: 'Invariant violated',
    payment: 'Payment overdue',
    endpoint: 'Webhook endpoint failing',
    import: 'Import stopped',
    node: 'Node lost',
    notification: 'Notification failing',
  },
  empty: 'No incidents. Faults appear here, with their start and end.',
  since: (time: string) => `Since you were last here, ${time}`,
  none: 'No incidents began or ended.',
  all: 'All incidents',
  ordersSince: (orders: number) => `${plural(orders, 'order')} since the start of that hour`,
} as const;
