import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'vitest';
import { sharedHarness } from '../../server/test/support/vitest.ts';
import type { KeyportEvent } from '../src/events.ts';
import { verifyWebhook } from '../src/verify-webhook.ts';
import { toKeyport } from './support.ts';

const h = await sharedHarness();

/** Returns 400 for anything that it cannot verify. `next` resolves with the next event. */
async function startReceiver(t: TestContext) {
  const received: KeyportEvent[] = [];
  const waiting: ((event: KeyportEvent) => void)[] = [];
  let secrets: string[] = [];
  const server = createServer(async (request, response) => {
    try {
      const event = await verifyWebhook({
        body: await text(request),
        headers: request.headers,
        secret: secrets,
      });
      response.writeHead(204).end();
      const waiter = waiting.shift();
      if (waiter === undefined) received.push(event);
      else waiter(event);
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    trust: (...trusted: string[]) => {
      secrets = trusted;
    },
    next: () =>
      new Promise<KeyportEvent>((resolve) => {
        const event = received.shift();
        if (event === undefined) waiting.push(resolve);
        else resolve(event);
      }),
  };
}

test('an endpoint is created, tested, receives events, lists its deliveries, gets a new secret, and is deleted', async (t) => {
  const { offerId } = await h.seed.listing();
  const keyport = toKeyport(h, await h.seed.reseller({ balance: '100.00' }));
  const { webhookEndpoints } = keyport;
  const receiver = await startReceiver(t);
  const startedAt = new Date(Date.now() - 60_000).toISOString();
  const endpoint = await webhookEndpoints.create({ url: receiver.url, types: ['order.complete'] });
  match(endpoint.secret, /^whsec_/);
  receiver.trust(endpoint.secret);
  const { secret: _, ...shown } = endpoint;
  deepEqual(await webhookEndpoints.get(endpoint.id), shown);
  deepEqual(await webhookEndpoints.list(), [shown]);
  for await (const one of webhookEndpoints.list()) equal(one.id, endpoint.id);

  const { eventId } = await webhookEndpoints.test(endpoint.id);
  const tried = await receiver.next();
  deepEqual([tried.id, tried.type], [eventId, 'webhook.test']);

  const order = await keyport.orders.create({ manual: { offerId, quantity: 1, maxPrice: '10.00' } });
  const told = await receiver.next();
  ok(told.type === 'order.complete');
  equal(told.data.order.id, order.id);

  const rotated = await webhookEndpoints.rotateSecret(endpoint.id, { overlapHours: 0 });
  notEqual(rotated.secret, endpoint.secret);
  receiver.trust(rotated.secret);
  const [delivery] = (await webhookEndpoints.deliveries(endpoint.id, { eventId: told.id }).page(1)).data;
  equal(delivery?.type, 'order.complete');
  deepEqual(await webhookEndpoints.redeliver(endpoint.id, delivery?.id ?? ''), { deliveries: 1 });
  equal((await receiver.next()).id, told.id);
  const range = { from: startedAt, to: new Date(Date.now() + 60_000).toISOString() };
  deepEqual(await webhookEndpoints.replay(endpoint.id, range), { deliveries: 1 });
  equal((await receiver.next()).id, told.id);
  const ids: string[] = [];
  for await (const { id } of webhookEndpoints.deliveries(endpoint.id)) ids.push(id);
  ok(ids.length >= 2);

  equal((await webhookEndpoints.update(endpoint.id, { status: 'disabled' })).status, 'disabled');
  equal(await webhookEndpoints.delete(endpoint.id), undefined);
  await rejects(webhookEndpoints.get(endpoint.id).then(), { code: 'not-found', status: 404 });
});

test('an unknown type and a hostile address are rejected with the field', async () => {
  const { webhookEndpoints } = toKeyport(h, await h.seed.reseller());
  const unknown = webhookEndpoints.create({ url: 'https://shop.example/x', types: ['order.lost' as '*'] });
  await rejects(unknown.then(), { code: 'validation-error', status: 400 });
  const hostile = webhookEndpoints.create({ url: 'ftp://shop.example', types: ['*'] });
  await rejects(hostile.then(), { code: 'validation-error' });
});
