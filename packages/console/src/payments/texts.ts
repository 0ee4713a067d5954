import { plural } from '../texts.ts';

export const texts = {
  kinds: { charge: 'Charge', refund: 'Refund' },
  states: {
    none: 'The provider has not been queried yet.',
    pending: 'The customer has not paid yet.',
    unknown: 'The provider has no record of this payment.',
    'no-answer': 'The provider did not respond.',
  } as Readonly<Record<string, string>>,
  next: (attempts: number) => `${plural(attempts, 'attempt')}, next`,
  empty: 'No open payments. Card payments and refunds that the provider has not settled appear here.',
  retryOf: (orderId: string) => `Retry the payment of ${orderId}`,
  retrySays: (amount: string) =>
    `This queries the provider about this payment of ${amount} now. Nothing is charged or refunded twice.`,
  retried: 'Querying the provider',
} as const;
