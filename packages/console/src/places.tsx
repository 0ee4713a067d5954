/**
 * The router: the URL below the console's path, and the screen that it names. The previous screen stays
 * until the next one is loaded. Search parameters stay strings: order ids are too long for numbers.
 */
import { Component, type ComponentType, type ReactNode, useDeferredValue, useLayoutEffect } from 'react';
import { APP_PATH } from './api/place.ts';
import { newUuid } from './api/uuid.ts';
import { busy } from './ui/busy.tsx';
import { createStore } from './ui/store.ts';

export type Search = Readonly<Record<string, string | undefined>>;
export type Route = { readonly path: string; readonly load: () => Promise<ComponentType> };

type State = {
  readonly key: string;
  readonly trail?: readonly string[];
  /** The scroll position when the page was left. */
  readonly top?: number;
  /** The row that had the focus. */
  readonly row?: string | undefined;
};
type Place = {
  readonly path: string;
  readonly search: Search;
  readonly state: State;
  readonly params: readonly string[];
  readonly route: Route | undefined;
  readonly Screen: ComponentType | undefined;
  /** Where to scroll to; undefined: keep the current position. */
  readonly top: number | undefined;
};

export type Target = {
  /** The current page if absent. */
  readonly to?: string;
  /** A new search, or a function of the current one. */
  readonly search?: Search | ((before: Search) => Search);
  readonly trail?: readonly string[];
  /** Replaces the current entry of the browser's history, but keeps the entry's trail. */
  readonly replace?: boolean;
  readonly staysThere?: boolean;
  /** Where to scroll to on another page. */
  readonly top?: number | undefined;
};

type Left = { readonly search: Search; readonly top: number; readonly row: string | undefined };

const place = createStore<Place>({
  path: '',
  search: {},
  params: [],
  route: undefined,
  Screen: undefined,
  top: undefined,
  state: { key: '' },
});
/** How each path was left, for the link back to it. */
const left = new Map<string, Left>();
/** Asks whether the page may be left; undefined if it may. */
let mayLeave: (() => boolean) | undefined;
const loaded = new Map<Route, ComponentType>();
let routes: readonly Route[] = [];
let screens: { readonly NoPage: ComponentType; readonly Broken: ComponentType };

export const usePlace = place.use;

export function startRouter(table: readonly Route[], others: typeof screens): void {
  routes = table;
  screens = others;
  // The browser scrolls before the rows are drawn.
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => {
    const { path, search, state } = place.get();
    if (mayLeave?.() === false) return history.pushState(state, '', toHref(path, search));
    left.set(path, { search, top: scrollY, row: focusedRow() });
    void arrive(stateNow().top ?? (currentPath() === path ? undefined : 0));
  });
  addEventListener('pagehide', leave);
  void arrive(stateNow().top);
}

export function leftAt(path: string): Left | undefined {
  return left.get(path);
}

export function forgetPlaces(): void {
  left.clear();
}

/** Until the returned function is called, `ask` decides whether the page may be left. The browser asks in its own words. */
export function holdPage(ask: () => boolean): () => void {
  const prevent = (event: BeforeUnloadEvent) => event.preventDefault();
  mayLeave = ask;
  addEventListener('beforeunload', prevent);
  return () => {
    if (mayLeave === ask) mayLeave = undefined;
    removeEventListener('beforeunload', prevent);
  };
}

/** Remembers the place that is shown, for the way back to it. */
function leave(): void {
  const { path, search } = place.get();
  const [top, row] = [scrollY, focusedRow()];
  left.set(path, { search, top, row });
  history.replaceState({ ...stateNow(), top, row }, '');
}

function focusedRow(): string | undefined {
  const row = document.activeElement?.closest('tr');
  return row?.querySelector<HTMLElement>('[data-row-key]')?.dataset['rowKey'];
}

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Search): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(pairs as [string, string][]).toString();
  return text === '' ? '' : `?${text}`;
}

export function toHref(to: string, search: Search = {}): string {
  return `${APP_PATH}${to === '/' ? '' : to}${stringifySearch(search)}`;
}

