import { type Static, Type } from 'typebox';
import { reasonFor, UuidInput } from '../formats.ts';
import { DRY_RUN } from '../operators/previews.ts';
import { namedObject, strictObject } from '../schema.ts';
import { CatalogueOffer, OFFER_CHANGE } from './listings.ts';
import { KeysAdded, KeysBody, WITHDRAWN, WithdrawKeys } from './stock-keys.ts';

const OFFER_CHANGE_COUNT_MAX = 1000;
/** A request can add up to this many keys, and withdraw up to as many. */
export const OFFER_CHANGES_KEY_COUNT_MAX = 1000;

export const OfferChange = strictObject(
  {
    offerId: UuidInput,
    ...OFFER_CHANGE,
    withdrawKeys: Type.Optional(WithdrawKeys),
    addKeys: Type.Optional(KeysBody.properties.keys),
  },
  { minProperties: 2, 'x-rule': 'must name at least one change besides the offerId' },
);
export type OfferChange = Static<typeof OfferChange>;

export const OfferChangesBody = strictObject({
  changes: Type.Array(OfferChange, {
    minItems: 1,
    maxItems: OFFER_CHANGE_COUNT_MAX,
    description: `Each change must be for a different offer. Together, they can add at most ${OFFER_CHANGES_KEY_COUNT_MAX} keys and withdraw at most ${OFFER_CHANGES_KEY_COUNT_MAX} keys.`,
    'x-rule': `must be an array of 1 to ${OFFER_CHANGE_COUNT_MAX} changes; use an import for more`,
  }),
  reason: Type.Optional({
    ...reasonFor('audit log'),
    description:
      'Recorded in the audit log, where one entry then lists all changed prices and statuses with their earlier values.',
  }),
  ...DRY_RUN,
});

export const ChangedOffer = namedObject('OperatorChangedOffer', {
  ...CatalogueOffer.properties,
  keysWithdrawn: Type.Optional(strictObject(WITHDRAWN)),
  keysAdded: Type.Optional(strictObject(KeysAdded.properties)),
});
export type ChangedOffer = Static<typeof ChangedOffer>;

/** Without an Idempotency-Key, a retry would withdraw different keys (A202). */
export function withdrawsByQuantity(body: unknown): boolean {
  const { quantity, changes = [] }: { quantity?: number; changes?: OfferChange[] } = Object(body);
  return quantity !== undefined || changes.some(({ withdrawKeys }) => withdrawKeys?.quantity !== undefined);
}
