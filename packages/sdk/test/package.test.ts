import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { test } from 'vitest';
import { NEEDS_BROWSER, openPage } from '../../server/test/support/browser.ts';
import { onEnd } from '../../server/test/support/database.ts';
import { endProcess } from '../../server/test/support/processes.ts';
import { sharedHarness, skipBecause, wholeFile } from '../../server/test/support/vitest.ts';
import { verifyWebhook } from '../src/verify-webhook.ts';

const TARBALL_BYTES_MAX = 150 * 1024;

const SDK = join(import.meta.dirname, '..');
const MODULES = join(SDK, '../../node_modules');
const run = promisify(execFile);
const node = (args: readonly string[], cwd = SDK, env: Record<string, string> = {}) =>
  run(process.execPath, args, { cwd, env: { ...process.env, ...env } });

const folder = await mkdtemp(join(tmpdir(), 'keyport-package-'));
onEnd(wholeFile, () => rm(folder, { recursive: true }));
const h = await sharedHarness();
const { stdout: packed } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: SDK });
const [report] = JSON.parse(packed);
const tarball = join(folder, report.filename);
const app = join(folder, 'app');
await mkdir(app);
await writeFile(join(app, 'package.json'), '{"private":true,"type":"module"}');
// Offline, npm can install only the tarball.
await run('npm', ['install', '--offline', '--ignore-scripts', tarball], { cwd: app });
const installed = join(app, 'node_modules/@keyport/sdk');

