/** A list that a screen shows, and the number of its matches. */
import type { UseQueryResult } from '@tanstack/react-query';
import { type Input, type ListName, useRead } from '../api/queries.ts';
import type { Search } from '../places.tsx';
import type { Meta, Pager } from '../url.ts';
import { areBackwards } from './days.ts';

export type ListOf<Row> = {
  readonly name: ListName;
  readonly result: UseQueryResult<{ readonly data: readonly Row[]; readonly meta: Meta }>;
  readonly pager: Pager;
  readonly filters: readonly string[];
  readonly isFiltered: boolean;
  /** The days in the URL are a range without days, for which nothing is read. */
  readonly isBackwards: boolean;
  /** The query as sent, without cursor, page and limit. */
  readonly query: Search;
  /** The query that a search in the URL sends, without an order. */
  readonly toQuery: (search: Search) => Search;
  /** Reads the matches on all pages. */
  readonly all: () => AsyncIterable<Row>;
};

/** Operators' lists, which have tools and are counted, with the paths of their CSV files. */
export const FILES: Partial<Record<ListName, string>> = {
  listAccounts: '/admin/v1/accounts',
  listAllClaims: '/admin/v1/claims',
  listAllOrders: '/admin/v1/orders',
  listAllWebhookEndpoints: '/admin/v1/webhook-endpoints',
  listApprovals: '/admin/v1/approvals',
  listAudit: '/admin/v1/audit',
  listCatalogueProducts: '/admin/v1/products',
  listImports: '/admin/v1/imports',
  listIncidents: '/admin/v1/incidents',
  listOffers: '/admin/v1/offers',
  listPayments: '/admin/v1/payments',
  listRejections: '/admin/v1/rejections',
  listSellers: '/admin/v1/sellers',
};

const COUNTED_EVERY_MS = 30_000;

/** How many elements match a search in the URL; undefined while they are counted, and for lists that are not. */
export function useMatches<Row>({ name, toQuery }: ListOf<Row>, search: Search) {
  const input = { query: { ...toQuery(search), count: 'true', limit: 1 } } as unknown as Input<ListName>;
  const options = { everyMs: COUNTED_EVERY_MS, enabled: FILES[name] !== undefined && !areBackwards(search) };
  const { data, isPlaceholderData } = useRead(name, input, options);
  if (data === undefined || isPlaceholderData || !('matches' in data.meta)) return undefined;
  return data.meta.matches;
}
