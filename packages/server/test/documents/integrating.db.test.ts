/** The samples run unchanged through a proxy that loses responses, as a network may. */
import { deepEqual, equal, fail, match, ok, rejects } from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual, promisify } from 'node:util';
import { OPERATION_LIST } from '@keyport/contract/operations';
import type { Check } from '@keyport/contract/sandbox/sandbox';
import { EVENT_TYPES } from '@keyport/core/events';
import { Sandbox } from '@keyport/sdk';
import manifest from '@keyport/sdk/package.json' with { type: 'json' };
import { type TestContext, test } from 'vitest';
import { startRoughNetwork } from '../../../sdk/test/rough-network.ts';
import { readListedProducts } from '../support/changing-shop.ts';
import { type Harness, type Reseller, startHarness } from '../support/harness.ts';
import { skipBecause } from '../support/vitest.ts';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/integrating.md');

const PRODUCT_COUNT = 230;

/** The seeds of their decisions. */
const NETWORKS = [1, 2, 3];

/** The cheapest product moves to the first page when a product there sells out. */
const CHEAPEST_INDEX = 100;

const isPythonMissing = !canRun('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']);

const LANGUAGES = [
  { name: 'JavaScript', file: 'reseller.mjs', command: process.execPath, skip: false },
  {
    name: 'Python',
    file: 'reseller.py',
    command: 'python3',
    skip: isPythonMissing && 'python3 is not installed',
  },
];

test('the guide contains the sample with the SDK and links to the others', async () => {
  const guide = await readFile(DOCUMENT, 'utf8');
  const blocks = Array.from(guide.matchAll(/^```js\n(.*?)^```/gms), ([, code = '']) => code);
  equal(blocks.join('\n'), await readSample('reseller-sdk.mjs'));
  for (const { file } of LANGUAGES) ok(guide.includes(`](examples/${file})`), file);
});

test('the guide names every type of event', async () => {
  const [, events = ''] = /\n## Events\n([\s\S]*?)\n## /.exec(await readFile(DOCUMENT, 'utf8')) ?? [];
  const shown = new Set(events.split('\n').flatMap((line) => (line.startsWith('| `') ? toTypes(line) : [])));
  deepEqual(shown, new Set(EVENT_TYPES));
});

