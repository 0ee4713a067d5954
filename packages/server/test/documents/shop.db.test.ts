import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { auto, startHarness } from '../support/harness.ts';

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
  await h.tokenFor(clientId, await readFile(join(folder, 'client-secret'), 'utf8'));
  await h.tokenFor(clientId, clientSecret);
  equal((await h.operate('GET', `/offers?query=${offerId}`))[0].units.available, 2);
});
