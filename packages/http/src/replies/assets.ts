import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Exchange } from '../server/exchange.ts';
import type { Reply } from './reply.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';

const compress = promisify(gzip);

export type Asset = {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly brotli?: Buffer | undefined;
};

export function assetReply(
  { headers }: Exchange,
  { type, plain, gzipped, brotli }: Asset,
  more: Readonly<Record<string, string>> = {},
): Reply {
  const { acceptEncoding = '' } = headers;
  const [encoding, bytes] =
    brotli !== undefined && /\bbr\b/.test(acceptEncoding)
      ? ['br', brotli]
      : /\bgzip\b/.test(acceptEncoding)
        ? ['gzip', gzipped]
        : [undefined, plain];
  const encoded = encoding === undefined ? {} : { 'content-encoding': encoding };
  return {
    status: 200,
    bytes,
    headers: { ...more, 'content-type': type, vary: 'accept-encoding', ...encoded },
  };
}

export async function asset(type: string, content: string | Buffer, brotli?: Buffer): Promise<Asset> {
  const plain = Buffer.from(content);
  return { type, plain, gzipped: await compress(plain), brotli };
}

/** The path that a proxy removes, without a slash at the end; empty if the public URL has none. */
export function toPrefix(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/** Links and addresses of a page that begin with a slash get the public URL's path. */
export function belowPrefix(html: string, publicUrl: string): string {
  return html.replace(/ (href|src)="\/(?!\/)/g, ` $1="${toPrefix(publicUrl)}/`);
}

export function pageHeaders(contentSecurityPolicy: string): Record<string, string> {
  return { 'content-security-policy': contentSecurityPolicy, 'x-frame-options': 'DENY' };
}

export function policy(sources: readonly string[], formAction: "'none'" | "'self'" = "'none'"): string {
  return [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

export function computeHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

export function once<T>(build: () => T): () => T {
  let built: { value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
