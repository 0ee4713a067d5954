/** Everything comes from this origin: no CDN, fonts or telemetry. */

import { ERROR_CODES } from '@keyport/contract/errors';
import { EXAMPLE_IDEMPOTENCY_KEY } from '@keyport/contract/formats';
import { buildOpenApi, SCENARIOS } from '@keyport/contract/openapi/document';
import { buildLlmsText } from '@keyport/contract/openapi/llms';
import { CHECKUP_PATH } from '@keyport/contract/sandbox/checks';
import { SCENARIO_HEADER } from '@keyport/contract/sandbox/scenarios';
import { ApiError } from '@keyport/http/replies/api-error';
import {
  asset,
  assetReply,
  belowPrefix,
  computeHash,
  HTML_TYPE,
  once,
  pageHeaders,
  policy,
  toPrefix,
} from '@keyport/http/replies/assets';
import { JSON_TYPE } from '@keyport/http/replies/errors';
import type { Reply } from '@keyport/http/replies/reply';
import type { Route } from '@keyport/http/server/exchange';
import type { MaybePromise } from '@keyport/http/server/maybe-promise';
import { GUIDES, readSample, renderGuide, SAMPLE_FILES, samplePath } from './guide.ts';
import { renderCheckupPage, renderErrorIndex, renderErrorPage, STYLE } from './pages.ts';
import { sdkReferenceRoutes } from './sdk-reference.ts';

const SCRIPT_PATH = '/docs/scalar.js';
const START_PATH = '/docs';
const REFERENCES = [
  { audience: 'reseller', pagePath: START_PATH, documentPath: '/openapi.json' },
  { audience: 'operator', pagePath: '/admin/docs', documentPath: '/admin/openapi.json' },
] as const;
type Reference = (typeof REFERENCES)[number];
const TEXT_TYPE = 'text/plain; charset=utf-8';

export type ReferenceOptions = {
  readonly publicUrl: () => string;
  readonly version: string;
  readonly isSandbox: boolean;
  /** Prefills the sandbox's page. A function, because the credentials are set late and change on rotation. */
  readonly demoClient: () => MaybePromise<DemoClient | undefined>;
};

type DemoClient = { readonly clientId: string; readonly clientSecret: string };

/** Pages are built at the first request, when the public URL is known. */
export function referenceRoutes(options: ReferenceOptions): Route[] {
  const script = once(async () => asset('text/javascript; charset=utf-8', await readScript()));
  const llms = once(() => asset(TEXT_TYPE, buildLlmsText(toDocument(REFERENCES[0], options))));
  const pagePolicy = policy([`style-src '${computeHash(STYLE)}'`]);
  const get = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });
  const inPrefix = (html: string) => belowPrefix(html, options.publicUrl());
  return [
    get('/', () => ({ status: 302, headers: { location: toPrefix(options.publicUrl()) + START_PATH } })),
    // Browsers request it anyway.
    get('/favicon.ico', () => ({ status: 204 })),
    ...REFERENCES.flatMap((reference) => {
      const document = once(() => asset(JSON_TYPE, JSON.stringify(toDocument(reference, options))));
      const demoClient = () => (reference.audience === 'reseller' ? options.demoClient() : undefined);
      const bare = once(() => renderReference(reference, options.publicUrl(), undefined));
      const filled = once(async () => renderReference(reference, options.publicUrl(), await demoClient()));
      const showPage: Route['handle'] = async (exchange) => {
        const isBare = (await demoClient()) === undefined;
        const { page, contentSecurityPolicy } = await (isBare ? bare() : filled());
        return assetReply(exchange, page, pageHeaders(contentSecurityPolicy));
      };
      return [
        get(reference.documentPath, async (exchange) => assetReply(exchange, await document())),
        get(reference.pagePath, showPage),
        get(`${reference.pagePath}/`, showPage),
      ];
    }),
    ...(['/llms.txt', '/docs/llms.txt'] as const).map((path) =>
      get(path, async (exchange) => assetReply(exchange, await llms())),
    ),
    get(SCRIPT_PATH, async (exchange) =>
      assetReply(exchange, await script(), { 'cache-control': 'public, max-age=86400' }),
    ),
    ...GUIDES.map((guide) => {
      const page = once(async () =>
        asset(HTML_TYPE, inPrefix(await renderGuide(guide, options.publicUrl()))),
      );
      return get(guide.path, async (exchange) => assetReply(exchange, await page(), pageHeaders(pagePolicy)));
    }),
    ...SAMPLE_FILES.map((file) => {
      const sample = once(async () => asset(TEXT_TYPE, await readSample(file)));
      return get(samplePath(file), async (exchange) => assetReply(exchange, await sample()));
    }),
    ...sdkReferenceRoutes(),
    ...(options.isSandbox
      ? [get(CHECKUP_PATH, () => htmlReply(inPrefix(renderCheckupPage()), pagePolicy))]
      : []),
    get('/docs/errors', () => htmlReply(inPrefix(renderErrorIndex()), pagePolicy)),
    get('/docs/errors/{code}', ({ params }) => {
      const code = ERROR_CODES.find((known) => known === params['code']);
      if (code === undefined) throw new ApiError('not-found');
      const page = renderErrorPage(code, options.publicUrl(), options.isSandbox);
      return htmlReply(inPrefix(page), pagePolicy);
    }),
  ];
}

