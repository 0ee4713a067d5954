/** Where the console runs: the service writes the console's path into the page. */
const path = document.querySelector<HTMLMetaElement>('meta[name="keyport-path"]')?.content ?? '';

/** For example, `/console`, or `/shop/console` behind a path prefix. */
export const CONSOLE_PATH = path.startsWith('/') ? path : '/console';

/** Without a trailing slash. */
export const SERVICE_URL = `${location.origin}${CONSOLE_PATH.replace(/\/console$/, '')}`;
