import { KeyportError, type OperatorElement } from '@keyport/sdk/admin';
import { admin, useLive } from '../api/queries.ts';
import { texts } from './texts.ts';

export type Offer = OperatorElement<'listOffers'>;
export type OfferFilter = Readonly<
  Partial<Record<'query' | 'status' | 'quantityMax' | 'runningOut' | 'sellerId', string | undefined>>
>;

const AT_ONCE = 4;
const PAGE = 1000;

/** Reads the list, which has the names of product and seller; null: there is no such offer. */
export function useOffer(offerId: string) {
  return useLive(
    ['offer', offerId],
    async (client, signal) => {
      const { data } = await client.listOffers({ query: { query: offerId, limit: 1 } }, { signal });
      return data.find(({ id }) => id === offerId) ?? null;
    },
    { everyMs: 15_000 },
  );
}

/** In the order of the ids, without offers that no longer exist. */
export async function loadOffers(ids: readonly string[]): Promise<Offer[]> {
  const found: Offer[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    const pages = await Promise.all(some.map((id) => admin.listOffers({ query: { query: id, limit: 1 } })));
    found.push(...pages.flatMap(({ data }) => data));
  }
  return found;
}

/** Throws if more than `countMax` offers match. */
export async function findOffers(
  filter: OfferFilter,
  countMax: number,
  tooMany: (countMax: number) => string,
): Promise<Offer[]> {
  const found: Offer[] = [];
  for await (const offer of admin.all('listOffers', { query: { ...filter, limit: PAGE } as never })) {
    found.push(offer);
    if (found.length > countMax)
      throw new KeyportError({ status: 400, code: 'validation-error', message: tooMany(countMax) });
  }
  return found;
}

const LISTED = ['id', 'productName', 'sellerName', 'price', 'status', 'quantity'] as const;

/** A list that can be imported again after its prices are changed. */
export function priceListOf(offers: readonly Offer[]) {
  const rows = offers.map((offer) => LISTED.map((name) => String(offer[name])));
  return { head: LISTED, rows, fileName: texts.offers.offersFile };
}
