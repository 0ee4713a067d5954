/** Products, sellers and offers to choose from: those that are looked for, or the first ones. */
import type { KeyportAdmin } from '@keyport/sdk/admin';
import { CHOICES_MAX, type Choice } from '../ui/search-select.tsx';
import { formatMoney } from '../ui/values.tsx';

type Find = (
  client: KeyportAdmin,
  query: string | undefined,
  signal: AbortSignal,
) => Promise<readonly Choice[]>;

export const findProducts: Find = async (client, query, signal) => {
  const search = { ...(query === undefined ? {} : { query }), limit: CHOICES_MAX };
  return (await client.listCatalogueProducts({ query: search }, { signal })).data;
};

export const findSellers: Find = async (client, query, signal) => {
  const search = { ...(query === undefined ? { sort: 'name' as const } : { query }), limit: CHOICES_MAX };
  return (await client.listSellers({ query: search }, { signal })).data;
};

/** By what tells them apart. */
export const findOffers: Find = async (client, query, signal) => {
  const search = { ...(query === undefined ? {} : { query }), limit: CHOICES_MAX };
  const { data } = await client.listOffers({ query: search }, { signal });
  return data.map(({ id, productName, sellerName, price }) => ({
    id,
    name: `${productName}, ${sellerName}, ${formatMoney(price)}`,
  }));
};
