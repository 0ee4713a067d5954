import { type Static, Type } from 'typebox';
import { AccountPatchBody, LimitsInput, OwnAccount } from '../accounts/accounts.ts';
import { ChangedOffer } from '../catalogue/offer-changes.ts';
import { AmountInput, DateTime, DateTimeInput } from '../formats.ts';
import { ClientIdInput } from '../lists.ts';
import { OrderReason } from '../orders/operator-orders.ts';
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

const ADVANCE_HOURS_MAX = 87_600;
const ADDED_KEYS_MAX = 1000;

export const SettleBody = strictObject({
  outcome: Type.Optional(
    oneOf(['paid', 'declined'], 'The response of the payment provider (default: paid).'),
  ),
  reason: Type.Optional(OrderReason.properties.reason),
});
export type SettleBody = Static<typeof SettleBody>;

export const AdvanceBody = strictObject({
  hours: Type.Number({
    exclusiveMinimum: 0,
    maximum: ADVANCE_HOURS_MAX,
    description: 'The number of hours by which the times of the order move into the past; may be a fraction.',
    examples: [49],
    'x-rule': `must be a number above 0, at most ${ADVANCE_HOURS_MAX}`,
  }),
});

const { paymentMethod, discountPercent, balanceLowThreshold, returnWindowHours, claimWindowHours } =
  AccountPatchBody.properties;

const RATE_MAX = 1000;

const rateInput = (requests: string) =>
  Type.Optional(
    nullable(wholeNumber(1, RATE_MAX), {
      description: `The number of ${requests} that each client of your account can send per second; null: the installation's limit.`,
    }),
  );

export const SandboxAccountBody = changeBody({
  balance: Type.String({
    pattern: '^(0|[1-9][0-9]{0,10})(\\.[0-9]{1,2})?$',
    maxLength: 14,
    description: 'The new balance in EUR. The difference is booked as an adjustment.',
    examples: ['0.50'],
    'x-rule': 'must be a string such as "0.50": below 100000000000, with at most 2 decimals',
  }),
  status: oneOf(['active', 'suspended'], 'A suspended account can read, but its orders are rejected.'),
  paymentMethod,
  discountPercent,
  limits: strictObject({
    ...LimitsInput.properties,
    readsPerSecondMax: rateInput('reads'),
    ordersPerSecondMax: rateInput('orders'),
  }),
  balanceLowThreshold,
  returnWindowHours,
  claimWindowHours,
});
export type SandboxAccountBody = Static<typeof SandboxAccountBody>;

export const SandboxAccount = namedObject('SandboxAccount', OwnAccount.properties);

export const SandboxOfferBody = changeBody({
  price: AmountInput,
  status: oneOf(['active', 'paused'], 'Paused offers are not sold.'),
  addKeys: wholeNumber(1, ADDED_KEYS_MAX, 'The number of keys to add, with generated codes.'),
});
export type SandboxOfferBody = Static<typeof SandboxOfferBody>;
const { units: _ofOperators, ...SANDBOX_OFFER } = ChangedOffer.properties;
export const SandboxOffer = namedObject('SandboxOffer', SANDBOX_OFFER);

export const CheckupQuery = toQuery({
  since: {
    ...DateTimeInput,
    description: 'Only requests since this time, such as when you last changed your client.',
  },
});

export const OwnCheckupQuery = toQuery({
  ...CheckupQuery.properties,
  clientId: {
    ...ClientIdInput,
    description: 'The client to assess, of your account; by default, the one that sends the request.',
  },
});

const CHECK_STATUSES = ['passed', 'failed', 'not-seen'] as const;

const Evidence = strictObject({
  at: DateTime,
  request: Type.String({ examples: ['POST /export/v1/orders'] }),
  key: Type.Optional(Type.String({ description: 'The Idempotency-Key of the request.' })),
  status: Type.Optional(Type.Integer({ description: 'The status of the response; absent: there was none.' })),
  traceId: Type.Optional(Type.String()),
  note: Type.String({ description: 'What was wrong.' }),
});
export type Evidence = Static<typeof Evidence>;

export const Check = namedObject('Check', {
  id: Type.String({ examples: ['order-retries'] }),
  title: Type.String(),
  status: oneOf(CHECK_STATUSES, 'not-seen: no request has exercised it yet.'),
  evidence: Type.Optional(Type.Array(Evidence, { description: 'For a failed check: the latest cases.' })),
  howTo: Type.String({ description: 'How to pass the check or, if it was not seen, how to exercise it.' }),
  doc: Type.String({ format: 'uri' }),
});
export type Check = Static<typeof Check>;

export const Checkup = namedObject('Checkup', {
  score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'The percentage of the seen checks that passed; 0 if none was seen.',
  }),
  seen: count('Checks that requests have exercised.'),
  since: Type.Optional({ ...DateTime, description: 'When the first judged request arrived.' }),
  requests: count('Requests that were judged.'),
  checks: Type.Array(Check),
});
export type Checkup = Static<typeof Checkup>;
