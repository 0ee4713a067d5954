/** The location of the console: the service writes its path into the page. */
const path = document.querySelector<HTMLMetaElement>('meta[name="keyport-path"]')?.content ?? '';

/** Such as `/console`, or `/shop/console` behind a path prefix. */
export const CONSOLE_PATH = path.startsWith('/') ? path : '/console';

/** Without a trailing slash. */
export const SERVICE_URL = `${location.origin}${CONSOLE_PATH.replace(/\/console$/, '')}`;
