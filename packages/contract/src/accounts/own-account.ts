import { Type } from 'typebox';
import { CURRENCY, count, namedObject, nullable, oneOf, Price, strictObject, Uuid } from '../formats.ts';

export const ACCOUNT_STATUSES = ['active', 'suspended', 'closed'] as const;

export const PAYMENT_METHODS = ['balance', 'gateway'] as const;

/** `x-sandbox`: not in the document of live mode. */
const ownRate = (requests: string) =>
  nullable(Type.Integer(), {
    description: `Sandbox only: the ${requests} that each of your clients can send per second; null: the installation's limit.`,
    'x-sandbox': true,
  });

const AccountLimits = strictObject({
  orderValueMax: Type.Optional(nullable(Price)),
  dailySpendMax: Type.Optional(nullable(Price)),
  dailyUnitsMax: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  reservedUnitsMax: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Units that can be reserved at once; 0: none.' }),
  ),
  readsPerSecondMax: Type.Optional(ownRate('reads')),
  ordersPerSecondMax: Type.Optional(ownRate('orders')),
});

export const OwnAccount = namedObject('Account', {
  id: Uuid,
  name: Type.String(),
  currency: Type.Literal(CURRENCY),
  balance: Price,
  paymentMethod: nullable(oneOf(PAYMENT_METHODS, 'Where orders are paid from.')),
  discountPercent: Type.String({ description: 'Percentage taken off every order.', examples: ['2.50'] }),
  limits: AccountLimits,
  balanceLowThreshold: nullable(Price, {
    description: 'The event `account.balance_low` is sent when the balance falls below this; null: never.',
  }),
  returnWindowHours: count('How long after completion unread keys can be returned, in hours; 0: not at all.'),
  claimWindowHours: count('How long after completion faulty keys can be claimed, in hours.'),
});
