/** The PHP library of clients/php against a sandbox, with the stories of the SDK. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHECK_IDS } from '@keyport/contract/sandbox/checks';
import { beforeEach, describe, test, vi } from 'vitest';
import { startHarness } from '../../server/test/support/harness.ts';
import { freePort } from '../../server/test/support/postgres.ts';
import { skipBecause } from '../../server/test/support/vitest.ts';
import { buy, credentials, finishPhp, LIBRARY, noPhp, openFolder, runPhp } from './php.ts';
import { toKeyport } from './support.ts';

const PHPUNIT = '/usr/bin/phpunit';

describe('the PHP library', () => {
  beforeEach((t) => skipBecause(t, noPhp));
  test('its own tests pass', async (t) => {
    skipBecause(t, !existsSync(PHPUNIT) && 'phpunit is not installed');
    const { status, stdout } = spawnSync(
      PHPUNIT,
      ['--do-not-cache-result', '--bootstrap', 'autoload.php', 'test'],
      {
        cwd: LIBRARY,
        encoding: 'utf8',
      },
    );
    equal(status, 0, stdout);
    match(stdout, /OK \(\d\d+ tests/);
  });

  test('the example of its README buys', async (t) => {
    const h = await startHarness(t);
    const folder = await openFolder(t);
    const { codes } = await h.seed.listing({ price: '2.00' });
    const reseller = await h.seed.reseller({ balance: '10.00' });
    const readme = await readFile(join(LIBRARY, 'README.md'), 'utf8');
    const [, example = ''] = /```php\n(.*?)```/s.exec(readme) ?? [];
    const { baseUrl, clientId, clientSecret } = credentials(h, reseller);
    const program = join(folder, 'example.php');
    await mkdir(join(folder, 'purchases'));
    const given = `require '${LIBRARY}/autoload.php';
      [$baseUrl, $clientId, $clientSecret] = ['${baseUrl}', '${clientId}', '${clientSecret}'];`;
    await writeFile(program, `<?php ${given} ${example.replaceAll('/var/lib/shop', folder)}`);
    const { stdout } = await promisify(execFile)('php', [program]);
    match(stdout, new RegExp(`^complete .*${codes[0]}`));
  });

  test('the sample shop sells what its mirror shows, delivers, takes back, and follows webhooks', async (t) => {
    const h = await startHarness(t);
    const folder = await openFolder(t);
    await h.seed.listing({ price: '2.00', stock: 2, product: { name: 'Star <Harbour>' } });
    await h.seed.inStep();
    const reseller = await h.seed.reseller({ balance: '1.00', account: { returnWindowHours: 24 } });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const keyport = toKeyport(h, reseller);
    const types = ['order.closed'] as const;
    const { secret } = await keyport.webhookEndpoints.create({ url: `${url}/webhook`, types });
    const { baseUrl, clientId, clientSecret } = credentials(h, reseller);
    const env = {
      ...process.env,
      ...{ KEYPORT_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
      ...{ WEBHOOK_SECRET: secret, SHOP_DATA: folder },
    };
    const shop = join(LIBRARY, '../../docs/examples/shop.php');
    equal((await promisify(execFile)('php', [shop], { env })).stdout, '1 products\n');
    const server = spawn('php', ['-S', `127.0.0.1:${port}`, shop], { env, stdio: 'ignore' });
    t.onTestFinished(() => void server.kill());
    const get = async (path: string) => (await fetch(url + path)).text();
    await vi.waitUntil(() => get('/').catch(() => undefined), { timeout: 30_000 });
    const post = async (path: string, id: string) =>
      fetch(url + path, { method: 'POST', body: new URLSearchParams({ id }) });
    const list = await get('/');
    match(list, /Star &lt;Harbour&gt; 2\.00 EUR/);
    const [, productId = ''] = /name=id value="(\d+)"/.exec(list) ?? [];
    const buyOne = async () => {
      const { url: address } = await post('/buy', productId);
      return new URL(address).searchParams.get('id') ?? '';
    };

    const first = await buyOne();
    match(await (await post('/pay', first)).text(), /delivered soon/);
    await h.seed.deposit(reseller.accountId, '10.00');
    match(await (await post('/pay', first)).text(), /Show the key/);
    match(await (await post('/keys', first)).text(), /Your key: <code>\S+<\/code>/);
    match(await (await post('/return', first)).text(), /keys-were-read/);

    const second = await buyOne();
    await post('/pay', second);
    match(await (await post('/return', second)).text(), /The order is closed/);
    const [returned, sold] = (await reseller.get('/orders')).body.data;
    deepEqual([returned.reference, sold.reference], [second, first]);
    equal((await reseller.get('/account')).body.data.balance, '9.00');
    match(await (await post('/buy', productId)).text(), /Pay 2\.00 EUR at most/);
    match(await (await post('/buy', '1')).text(), /no longer on offer/);

    await h.operate('POST', `/orders/${sold.id}/refund`, { reason: 'goodwill' });
    await vi.waitUntil(async () => (await get(`/sale?id=${first}`)).includes('The order is closed'), {
      timeout: 30_000,
    });
    equal((await post('/webhook', 'x')).status, 400);
  });

  test('a reservation is made once, and a rejected purchase frees its journal', async (t) => {
    const h = await startHarness(t);
    const folder = await openFolder(t);
    const { offerId } = await h.seed.listing({ stock: 2 });
    const reseller = await h.seed.reseller();
    const input = { ...credentials(h, reseller), file: join(folder, 'a.json'), request: buy(offerId) };
    const made = await finishPhp('reservation', input);
    deepEqual(await finishPhp('reservation', input), made);
    equal((await reseller.get('/reservations')).body.data.length, 1);
    const other = { ...input, file: join(folder, 'b.json') };
    await rejects(runPhp('order', other), /KeyportError/);
    deepEqual(await readdir(folder), ['a.json']);
    await h.seed.deposit(reseller.accountId, '20.00');
    equal((await finishPhp('order', other)).status, 'complete');
    await writeFile(input.file, '{"keyport":');
    await rejects(runPhp('reservation', input), /it is damaged/);
  });

  test('an event whose work fails is handled again, and each event once', async (t) => {
    const h = await startHarness(t);
    const { offerId } = await h.seed.listing({ stock: 20 });
    const reseller = await h.seed.reseller({ balance: '1000.00' });
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push((await reseller.order(buy(offerId))).body.data.id);
    // Events come within a second of what they report, so the list is read until it reports every order.
    let events: string[] = [];
    while (events.length < ids.length) {
      events = [];
      for await (const { id } of toKeyport(h, reseller).events.list()) events.push(id);
    }
    const input = {
      ...credentials(h, reseller),
      ...{ database: join(await openFolder(t), 'shop.sqlite'), failures: 40 },
    };
    let failures = 0;
    for (let done: string[] = []; done.length < events.length; ) {
      done = await finishPhp('events', input).catch(() => {
        failures += 1;
        return [];
      });
      if (done.length > 0) deepEqual(done, events);
    }
    ok(failures > 0 && events.length >= ids.length, `${failures} failures, ${events.length} events`);
  });

  test('forced outcomes are survived, webhooks are verified, and the check-up gives it 100', async (t) => {
    const h = await startHarness(t, { KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '300' });
    const folder = await openFolder(t);
    let offerId = '';
    for (let count = 0; count < 25; count += 1)
      offerId = (await h.seed.listing({ price: '2.00', stock: 10 })).offerId;
    const reseller = await h.seed.reseller({ balance: '100.00' });
    const keyport = toKeyport(h, reseller);
    const port = await freePort();
    const received = join(folder, 'received.txt');
    const secretFile = join(folder, 'secret.txt');
    const endpoint = await keyport.webhookEndpoints.create({
      url: `http://127.0.0.1:${port}/`,
      types: ['*'],
    });
    await writeFile(secretFile, endpoint.secret);
    const receiver = spawn('php', ['-S', `127.0.0.1:${port}`, join(LIBRARY, 'test/receiver.php')], {
      env: { ...process.env, SECRET_FILE: secretFile, RECEIVED: received },
      stdio: 'ignore',
    });
    t.onTestFinished(() => void receiver.kill());
    const refused: Record<string, object> = {};
    for (const code of ['max-price-exceeded', 'insufficient-funds', 'offer-not-available'])
      refused[code] = buy((await h.seed.listing()).offerId);
    await h.seed.inStep();
    const result = await finishPhp('rehearsal', {
      ...credentials(h, reseller),
      ...{ item: buy(offerId, '2.00'), refused, file: join(folder, 'order.json') },
      ...{ tokenFile: join(folder, 'token.json'), database: join(folder, 'mirror.sqlite') },
      survived: [
        'lost-request',
        'lost-answer',
        'unavailable',
        'rate-limited',
        'delay:300',
        'error:internal-server-error',
      ],
    });
    deepEqual(result, {
      account: reseller.accountId,
      refused: Object.keys(refused),
      ...{ mirrored: 28, listed: 28, detailed: 28 },
    });
    while (!(await readFile(received, 'utf8').catch(() => '')).includes('webhook.test'));
    const { checks, seen, score } = await keyport.sandbox.checkup();
    deepEqual(
      checks.filter(({ status }) => status !== 'passed'),
      [],
    );
    deepEqual([checks.length, seen, score], [CHECK_IDS.length, CHECK_IDS.length, 100]);
  });
});