export function navigate({
  to = currentPath(),
  search = {},
  trail,
  replace = false,
  staysThere,
  top = 0,
}: Target): void {
  // A replaced entry only changes what is selected.
  if (!replace && mayLeave?.() === false) return;
  const next = typeof search === 'function' ? search(parseSearch(location.search)) : search;
  if (!replace) leave();
  const state: State = replace
    ? { ...stateNow(), ...(trail && { trail }) }
    : { key: newUuid(), ...(trail && { trail }), row: top > 0 ? left.get(to)?.row : undefined };
  history[replace ? 'replaceState' : 'pushState'](state, '', toHref(to, next));
  void arrive(staysThere || replace ? undefined : top);
}

export function preload(to: string): void {
  const route = match(to)?.route;
  if (route !== undefined) void load(route).catch(() => {});
}

/** Shows the screen that the URL names, unless the URL changes before the screen is loaded. */
async function arrive(top: number | undefined): Promise<void> {
  const [path, search] = [currentPath(), location.search];
  const found = match(path);
  const known = found === undefined ? screens.NoPage : loaded.get(found.route);
  const Screen = known ?? (await busy(load(found?.route)).catch(() => screens.Broken));
  if (currentPath() !== path || location.search !== search) return;
  const before = place.get();
  // An equal search keeps the same object, so that its dependents do not change.
  const isSame = stringifySearch(before.search) === (search || '');
  place.set({
    path,
    Screen,
    top,
    route: found?.route,
    params: found?.params ?? [],
    state: stateNow(),
    search: isSame ? before.search : parseSearch(search),
  });
}

async function load(route: Route | undefined): Promise<ComponentType> {
  if (route === undefined) return screens.NoPage;
  const Screen = loaded.get(route) ?? (await route.load());
  loaded.set(route, Screen);
  return Screen;
}

/** Fixed paths come before those with an id. */
function match(path: string): { readonly route: Route; readonly params: readonly string[] } | undefined {
  const fixed = routes.find((route) => route.path === path);
  if (fixed !== undefined) return { route: fixed, params: [] };
  for (const route of routes) {
    const pattern = new RegExp(`^${route.path.replaceAll(/\$\w+/g, '([^/]+)')}$`);
    const params = pattern.exec(path)?.slice(1);
    if (params !== undefined) return { route, params: params.map(decodeURIComponent) };
  }
  return undefined;
}

export function currentPath(): string {
  const path = location.pathname.slice(APP_PATH.length).replace(/\/$/, '');
  return path === '' ? '/' : path;
}

function stateNow(): State {
  return (history.state as State | null) ?? { key: '' };
}

export function Screens() {
  const { path, route, Screen, top, state } = place.use();
  // biome-ignore lint/correctness/useExhaustiveDependencies: for every entry of the history
  useLayoutEffect(() => {
    return top === undefined ? undefined : scrollWhenDrawn(top);
  }, [state.key, path, top]);
  // The first screen is drawn in slices, so that the page stays responsive.
  const isShown = useDeferredValue(Screen !== undefined, false);
  if (Screen === undefined || !isShown) return null;
  return (
    <Boundary key={route?.path}>
      <Screen />
    </Boundary>
  );
}

/** Events with which the operator takes over. */
const TAKES_OVER = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Scrolls as far as the page reaches, and again when it grows, until the operator does something. */
function scrollWhenDrawn(top: number): () => void {
  const observer = new ResizeObserver(() => {
    scrollTo(0, top);
    if (Math.ceil(scrollY) >= top) stop();
  });
  const stop = () => {
    observer.disconnect();
    for (const event of TAKES_OVER) removeEventListener(event, stop, true);
  };
  for (const event of TAKES_OVER) addEventListener(event, stop, true);
  observer.observe(document.body);
  scrollTo(0, top);
  return stop;
}

/** A fault in a screen does not affect the frame. */
class Boundary extends Component<{ readonly children: ReactNode }> {
  override state = { isBroken: false };
  static getDerivedStateFromError() {
    return { isBroken: true };
  }
  override render() {
    return this.state.isBroken ? <screens.Broken /> : this.props.children;
  }
}
