/** Schemas of the operator interface (R23). Same formats and the same envelope as the reseller's. */

import { type Static, Type } from 'typebox';
import { namedObject, strictObject, UuidInput } from '../formats.ts';
import { DRY_RUN } from '../operators/previews.ts';
import { CatalogueOffer, OFFER_CHANGE } from './operator-offers.ts';
import { KeysAdded, KeysBody, WITHDRAWN, WithdrawKeys } from './stock-keys.ts';

const OFFER_CHANGE_COUNT_MAX = 1000;

/** Of one request, over all its changes: keys to add, and as many to withdraw. */
export const OFFER_CHANGES_KEY_COUNT_MAX = 1000;

/** Everything that can change about an offer, at once (A135). */
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
    description: `Of different offers. In all they add at most ${OFFER_CHANGES_KEY_COUNT_MAX} keys, and withdraw as many.`,
    'x-rule': `must be an array of 1 to ${OFFER_CHANGE_COUNT_MAX} changes; use an import for more`,
  }),
  ...DRY_RUN,
});

export const ChangedOffer = namedObject('OperatorChangedOffer', {
  ...CatalogueOffer.properties,
  keysWithdrawn: Type.Optional(strictObject(WITHDRAWN)),
  keysAdded: Type.Optional(strictObject(KeysAdded.properties)),
});

export type ChangedOffer = Static<typeof ChangedOffer>;

/** Whether a body takes keys out of stock by quantity: repeated, it would take others (A202). */
export function withdrawsByQuantity(body: unknown): boolean {
  const { quantity, changes = [] }: { quantity?: number; changes?: OfferChange[] } = Object(body);
  return quantity !== undefined || changes.some(({ withdrawKeys }) => withdrawKeys?.quantity !== undefined);
}
