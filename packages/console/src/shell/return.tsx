/** Single sign-on leaves the page: where the person was is kept for the tab until they are back. */
import { useEffect } from 'react';
import { CONSOLE_PATH } from '../api/place.ts';
import { currentPath, navigate, parseSearch, type Target } from '../places.tsx';
import { paths } from '../url.ts';

const STORED_AS = 'keyport-return';

export function rememberPlace(): void {
  const path = location.pathname.slice(CONSOLE_PATH.length);
  // After a failure it is still the place before.
  if (path !== '/sign-in') sessionStorage.setItem(STORED_AS, path + location.search);
}

/** Once; undefined: there is none. */
function takePlace(): Target | undefined {
  const stored = sessionStorage.getItem(STORED_AS);
  sessionStorage.removeItem(STORED_AS);
  if (!stored?.startsWith('/')) return undefined;
  const { pathname, search } = new URL(stored, location.origin);
  return { to: pathname, search: parseSearch(search) };
}

/** For a page that has just begun with a session: single sign-on ends at Home. */
export function goBack(): void {
  const place = takePlace();
  if (place !== undefined && currentPath() === paths.home) navigate({ ...place, replace: true });
}

/** Where one-time links lead, and single sign-on that failed. The shell has signed the person in by then. */
export function AfterSignIn() {
  useEffect(() => navigate({ ...(takePlace() ?? { to: paths.home }), replace: true }), []);
  return null;
}
