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

const findOperators: Find = async (client, words = '', signal) => {
  const { data } = await client.call('listOperators', { query: { itemsPerPage: 100 } }, { signal });
  const text = words.toLowerCase();
  return data.filter(({ id, name }) => id === words || name.toLowerCase().includes(text));
};

export const FINDS = {
  account: findAccounts,
  operator: findOperators,
  product: findProducts,
  seller: findSellers,
};