test('the guide has a table of every sandbox operation: the method of the SDK, the request and its body', async () => {
  const operations = OPERATION_LIST.filter(({ path }) => path.startsWith('/sandbox/v1'));
  const rows = operations.map(({ name, method, path, body }) => {
    const { properties = {}, required = [] } = (body ?? {}) as { properties?: object; required?: string[] };
    const members = Object.keys(properties).map((one) => `\`${one}${required.includes(one) ? '' : '?'}\``);
    return `| \`${toMethod(name)}\` | \`${method} ${path.slice('/sandbox/v1'.length)}\` | ${members.join(', ') || 'none'} |`;
  });
  deepEqual((await readFile(DOCUMENT, 'utf8')).match(/^\| `sandbox\..*$/gm), rows);
  for (const { name } of operations) ok(toMethod(name).slice('sandbox.'.length) in Sandbox.prototype, name);
});

test('the guide contains the example of the PHP library', async () => {
  const toExample = async (document: string) =>
    /```php\n(.*?)```/s.exec(await readFile(document, 'utf8'))?.[1];
  const example = await toExample(DOCUMENT);
  ok(example !== undefined);
  equal(example, await toExample(join(DOCUMENT, '../../clients/php/README.md')));
});

test('the commands of the guide buy a product by hand, without Node', async (t) => {
  const h = await startHarness(t);
  const { codes } = await h.seed.listing({ price: '1.00' });
  await h.seed.inStep();
  const { clientId, clientSecret } = await h.seed.reseller({ balance: '100.00' });
  const [, commands = ''] =
    /\n## By hand\n[\s\S]*?```sh\n(.*?)```/s.exec(await readFile(DOCUMENT, 'utf8')) ?? [];
  const env = { PATH: '/usr/bin:/bin', KEYPORT_URL: h.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const { stdout } = await promisify(execFile)('sh', ['-c', commands], { env });
  ok(stdout.includes(`"code":"${codes[0]}"`), stdout);
});

/** `holdSandboxOrder` is `sandbox.holdOrder`, `getCheckup` is `sandbox.checkup`. */
function toMethod(name: string): string {
  return `sandbox.${name === 'getCheckup' ? 'checkup' : name.replace('Sandbox', '')}`;
}

function toTypes(row: string): string[] {
  const [, types = ''] = row.split('|');
  return [...types.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/^\./, 'order.'));
}

/** Another Node, which may be the oldest that the guide supports. */
const otherNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((command) => canRun(command, ['-e', 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)']));

test('the JavaScript sample runs on the machine’s own Node', async (t) => {
  skipBecause(t, otherNode === undefined && 'the PATH has no other Node of version 20 or later');
  const h = await startHarness(t);
  await h.seed.listing({ price: '1.00' });
  const reseller = await h.seed.reseller({ balance: '10.00' });
  const sample = join(DOCUMENT, '../examples/reseller.mjs');
  const { stdout } = await promisify(execFile)(otherNode ?? '', [sample], {
    env: toEnvironment({ url: h.url, reseller }),
    timeout: 60_000,
  });
  match(stdout, /^1 products;.*\norder [0-9]{16} is complete\nkeys: /);
});

for (const { name, file, command, skip } of LANGUAGES) {
  test(`the ${name} sample misses no product, buys once despite a lost response, and gets the key`, async (t) => {
    skipBecause(t, skip);
    const h = await startHarness(t);
    const offers = await seedCatalogue(h);
    const reseller = await h.seed.reseller({ balance: '100.00' });
    const proxy = await startProxy(t, h, offers.first);

    const output = await runSample(t, { file, command, url: proxy.url, reseller });

    equal(proxy.lostResponseCount(), 1);
    match(output, new RegExp(`^${PRODUCT_COUNT - 1} products;`));
    const history = await reseller.get('/orders');
    equal(history.body.meta.totalResults, 1);
    const [order] = history.body.data;
    equal(order.transactions[0].items[0].offer.id, offers.cheapest);
    const keys = await reseller.get(`/orders/${order.id}/keys`);
    const [, ...lines] = output.trim().split('\n');
    deepEqual(lines, [`order ${order.id} is complete`, `keys: ${keys.body.data[0].keys[0].code}`]);
    await expectCheckup(h, reseller, POLLED);
  });
}

test.for(LANGUAGES)(
  'the $name sample buys once through a network that damages 30 % of the responses',
  async ({ file, command, skip }, t) => {
    skipBecause(t, skip);
    const h = await startHarness(t, { KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '300' });
    await h.seed.listing({ price: '1.00', stock: NETWORKS.length });
    await h.seed.inStep();
    const reseller = await h.seed.reseller({ balance: '10.00' });
    const outputs = await Promise.all(
      NETWORKS.map(async (seed) => {
        const { url } = await startRoughNetwork(t, h.url, { seed, share: 0.3 });
        return runSample(t, { file, command, url, reseller });
      }),
    );
    const orders = outputs.map((output) => /^order (\S+) is complete$/m.exec(output)?.[1] ?? output);
    const placed: { readonly id: string }[] = (await reseller.get('/orders')).body.data;
    deepEqual(orders.toSorted(), placed.map(({ id }) => id).toSorted());
  },
);

test('the served sample with the SDK buys once despite a lost response and a second run', async (t) => {
  const h = await startHarness(t);
  const offers = await seedCatalogue(h);
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const proxy = await startProxy(t, h, offers.first);
  const folder = await mkdtemp(join(tmpdir(), 'keyport-sample-'));
  t.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const [, address = ''] = /npm install \$KEYPORT_URL(\S+)/.exec(await readFile(DOCUMENT, 'utf8')) ?? [];
  equal(address, `/docs/sdk/keyport-sdk-${manifest.version}.tgz`);
  const npm = (...args: string[]) =>
    promisify(execFile)('npm', [...args, '--no-audit', '--no-fund'], { cwd: folder });
  await npm('install', h.url + address);
  // This reinstalls from the lock file alone, as on another machine.
  await npm('ci', '--cache', join(folder, 'cache'));
  const file = join(folder, 'reseller-sdk.mjs');
  await writeFile(file, await readSample('reseller-sdk.mjs'));
  const run = async () => {
    const env = toEnvironment({ url: proxy.url, reseller });
    return (await promisify(execFile)(process.execPath, [file], { cwd: folder, env, timeout: 60_000 }))
      .stdout;
  };

  const first = await run();

  equal(proxy.lostResponseCount(), 1);
  const history = await reseller.get('/orders');
  equal(history.body.meta.totalResults, 1);
  const [order] = history.body.data;
  equal(order.transactions[0].items[0].offer.id, offers.cheapest);
  const [line, ...lines] = first.trim().split('\n');
  equal(line, `${PRODUCT_COUNT} products`);
  match(lines.join('\n'), new RegExp(`^order ${order.id} is complete\nkeys: CODE-OF-${offers.cheapest}$`));
  await expectCheckup(h, reseller, [...POLLED, 'catalogue-following']);
  const [, ...again] = (await run()).trim().split('\n');
  deepEqual(again, lines);
  equal((await reseller.get('/orders')).body.meta.totalResults, 1);
  // After a rejection the sample may choose a different offer.
  const files = ['purchase-1.json', 'purchase-1-item.json'].map((name) => join(folder, name));
  for (const name of files) await rm(name);
  await h.operate('PATCH', `/accounts/${reseller.accountId}`, { status: 'suspended' });
  await rejects(run(), /cart-validation-error/);
  deepEqual(files.filter(existsSync), []);
});

/** Uses the functions of the sample, and prints all products after each change. */
const FOLLOWERS: Readonly<Record<string, string>> = {
  'reseller.mjs': 'await follow(() => console.log(JSON.stringify([...shop.products.values()])));',
  'reseller.py': "follow(lambda: print(json.dumps(list(shop['products'].values())), flush=True))",
};

for (const { name, file, command, skip } of LANGUAGES) {
  test(`the ${name} sample follows the change feed despite a lost response, removals and a new epoch`, async (t) => {
    skipBecause(t, skip);
    const h = await startHarness(t);
    const [first, second] = [await h.seed.listing(), await h.seed.listing()];
    await h.seed.listing();
    const reseller = await h.seed.reseller();
    const proxy = await startFeedProxy(t, h);
    const nextPicture = await startFollower(t, { file, command, url: proxy.url, reseller });
    const put = async ({ productId, offerId, sellerId }: typeof first, price: string, status: string) => {
      await h.operate('PUT', `/offers/${offerId}`, { productId, sellerId, price, status });
    };
    /** Waits until the sample knows the database's products and `others`, which the proxy added. */
    const untilKnown = async (others: readonly string[]) => {
      const listed = await readListedProducts(h.database);
      const wanted = [...listed.map(({ id, updatedAt }) => `${id} ${updatedAt}`), ...others].sort();
      while (!isDeepStrictEqual(await nextPicture(), wanted));
    };

    await untilKnown([PHANTOM]);
    await put(first, '11.00', 'active');
    await untilKnown([PHANTOM]);
    equal(proxy.lostResponseCount(), 1);
    await put(second, '10.00', 'paused');
    await untilKnown([PHANTOM]);
    await h.operate('POST', '/catalogue/restart-feeds', { reason: 'test' });
    await untilKnown([]);
    await put(second, '12.00', 'active');
    await untilKnown([]);
    await expectCheckup(h, reseller, ['token-reuse', 'catalogue-following']);
  });
}

/** Checks that a buying sample can pass. The service does not notice the lost response. */
const POLLED = ['one-payload-per-key', 'token-reuse', 'ids-as-text', 'keys-in-time', 'keys-polling'];

async function expectCheckup(h: Harness, { token }: Reseller, passed: readonly string[]): Promise<void> {
  const { body } = await h.call('GET', '/sandbox/v1/checkup', { token });
  const statuses: [string, string][] = body.data.checks.map(({ id, status }: Check) => [id, status]);
  deepEqual(
    statuses.filter(([, status]) => status !== 'not-seen'),
    statuses.filter(([id]) => passed.includes(id)).map(([id]) => [id, 'passed']),
  );
}

const PHANTOM_PRODUCT = { id: '99999999999999', updatedAt: '2026-01-01T00:00:00.000000Z' };
const PHANTOM = `${PHANTOM_PRODUCT.id} ${PHANTOM_PRODUCT.updatedAt}`;

/** Adds a product that does not exist to the first response, and loses the second. */
async function startFeedProxy(t: TestContext, h: Harness) {
  let responseCount = 0;
  let lostResponseCount = 0;
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    const sent = new Headers();
    for (const name of ['authorization', 'content-type'] as const) {
      const value = headers[name];
      if (value !== undefined) sent.set(name, value);
    }
    const answer = await fetch(`${h.url}${url}`, {
      method,
      headers: sent,
      ...(body === '' ? {} : { body }),
    }).catch(() => undefined);
    if (answer === undefined) return void response.destroy();
    let text = await answer.text();
    if (url.includes('/changes')) responseCount += 1;
    if (url.includes('/changes') && responseCount === 1) {
      const first = JSON.parse(text);
      text = JSON.stringify({ ...first, data: [...first.data, PHANTOM_PRODUCT] });
    }
    if (url.includes('/changes') && responseCount === 2) {
      lostResponseCount += 1;
      return void request.socket.destroy();
    }
    return void response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  return { url: await listen(t, server), lostResponseCount: () => lostResponseCount };
}

async function listen(t: TestContext, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Returns a function that reads the sample's next output: id and time of each product, sorted. */
async function startFollower(
  t: TestContext,
  sample: { file: string; command: string; url: string; reseller: Reseller },
): Promise<() => Promise<readonly string[]>> {
  const [functions = ''] = (await readSample(sample.file)).split(MAIN_PROGRAM);
  const file = await writeSample(t, sample.file, `${functions}\n${FOLLOWERS[sample.file] ?? ''}`);
  const child = spawn(sample.command, [file], {
    env: toEnvironment(sample),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.onTestFinished(() => void child.kill());
  // One iterator, because it buffers lines that have not been read yet.
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done === true) return fail('the sample has ended');
    const products: { id: string; updatedAt: string }[] = JSON.parse(value);
    return products.map(({ id, updatedAt }) => `${id} ${updatedAt}`).sort();
  };
}

async function seedCatalogue(h: Harness): Promise<{ first: string; cheapest: string }> {
  const sellerId = await h.seed.seller();
  const rows = Array.from({ length: PRODUCT_COUNT }, (_, index) => ({
    productId: String(20_000_000_000_000 + index),
    offerId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    price: index === CHEAPEST_INDEX ? '1.00' : '9.00',
  }));
  await importLines(
    h,
    'products',
    rows.map(({ productId }) => ({ id: productId, name: `Product ${productId}`, checkoutClass: 'standard' })),
  );
  await importLines(
    h,
    'offers',
    rows.map(({ productId, offerId, price }) => ({
      id: offerId,
      productId,
      sellerId,
      price,
      status: 'active',
    })),
  );
  await importLines(
    h,
    'keys',
    rows.map(({ offerId }) => ({ offerId, code: `CODE-OF-${offerId}` })),
  );
  await h.seed.inStep();
  return { first: rows.at(0)?.offerId ?? '', cheapest: rows.at(CHEAPEST_INDEX)?.offerId ?? '' };
}

async function importLines(h: Harness, kind: string, lines: readonly object[]): Promise<void> {
  const { body } = await h.call('POST', `/admin/v1/imports/${kind}`, {
    token: h.operatorToken,
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  equal(body.data.written, lines.length);
}

/**
 * Sells out the first product between pages and loses the response to the first order. The Date header is a
 * minute ahead, because the sample leaves out the latest seconds, when all products changed.
 */
async function startProxy(t: TestContext, h: Harness, firstOfferId: string) {
  let lostResponseCount = 0;
  let windowRequestCount = 0;

  async function forward(method: string, path: string, headers: Headers, body: string) {
    const answer = await fetch(`${h.url}${path}`, { method, headers, ...(body === '' ? {} : { body }) });
    if (path.includes('updatedAtTo')) windowRequestCount += 1;
    // The first request of a window counts the pages, the second one reads a page.
    if (path.includes('updatedAtTo') && windowRequestCount === 2) {
      const offer = await h.operate('GET', `/offers/${firstOfferId}`);
      const { productId, sellerId, price } = offer;
      await h.operate('PUT', `/offers/${firstOfferId}`, { productId, sellerId, price, status: 'paused' });
      await h.seed.inStep();
    }
    return answer;
  }

  const server = createServer(async (request, response) => {
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'idempotency-key'] as const) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = 'GET', url = '/' } = request;
    const answer = await forward(method, url, headers, body);
    const text = await answer.text();
    if (url === '/export/v1/orders' && method === 'POST' && lostResponseCount === 0) {
      lostResponseCount += 1;
      request.socket.destroy();
      return;
    }
    const date = new Date(Date.now() + 60_000).toUTCString();
    response.writeHead(answer.status, { 'content-type': 'application/json', date }).end(text);
  });
  return { url: await listen(t, server), lostResponseCount: () => lostResponseCount };
}

async function runSample(
  t: TestContext,
  sample: { file: string; command: string; url: string; reseller: Reseller },
): Promise<string> {
  const file = await writeSample(t, sample.file, await readSample(sample.file));
  const { stdout } = await promisify(execFile)(sample.command, [file], {
    env: toEnvironment(sample),
    timeout: 60_000,
  });
  return stdout;
}

/** The main program of each sample begins with this line. */
const MAIN_PROGRAM = /\n(?=if __name__ == '__main__':\n|\/\/ The program\.\n)/;

function readSample(file: string): Promise<string> {
  return readFile(join(DOCUMENT, '../examples', file), 'utf8');
}

async function writeSample(t: TestContext, name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-sample-'));
  t.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

function toEnvironment({ url, reseller }: { url: string; reseller: Reseller }) {
  const { clientId, clientSecret } = reseller;
  return { PATH: process.env['PATH'], KEYPORT_URL: url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
}

function canRun(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
