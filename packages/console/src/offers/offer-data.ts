/** Reading one offer: with the names of its product and its seller, which the list has. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { useLive } from '../api/queries.ts';

export type Offer = OperatorElement<'listOffers'>;

const LIVE_MS = 15_000;

/** Null: there is no such offer. */
export function useOffer(offerId: string) {
  return useLive(
    ['offer', offerId],
    async (client, signal) => {
      const { data } = await client.listOffers({ query: { query: offerId, limit: 1 } }, { signal });
      return data.find(({ id }) => id === offerId) ?? null;
    },
    { everyMs: LIVE_MS },
  );
}
