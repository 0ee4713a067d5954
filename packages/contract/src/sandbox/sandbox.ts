/** Schemas of the operations that the sandbox alone has. */

import { type Static, Type } from 'typebox';
import { AccountPatchBody, LimitsInput } from '../accounts/accounts.ts';
import { OwnAccount } from '../accounts/own-account.ts';
import { ChangedOffer } from '../catalogue/offer-changes.ts';
import {
  AmountInput,
  count,
  DateTime,
  DateTimeInput,
  namedObject,
  nullable,
  oneOf,
  strictObject,
} from '../formats.ts';
import { OrderReason } from '../orders/operator-orders.ts';

const ADVANCE_HOURS_MAX = 87_600;

const ADDED_KEYS_MAX = 1000;

export const SettleBody = strictObject({
  outcome: Type.Optional(
    oneOf(['paid', 'declined'], 'What the payment provider says; paid unless you say otherwise.'),
  ),
  reason: Type.Optional(OrderReason.properties.reason),
});

export type SettleBody = Static<typeof SettleBody>;

export const AdvanceBody = strictObject({
  hours: Type.Number({
    exclusiveMinimum: 0,
    maximum: ADVANCE_HOURS_MAX,
    description: 'How far the times of the order move into the past; fractions too.',
    examples: [49],
    'x-rule': `must be a number above 0, at most ${ADVANCE_HOURS_MAX}`,
  }),
});

const { paymentMethod, discountPercent, balanceLowThreshold } = AccountPatchBody.properties;

/** A525. */
const RATE_MAX = 1000;

const rateInput = (requests: string) =>
  Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: RATE_MAX,
        'x-rule': `must be a whole number from 1 to ${RATE_MAX}`,
      }),
      {
        description: `The ${requests} that each client of your account can send in a second; null: the installation's limit.`,
      },
    ),
  );

export const SandboxAccountBody = strictObject(
  {
    balance: Type.Optional(
      Type.String({
        pattern: '^(0|[1-9][0-9]{0,10})(\\.[0-9]{1,2})?$',
        maxLength: 14,
        description: 'The new balance in EUR. The difference is booked as an adjustment.',
        examples: ['0.50'],
        'x-rule': 'must be a string such as "0.50": below 100000000000, with at most 2 decimals',
      }),
    ),
    status: Type.Optional(
      oneOf(['active', 'suspended'], 'Orders of a suspended account are rejected; it still reads.'),
    ),
    paymentMethod,
    discountPercent,
    limits: Type.Optional(
      strictObject({
        ...LimitsInput.properties,
        readsPerSecondMax: rateInput('reads'),
        ordersPerSecondMax: rateInput('orders'),
      }),
    ),
    balanceLowThreshold,
  },
  { minProperties: 1, 'x-rule': 'must name at least one field to change' },
);

export type SandboxAccountBody = Static<typeof SandboxAccountBody>;

export const SandboxAccount = namedObject('SandboxAccount', {
  ...OwnAccount.properties,
  status: oneOf(['active', 'suspended', 'closed'], 'Account status.'),
});

export const SandboxOfferBody = strictObject(
  {
    price: Type.Optional(AmountInput),
    status: Type.Optional(oneOf(['active', 'paused'], 'Paused offers are not sold.')),
    addKeys: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ADDED_KEYS_MAX,
        description: 'So many new keys with invented codes.',
        'x-rule': `must be a whole number from 1 to ${ADDED_KEYS_MAX}`,
      }),
    ),
  },
  { minProperties: 1, 'x-rule': 'must name at least one field to change' },
);

export type SandboxOfferBody = Static<typeof SandboxOfferBody>;

const { units: _ofOperators, ...SANDBOX_OFFER } = ChangedOffer.properties;

export const SandboxOffer = namedObject('SandboxOffer', SANDBOX_OFFER);

export const CheckupQuery = Type.Object({
  since: Type.Optional({
    ...DateTimeInput,
    description: 'Only what was seen since then, such as the moment when you changed your program.',
  }),
});

const CHECK_STATUSES = ['passed', 'failed', 'not-seen'] as const;

const Evidence = strictObject({
  at: DateTime,
  request: Type.String({ examples: ['POST /export/v1/orders'] }),
  key: Type.Optional(Type.String({ description: 'Its Idempotency-Key.' })),
  status: Type.Optional(Type.Integer({ description: 'What it was answered; absent: nothing.' })),
  traceId: Type.Optional(Type.String()),
  note: Type.String({ description: 'What is wrong with it.' }),
});

export type Evidence = Static<typeof Evidence>;

export const Check = namedObject('Check', {
  id: Type.String({ examples: ['order-retries'] }),
  title: Type.String(),
  status: oneOf(CHECK_STATUSES, 'not-seen: there was no occasion for it yet.'),
  evidence: Type.Optional(Type.Array(Evidence, { description: 'Of a failed check: the newest cases.' })),
  howTo: Type.String({
    description: 'How to do it right, or how to give the service an occasion to see it.',
  }),
  doc: Type.String({ format: 'uri' }),
});

export type Check = Static<typeof Check>;

export const Checkup = namedObject('Checkup', {
  score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Of the checks that there was an occasion for: how many passed, percent. 0 without any.',
  }),
  seen: count('Checks that there was an occasion for.'),
  since: Type.Optional({ ...DateTime, description: 'When the first of the judged requests came.' }),
  requests: count('Requests that were judged.'),
  checks: Type.Array(Check),
});

export type Checkup = Static<typeof Checkup>;
