/** A621. */
import {
  CLAIM_DECISIONS,
  CLAIM_OUTCOMES,
  CLAIM_REASONS,
  CLAIM_STATUSES,
} from '@keyport/core/orders/after-sale';
import { type Static, Type } from 'typebox';
import { CALLER } from '../accounts/members.ts';
import { KeyCode, KeyId, MaskedCode } from '../catalogue/stock-keys.ts';
import { CURSOR_QUERY, CURSOR_RULE, cursorQuery } from '../envelope.ts';
import { DateTime, DateTimeInput, OrderId, ProductId, Uuid, UuidInput } from '../formats.ts';
import { search, sortBy } from '../lists.ts';
import { DRY_RUN } from '../operators/previews.ts';
import {
  count,
  namedObject,
  nullable,
  oneOf,
  strictObject,
  toMembers,
  toQuery,
  wholeNumber,
} from '../schema.ts';

const CODES_MAX = 25;
const TEXT_MAX = 2000;
const PAGE_MAX = 100;

export const ClaimId = Type.String({
  pattern: '^clm_[0-9a-f]{32}$',
  description: 'Id of the claim.',
  examples: ['clm_2b7e9c1e53a44c9e9f0f6a4ce5f0d111'],
  'x-rule': 'must be the id of a claim',
});

const ClaimReason = oneOf(CLAIM_REASONS, 'What is wrong with the keys.');
const ClaimStatus = oneOf(CLAIM_STATUSES, 'open: waiting for a decision.');

const text = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: TEXT_MAX,
    description,
    'x-rule': `must be text of 1 to ${TEXT_MAX} characters`,
  });

export const ClaimBody = strictObject({
  itemId: Type.String({ pattern: '^[0-9]{14,18}$', 'x-rule': 'must be the id of an item of the order' }),
  codes: Type.Array(KeyCode, {
    minItems: 1,
    maxItems: CODES_MAX,
    description:
      'The codes of the faulty keys. They are compared with the keys of the item, and never stored.',
    'x-rule': `must be an array of 1 to ${CODES_MAX} codes`,
  }),
  reason: ClaimReason,
  message: Type.Optional(text('A message to the marketplace, which decides the claim.')),
});
export type ClaimInput = Static<typeof ClaimBody>;
const ClaimedKeyId = {
  ...KeyId,
  description: 'The id of the key in the claim, not its code.',
  examples: ['1'],
};

const ClaimedKey = {
  id: ClaimedKeyId,
  masked: MaskedCode,
  outcome: nullable(oneOf(CLAIM_OUTCOMES, 'What was decided.'), { description: 'Null: not decided yet.' }),
};

const CLAIM = {
  id: ClaimId,
  orderId: OrderId,
  itemId: Type.String({ examples: ['217455600123456701'] }),
  reason: ClaimReason,
  message: nullable(Type.String()),
  status: ClaimStatus,
  keys: Type.Array(strictObject(ClaimedKey)),
  createdAt: DateTime,
  decidedAt: Type.Optional(DateTime),
  answer: Type.Optional(Type.String({ description: "The marketplace's message about the decision." })),
};

export const Claim = namedObject('Claim', CLAIM);
export type Claim = Static<typeof Claim>;

export const ClaimsQuery = toQuery({
  status: ClaimStatus,
  orderId: OrderId,
  cursor: cursorQuery(CURSOR_RULE).cursor,
  limit: wholeNumber(1, PAGE_MAX, 'At most this many claims.', { default: 20 }),
});

const OF_OPERATORS = {
  ...CLAIM,
  accountId: Uuid,
  accountName: Type.String(),
  sellerId: Uuid,
  sellerName: Type.String(),
  productId: ProductId,
  productName: Type.String(),
};

export const ListedClaim = namedObject('OperatorListedClaim', OF_OPERATORS);

const KeyRead = strictObject({
  at: DateTime,
  ...CALLER,
  name: nullable(Type.String(), { description: 'The current name of the client or member.' }),
  address: nullable(Type.String(), { description: 'Null: it was not recorded.' }),
});

export const OperatorClaim = namedObject('OperatorClaim', {
  ...OF_OPERATORS,
  keys: Type.Array(
    strictObject({
      ...ClaimedKey,
      orderKeyId: { ...KeyId, description: 'Id of the key among the keys of the order.' },
      deliveredAt: DateTime,
      history: Type.Array(KeyRead, { description: 'Reads of the key, oldest first; at most 100.' }),
    }),
  ),
  available: count('Keys of the offer that are on sale and can replace claimed keys.'),
});
export type OperatorClaim = Static<typeof OperatorClaim>;

export const AllClaimsQuery = toQuery({
  query: search(
    'The id of a claim, order, account or seller, or words from the name of the account, seller or product.',
  ),
  status: ClaimStatus,
  reason: ClaimReason,
  accountId: UuidInput,
  sellerId: UuidInput,
  orderId: OrderId,
  sort: sortBy(['-createdAt', 'createdAt']),
  ...CURSOR_QUERY,
});

const DECIDED = {
  decisions: Type.Array(
    strictObject({ keyId: ClaimedKeyId, decision: oneOf(CLAIM_DECISIONS, 'The decision about the key.') }),
    {
      minItems: 1,
      maxItems: CODES_MAX,
      description: 'One for every key of the claim.',
      'x-rule': 'must have one decision for every key of the claim',
    },
  ),
  answer: Type.Optional(text('A message to the reseller.')),
};
export const SandboxDecideBody = strictObject(DECIDED);
export type ClaimDecision = Static<typeof SandboxDecideBody>;
export const DecideClaimBody = strictObject({ ...DECIDED, ...DRY_RUN });

export const ClaimsRateQuery = toQuery({
  from: { ...DateTimeInput, description: 'Inclusive. Default: 30 days before `to`.' },
  to: { ...DateTimeInput, description: 'Exclusive. Default: now.' },
});

export const ClaimsRate = namedObject('OperatorClaimsRate', {
  unitsSold: count('Units with a key, from orders placed in this period.'),
  claims: strictObject(toMembers(CLAIM_REASONS, Type.Integer({ minimum: 0 })), {
    description: 'Claims made in this period, by reason, without withdrawn ones.',
  }),
});
