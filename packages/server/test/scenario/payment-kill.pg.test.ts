/**
 * The service process is killed with SIGKILL at every step of a payment, and started again on the same data. Every order
 * is charged once and delivered, and its key answers with it.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestContext, test } from 'vitest';
import {
  assertSound,
  type ClientCredentials,
  callService,
  kill,
  type Life,
  prepareKillableService,
  seedClient,
  seedOffer,
  tokenOf,
} from '../support/killable-service.ts';
import {
  ADAPTERS,
  type Adapter,
  providerSettings,
  startAdapterProvider,
} from '../support/providers/configured.ts';

/** Between two looks at an order that the worker of the new process has to find by itself. */
const LOOK_AGAIN_MS = 100;

/** The steps at which the process is killed, by the customer whose charge shows that the step is reached. */
const STEPS = {
  'while the provider is asked, before it charges': 'cus_silent_before',
  'after the provider has charged, before it answers': 'cus_silent_after',
  'when the provider has answered': 'cus_ok',
};

async function startShop(t: TestContext, adapter: Adapter, settings: Record<string, string> = {}) {
  const provider = await startAdapterProvider(t, adapter);
  const service = await prepareKillableService(t, {
    ...providerSettings(adapter, provider.url),
    KEYPORT_GATEWAY_TIMEOUT_MS: '3000',
    ...settings,
  });
  const life = await service.start();
  const offerId = await seedOffer(life, '10.00', 10);
  const seedPayer = (gatewayCustomer: string) =>
    seedClient(life, { paymentMethod: 'gateway', gatewayCustomer });
  return { provider, service, life, offerId, seedPayer };
}

type Attempt = { readonly client: ClientCredentials; readonly key: string };

async function order(life: Life, offerId: string, { client, key }: Attempt) {
  const token = await tokenOf(life, client);
  const body = { items: [{ manual: { offerId, quantity: 1, maxPrice: '10.00' } }] };
  return callService(life, 'POST', '/export/v1/orders', { token, key, body });
}

/** Waits until the worker has brought the client's only order to its end. */
async function waitUntilSettled(
  life: Life,
  client: ClientCredentials,
): Promise<{ id: string; status: string }> {
  const token = await tokenOf(life, client);
  for (;;) {
    const { body } = await callService(life, 'GET', '/export/v1/orders', { token });
    assert.equal(body.data.length, 1, 'one order, whatever happened');
    if (body.data[0].status !== 'pending_payment') return body.data[0];
    await sleep(LOOK_AGAIN_MS);
  }
}

for (const adapter of ADAPTERS) {
  for (const [step, customer] of Object.entries(STEPS)) {
    test(`${adapter}: killed ${step}, the order is charged once and delivered`, async (t) => {
      const { provider, service, life, offerId, seedPayer } = await startShop(t, adapter);
      const attempt = { client: await seedPayer(customer), key: randomUUID() };
      const asked = once(provider.books, 'asked');
      const cut = order(life, offerId, attempt).catch(() => undefined);
      await asked;
      await kill(life.process);
      await cut;

      provider.heal();
      const next = await service.start();
      const settled = await waitUntilSettled(next, attempt.client);
      assert.equal(settled.status, 'complete');
      assert.equal(provider.books.takenMinor(settled.id), 1000);
      assert.equal(provider.books.givenBackMinor(settled.id), 0);
      const repeat = await order(next, offerId, attempt);
      assert.deepEqual(
        [repeat.status, repeat.body.data.id, repeat.body.data.status],
        [200, settled.id, 'complete'],
      );
      await assertSound(next);
    });
  }

  test(`${adapter}: killed before the provider is asked, the order is charged by the next process`, async (t) => {
    // One place: the second order is committed and waits for the first one, which hangs.
    const one = { KEYPORT_GATEWAY_CONCURRENCY: '1', KEYPORT_GATEWAY_TIMEOUT_MS: '10000' };
    const { provider, service, life, offerId, seedPayer } = await startShop(t, adapter, one);
    const first = { client: await seedPayer('cus_silent_before'), key: randomUUID() };
    const second = { client: await seedPayer('cus_ok'), key: randomUUID() };
    const asked = once(provider.books, 'asked');
    const cut = [order(life, offerId, first).catch(() => undefined)];
    await asked;
    cut.push(order(life, offerId, second).catch(() => undefined));
    const token = await tokenOf(life, second.client);
    while ((await callService(life, 'GET', '/export/v1/orders', { token })).body.data.length === 0);
    assert.equal(provider.books.attempts.size, 1, 'the provider was asked for the first one only');
    await kill(life.process);
    await Promise.all(cut);

    provider.heal();
    const next = await service.start();
    for (const attempt of [first, second]) {
      const settled = await waitUntilSettled(next, attempt.client);
      assert.equal(settled.status, 'complete');
      assert.equal(provider.books.takenMinor(settled.id), 1000);
      assert.equal((await order(next, offerId, attempt)).status, 200);
    }
    await assertSound(next);
  });
}
