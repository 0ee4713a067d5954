import { LEDGER_ACCOUNT_KINDS, TRANSFER_KINDS } from '@keyport/core/ledger';
import { type Static, Type } from 'typebox';
import { DateTime, OfferPrice, OrderId, Price, SignedAmount, Uuid } from '../formats.ts';
import { Order } from '../orders/orders.ts';
import { count, namedObject, nullable, oneOf, openEnum, strictObject } from '../schema.ts';

export const DRY_RUN = {
  dryRun: Type.Optional(
    Type.Boolean({ description: 'true: nothing is written; the response is a preview.' }),
  ),
};

/** Completes a sentence about the header. */
export const IF_MATCH_RULE = 'must be the ETag of a preview, in double quotes, or *';

export const IfMatch = Type.String({
  maxLength: 1000,
  description:
    'The ETag of a preview: the write happens only if nothing that the preview depends on has changed; otherwise 412 `state-changed` with the current preview.',
  'x-rule': IF_MATCH_RULE,
});

const KEPT_REASONS = ['unknown', 'other-offer', 'reserved', 'sold', 'withdrawn'] as const;

export const NotWithdrawn = Type.Array(
  strictObject({
    index: count('Position in codes, from 0.'),
    reason: oneOf(KEPT_REASONS, 'Why the key was not withdrawn.'),
    orderId: Type.Optional(OrderId),
  }),
  { description: 'Keys that were not withdrawn, each with the order that has the key, if any.' },
);

const OfferTerms = strictObject({ price: OfferPrice, status: Type.String() });

export const APPROVABLE_OPERATIONS = [
  'refundOrder',
  'decideClaim',
  'createDeposit',
  'createAdjustment',
  'createPayout',
] as const;

export type ApprovableOperation = (typeof APPROVABLE_OPERATIONS)[number];
export const APPROVAL_ID = { pattern: '^[1-9][0-9]{0,14}$', examples: ['17'] };

export const OpenApproval = strictObject({
  id: Type.String(APPROVAL_ID),
  operation: openEnum(APPROVABLE_OPERATIONS, 'The requested write.'),
  amount: { ...Price, description: 'The amount that the request would have moved when it was sent, in EUR.' },
  requestedBy: Type.String({ description: 'The id of the person or client that requested it.' }),
  requestedAt: DateTime,
});
export type OpenApproval = Static<typeof OpenApproval>;

export const WritePreview = namedObject('WritePreview', {
  dryRun: Type.Literal(true),
  amount: {
    ...SignedAmount,
    description: "The amount added to the reseller's balance or card, in EUR; below 0: it is deducted.",
  },
  bookings: Type.Array(
    strictObject({
      kind: oneOf(TRANSFER_KINDS, 'The kind of booking.'),
      from: oneOf(LEDGER_ACCOUNT_KINDS, 'The ledger account that the amount leaves.'),
      to: oneOf(LEDGER_ACCOUNT_KINDS, 'The ledger account that receives the amount.'),
      amount: Price,
    }),
  ),
  balance: nullable(strictObject({ before: Price, after: Price }), {
    description: 'The balance of the account; null: unchanged.',
  }),
  order: nullable(strictObject({ before: Order, after: Order })),
  units: strictObject({
    returned: count('Units that go back on sale.'),
    withdrawn: count('Units whose keys are never sold again.'),
    kept: count(
      'Refunded units that stay with the order: their keys can still be read while it is complete.',
    ),
    delivered: count('Units whose keys the order gets.'),
    added: count('New units that go on sale.'),
  }),
  keyIds: Type.Optional(
    Type.Array(Type.String(), { description: 'For a refund: ids of the refunded keys of the order.' }),
  ),
  stock: Type.Array(
    strictObject({
      offerId: Uuid,
      before: count('Units on sale before.'),
      after: count('Units on sale afterwards.'),
    }),
    { description: 'Offers whose number of units on sale changes.' },
  ),
  offers: Type.Optional(
    Type.Array(strictObject({ offerId: Uuid, before: OfferTerms, after: OfferTerms }), {
      description: 'Offers whose price or status changes.',
    }),
  ),
  notWithdrawn: Type.Optional(NotWithdrawn),
  needsApproval: Type.Boolean({
    description:
      'Whether the write needs approval (202), because its amount is above KEYPORT_APPROVAL_ABOVE.',
  }),
  openApprovals: Type.Optional(
    Type.Array(OpenApproval, {
      description:
        'For a dry run: requests about the same order, or about the account of a booking, that wait for approval, oldest first; left out if there are none. Decide them first: this write may make them impossible.',
    }),
  ),
});
export type WritePreview = Static<typeof WritePreview>;
