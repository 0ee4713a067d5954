/**
 * The reference for integrators, served by the service itself: the OpenAPI document, an interactive page made from it,
 * the guide, and a page per error code (what doc_url points at). Everything comes from this origin: no CDN, no fonts, no telemetry.
 * A78.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ERROR_CODES } from '@keyport/contract/errors';
import { EXAMPLE_IDEMPOTENCY_KEY } from '@keyport/contract/formats';
import { buildOpenApi } from '@keyport/contract/openapi';
import type { OperationSpec } from '@keyport/contract/operations';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import { JSON_TYPE } from '../http/errors.ts';
import type { OperationHandlers } from '../http/operation.ts';
import { renderErrorIndex, renderErrorPage, STYLE } from './error-pages.ts';
import { GUIDE_PATH, readSample, renderGuide, SAMPLE_FILES, samplePath } from './guide.ts';

const REFERENCE_PATH = '/docs';
const SCRIPT_PATH = '/docs/scalar.js';
const DOCUMENT_PATH = '/openapi.json';
const HTML_TYPE = 'text/html; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

export type ReferenceOptions = {
  readonly publicUrl: () => string;
  readonly version: string;
  /** Whose operations everybody may read about; undefined: all. */
  readonly audience: OperationSpec['audience'] | undefined;
  /** Filled in where the page asks for credentials; only where everybody may order (sandbox mode). Asked for late. */
  readonly demoClient: () => { readonly clientId: string; readonly clientSecret: string } | undefined;
};

const compress = promisify(gzip);

/** A body that is the same for everybody, with its compressed form. */
type Asset = { readonly type: string; readonly plain: Buffer; readonly gzipped: Buffer };

/** The pages are made when they are first asked for: the public URL may not be known before. */
export function registerReference(server: FastifyInstance, options: ReferenceOptions): void {
  const document = once(() => asset(JSON_TYPE, documentText(options)));
  const reference = once(() => renderReference(options));
  const pages = new Map(
    ERROR_CODES.map((code) => [code, once(() => renderErrorPage(code, options.publicUrl()))]),
  );
  const pagePolicy = policy([`style-src '${hashOf(STYLE)}'`]);

  server.get('/', (_request, reply) => reply.redirect(REFERENCE_PATH));
  // Browsers ask for it whatever the page says; there is none.
  server.get('/favicon.ico', (_request, reply) => reply.code(204).send());
  server.get(DOCUMENT_PATH, async (request, reply) => sendAsset(request, reply, await document()));
  for (const path of [REFERENCE_PATH, `${REFERENCE_PATH}/`]) {
    server.get(path, async (request, reply) => {
      const { page, contentSecurityPolicy } = await reference();
      return sendAsset(request, reply.headers(pageHeaders(contentSecurityPolicy)), page);
    });
  }
  server.get(SCRIPT_PATH, async (request, reply) => {
    const { script } = await reference();
    return sendAsset(request, reply.header('cache-control', 'public, max-age=86400'), script);
  });
  const guide = once(async () => asset(HTML_TYPE, await renderGuide()));
  server.get(GUIDE_PATH, async (request, reply) =>
    sendAsset(request, reply.headers(pageHeaders(pagePolicy)), await guide()),
  );
  for (const file of SAMPLE_FILES) {
    const sample = once(async () => asset(TEXT_TYPE, await readSample(file)));
    server.get(samplePath(file), async (request, reply) => sendAsset(request, reply, await sample()));
  }
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

/** The whole document, for operators: in live mode everybody else sees the operations of resellers only. */
export function buildReferenceHandlers({
  publicUrl,
  version,
}: Pick<ReferenceOptions, 'publicUrl' | 'version'>): Pick<OperationHandlers, 'getOpenApi'> {
  const bytes = once(() => Buffer.from(documentText({ publicUrl, version, audience: undefined })));
  return { getOpenApi: () => ({ status: 200, bytes: bytes() }) };
}

function documentText({
  publicUrl,
  version,
  audience,
}: Pick<ReferenceOptions, 'publicUrl' | 'version' | 'audience'>): string {
  return JSON.stringify(buildOpenApi({ version, serverUrl: publicUrl(), audience }));
}

/**
 * The page and the script of the reference. The package can only register routes, which redirect by the Host header
 * and know no compression; so it is asked once, in a server of its own that never listens, and its response is kept.
 */
async function renderReference(options: ReferenceOptions) {
  // Megabytes of script that only this page needs.
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const scratch = Fastify();
  await scratch.register(scalar, { routePrefix: '/scalar', configuration: { url: DOCUMENT_PATH } });
  const script = (await scratch.inject('/scalar/js/scalar.js')).body;
  await scratch.close();
  const starter = renderStarter(options.demoClient());
  return {
    page: await asset(HTML_TYPE, renderShell(starter)),
    script: await asset('text/javascript; charset=utf-8', script),
    contentSecurityPolicy: policy([
      `script-src 'self' '${hashOf(starter)}'`,
      // The page styles its elements from its script.
      "style-src 'unsafe-inline'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "font-src 'self' data:",
    ]),
  };
}

/**
 * Shows the document with a new Idempotency-Key in the place of the example's, so that each try places an order of its
 * own. `randomUUID` is only there with https or on this machine.
 */
function renderStarter(demoClient: ReturnType<ReferenceOptions['demoClient']>): string {
  const clientCredentials = {
    'x-scalar-client-id': demoClient?.clientId,
    clientSecret: demoClient?.clientSecret,
  };
  const configuration = {
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
      ...(demoClient === undefined ? {} : { securitySchemes: { oauth2: { flows: { clientCredentials } } } }),
    },
  };
  return `
const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
const key = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
fetch('${DOCUMENT_PATH}').then((response) => response.text()).then((text) => {
  const content = JSON.parse(text.replaceAll('${EXAMPLE_IDEMPOTENCY_KEY}', key));
  Scalar.createApiReference('#app', { ...${JSON.stringify(configuration).replaceAll('<', '\\u003c')}, content });
});
`;
}

function renderShell(starter: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Keyport API reference</title>
</head>
<body>
<div id="app"></div>
<script src="${SCRIPT_PATH}"></script>
<script>${starter}</script>
</body>
</html>
`;
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
