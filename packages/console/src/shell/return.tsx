/** Single sign-on leaves the page: where the person was is kept for the tab until they are back. */
import { Navigate, useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { CONSOLE_PATH } from '../api/place.ts';
import { paths } from '../paths.ts';
import { parseSearch, type Search } from '../url.ts';

const STORED_AS = 'keyport-return';

type Place = { readonly to: string; readonly search: Search };

export function rememberPlace(): void {
  const path = location.pathname.slice(CONSOLE_PATH.length);
  // After a failure it is still the place before.
  if (path !== '/sign-in') sessionStorage.setItem(STORED_AS, path + location.search);
}

/** Once; undefined: there is none. */
function takePlace(): Place | undefined {
  const stored = sessionStorage.getItem(STORED_AS);
  sessionStorage.removeItem(STORED_AS);
  if (!stored?.startsWith('/')) return undefined;
  const { pathname, search } = new URL(stored, location.origin);
  return { to: pathname, search: parseSearch(search) };
}

/** For a page that has just begun with a session: single sign-on ends at Home. */
export function useReturn(): () => void {
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  return () => {
    const place = takePlace();
    if (place === undefined || path !== paths.home) return;
    void navigate({ to: place.to, search: place.search as never, replace: true });
  };
}

/** Where one-time links lead, and single sign-on that failed. The shell has signed the person in by then. */
export function AfterSignIn() {
  const [{ to, search }] = useState<Place>(() => takePlace() ?? { to: paths.home, search: {} });
  return <Navigate to={to} search={search as never} replace />;
}