test('the tarball is small, and has nothing but modules, types and documents', async () => {
  ok((await stat(tarball)).size <= TARBALL_BYTES_MAX, `${(await stat(tarball)).size} bytes`);
  const paths: string[] = report.files.map(({ path }: { path: string }) => path);
  deepEqual(
    paths.filter(
      (path) =>
        !/^(?:dist\/[\w-]+\.(?:d\.c?ts|c?js)|package\.json|LICENSE|README\.md|CHANGELOG\.md)$/.test(path),
    ),
    [],
  );
  ok(paths.includes('README.md') && paths.includes('CHANGELOG.md'));
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  deepEqual(
    [manifest.dependencies, manifest.peerDependencies, manifest.private],
    [undefined, undefined, undefined],
  );
  for (const path of paths.filter((one) => /\.c?ts$/.test(one))) {
    const text = await readFile(join(installed, path), 'utf8');
    equal(
      /typebox|@keyport\/(?!sdk)|['"]node:/i.test(text),
      false,
      `${path} names what its readers do not have`,
    );
  }
});

test('every released version is kept, and the current one has not changed since its release (A543)', async () => {
  const changelog = await readFile(join(SDK, 'CHANGELOG.md'), 'utf8');
  const versions = Array.from(changelog.matchAll(/^## (\S+)$/gm), ([, version = '']) => version);
  equal(`keyport-sdk-${versions[0]}.tgz`, report.filename, 'CHANGELOG.md begins with the current version');
  // Earlier versions shared one address.
  for (const version of versions.slice(1, versions.indexOf('0.3.0') + 1)) {
    ok(
      existsSync(join(SDK, `releases/keyport-sdk-${version}.tgz`)),
      `${version} is not in packages/sdk/releases`,
    );
  }
  const released = join(SDK, 'releases', report.filename);
  if (!existsSync(released)) return;
  const [before, now] = await Promise.all(
    [released, tarball].map(async (file) => gunzipSync(await readFile(file))),
  );
  ok(before?.equals(now ?? Buffer.of()), `${report.filename} is released: a change needs a new version`);
});

/** Uses everything public, with the strictest compiler options. */
const CONSUMER = `
import { Keyport, KeyportError, KeyportTimeoutError, verifyWebhook } from '@keyport/sdk';
import type { KeyportErrorOf, KeyportEvent, Order } from '@keyport/sdk';
import { CatalogueMirror, createOrderOnce, createReservationOnce } from '@keyport/sdk/node';
import { KeyportAdmin } from '@keyport/sdk/admin';

const keyport = new Keyport({ baseUrl: 'https://x', clientId: 'a', clientSecret: 'b', fetch, maxRetries: 3 });
export const other = new Keyport({ baseUrl: 'https://x', accessToken: async () => 'token' });
export async function use(signal: AbortSignal): Promise<string> {
  for await (const product of keyport.products.list({ productIds: ['1'], maxPrice: undefined, orderable: true }, { signal })) product.offers[0]?.price;
  for await (const change of keyport.products.changes({ wait: 5, signal })) {
    const next: string = change.cursor;
    if ('removed' in change) change.id satisfies string; else change.minPrice satisfies string;
    next.length;
  }
  const order: Order = await keyport.orders.create({ manual: { offerId: 'x', quantity: 1, maxPrice: '1.00' } }, { idempotencyKey: 'k', scenario: 'held' });
  const { data, response } = await keyport.orders.get(order.id).withResponse();
  response.headers.get('etag') satisfies string | null;
  data.transactions?.[0]?.items[0]?.offer.id satisfies string | undefined;
  const [first] = await keyport.orders.keys(order.id);
  first?.keys[0]?.code satisfies string | undefined;
  (await keyport.orders.list().page(2)).meta.hasNext satisfies boolean;
  for await (const event of keyport.events.list({ types: ['order.refunded'] })) {
    if (event.type === 'order.refunded') event.data.refund.amount satisfies string;
  }
  const { secret } = await keyport.webhookEndpoints.create({ url: 'https://y', types: ['*'] });
  const event: KeyportEvent = await verifyWebhook({ body: '', headers: new Headers(), secret: [secret] });
  const mirror = new CatalogueMirror(keyport, 'file');
  await mirror.sync();
  mirror.products.get('1')?.minPrice satisfies string | undefined;
  await createOrderOnce(keyport, 'file', { auto: { productId: '1', quantity: 1, maxPrice: '1' } });
  (await createReservationOnce(keyport, 'file', { manual: { offerId: '1', quantity: 1, maxPrice: '1' }, ttlSeconds: 60 })).expiresAt satisfies string;
  for await (const { code } of keyport.requests.failures({ orderId: '1' })) code satisfies string | undefined;
  const admin = new KeyportAdmin({ baseUrl: 'https://x', clientId: 'a', clientSecret: 'b' });
  (await admin.createAccount({ body: { name: 'x', paymentMethod: null } })).id satisfies string;
  const { meta } = await admin.listAccounts();
  ('hasNext' in meta ? meta.hasNext : meta.hasMore) satisfies boolean;
  for await (const held of admin.all('listAllOrders', { query: { status: 'held' } })) held.accountName satisfies string;
  return event.id;
}
export function explain(error: unknown): string | number | undefined {
  if (error instanceof KeyportTimeoutError) return error.idempotencyKey;
  if (error instanceof KeyportError && error.is('max-price-exceeded')) return error.data.offerPrice;
  if (error instanceof KeyportError && error.is('insufficient-funds')) return error.data.required;
  if (error instanceof KeyportError && error.is('validation-error')) error.data satisfies undefined;
  return error instanceof KeyportError ? error.errors[0]?.field : undefined;
}
export function narrow(error: unknown): string | undefined {
  if (!(error instanceof KeyportError)) return undefined;
  // Later versions may add codes.
  if (error.code === 'a-code-of-tomorrow') return error.code satisfies string;
  // @ts-expect-error A code is a string.
  error.code satisfies number;
  // @ts-expect-error The members of data depend on the code.
  error.data.offerPrice;
  // @ts-expect-error There is no such code.
  error.is('max-price-exceded');
  if (error.is('max-price-exceeded')) {
    error.code satisfies 'max-price-exceeded';
    // @ts-expect-error It has no such member.
    error.data.offerPrize;
    return error.data.offerPrice;
  } else if (error.is('order-not-paid')) return error.data.orderId satisfies string;
  return error.data && 'offerPrice' in error.data ? String(error.data.offerPrice) : undefined;
}
export const named = (error: KeyportErrorOf<'order-not-paid'>): string => error.data.orderId;
export async function rehearse(): Promise<number> {
  const order = await keyport.sandbox.holdOrder('1', { reason: 'x' });
  (await keyport.sandbox.updateAccount({ balance: '1.00' })).status satisfies string;
  // @ts-expect-error It needs a reason.
  keyport.sandbox.releaseOrder(order.id);
  // @ts-expect-error There is no such outcome.
  keyport.sandbox.settleOrder(order.id, { outcome: 'lost' });
  const { score, checks } = await keyport.sandbox.checkup({ since: '2026-01-01T00:00:00Z' });
  checks[0]?.evidence?.[0]?.note satisfies string | undefined;
  return score;
}
export const watched = new Keyport({
  baseUrl: 'https://x',
  accessToken: () => 'token',
  onRequest: ({ method, url, headers, attempt }) => console.log(method, url, headers.get('idempotency-key'), attempt),
  onResponse: async ({ status, durationMs, request, error }) => console.log(status, durationMs, request.url, error),
});
// @ts-expect-error An item needs all members of auto or manual.
keyport.orders.create({ manual: { offerId: 'x' } });
// @ts-expect-error There is no such filter.
keyport.products.list({ price: '1' });
`;

const RESOLUTIONS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  node16: { module: 'node16', moduleResolution: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  node: { module: 'commonjs', moduleResolution: 'node', ignoreDeprecations: '6.0' },
};

for (const [name, lib, types] of [
  ['with the DOM and without the types of Node', ['es2022', 'dom'], []],
  ['with the types of Node and without the DOM', ['es2022'], ['node']],
] as const) {
  for (const [compiler, tsc] of [
    ['the TypeScript of the workspace', join(MODULES, 'typescript/bin/tsc')],
    ['TypeScript 6', join(SDK, 'node_modules/typescript/bin/tsc')],
  ] as const) {
    test(`strict consumers compile ${name}, libraries checked, by ${compiler}`, async () => {
      await mkdir(join(app, 'node_modules/@types'), { recursive: true });
      for (const path of ['@types/node', 'undici-types']) {
        await symlink(join(MODULES, path), join(app, 'node_modules', path)).catch(() => {});
      }
      await compile(tsc, 'consumer.ts', {
        ...{ lib, types },
        ...RESOLUTIONS.nodenext,
        verbatimModuleSyntax: true,
      });
    });
  }
}

test('CommonJS consumers compile, with and without support for package exports', async () => {
  const types = { lib: ['es2022', 'dom'], types: [] };
  const tsc = join(MODULES, 'typescript/bin/tsc');
  const oldTsc = join(SDK, 'node_modules/typescript/bin/tsc');
  await compile(tsc, 'consumer.cts', { ...types, ...RESOLUTIONS.nodenext });
  for (const [name, resolution] of Object.entries(RESOLUTIONS)) {
    await compile(name === 'node' ? oldTsc : tsc, 'consumer.ts', { ...types, ...resolution }).catch(
      (error: unknown) => {
        throw new Error(`${name}: ${error}`);
      },
    );
  }
});

async function compile(tsc: string, file: string, options: object): Promise<void> {
  await writeFile(join(app, file), CONSUMER);
  const compilerOptions = {
    ...{ target: 'es2022', strict: true, skipLibCheck: false, noEmit: true, isolatedModules: true },
    ...{
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
    },
    ...options,
  };
  await writeFile(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  await node([tsc, '-p', '.'], app).catch(({ stdout }) => {
    throw new Error(stdout);
  });
}

const IMPORTS: Readonly<Record<'mjs' | 'cjs', string>> = {
  mjs: `
import { Keyport, KeyportError } from '@keyport/sdk';
import { createOrderOnce, CatalogueMirror } from '@keyport/sdk/node';
import { KeyportAdmin } from '@keyport/sdk/admin';
`,
  cjs: `
const { Keyport, KeyportError } = require('@keyport/sdk');
const { createOrderOnce, CatalogueMirror } = require('@keyport/sdk/node');
const { KeyportAdmin } = require('@keyport/sdk/admin');
`,
};

/** Buys, follows, waits, is rejected and gives up; at the end nothing keeps the process alive. */
const PROGRAM = `
process.on('unhandledRejection', (reason) => { console.log('unhandled', reason); process.exit(1); });
const { KEYPORT_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, OFFER_ID: offerId } = process.env;
(async () => {
const keyport = new Keyport({ baseUrl, clientId, clientSecret });
const order = await createOrderOnce(keyport, 'order-' + process.pid + '.json', { manual: { offerId, quantity: 1, maxPrice: '10.00' } });
const mirror = new CatalogueMirror(keyport, 'catalogue-' + process.pid);
await mirror.sync();
const controller = new AbortController();
setTimeout(() => controller.abort(), 100);
try { for await (const _ of keyport.products.changes({ wait: 30, signal: controller.signal })); } catch {}
try { await keyport.orders.get('99999999999999'); } catch (error) { if (!(error instanceof KeyportError)) throw error; }
new KeyportAdmin({ baseUrl, clientId, clientSecret });
const left = process.getActiveResourcesInfo?.().filter((name) => name === 'Timeout') ?? [];
console.log(JSON.stringify({ status: order.status, products: mirror.products.size > 0, left }));
})();
`;

/** The Node of the machine, which may be the oldest that the package supports. */
const otherNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .map((path) => join(path, 'node'))
  .find((command) => {
    try {
      return (
        Number.parseInt(execFileSync(command, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10) >=
        20
      );
    } catch {
      return false;
    }
  });

/** Other runtimes, as npm installs them (docs/testing.md). */
const runtimes = process.env['KEYPORT_TEST_RUNTIMES'];
const inRuntimes = (program: string) => {
  const path = runtimes === undefined ? '' : join(runtimes, 'node_modules', program);
  return existsSync(path) ? path : undefined;
};

type Runtime = readonly [name: string, command: string | undefined, args?: readonly string[]];
const RUNTIMES: readonly Runtime[] = [
  ['this Node', process.execPath],
  ['the Node of the machine', otherNode],
  ['Node 20', inRuntimes('node20/bin/node')],
  ['Node 22', inRuntimes('node22/bin/node')],
  ['Node 24', inRuntimes('node24/bin/node')],
  ['Bun', inRuntimes('.bin/bun')],
  ['Deno', inRuntimes('.bin/deno'), ['run', '--allow-all']],
];

for (const [name, command, args = []] of RUNTIMES) {
  test(`a program runs on ${name}, and ends`, async (t) => {
    skipBecause(t, command === undefined && 'it is neither on the PATH nor in KEYPORT_TEST_RUNTIMES');
    const { offerId } = await h.seed.listing();
    const { clientId, clientSecret } = await h.seed.reseller({ balance: '100.00' });
    const env = { KEYPORT_URL: h.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, OFFER_ID: offerId };
    const options = { cwd: app, env, timeout: 60_000 };
    for (const kind of ['mjs', 'cjs'] as const) {
      await writeFile(join(app, `program.${kind}`), IMPORTS[kind] + PROGRAM);
      const { stdout, stderr } = await run(command ?? '', [...args, `program.${kind}`], options);
      deepEqual(JSON.parse(stdout), { status: 'complete', products: true, left: [] }, kind);
      equal(stderr, '', kind);
    }
  });
}

test('npx keyport-sdk listens, triggers, runs the check-up and explains errors (A543)', async (t) => {
  await h.seed.listing({ price: '5.00' });
  const { clientId, clientSecret } = await h.seed.reseller({ balance: '500.00' });
  const env = {
    PATH: process.env['PATH'],
    KEYPORT_URL: h.url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
  };
  const command = join(app, 'node_modules/.bin/keyport-sdk');
  const wrongSecret = join(app, 'wrong-secret');
  await writeFile(wrongSecret, 'kpsec_wrong');
  const received: string[] = [];
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const receiver = createServer(async (request, response) => {
    const event = await verifyWebhook({ body: await text(request), headers: request.headers, secret });
    received.push(event.type);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.onTestFinished(() => void receiver.close());
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const unused = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  await new Promise((resolve) => closed.close(resolve));

  for (const program of [process.execPath, otherNode ?? process.execPath]) {
    const keyportSdk = (args: readonly string[], settings: Record<string, string | undefined> = env) =>
      run(program, [command, ...args], { cwd: app, env: settings, timeout: 60_000 }).then(
        (ended) => ({ code: 0, ...ended }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      );
    const listening = spawn(program, [command, 'listen', '--forward-to', target, '--secret-file', '-'], {
      env,
    });
    listening.stdin.end(`${secret}\n`);
    t.onTestFinished(async () => void (await endProcess(listening)));
    const notices = createInterface({ input: listening.stderr })[Symbol.asyncIterator]();
    equal((await notices.next()).value, `Signed with the secret ${secret}`);
    equal((await notices.next()).value, 'Waiting for events. Press Ctrl-C to end.');
    const lines = createInterface({ input: listening.stdout })[Symbol.asyncIterator]();
    const triggered = await keyportSdk(['trigger', 'order.held', '--json']);
    deepEqual([triggered.code, triggered.stderr], [0, '']);
    const { type, id } = JSON.parse(triggered.stdout);
    equal(type, 'order.held');
    match(
      String((await lines.next()).value),
      new RegExp(`  order\\.held  ${id}  order [0-9]{16}  → 204 in [0-9]+ ms$`),
    );
    equal(received.pop(), 'order.held');

    match((await keyportSdk(['checkup'])).stdout, /^[✓✗·] [\s\S]* checks seen; \d+ % of these passed/m);
    ok(JSON.parse((await keyportSdk(['checkup', '--json'])).stdout).checks.length > 0);
    equal((await keyportSdk(['--version'])).stdout, `${report.version}\n`);
    for (const args of [[], ['--help'], ['listen', '--help']])
      match((await keyportSdk(args)).stdout, /^Usage: keyport-sdk/);
    const rejected: [RegExp, number, readonly string[], Record<string, string | undefined>?][] = [
      [/no command buy/, 2, ['buy']],
      [/'--cursor'/, 2, ['trigger', 'order.held', '--cursor', 'x']],
      [/Unexpected argument order.complete/, 2, ['trigger', 'order.held', 'order.complete']],
      [/one of order\./, 2, ['trigger', 'order.lost']],
      [/do not stay/, 2, ['trigger', 'order.processing']],
      [/--forward-to must start/, 2, ['listen', '--forward-to', 'localhost:3000']],
      [/whsec_ followed by at least/, 2, ['listen', '--secret-file', wrongSecret]],
      [/--url or KEYPORT_URL/, 2, ['checkup'], { ...env, KEYPORT_URL: '' }],
      [/CLIENT_ID and CLIENT_SECRET/, 2, ['checkup'], { ...env, CLIENT_SECRET: undefined }],
      [/rejected the credentials of the client/, 1, ['checkup', '--client-secret-file', wrongSecret]],
      [/the file of the secret cannot be read/, 1, ['checkup', '--client-secret-file', 'missing']],
      [/does not respond \(ECONNREFUSED\)/, 1, ['checkup', '--url', unused]],
      [/--url or KEYPORT_URL must end before \/docs/, 1, ['checkup', '--url', `${h.url}/docs`]],
      [/query\.types/, 1, ['listen', '--types', 'order.lost']],
      [/query\.since/, 1, ['checkup', '--since', 'yesterday']],
    ];
    for (const [pattern, code, args, settings] of rejected) {
      const ended = await keyportSdk(args, settings);
      deepEqual([ended.code, ended.stdout], [code, ''], args.join(' '));
      match(ended.stderr, pattern);
      ok(!/\n +at /.test(ended.stderr), ended.stderr);
    }
    await endProcess(listening);
  }
});

test('the ten lines of the README work against a running service', async () => {
  const readme = await readFile(join(installed, 'README.md'), 'utf8');
  const [, lines = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
  ok(lines.trim().split('\n').length <= 10);
  ok((await readFile(join(SDK, '../../README.md'), 'utf8')).includes(lines));
  await h.seed.listing({ price: '5.00' });
  const { clientId, clientSecret } = await h.seed.reseller({ balance: '100.00' });
  await writeFile(join(app, 'readme.mjs'), lines);
  const env = { KEYPORT_URL: h.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const { stdout } = await run(process.execPath, ['readme.mjs'], { cwd: app, env, timeout: 60_000 });
  match(stdout, /^[0-9]{16} complete .*"code":"CODE-/);
});

test('the main entry runs in a browser', async (t) => {
  skipBecause(t, NEEDS_BROWSER.skip && 'there is no Chromium');
  const { offerId } = await h.seed.listing();
  const { clientId, clientSecret } = await h.seed.reseller({ balance: '100.00' });
  // The page, the package and the service have one origin, as behind a shop's own proxy.
  const server = createServer(async (request, response) => {
    const { url = '/', method = 'GET', headers } = request;
    if (url === '/')
      return void response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>');
    if (url.startsWith('/dist/')) {
      const text = await readFile(join(installed, url), 'utf8');
      return void response.setHeader('content-type', 'text/javascript').end(text);
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const passed = new Headers();
    for (const name of ['authorization', 'content-type', 'idempotency-key']) {
      const value = headers[name];
      if (typeof value === 'string') passed.set(name, value);
    }
    const answer = await fetch(h.url + url, { method, headers: passed, ...(body === '' ? {} : { body }) });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { page, problems } = await openPage(t);
  await page.goto(origin);
  const script = `(async () => {
    const { Keyport, verifyWebhook } = await import('/dist/index.js');
    const keyport = new Keyport({ baseUrl: location.origin, clientId: '${clientId}', clientSecret: '${clientSecret}' });
    const order = await keyport.orders.create({ manual: { offerId: '${offerId}', quantity: 1, maxPrice: '10.00' } });
    const keys = await keyport.orders.keys(order.id);
    const problem = await verifyWebhook({ body: '{}', headers: new Headers(), secret: 'whsec_AAAA' }).catch((e) => e.reason);
    return { status: order.status, keys: keys[0].keys.length, problem };
  })()`;
  deepEqual(await page.evaluate(script), { status: 'complete', keys: 1, problem: 'missing-header' });
  deepEqual(
    problems.filter((problem) => !problem.includes('favicon')),
    [],
  );
});
