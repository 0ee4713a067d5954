/**
 * The reference for integrators, served by the service itself: the OpenAPI document, an interactive page made from it,
 * and a page per error code (what doc_url points at). Everything comes from this origin: no CDN, no fonts, no telemetry.
 * Decisions sections 6 and 8.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ERROR_CODES } from '@keyport/contract/errors';
import { buildOpenApi } from '@keyport/contract/openapi';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { renderErrorIndex, renderErrorPage, STYLE } from './error-pages.ts';
import { JSON_TYPE } from './errors.ts';

const REFERENCE_PATH = '/docs';
const SCRIPT_PATH = '/docs/scalar.js';
const HTML_TYPE = 'text/html; charset=utf-8';

export type ReferenceOptions = {
  readonly publicUrl: () => string;
  readonly version: string;
  /** Filled in where the page asks for credentials; only where everybody may order (sandbox mode). Asked for late. */
  readonly demoClient: () => { readonly clientId: string; readonly clientSecret: string } | undefined;
};

const compress = promisify(gzip);

/** A body that is the same for everybody, with its compressed form. */
type Asset = { readonly type: string; readonly plain: Buffer; readonly gzipped: Buffer };

/** The pages are made when they are first asked for: the public URL may not be known before. */
export function registerReference(server: FastifyInstance, options: ReferenceOptions): void {
  const document = once(() => {
    const { version, publicUrl } = options;
    return asset(JSON_TYPE, JSON.stringify(buildOpenApi({ version, serverUrl: publicUrl() })));
  });
  const reference = once(() => renderReference(options));
  const pages = new Map(
    ERROR_CODES.map((code) => [code, once(() => renderErrorPage(code, options.publicUrl()))]),
  );
  const pagePolicy = policy([`style-src '${hashOf(STYLE)}'`]);

  server.get('/', (_request, reply) => reply.redirect(REFERENCE_PATH));
  // Browsers ask for it whatever the page says; there is none.
  server.get('/favicon.ico', (_request, reply) => reply.code(204).send());
  server.get('/openapi.json', async (request, reply) => sendAsset(request, reply, await document()));
  server.get(REFERENCE_PATH, async (request, reply) => {
    const { page, contentSecurityPolicy } = await reference();
    return sendAsset(request, reply.headers(pageHeaders(contentSecurityPolicy)), page);
  });
  server.get(SCRIPT_PATH, async (request, reply) => {
    const { script } = await reference();
    return sendAsset(request, reply.header('cache-control', 'public, max-age=86400'), script);
  });
  server.get('/docs/errors', (_request, reply) =>
    reply.headers(pageHeaders(pagePolicy)).type(HTML_TYPE).send(renderErrorIndex()),
  );
  server.get<{ Params: { code: string } }>('/docs/errors/:code', (request, reply) => {
    const code = ERROR_CODES.find((known) => known === request.params.code);
    const page = code === undefined ? undefined : pages.get(code);
    if (page === undefined) throw new ApiError('not-found');
    return reply.headers(pageHeaders(pagePolicy)).type(HTML_TYPE).send(page());
  });
}

/**
 * The page and the script of the reference. The package can only register routes, which redirect by the Host header
 * and know no compression; so it is asked once, in a server of its own that never listens, and its answers are kept.
 */
async function renderReference(options: ReferenceOptions) {
  const demoClient = options.demoClient();
  // Megabytes of script that only this page needs.
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const scratch = Fastify();
  await scratch.register(scalar, {
    routePrefix: '/scalar',
    configuration: {
      url: '/openapi.json',
      cdn: SCRIPT_PATH,
      bundle: false,
      pageTitle: 'Keyport API reference',
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      persistAuth: false,
      documentDownloadType: 'json',
      mcp: { disabled: true },
      agent: { disabled: true },
      authentication: {
        preferredSecurityScheme: 'oauth2',
        ...(demoClient === undefined
          ? {}
          : {
              securitySchemes: {
                oauth2: {
                  flows: {
                    clientCredentials: {
                      'x-scalar-client-id': demoClient.clientId,
                      clientSecret: demoClient.clientSecret,
                    },
                  },
                },
              },
            }),
      },
    },
  });
  const html = (await scratch.inject('/scalar/')).body;
  const script = (await scratch.inject('/scalar/js/scalar.js')).body;
  await scratch.close();
  const inlineScripts = Array.from(
    html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g),
    ([, text]) => text,
  );
  return {
    page: await asset(HTML_TYPE, html),
    script: await asset('text/javascript; charset=utf-8', script),
    contentSecurityPolicy: policy([
      `script-src 'self' ${inlineScripts.map((text = '') => `'${hashOf(text)}'`).join(' ')}`,
      // The page styles its elements from its script.
      "style-src 'unsafe-inline'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "font-src 'self' data:",
    ]),
  };
}

function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, plain, gzipped }: Asset,
): FastifyReply {
  const isGzipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  reply.type(type).header('vary', 'accept-encoding');
  return isGzipped ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain);
}

async function asset(type: string, text: string): Promise<Asset> {
  const plain = Buffer.from(text);
  return { type, plain, gzipped: await compress(plain) };
}

function pageHeaders(contentSecurityPolicy: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy,
    'x-frame-options': 'DENY',
  };
}

/** What is not listed may not be loaded. */
function policy(sources: readonly string[]): string {
  return [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
