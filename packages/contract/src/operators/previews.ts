/** Of writes that move money or stock: how a preview is asked for, and what it shows. A440, A441. */

import { LEDGER_ACCOUNT_KINDS, TRANSFER_KINDS } from '@keyport/core/ledger';
import { type Static, Type } from 'typebox';
import {
  count,
  namedObject,
  nullable,
  OfferPrice,
  OrderId,
  oneOf,
  Price,
  SignedAmount,
  strictObject,
  Uuid,
} from '../formats.ts';
import { Order } from '../orders/orders.ts';

/** A member of their bodies. */
export const DRY_RUN = {
  dryRun: Type.Optional(
    Type.Boolean({ description: 'true: nothing is written; the answer is a preview of what would be.' }),
  ),
};

/** Completes a sentence about the header. */
export const IF_MATCH_RULE = 'must be the ETag of a preview, in double quotes, or *';

export const IfMatch = Type.String({
  maxLength: 1000,
  description:
    'The ETag of a preview: the write happens only while what the preview depends on is as it was; otherwise 412 `state-changed`, with the present preview.',
  'x-rule': IF_MATCH_RULE,
});

const KEPT_REASONS = ['unknown', 'other-offer', 'reserved', 'sold', 'withdrawn'] as const;

export const NotWithdrawn = Type.Array(
  strictObject({
    index: count('Place in codes, from 0.'),
    reason: oneOf(KEPT_REASONS, 'What the code is instead of unsold in this offer.'),
    orderId: Type.Optional(OrderId),
  }),
  { description: 'The codes that were left as they are. The order is the one that has the key.' },
);

const OfferTerms = strictObject({ price: OfferPrice, status: Type.String() });

export const WritePreview = namedObject('WritePreview', {
  dryRun: Type.Literal(true),
  amount: {
    ...SignedAmount,
    description:
      'What the balance of the reseller, or the card, gets, in EUR; below 0 it is taken from there.',
  },
  bookings: Type.Array(
    strictObject({
      kind: oneOf(TRANSFER_KINDS, 'What is booked.'),
      from: oneOf(LEDGER_ACCOUNT_KINDS, 'The ledger account that it leaves.'),
      to: oneOf(LEDGER_ACCOUNT_KINDS, 'The ledger account that it comes to.'),
      amount: Price,
    }),
  ),
  balance: nullable(strictObject({ before: Price, after: Price }), {
    description: 'The balance of the account; null when it stays as it is.',
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
    Type.Array(Type.String(), {
      description: 'Of a refund: ids of the keys that it takes, among those of the order.',
    }),
  ),
  stock: Type.Array(
    strictObject({ offerId: Uuid, before: count('Units on sale now.'), after: count('Units on sale then.') }),
    { description: 'Offers with more or fewer units on sale afterwards.' },
  ),
  offers: Type.Optional(
    Type.Array(strictObject({ offerId: Uuid, before: OfferTerms, after: OfferTerms }), {
      description: 'Offers with another price or status afterwards.',
    }),
  ),
  notWithdrawn: Type.Optional(NotWithdrawn),
  needsApproval: Type.Boolean({
    description: 'The write waits for a second person (202): it is above KEYPORT_APPROVAL_ABOVE.',
  }),
});

export type WritePreview = Static<typeof WritePreview>;
