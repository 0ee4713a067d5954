/** A314. */
import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { auto, type Reseller, startHarness } from '../../support/harness.ts';
import { wholeFile } from '../../support/vitest.ts';
import { startReceiver, waitUntil } from '../../support/webhook-receiver.ts';

const h = await startHarness(wholeFile);
const { productId } = await h.seed.listing({ stock: 200, price: '1.00' });

async function startReseller(urls: readonly string[]): Promise<Reseller> {
  const reseller = await h.seed.reseller({ balance: '1000.00' });
  for (const url of urls) {
    const body = { url, types: ['*'] };
    const created = await h.call('POST', '/export/v1/webhook-endpoints', { token: reseller.token, body });
    equal(created.status, 201);
  }
  return reseller;
}

const order = async (by: Reseller) => (await by.order(auto(productId))).body.data.id;

test('a host that hangs gets few concurrent requests from all accounts together, and delays no other host', async () => {
  const [hanging, healthy] = [await startReceiver(wholeFile), await startReceiver(wholeFile)];
  let [underWay, most] = [0, 0];
  hanging.respond((response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    response.once('close', () => (underWay -= 1));
  });
  const { port } = new URL(hanging.url);
  const urls = ['127.0.0.1', '127.1', '2130706433', '127.0.0.1'].map((host) => `http://${host}:${port}/`);
  const sick = await Promise.all(Array.from({ length: 4 }, () => startReseller(urls)));
  for (let round = 0; round < 4; round += 1) await Promise.all(sick.map(order));
  const other = await startReseller([healthy.url.replace('127.0.0.1', 'localhost')]);
  for (let round = 0; round < 4; round += 1) {
    const id = await order(other);
    await healthy.waitFor(({ event }) => event.data.order?.id === id, 'the order of the other host');
    // Each of the sixteen endpoints gets one request until it responds.
    await waitUntil(async () => underWay >= 16, 'the requests that hang');
  }
  equal(most, 16);
});
