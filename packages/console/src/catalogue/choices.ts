import type { Find } from '../forms/search-select.tsx';
import { formatMoney } from '../ui/values.tsx';

const limit = 20;

export const findProducts: Find = async (client, query, signal) =>
  (await client.call('listCatalogueProducts', { query: { query, limit } }, { signal })).data;

export const findAccounts: Find = async (client, query, signal) =>
  (await client.call('listAccounts', { query: { query, limit } }, { signal })).data;

export const findSellers: Find = async (client, query, signal) => {
  const search = query === undefined ? { sort: 'name' as const } : { query };
  return (await client.call('listSellers', { query: { ...search, limit } }, { signal })).data;
};

/** Names offers by the values that distinguish them. */
export const findOffers: Find = async (client, query, signal) => {
  const { data } = await client.call('listOffers', { query: { query, limit } }, { signal });
  return data.map(({ id, productName, sellerName, price }) => ({
    id,
    name: `${productName}, ${sellerName}, ${formatMoney(price)}`,
  }));
};

export const FINDS = { account: findAccounts, product: findProducts, seller: findSellers };
