import { ORDER_STATUSES } from '@keyport/core/orders/order-status';
import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import {
  Currency,
  count,
  DateTime,
  namedObject,
  nullable,
  OrderId,
  oneOf,
  Price,
  Uuid,
  UuidInput,
} from '../formats.ts';
import { BY_CREATION, search, sortBy } from '../lists.ts';

const PAYMENT_KINDS = ['charge', 'refund'] as const;

export const PaymentsQuery = Type.Object({
  query: search(
    'An id of a payment, an order or an account, the reference of the provider, or words of the name of the account.',
  ),
  kind: Type.Optional(oneOf(PAYMENT_KINDS, 'Only charges, or only refunds.')),
  accountId: Type.Optional(UuidInput),
  sort: sortBy(BY_CREATION),
  ...CURSOR_QUERY,
});

export const PaymentId = Type.String({
  pattern: '^(charge|refund)-[0-9]{1,16}$',
  description: 'Id of the payment.',
  examples: ['charge-2174556001234567'],
  'x-rule': 'must be the id of a payment, such as charge-2174556001234567',
});

export const Payment = namedObject('OperatorPayment', {
  id: Type.String({ examples: ['charge-2174556001234567'] }),
  kind: oneOf(PAYMENT_KINDS, 'The request to the payment provider.'),
  orderId: OrderId,
  orderStatus: oneOf(ORDER_STATUSES, 'Status of the order.'),
  accountId: Uuid,
  accountName: Type.String(),
  amount: Price,
  currency: Currency,
  createdAt: DateTime,
  expiresAt: nullable(DateTime, { description: 'For a charge: until when its order waits.' }),
  attempts: count('How often the worker queried the provider.'),
  nextAttemptAt: DateTime,
  providerState: nullable(Type.String(), {
    description: "The provider's last response: `pending`, `unknown` or `no-answer`; null: none yet.",
  }),
  lastError: nullable(Type.String(), { description: 'Why the last attempt failed; null: it did not.' }),
  reference: nullable(Type.String(), { description: "The provider's id of the payment, if known." }),
});
export type Payment = Static<typeof Payment>;
