/** A314. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import {
  assertSound,
  callService,
  prepareKillableService,
  seedClient,
  seedOffer,
  toToken,
} from '../support/killable-service.ts';
import { endProcess } from '../support/processes.ts';
import { wholeFile } from '../support/vitest.ts';
import { startReceiver, waitUntil } from '../support/webhook-receiver.ts';

const KILL_COUNT = 2;
const CLIENT_COUNT = 4;
const RECEIVED_BEFORE_KILL = 15;

const service = await prepareKillableService(wholeFile);

test(`every order and nothing else arrives after ${KILL_COUNT} kills in the middle of deliveries`, async (t) => {
  const receiver = await startReceiver(t);
  let life = await service.start();
  const offerId = await seedOffer(life, '1.00', 1000);
  const client = await seedClient(life, { paymentMethod: 'balance' });
  const body = { items: [{ manual: { offerId, quantity: 1, maxPrice: '1.00' } }] };
  const hook = { url: receiver.url, types: ['order.complete'] };
  const created = await callService(life, 'POST', '/export/v1/webhook-endpoints', {
    token: await toToken(life, client),
    body: hook,
  });
  equal(created.status, 201);

  for (let round = 0; round < KILL_COUNT; round += 1) {
    const token = await toToken(life, client);
    const killAt = receiver.received.length + RECEIVED_BEFORE_KILL;
    const clientLoop = async () => {
      for (;;) {
        const response = await callService(life, 'POST', '/export/v1/orders', {
          token,
          key: randomUUID(),
          body,
        }).catch(() => undefined);
        if (response === undefined) return;
        equal(response.status, 201, JSON.stringify(response.body));
        // A dead node still holds its endpoints for some seconds.
        await sleep(50);
        if (receiver.received.length >= killAt) life.process.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: CLIENT_COUNT }, clientLoop));
    await endProcess(life.process);
    life = await service.start();
  }

  const token = await toToken(life, client);
  const placed = new Set<string>();
  for (let page = 1, hasNext = true; hasNext; page += 1) {
    const history = await callService(life, 'GET', `/export/v1/orders?itemsPerPage=100&page=${page}`, {
      token,
    });
    for (const { id } of history.body.data) placed.add(id);
    ({ hasNext } = history.body.meta);
  }
  const delivered = () => new Set(receiver.received.map(({ event }) => event.data.order.id));
  await waitUntil(async () => delivered().size >= placed.size, `${placed.size} orders`);
  deepEqual([...delivered()].sort(), [...placed].sort());
  ok(placed.size >= KILL_COUNT * RECEIVED_BEFORE_KILL);
  await assertSound(life);
});