function toDocument({ audience }: Reference, { publicUrl, version, isSandbox }: ReferenceOptions) {
  return buildOpenApi({ version, serverUrl: publicUrl(), audience, isSandbox });
}

async function renderReference(
  { documentPath }: Reference,
  publicUrl: string,
  demoClient: DemoClient | undefined,
) {
  const starter = renderStarter(toPrefix(publicUrl) + documentPath, demoClient);
  return {
    page: await asset(HTML_TYPE, belowPrefix(renderShell(starter), publicUrl)),
    contentSecurityPolicy: policy([
      `script-src 'self' '${computeHash(starter)}'`,
      "style-src 'unsafe-inline'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "font-src 'self' data:",
    ]),
  };
}

/** The package only registers Fastify routes; the script's handler returns its text. */
async function readScript(): Promise<string> {
  const { default: register } = await import('@scalar/fastify-api-reference');
  let script = '';
  const reply = { header: () => reply, send: (text: string) => (script = text) };
  const route = (one: { url: string; handler: (request: unknown, to: typeof reply) => void }) => {
    if (one.url.endsWith('.js')) one.handler({}, reply);
  };
  register({ route } as never, { configuration: { url: START_PATH } }, () => {});
  return script;
}

/** Scenarios become a drop-down, and each page load gets a new key. `randomUUID` needs https or localhost. */
function renderStarter(documentPath: string, demoClient: DemoClient | undefined): string {
  const { clientId, clientSecret } = demoClient ?? {};
  const clientCredentials = { 'x-scalar-client-id': clientId, clientSecret };
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
fetch('${documentPath}').then((response) => response.text()).then((text) => {
  const content = JSON.parse(text.replaceAll('${EXAMPLE_IDEMPOTENCY_KEY}', key));
  for (const operation of Object.values(content.paths).flatMap(Object.values))
    if (operation['${SCENARIOS}'] !== undefined) {
      const values = operation['${SCENARIOS}'];
      const description = 'Sandbox only: forces an outcome of this request, such as an error or a lost response. Separate several values with commas.';
      // The header is sent only if a scenario is chosen, with any example of the body.
      const { examples } = Object.values(operation.requestBody?.content ?? {})[0] ?? {};
      const names = ['default', ...Object.keys(examples ?? {})];
      (operation.parameters ??= []).push({
        name: '${SCENARIO_HEADER}',
        in: 'header',
        description,
        schema: { type: 'string', enum: values },
        examples: Object.fromEntries(names.map((name) => [name, { value: values[0], 'x-disabled': true }])),
      });
    }
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
<link rel="icon" href="/favicon.ico">
</head>
<body>
<div id="app"></div>
<script src="${SCRIPT_PATH}"></script>
<script>${starter}</script>
</body>
</html>
`;
}

function htmlReply(html: string, contentSecurityPolicy: string): Reply {
  return {
    status: 200,
    bytes: html,
    headers: { ...pageHeaders(contentSecurityPolicy), 'content-type': HTML_TYPE },
  };
}
