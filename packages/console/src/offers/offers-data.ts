/** Many offers at once: those that were selected, or all that a filter finds. */
import { KeyportError, type OperatorElement } from '@keyport/sdk/admin';
import { admin } from '../api/admin.ts';
import { texts } from '../texts.ts';

export type ListedOffer = OperatorElement<'listOffers'>;
export type OfferFilter = Readonly<
  Partial<Record<'query' | 'status' | 'quantityMax' | 'runningOut' | 'sellerId', string | undefined>>
>;

const AT_ONCE = 4;
const PAGE = 1000;

/** In the order of the ids; those that are gone are left out. */
export async function loadOffers(ids: readonly string[]): Promise<ListedOffer[]> {
  const found: ListedOffer[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    const pages = await Promise.all(some.map((id) => admin.listOffers({ query: { query: id, limit: 1 } })));
    found.push(...pages.flatMap(({ data }) => data));
  }
  return found;
}

/** Throws when there are more. */
export async function findOffers(
  filter: OfferFilter,
  countMax: number,
  tooMany: (countMax: number) => string,
): Promise<ListedOffer[]> {
  const found: ListedOffer[] = [];
  let cursor: string | null | undefined;
  do {
    const query = { ...filter, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await admin.listOffers({ query: query as never });
    found.push(...page.data);
    if (found.length > countMax)
      throw new KeyportError({ status: 400, code: 'validation-error', message: tooMany(countMax) });
    cursor = page.meta.nextCursor;
  } while (cursor !== null);
  return found;
}

/** As a list that can be imported again, once its prices were changed. */
export function priceListOf(offers: readonly ListedOffer[]) {
  return {
    head: ['id', 'productName', 'sellerName', 'price', 'status', 'quantity'],
    rows: offers.map(({ id, productName, sellerName, price, status, quantity }) => [
      id,
      productName,
      sellerName,
      price,
      status,
      String(quantity),
    ]),
    fileName: texts.catalogue.offersFile,
  };
}
