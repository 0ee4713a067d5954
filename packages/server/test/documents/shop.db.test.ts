import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TestContext, test } from 'vitest';
import { auto, type Harness, type Reseller, startHarness } from '../support/harness.ts';

const SHOP = join(import.meta.dirname, '../../../../docs/examples/shop.mjs');

test('the shop sells, returns, claims, reads its statement and log and rotates its secret, each exactly once although it is killed', async (t) => {
  const h = await startHarness(t);
  const { productId, offerId } = await h.seed.listing({ price: '2.50', stock: 3 });
  const reseller = await h.seed.reseller({ balance: '20.00', account: { returnWindowHours: 24 } });
  const failed = await reseller.order(auto(productId, { quantity: 25 }));
  equal(failed.status, 400);
  await h.service.requestsWritten();
  const folder = await mkdtemp(join(tmpdir(), 'keyport-shop-'));
  t.onTestFinished(() => rm(folder, { recursive: true, force: true }));

  const { clientId, clientSecret } = reseller;
  const env = { ...process.env, KEYPORT_URL: h.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const killed = spawn(process.execPath, [SHOP, '17'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of killed.stdout) if (String(text).includes('B: the customer pays')) break;
  killed.kill('SIGKILL');
  const run = () =>
    promisify(execFile)(process.execPath, [SHOP, '17'], { cwd: folder, env, timeout: 60_000 });
  await run();
  const { stdout } = await run();

  const [sold, unwanted, ...more] = (await reseller.get('/orders?sort=ASC')).body.data;
  deepEqual(more, []);
  deepEqual([sold.status, unwanted.status], ['complete', 'closed']);
  ok(sold.reference.endsWith('A') && unwanted.reference.endsWith('B'));
  const [item] = (await reseller.get(`/orders/${sold.id}/keys`)).body.data;
  match(stdout, new RegExp(`^${sold.reference}: keys ${item.keys[0].code}$`, 'm'));
  match(stdout, new RegExp(`^${unwanted.reference}: returned, closed$`, 'm'));
  const [claim, ...others] = (await reseller.get('/claims')).body.data;
  deepEqual(others, []);
  deepEqual([claim.orderId, claim.reason], [sold.id, 'already-used']);
  match(stdout, new RegExp(`claim ${claim.id} is open$`, 'm'));
  const lines = Array.from(
    stdout.matchAll(/^\S+ (deposit|charge|refund) (\S+) (\S+) /gm),
    ([, ...line]) => line,
  );
  deepEqual(lines, [
    ['deposit', '20.00', '20.00'],
    ['charge', '-2.50', '17.50'],
    ['charge', '-2.50', '15.00'],
    ['refund', '2.50', '17.50'],
  ]);
  match(
    stdout,
    new RegExp(`^failed: \\S+ POST /export/v1/orders 400 offer-not-available ${failed.body.traceId}$`, 'm'),
  );
  const { body } = await h.call('GET', '/sandbox/v1/checkup', { token: reseller.token });
  equal(body.data.score, 100, JSON.stringify(body.data.checks));
  await h.tokenFor(clientId, await readFile(join(folder, 'client-secret'), 'utf8'));
  await h.tokenFor(clientId, clientSecret);
  equal((await h.operate('GET', `/offers?query=${offerId}`))[0].units.available, 2);
});

/** Runs the shop in a new folder, and returns its output and whether it ended well. */
async function openShop(t: TestContext, h: Harness, { clientId, clientSecret }: Reseller) {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-shop-'));
  t.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { ...process.env, KEYPORT_URL: h.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const run = () =>
    promisify(execFile)(process.execPath, [SHOP, '17'], { cwd: folder, env, timeout: 60_000 }).then(
      ({ stdout }) => ({ isWell: true, stdout, stderr: '' }),
      ({ stdout, stderr }) => ({ isWell: false, stdout: String(stdout), stderr: String(stderr) }),
    );
  return { folder, env, run };
}

test('a sale without funds succeeds after a top-up, and its customer pays once', async (t) => {
  const h = await startHarness(t);
  await h.seed.listing({ price: '2.50', stock: 2 });
  const reseller = await h.seed.reseller({ balance: '0.50', account: { returnWindowHours: 24 } });
  const shop = await openShop(t, h, reseller);
  const [first, second] = [await shop.run(), await shop.run()];
  deepEqual([first.isWell, second.isWell], [false, false]);
  match(first.stderr, /insufficient-funds/);
  match(second.stderr, /insufficient-funds/);
  await h.seed.deposit(reseller.accountId, '10.00');
  const third = await shop.run();
  ok(third.isWell, third.stderr);
  match(first.stdout, /A: the customer pays 2\.50 EUR/);
  ok(!/A: the customer pays/.test(second.stdout + third.stdout));
  equal((await reseller.get('/orders')).body.meta.totalResults, 2);
});

test('a sale whose price rose before it was reserved is offered at the new price', async (t) => {
  const h = await startHarness(t);
  const { productId } = await h.seed.listing({ price: '2.50', stock: 2 });
  const reseller = await h.seed.reseller({ balance: '10.00', account: { returnWindowHours: 24 } });
  const shop = await openShop(t, h, reseller);
  const line = { productId, quantity: 1, maxPrice: '1.00' };
  await writeFile(join(shop.folder, 'sales.json'), JSON.stringify({ 'shop 17 A': { line } }));
  const [first, second] = [await shop.run(), await shop.run()];
  match(first.stderr, /at most 1\.00 EUR/);
  ok(second.isWell, second.stderr);
  match(second.stdout, /A: the customer pays 2\.50 EUR/);
});

test('a customer who paid for a reservation that expired gets the money back, and can buy again', async (t) => {
  const h = await startHarness(t);
  await h.seed.listing({ price: '2.50', stock: 2 });
  const reseller = await h.seed.reseller({ balance: '0.50', account: { returnWindowHours: 24 } });
  const shop = await openShop(t, h, reseller);
  match((await shop.run()).stderr, /insufficient-funds/);
  const [{ id }] = (await reseller.get('/reservations')).body.data;
  const { token } = reseller;
  await h.call('POST', `/sandbox/v1/reservations/${id}/advance`, { token, body: { seconds: 900 } });
  await h.seed.deposit(reseller.accountId, '10.00');
  const [second, third] = [await shop.run(), await shop.run()];
  match(second.stdout, /A: the customer gets 2\.50 EUR back/);
  match(second.stderr, /reservation-expired/);
  ok(third.isWell, third.stderr);
  equal((await reseller.get('/orders')).body.meta.totalResults, 2);
});
