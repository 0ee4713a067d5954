import { equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { ERROR_CODES, errorSpec } from '@keyport/contract/errors';
import { responseExample } from '@keyport/contract/openapi/examples';
import { OPERATIONS } from '@keyport/contract/operations';
import { CHECK_IDS } from '@keyport/contract/sandbox/checks';
import type { Route } from '@keyport/http/server/exchange';
import { type TestContext, test } from 'vitest';
import { referenceRoutes } from '../src/reference/reference.ts';
import { NEEDS_BROWSER, openPage } from './support/browser.ts';
import { expectError, fetchResponse, startServer, type TestServer } from './transport/support.ts';

const DEMO = { clientId: 'demo-shop', clientSecret: 'kpsec_for_the_test_only' };

async function startReference(
  t: TestContext,
  demoClient?: typeof DEMO,
  isSandbox = true,
  publicUrl?: string,
): Promise<TestServer> {
  const started: TestServer = await startServer(t, {
    ...(publicUrl && { publicUrl }),
    stubs: {
      listProductOffers: () => ({
        status: 200,
        data: [],
        ...responseExample({ ...OPERATIONS.listProductOffers, name: 'listProductOffers' }),
      }),
    },
    routes: [
      { method: 'POST', path: '/oauth/token', handle: issueDemoToken },
      ...referenceRoutes({
        publicUrl: () => publicUrl ?? started.url,
        version: '1.2.3',
        isSandbox,
        demoClient: () => demoClient,
      }),
    ],
  });
  return started;
}

const issueDemoToken: Route['handle'] = ({ headers }) => {
  const basic = Buffer.from(`${DEMO.clientId}:${DEMO.clientSecret}`).toString('base64');
  const isDemo = headers.authorization === `Basic ${basic}`;
  const token = { access_token: 'reseller', token_type: 'Bearer', expires_in: 60 };
  return { status: isDemo ? 200 : 401, bytes: JSON.stringify(isDemo ? token : {}) };
};

test('behind a proxy that removes a path, no address of any page leaves that path', async (t) => {
  const prefix = '/keyport';
  let target = '';
  const proxy = createServer(async (request, response) => {
    const path = request.url ?? '';
    const isBelow = path.startsWith(`${prefix}/`);
    const from = isBelow
      ? await fetch(target + path.slice(prefix.length), { redirect: 'manual' })
      : undefined;
    const location = from?.headers.get('location');
    const type = from?.headers.get('content-type') ?? 'text/plain';
    response.writeHead(from?.status ?? 418, { 'content-type': type, ...(location && { location }) });
    response.end(from === undefined ? '' : Buffer.from(await from.arrayBuffer()));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.onTestFinished(() => void proxy.close());
  const address = proxy.address();
  const publicUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${prefix}`;
  ({ url: target } = await startReference(t, undefined, true, publicUrl));

  const waiting = [`${publicUrl}/`, `${publicUrl}/admin/docs`, `${publicUrl}/docs/checkup`];
  const seen = new Set(waiting);
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const response = await fetch(url);
    equal(response.status === 204 ? 200 : response.status, 200, url);
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    const text = await response.text();
    const links = text.matchAll(/(?: (?:href|src)="|fetch\(')([^"'#]+)/g);
    for (const [, link = ''] of links) {
      const next = new URL(link.replaceAll('&amp;', '&'), response.url);
      if (next.protocol === 'data:' || next.host !== new URL(publicUrl).host || seen.has(next.href)) continue;
      seen.add(next.href);
      waiting.push(next.href);
    }
  }
  ok(
    seen.has(`${publicUrl}/docs/guide`) &&
      seen.has(`${publicUrl}/openapi.json`) &&
      seen.has(`${publicUrl}/docs/scalar.js`),
  );
  const unstripped = await fetchResponse(`${target}${prefix}/docs`);
  equal(unstripped.status, 404);
  match(unstripped.text, /must remove \/keyport, the path of KEYPORT_PUBLIC_URL/);
});

test('the OpenAPI document names the public URL as its server', async (t) => {
  const { url } = await startReference(t);
  const document = JSON.parse((await fetchResponse(`${url}/openapi.json`)).text);
  equal(document.openapi, '3.1.0');
  equal(document.servers[0].url, url);
  equal(document.components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl, `${url}/oauth/token`);
});

test('llms.txt and the changelog have the public URL, and the reference links to them', async (t) => {
  const { url } = await startReference(t);
  const [llms, short, changelog, document] = await Promise.all(
    ['/docs/llms.txt', '/llms.txt', '/docs/changelog', '/openapi.json'].map((path) =>
      fetchResponse(url + path),
    ),
  );
  match(llms?.headers['content-type'] ?? '', /^text\/plain/);
  ok(llms?.text.includes(`](${url}/docs/guide)`));
  equal(short?.text, llms?.text);
  match(changelog?.text ?? '', /<h2 [^>]*>0\.\d\.0 \(\d{4}-\d{2}-\d{2}\)<\/h2>\s*<h3 [^>]*>Additions<\/h3>/);
  for (const path of ['llms.txt', 'changelog']) ok(document?.text.includes(`${url}/docs/${path}`), path);
});

test.for([true, false])(
  'resellers and operators each have a document (sandbox: %s)',
  async (isSandbox, t) => {
    const { url } = await startReference(t, undefined, isSandbox);
    const toPaths = async (path: string) =>
      Object.keys(JSON.parse((await fetchResponse(url + path)).text).paths);
    const ofResellers = await toPaths('/openapi.json');
    ok(ofResellers.includes('/export/v1/orders'));
    ok(!ofResellers.some((path) => path.startsWith('/admin/')));
    equal(ofResellers.includes('/sandbox/v1/checkup'), isSandbox);
    const ofOperators = await toPaths('/admin/openapi.json');
    ok(ofOperators.includes('/admin/v1/accounts'));
    ok(!ofOperators.some((path) => /^\/(export|sandbox)\//.test(path)));
  },
);

test('each document has a page', async (t) => {
  const { url } = await startReference(t, DEMO);
  for (const [page, document] of [
    ['/docs', '/openapi.json'],
    ['/admin/docs', '/admin/openapi.json'],
  ] as const)
    ok((await fetchResponse(url + page)).text.includes(`fetch('${document}')`), page);
  ok(!(await fetchResponse(`${url}/admin/docs`)).text.includes(DEMO.clientSecret));
});

test('the guide is a page whose links resolve, and its samples are files', async (t) => {
  const { url } = await startReference(t);
  const page = await fetchResponse(`${url}/docs/guide`);
  equal(page.status, 200);
  match(page.headers['content-type'] ?? '', /^text\/html/);
  match(page.headers['content-security-policy'] ?? '', /default-src 'none'/);
  match(page.text, /<h1 id="integrating-for-resellers">/);
  match(page.text, /<h2 id="ordering-safely">[\s\S]*<table>/);
  ok(
    page.text.includes(`KEYPORT_URL=${url} `) && !page.text.includes('127.0.0.1:8080'),
    'the URL of the service',
  );
  ok(!page.text.includes('<script'));
  for (const [, href = ''] of page.text.matchAll(/href="([^"]*)"/g)) {
    if (href.startsWith('#')) ok(page.text.includes(`id="${href.slice(1)}"`), href);
    else equal((await fetchResponse(new URL(href, url).href)).status, 200, href);
  }
  for (const file of ['reseller.mjs', 'reseller.py']) {
    const sample = await fetchResponse(`${url}/docs/examples/${file}`);
    equal(sample.text, await readFile(new URL(`../../../docs/examples/${file}`, import.meta.url), 'utf8'));
    match(sample.headers['content-type'] ?? '', /^text\/plain/);
    ok(page.text.includes(`/docs/examples/${file}"`));
  }
  ok(
    (await fetchResponse(`${url}/openapi.json`)).text.includes(`${url}/docs/guide`),
    'the reference links to it',
  );
});

test('every error code has a page with the remedy and whether to retry', async (t) => {
  const { url } = await startReference(t);
  const index = await fetchResponse(`${url}/docs/errors`);
  for (const code of ERROR_CODES) {
    const page = await fetchResponse(`${url}/docs/errors/${code}`);
    equal(page.status, 200);
    match(page.headers['content-type'] ?? '', /^text\/html/);
    match(page.headers['content-security-policy'] ?? '', /default-src 'none'/);
    ok(page.text.includes(`HTTP status ${errorSpec(code).status}`));
    match(page.text, /What to do[\s\S]*May I send the request again/);
    ok(!/<script|https?:\/\/(?!127\.0\.0\.1)/.test(page.text), code);
    ok(index.text.includes(`/docs/errors/${code}"`));
  }
  const forced = await fetchResponse(`${url}/docs/errors/order-not-complete`);
  ok(forced.text.includes('<pre>Keyport-Scenario: error:order-not-complete</pre>'));
  const waiting = await fetchResponse(`${url}/docs/errors/order-not-paid`);
  match(waiting.text, /Do not order again/);
  ok(!waiting.text.includes('change something first'), 'ordering again buys twice');
  expectError(await fetchResponse(`${url}/docs/errors/nothing`), 'not-found');
});

test('the check-up page explains every check', async (t) => {
  const { url } = await startReference(t);
  const page = await fetchResponse(`${url}/docs/checkup`);
  equal(page.status, 200);
  for (const id of CHECK_IDS) ok(page.text.includes(`<h2 id="${id}">`), id);
});

test('the start page redirects to the reference, regardless of the Host header', async (t) => {
  const { url } = await startReference(t);
  const answer = await fetchResponse(url, { redirect: 'manual' });
  equal(answer.status, 302);
  equal(answer.headers['location'], '/docs');
});

test('the reference is served with and without a trailing slash', async (t) => {
  const { url } = await startReference(t);
  const page = await fetchResponse(`${url}/docs`);
  for (const path of ['/docs/', '/docs/?from=mail']) {
    const answer = await fetchResponse(url + path, { redirect: 'manual' });
    equal(answer.status, 200, path);
    equal(answer.text, page.text);
    equal(answer.headers['content-security-policy'], page.headers['content-security-policy']);
  }
});

test('the page has the demo client only when one is configured', async (t) => {
  const withDemo = await startReference(t, DEMO);
  ok((await fetchResponse(`${withDemo.url}/docs`)).text.includes(DEMO.clientSecret));
  const without = await startReference(t);
  ok(!(await fetchResponse(`${without.url}/docs`)).text.includes('clientSecret'));
});

test(
  'the reference shows and sends a request with the demo client, using only its own origin',
  NEEDS_BROWSER,
  async (t) => {
    const { url, calls } = await startReference(t, DEMO);
    const { page, requested, problems } = await openPage(t);
    await page.goto(`${url}/docs`);
    await page.getByRole('heading', { name: 'Keyport export API' }).waitFor();
    const token = page.waitForResponse(`${url}/oauth/token`);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await token;
    await page.goto(`${url}/docs#tag/catalogue/GET/export/v1/product-offers`);
    await page
      .getByRole('button', { name: /Test Request.*\/export\/v1\/product-offers\)/s })
      .first()
      .click();
    await page.getByRole('button', { name: /^Send/ }).first().click();
    await page.getByText('200 OK').first().waitFor();
    equal(calls.at(-1)?.name, 'listProductOffers');
    ok(
      requested.every((address) => address.startsWith(`${url}/`) || address.startsWith('data:')),
      requested.join('\n'),
    );
    equal(problems.join('\n'), '');
  },
);

