/**
 * TypeDoc writes the pages; without development dependencies there are none. Released packages are committed,
 * because lock files have their hashes. A543.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { ApiError } from '@keyport/http/replies/api-error';
import {
  type Asset,
  asset,
  assetReply,
  computeHash,
  HTML_TYPE,
  once,
  pageHeaders,
  policy,
} from '@keyport/http/replies/assets';
import { JSON_TYPE } from '@keyport/http/replies/errors';
import type { Reply } from '@keyport/http/replies/reply';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import manifest from '@keyport/server/package.json' with { type: 'json' };

const PAGES = new URL('../../../sdk/build/', import.meta.url);
const RELEASES = new URL('../../../sdk/releases/', import.meta.url);
const CURRENT = `keyport-sdk-${manifest.version}.tgz`;
const IMMUTABLE = 'public, max-age=31536000, immutable';
const TARBALL = /^keyport-sdk-(\d+\.\d+\.\d+)\.tgz$/;
const SDK_REFERENCE_PATH = '/docs/sdk';

const TYPES: Readonly<Record<string, string>> = {
  '.html': HTML_TYPE,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': JSON_TYPE,
};

export function sdkReferenceRoutes(): Route[] {
  const files = once(listFiles);
  const contentSecurityPolicy = once(async () => pagePolicy((await readPage('index.html')).toString()));
  const assets = new Map<string, Promise<Asset>>();
  const first = once(async () => asset(HTML_TYPE, linkFromAbove((await readPage('index.html')).toString())));
  const show = async (exchange: Exchange, file: string, whole?: () => Promise<Asset>): Promise<Reply> => {
    const type = TYPES[extname(file)];
    if (type === undefined || !(await files()).has(file)) throw new ApiError('not-found');
    const made = whole?.() ?? assets.get(file) ?? readPage(file).then((bytes) => asset(type, bytes));
    if (whole === undefined) assets.set(file, made);
    const headers = type === HTML_TYPE ? pageHeaders(await contentSecurityPolicy()) : {};
    return assetReply(exchange, await made, headers);
  };
  const get = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });
  return [
    get(SDK_REFERENCE_PATH, (exchange) => show(exchange, 'index.html', first)),
    // Relative, because a proxy may serve this below a path.
    get(`${SDK_REFERENCE_PATH}/keyport-sdk.tgz`, () => ({ status: 302, headers: { location: CURRENT } })),
    get(`${SDK_REFERENCE_PATH}/{file}`, (exchange) => {
      const { file = '' } = exchange.params;
      return TARBALL.test(file) ? showTarball(file) : show(exchange, file);
    }),
    get(`${SDK_REFERENCE_PATH}/{folder}/{file}`, (exchange) =>
      show(exchange, `${exchange.params['folder']}/${exchange.params['file']}`),
    ),
  ];
}

async function showTarball(file: string): Promise<Reply> {
  const bytes = await readFile(new URL(file, RELEASES))
    .catch(() => (file === CURRENT ? readPage(file) : undefined))
    .catch(() => undefined);
  if (bytes === undefined) {
    throw new ApiError('not-found', {
      message: `This service does not have ${file}. The current version is ${CURRENT}.`,
    });
  }
  const headers = { 'content-type': 'application/gzip', 'cache-control': IMMUTABLE };
  return { status: 200, bytes, headers };
}

async function listFiles(): Promise<ReadonlySet<string>> {
  const paths = await readdir(PAGES, { recursive: true }).catch(() => []);
  return new Set(paths.map((path) => path.replaceAll('\\', '/')));
}

function readPage(file: string): Promise<Buffer> {
  return readFile(new URL(file, PAGES));
}

/** Without a trailing slash in the URL, browsers resolve links against the folder above. */
function linkFromAbove(page: string): string {
  return page
    .replace('data-base="./"', 'data-base="./sdk/"')
    .replaceAll(/ (href|src)="(?![#/]|[a-z]+:)/g, ' $1="sdk/');
}

/** All pages have the same inline script. A data URL holds the search index. */
function pagePolicy(page: string): string {
  const scripts = Array.from(
    page.matchAll(/<script>(.*?)<\/script>/gs),
    ([, script = '']) => `'${computeHash(script)}'`,
  );
  return policy([
    `script-src 'self' ${scripts.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self' data:",
    "img-src 'self' data:",
  ]);
}
