import { plural } from '../texts.ts';

export const texts = {
  kinds: { charge: 'Charge', refund: 'Refund' },
  states: {
    none: 'The provider was not queried yet.',
    pending: 'The customer has not paid yet.',
    unknown: 'The provider does not know this payment.',
    'no-answer': 'The provider did not respond.',
  } as Readonly<Record<string, string>>,
  next: (attempts: number) => `${plural(attempts, 'attempt')}, next`,
  orderStatus: 'Order status',
  empty: 'No open payments. Card payments and refunds that the provider has not settled appear here.',
  retryOf: (orderId: string) => `Retry the payment of ${orderId}`,
  retrySays: (amount: string) =>
    `This queries the provider about ${amount} now. Nothing is charged or refunded twice.`,
  retried: 'Querying the provider',
} as const;