test(
  'the reference offers the scenarios of an order, and sends none unless one is chosen',
  NEEDS_BROWSER,
  async (t) => {
    const { url } = await startReference(t, DEMO);
    const { page } = await openPage(t);
    await page.goto(`${url}/docs#tag/orders/POST/export/v1/orders`);
    await page
      .getByRole('button', { name: /Test Request.*post \/export\/v1\/orders\)/s })
      .first()
      .click();
    const row = page.getByRole('row').filter({ hasText: 'Keyport-Scenario' }).first();
    await row.waitFor();
    equal(await row.getByRole('checkbox').first().isChecked(), false);
    await row.getByRole('button').first().click();
    for (const name of ['lost-answer', 'pending-payment', 'error:insufficient-funds']) {
      const exactly = { name, exact: true };
      await page.getByRole('button', exactly).or(page.getByRole('menuitem', exactly)).first().waitFor();
    }
  },
);

test('an error page loads without errors in the browser', NEEDS_BROWSER, async (t) => {
  const { url } = await startReference(t);
  const { page, requested, problems } = await openPage(t);
  await page.goto(`${url}/docs/errors/offer-not-available`);
  await page.getByRole('heading', { name: 'What to do' }).waitFor();
  const width = await page.evaluate('getComputedStyle(document.body).maxWidth');
  equal(width, '736px', 'the style is applied');
  ok(requested.every((address) => address.startsWith(`${url}/`)));
  equal(problems.join('\n'), '');
});
