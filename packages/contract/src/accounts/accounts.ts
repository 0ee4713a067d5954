import { type Static, Type } from 'typebox';
import { PAGE_OR_CURSOR_QUERY } from '../envelope.ts';
import {
  AmountInput,
  CalendarDate,
  CURRENCY,
  DateTime,
  Name,
  PercentInput,
  Price,
  Uuid,
  UuidInput,
} from '../formats.ts';
import { search, sortBy } from '../lists.ts';
import {
  changeBody,
  count,
  namedObject,
  nullable,
  oneOf,
  strictObject,
  toQuery,
  wholeNumber,
} from '../schema.ts';

export const ACCOUNT_STATUSES = ['active', 'suspended', 'closed'] as const;
const PAYMENT_METHODS = ['balance', 'gateway'] as const;
const RETURN_WINDOW_HOURS_MAX = 720;
const CLAIM_WINDOW_HOURS_MAX = 87_600;

export const LimitsInput = strictObject({
  orderValueMax: Type.Optional(nullable(AmountInput)),
  dailySpendMax: Type.Optional(nullable(AmountInput)),
  dailyUnitsMax: Type.Optional(nullable(wholeNumber(0, 1_000_000_000))),
  reservedUnitsMax: Type.Optional(
    wholeNumber(
      0,
      1_000_000_000,
      'The most units that the account can have reserved at any time. Default: 50; 0: none.',
    ),
  ),
});

const WINDOWS = {
  returnWindowHours: wholeNumber(
    0,
    RETURN_WINDOW_HOURS_MAX,
    'How long unread keys can be returned after completion, in hours; 0 (default): never.',
  ),
  claimWindowHours: wholeNumber(
    0,
    CLAIM_WINDOW_HOURS_MAX,
    'How long faulty keys can be claimed after completion, in hours. Default: 720.',
  ),
};

const ACCOUNT_INPUT = {
  paymentMethod: nullable(oneOf(PAYMENT_METHODS, 'How orders are paid; null: not set up.'), {
    'x-rule': 'must be "balance", "gateway" or null',
  }),
  gatewayCustomer: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200 }))),
  discountPercent: Type.Optional(PercentInput),
  holdOrders: Type.Optional(
    Type.Boolean({
      description: 'true: the account is under review, and its orders are held after payment.',
    }),
  ),
  sellerId: Type.Optional(nullable(UuidInput)),
  limits: Type.Optional(LimitsInput),
  balanceLowThreshold: Type.Optional(
    nullable(AmountInput, {
      description: '`account.balance_low` is sent when the balance falls below this; null: never.',
    }),
  ),
  returnWindowHours: Type.Optional(WINDOWS.returnWindowHours),
  claimWindowHours: Type.Optional(WINDOWS.claimWindowHours),
};

export const AccountCreateBody = strictObject({ name: Name, ...ACCOUNT_INPUT });
export type AccountCreateBody = Static<typeof AccountCreateBody>;

export const AccountPatchBody = changeBody({
  name: Name,
  ...ACCOUNT_INPUT,
  status: oneOf(ACCOUNT_STATUSES, 'suspended: only reads are allowed; closed: every request is rejected.'),
});
export type AccountPatchBody = Static<typeof AccountPatchBody>;

const UsedToday = strictObject(
  { spend: Price, units: count('Units ordered.') },
  { description: 'Usage on this UTC day that counts towards the daily limits.' },
);

export const Account = namedObject('OperatorAccount', {
  id: Uuid,
  name: Type.String(),
  status: oneOf(ACCOUNT_STATUSES, 'Account status.'),
  paymentMethod: nullable(oneOf(PAYMENT_METHODS, 'How orders are paid.')),
  gatewayCustomer: nullable(Type.String()),
  balance: Price,
  discountPercent: Type.String(),
  holdOrders: Type.Boolean(),
  sellerId: nullable(Uuid),
  limits: strictObject({
    orderValueMax: nullable(Price),
    dailySpendMax: nullable(Price),
    dailyUnitsMax: nullable(Type.Integer()),
    reservedUnitsMax: Type.Integer(),
  }),
  usedToday: UsedToday,
  balanceLowThreshold: nullable(Price),
  ...WINDOWS,
  createdAt: DateTime,
});
export type Account = Static<typeof Account>;

export const AccountsQuery = toQuery({
  query: search('Words from the name or the gateway customer, or an id.'),
  status: oneOf(ACCOUNT_STATUSES, 'Only accounts with this status.'),
  sort: sortBy(['createdAt', '-createdAt', 'name', '-name']),
  ...PAGE_OR_CURSOR_QUERY,
});

/** `x-sandbox`: left out of the live mode's document. */
const ownRate = (requests: string) =>
  nullable(Type.Integer(), {
    description: `Sandbox only: how many ${requests} each of your clients can send per second; null: the installation's limit.`,
    'x-sandbox': true,
  });

const AccountLimits = strictObject({
  orderValueMax: Type.Optional(nullable(Price)),
  dailySpendMax: Type.Optional(nullable(Price)),
  dailyUnitsMax: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
  reservedUnitsMax: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The most units that can be reserved at any time; 0: none.' }),
  ),
  readsPerSecondMax: Type.Optional(ownRate('reads')),
  ordersPerSecondMax: Type.Optional(ownRate('orders')),
});

export const OwnAccount = namedObject('Account', {
  id: Uuid,
  name: Type.String(),
  status: oneOf(ACCOUNT_STATUSES, 'Account status; a suspended account reads, but does not order.'),
  currency: Type.Literal(CURRENCY),
  balance: Price,
  paymentMethod: nullable(oneOf(PAYMENT_METHODS, 'How orders are paid.')),
  discountPercent: Type.String({ description: 'Percentage taken off every order.', examples: ['2.50'] }),
  limits: AccountLimits,
  usedToday: UsedToday,
  balanceLowThreshold: nullable(Price, {
    description: 'The event `account.balance_low` is sent when the balance falls below this; null: never.',
  }),
  returnWindowHours: count('How long unread keys can be returned after completion, in hours; 0: never.'),
  claimWindowHours: count('How long faulty keys can be claimed after completion, in hours.'),
});

export const DayOfSpend = namedObject('DayOfSpend', {
  date: { ...CalendarDate, description: 'UTC day of the payments and refunds.' },
  orders: count('Paid orders.'),
  units: count('Units of the paid orders.'),
  charged: Price,
  refunded: Price,
});
export type DayOfSpend = Static<typeof DayOfSpend>;
