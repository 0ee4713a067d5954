import type { OperatorElement } from '@keyport/sdk-source/admin';
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { admin } from '../api/admin.ts';
import { fourAtOnce, useLive } from '../api/queries.ts';
import { texts } from './texts.ts';

export type Offer = OperatorElement<'listOffers'>;

/** Reads the list, because it has the names of product and seller. Null if the offer does not exist. */
export function useOffer(offerId: string) {
  return useLive(
    ['offer', offerId],
    async (client, signal) => {
      const { data } = await client.call('listOffers', { query: { query: offerId, limit: 1 } }, { signal });
      return data.find(({ id }) => id === offerId) ?? null;
    },
    { everyMs: 15_000 },
  );
}

/** In the order of the ids, without offers that no longer exist. */
export async function loadOffers(ids: readonly string[], onDone: (count: number) => void): Promise<Offer[]> {
  const load = (id: string) => admin.listOffers({ query: { query: id, limit: 1 } });
  return (await fourAtOnce(ids, load, onDone)).flatMap(({ data }) => data);
}

/** Throws if more than `countMax` offers match. */
export async function allOffers(all: AsyncIterable<Offer>, countMax: number): Promise<Offer[]> {
  const found: Offer[] = [];
  for await (const offer of all) {
    found.push(offer);
    if (found.length > countMax)
      throw new KeyportError({
        status: 400,
        code: 'validation-error',
        message: texts.offers.downloadTooMany(countMax),
      });
  }
  return found;
}

const LISTED = ['id', 'productName', 'sellerName', 'price', 'status', 'quantity'] as const;

/** A list that can be imported again after its prices are changed. */
export function toPriceList(offers: readonly Offer[]) {
  const rows = offers.map((offer) => LISTED.map((name) => String(offer[name])));
  return { head: LISTED, rows, fileName: texts.offers.offersFile };
}
