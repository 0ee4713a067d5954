/** Single sign-on leaves the page, so the tab stores the current place until the operator returns. */
import { useEffect } from 'react';
import { APP_PATH } from '../api/place.ts';
import { currentPath, navigate, parseSearch, type Target } from '../places.tsx';
import { paths } from '../url.ts';

const STORED_AS = 'keyport-return';

export function rememberPlace(): void {
  const path = location.pathname.slice(APP_PATH.length);
  // The sign-in page that follows a failure keeps the stored place.
  if (path !== '/sign-in') sessionStorage.setItem(STORED_AS, path + location.search);
}

/** Removes the stored place and returns it, if there is one. */
function takePlace(): Target | undefined {
  const stored = sessionStorage.getItem(STORED_AS);
  sessionStorage.removeItem(STORED_AS);
  if (!stored?.startsWith('/')) return undefined;
  const { pathname, search } = new URL(stored, location.origin);
  return { to: pathname, search: parseSearch(search) };
}

/** Restores the place on a page that starts with a session, because single sign-on ends at Home. */
export function goBack(): void {
  const place = takePlace();
  if (place !== undefined && currentPath() === paths.home) navigate({ ...place, replace: true });
}

/** The target of one-time links and of failed single sign-on. The shell has already signed the operator in. */
export function AfterSignIn() {
  useEffect(() => navigate({ ...(takePlace() ?? { to: paths.home }), replace: true }), []);
  return null;
}
