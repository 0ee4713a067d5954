/**
 * The pages of operators and of members, which `npm ci` builds. Paths below each that name no file return the page, with
 * a new nonce for added styles.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { ApiError } from '@keyport/http/replies/api-error';
import {
  type Asset,
  asset,
  assetReply,
  HTML_TYPE,
  once,
  pageHeaders,
  policy,
} from '@keyport/http/replies/assets';
import type { Reply } from '@keyport/http/replies/reply';
import type { Route } from '@keyport/http/server/exchange';

const BUILD = new URL('../../../console/dist/', import.meta.url);
const APPS = ['console', 'portal'] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable' };

/** A proxy may serve Keyport below the path of `publicUrl`. */
export function consoleRoutes({ publicUrl }: { readonly publicUrl: () => string }): Route[] {
  const get = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });
  return APPS.flatMap((app) => {
    const names = once(async () => new Set(await readdir(new URL(`${app}/assets/`, BUILD)).catch(() => [])));
    const assets = new Map<string, Promise<Asset>>();
    const showAsset: Route['handle'] = async (exchange) => {
      const name = exchange.params['file'] ?? '';
      const type = TYPES[extname(name)];
      if (type === undefined || !(await names()).has(name)) throw new ApiError('not-found');
      const made = assets.get(name) ?? readAsset(app, name, type);
      assets.set(name, made);
      return assetReply(exchange, await made, FOREVER);
    };
    const page = once(() => readPage(app, publicUrl()));
    const showPage = async () => pageReply(app, await page());
    return [
      get(`/${app}`, showPage),
      get(`/${app}/`, showPage),
      get(`/${app}/*`, showPage),
      get(`/${app}/assets/{file}`, showAsset),
    ];
  });
}

function pageReply(app: string, page: string | undefined): Reply {
  if (page === undefined) {
    const message = `The ${app} is not built. Run \`npm ci\`, whose prepare step builds it, and restart the service.`;
    throw new ApiError('not-found', { message });
  }
  const nonce = randomBytes(16).toString('base64');
  return {
    status: 200,
    bytes: page.replaceAll('KEYPORT_NONCE', nonce),
    headers: { 'content-type': HTML_TYPE, ...pageHeaders(contentSecurityPolicy(nonce)) },
  };
}

function contentSecurityPolicy(nonce: string): string {
  return policy(
    [
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
    ],
    "'self'",
  );
}

async function readPage(app: string, publicUrl: string): Promise<string | undefined> {
  const path = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/${app}`;
  const page = await readFile(new URL(`${app}/index.html`, BUILD), 'utf8').catch(() => undefined);
  return page?.replaceAll('KEYPORT_PATH', path).replaceAll('"./assets/', `"${path}/assets/`);
}

async function readAsset(app: string, name: string, type: string): Promise<Asset> {
  const read = (file: string) => readFile(new URL(`${app}/assets/${file}`, BUILD));
  return asset(type, await read(name), await read(`${name}.br`).catch(() => undefined));
}
