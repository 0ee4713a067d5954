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
} as const;
