import { type Static, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { OrderId, reasonFor } from '../formats.ts';
import { search, sortBy } from '../lists.ts';
import { DRY_RUN, NotWithdrawn } from '../operators/previews.ts';
import { count, namedObject, nullable, oneOf, strictObject, toQuery, wholeNumber } from '../schema.ts';

export const KEY_KINDS = ['text', 'image'] as const;
export const KEY_STATES = ['available', 'reserved', 'sold', 'withdrawn'] as const;

export const KeyCode = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'The product key.',
  'x-rule': 'must be text of 1 to 4000 characters',
});

export const KeyId = Type.String({
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'The id of a key, not its code.',
  examples: ['1200'],
  'x-rule': "must be the id of a key, as listed in the order's keys",
});

export const MaskedCode = Type.String({
  description: 'The end of the code, at most its last 4 characters.',
  examples: ['…7XQ2'],
});

export const OfferKey = namedObject('OperatorKey', {
  id: Type.String(),
  kind: oneOf(KEY_KINDS, 'The kind of code.'),
  state: oneOf(KEY_STATES, 'reserved and sold keys belong to an order.'),
  maskedCode: MaskedCode,
  orderId: nullable(OrderId, { description: 'The order that has the key.' }),
});

export const OfferKeysQuery = toQuery({
  query: search('The id of a key or an order.'),
  state: oneOf(KEY_STATES, 'Only keys in this state.'),
  kind: oneOf(KEY_KINDS, 'Only keys of this kind.'),
  sort: sortBy(['id', '-id']),
  ...CURSOR_QUERY,
});

export const TRIMMED =
  'codes that had white space or invisible characters at an end, which the service removed.';
export const KEY_MEMBERS = {
  code: KeyCode,
  kind: Type.Optional(oneOf(KEY_KINDS, 'text (default) or image.')),
};
export const KeysBody = strictObject({
  keys: Type.Array(strictObject(KEY_MEMBERS), {
    minItems: 1,
    maxItems: 1000,
    'x-rule': 'must be an array of 1 to 1000 keys; use an import for more',
  }),
  ...DRY_RUN,
});
export type KeysBody = Static<typeof KeysBody>;
export const KeysAdded = namedObject('KeysAdded', {
  added: Type.Integer({ minimum: 0 }),
  duplicates: Type.Integer({ minimum: 0 }),
  trimmed: count(`Counts ${TRIMMED}`),
});

/** Has exactly one of `quantity` and `codes`. */
export const WithdrawKeys = strictObject({
  reason: reasonFor('audit log'),
  quantity: Type.Optional(
    wholeNumber(
      1,
      1_000_000,
      'Withdraws this many unsold keys, newest first; rejected (409) if there are fewer.',
    ),
  ),
  kind: Type.Optional(oneOf(KEY_KINDS, 'With quantity: only keys of this kind.')),
  codes: Type.Optional(
    Type.Array(KeyCode, {
      minItems: 1,
      maxItems: 1000,
      description: 'The codes of the keys to withdraw; only unsold keys are withdrawn.',
      'x-rule': 'must be an array of 1 to 1000 codes',
    }),
  ),
});
export type KeysWithdrawal = Static<typeof WithdrawKeys>;
export const KeysWithdrawBody = strictObject({ ...WithdrawKeys.properties, ...DRY_RUN });

export const WITHDRAWN = {
  withdrawn: count('Keys that were taken out of stock.'),
  notWithdrawn: NotWithdrawn,
};
export const KeysWithdrawn = namedObject('KeysWithdrawn', {
  withdrawn: WITHDRAWN.withdrawn,
  quantity: count('Units of the offer that are still available.'),
  notWithdrawn: WITHDRAWN.notWithdrawn,
});
