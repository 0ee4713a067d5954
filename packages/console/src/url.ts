/** The search string contains the filters, page, selection and viewed row, as strings and without defaults. */
import { navigate, type Search, usePlace } from './places.tsx';

/** The most selected rows that the URL names. */
export const SELECTED_MAX = 50;

export function useGo() {
  return (to: string, search: Search = {}) => navigate({ to, search });
}

/** The id in the path; no screen has more than one. */
export function usePathId(): string {
  return usePlace().params[0] ?? '';
}

/** These parameters do not change the list. */
const LOOKING = ['peek', 'sel'];

/** A new filter starts from the first page and without a selection. */
function setFilters(changes: Search): void {
  const start = { cursor: undefined, page: undefined, sel: undefined };
  navigate({ search: (before) => ({ ...before, ...start, ...changes }), staysThere: true });
}

function look(changes: Search): void {
  navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
}

export function useUrl() {
  return { search: usePlace().search, setFilters, look };
}

export function useSelection() {
  const { search, look } = useUrl();
  const selected = (search['sel'] ?? '').split(',').filter((id) => id !== '');
  const setSelected = (ids: readonly string[]) =>
    look({ sel: ids.length === 0 ? undefined : ids.slice(0, SELECTED_MAX).join(',') });
  return { selected, setSelected };
}

export type Meta =
  | { readonly nextCursor: string | null; readonly hasMore: boolean }
  | { readonly page: number; readonly hasNext: boolean; readonly hasPrevious: boolean };

export type Pager = { readonly newer: (() => void) | undefined; readonly older: (() => void) | undefined };

/** The way back in a keyset list: the browser's history entry keeps the earlier cursors. */
export function usePager(meta: Meta | undefined): Pager {
  const { search, state } = usePlace();
  const { trail = [] } = state;
  const go = (changes: Search, newTrail: readonly string[]) =>
    navigate({ search: (before) => ({ ...before, ...changes }), trail: newTrail });
  if (meta === undefined) return { newer: undefined, older: undefined };
  if ('page' in meta) {
    const turn = (page: number) => go({ page: page === 1 ? undefined : String(page) }, []);
    return {
      newer: meta.hasPrevious ? () => turn(meta.page - 1) : undefined,
      older: meta.hasNext ? () => turn(meta.page + 1) : undefined,
    };
  }
  const { nextCursor } = meta;
  const { cursor } = search;
  return {
    // Without a trail, for example after a link was opened, the way back leads to the first page.
    newer:
      cursor === undefined ? undefined : () => go({ cursor: trail.at(-1) || undefined }, trail.slice(0, -1)),
    older: nextCursor === null ? undefined : () => go({ cursor: nextCursor }, [...trail, cursor ?? '']),
  };
}

/** The number of a list's filters that are set. */
export function countFilters(search: Search, names: readonly string[]): number {
  return names.filter((name) => search[name] !== undefined && !LOOKING.includes(name)).length;
}

export const paths = {
  home: '/',
  orders: '/orders',
  order: (id: string) => `/orders/${id}`,
  rejections: '/orders/rejected',
  held: '/held',
  claims: '/claims',
  claim: (id: string) => `/claims/${id}`,
  findKey: '/find-key',
  accounts: '/accounts',
  account: (id: string) => `/accounts/${id}`,
  catalogue: '/catalogue',
  product: (id: string) => `/catalogue/products/${id}`,
  offers: '/catalogue/offers',
  offer: (id: string) => `/catalogue/offers/${id}`,
  sellers: '/catalogue/sellers',
  seller: (id: string) => `/catalogue/sellers/${id}`,
  imports: '/imports',
  importRun: (id: string) => `/imports/${id}`,
  finance: '/finance',
  reports: '/reports',
  payments: '/payments',
  approvals: '/approvals',
  approval: (id: string) => `/approvals/${id}`,
  webhooks: '/webhooks',
  reservations: '/reservations',
  statement: '/statement',
  clients: '/clients',
  requests: '/requests',
  members: '/members',
  audit: '/audit',
  incidents: '/system/incidents',
  system: '/system',
  settings: '/system/settings',
  operators: '/system/operators',
  profile: '/profile',
} as const;
