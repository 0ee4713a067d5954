/** Filters, page, selection and the row that is looked at live in the search string, as strings, without defaults. */
import { useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Search = Readonly<Record<string, string | undefined>>;

const SELECTED_MAX = 50;

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** Goes to a page of `paths`. The routes come from a table of screens, so the router cannot type them. */
export function useGo() {
  const navigate = useNavigate();
  return (to: string, search: Search = {}) => void navigate({ to, search: search as never });
}

/** The id in the path: no screen has two. */
export function usePathId(): string {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  return Object.values(params)[0] ?? '';
}

/** Neither changes what is listed. */
const LOOKING = ['peek', 'sel'];

export function useUrl() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  /** A new filter starts from the first page and without a selection. */
  const setFilters = useCallback(
    (changes: Search) =>
      navigate({
        to: '.',
        search: ((before: Search) => ({
          ...before,
          cursor: undefined,
          page: undefined,
          sel: undefined,
          ...changes,
        })) as never,
        resetScroll: false,
      }),
    [navigate],
  );
  const look = useCallback(
    (changes: Search) =>
      navigate({
        to: '.',
        search: ((before: Search) => ({ ...before, ...changes })) as never,
        state: true,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return { search, setFilters, look };
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

/** The way back of a keyset list: its earlier cursors are kept with the entry of the browser's history. */
export function usePager(meta: Meta | undefined): Pager {
  const { search } = useUrl();
  const navigate = useNavigate();
  const trail = useRouterState({
    select: (state) => (state.location.state as { trail?: string[] }).trail ?? [],
  });
  const go = (changes: Search, newTrail: readonly string[]) =>
    navigate({
      to: '.',
      search: ((before: Search) => ({ ...before, ...changes })) as never,
      state: { trail: newTrail } as never,
    });
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
    // Without a trail, as after a link was opened, the way back is to the beginning.
    newer:
      cursor === undefined ? undefined : () => go({ cursor: trail.at(-1) || undefined }, trail.slice(0, -1)),
    older: nextCursor === null ? undefined : () => go({ cursor: nextCursor }, [...trail, cursor ?? '']),
  };
}

/** How many filters are set, of those that a list has. */
export function countFilters(search: Search, names: readonly string[]): number {
  return names.filter((name) => search[name] !== undefined && !LOOKING.includes(name)).length;
}
