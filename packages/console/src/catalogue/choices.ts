import type { Find } from '../forms/search-select.tsx';
import { dayIn } from '../lists/days.ts';
import { formatMoney, LOCALE } from '../texts.ts';

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

const CURRENCIES = Intl.supportedValuesOf('currency');

const findCurrencies: Find = async (_, words = '') => {
  const names = new Intl.DisplayNames(LOCALE, { type: 'currency' });
  return CURRENCIES.map((id) => ({ id, name: `${id} – ${names.of(id)}` })).filter(({ name }) =>
    name.toLowerCase().includes(words.toLowerCase()),
  );
};

const YEAR_MS = 365 * 24 * 3600 * 1000;

/** The regions of the products that were sold within a year. */
const findRegions: Find = async (client, words = '', signal) => {
  const from = dayIn('UTC', new Date(Date.now() - YEAR_MS));
  const query = { by: 'region', from, limit: 1_000 } as const;
  const { rows } = await client.call('getSalesReport', { query }, { signal });
  return rows
    .filter(({ key }) => key.toLowerCase().includes(words.toLowerCase()) && key !== '')
    .map(({ key }) => ({ id: key, name: key }));
};

export const FINDS = {
  account: findAccounts,
  currency: findCurrencies,
  region: findRegions,
  operator: findOperators,
  product: findProducts,
  seller: findSellers,
};
