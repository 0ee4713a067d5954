/** Where the app runs: the service writes the app's path into the page. */
const path = document.querySelector<HTMLMetaElement>('meta[name="keyport-path"]')?.content ?? '';

/** For example, `/console`, or `/shop/portal` behind a path prefix. */
export const APP_PATH = path.startsWith('/') ? path : '/console';

/** The last part of the app's path. The paths of sessions begin with it. */
export const APP = APP_PATH.slice(APP_PATH.lastIndexOf('/'));

/** Members of an account ask its owners; operators ask administrators. */
export const IS_PORTAL = APP === '/portal';

/** Without a trailing slash. */
export const SERVICE_URL = `${location.origin}${APP_PATH.slice(0, -APP.length)}`;
