/** The process is killed at every step of a payment and restarted on the same data. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, test } from 'vitest';
import { openDatabase } from '../../src/db/engines/database.ts';
import { sql } from '../../src/db/sql.ts';
import { testEngine } from '../support/database.ts';
import {
  assertSound,
  type ClientCredentials,
  callService,
  type Life,
  prepareKillableService,
  seedClient,
  seedOffer,
  toToken,
} from '../support/killable-service.ts';
import { endProcess } from '../support/processes.ts';
import { ADAPTERS, providerSettings, startAdapterProvider } from '../support/providers/configured.ts';
import { wholeFile } from '../support/vitest.ts';

/** The time between two reads of an order that the new process's worker must find. */
const LOOK_AGAIN_MS = 100;

const CONCURRENCY = 2;

type Attempt = { readonly client: ClientCredentials; readonly key: string };

async function order(life: Life, offerId: string, { client, key }: Attempt) {
  const token = await toToken(life, client);
  const body = { items: [{ manual: { offerId, quantity: 1, maxPrice: '10.00' } }] };
  return callService(life, 'POST', '/export/v1/orders', { token, key, body });
}

async function toOrders(life: Life, client: ClientCredentials): Promise<{ id: string; status: string }[]> {
  const token = await toToken(life, client);
  return (await callService(life, 'GET', '/export/v1/orders', { token })).body.data;
}

async function waitUntilSettled(life: Life, client: ClientCredentials) {
  for (;;) {
    const [only, ...others] = await toOrders(life, client);
    ok(only !== undefined && others.length === 0, 'one order, whatever happened');
    if (only.status !== 'pending_payment') return only;
    await sleep(LOOK_AGAIN_MS);
  }
}

// The adapters' differences do not depend on the engine.
for (const adapter of testEngine === 'embedded' ? ADAPTERS.slice(0, 1) : ADAPTERS) {
  describe(adapter, async () => {
    const provider = await startAdapterProvider(wholeFile, adapter);
    const service = await prepareKillableService(wholeFile, {
      ...providerSettings(adapter, provider.url),
      KEYPORT_GATEWAY_TIMEOUT_MS: '10000',
      KEYPORT_GATEWAY_CONCURRENCY: String(CONCURRENCY),
    });
    const cut: Promise<unknown>[] = [];
    let life: Life;
    let offerId: string;

    async function begin(gatewayCustomer: string): Promise<Attempt> {
      const attempt = await prepare(gatewayCustomer);
      const asked = once(provider.books, 'asked');
      cut.push(order(life, offerId, attempt).catch(() => undefined));
      await asked;
      return attempt;
    }

    async function prepare(gatewayCustomer: string): Promise<Attempt> {
      return {
        client: await seedClient(life, { paymentMethod: 'gateway', gatewayCustomer }),
        key: randomUUID(),
      };
    }

    async function killAndStart(): Promise<void> {
      await endProcess(life.process);
      await Promise.all(cut);
      provider.heal();
      // The next check becomes due, so the new process queries the provider immediately.
      const database = await openDatabase(service.database);
      await sql`UPDATE gateway_payment SET next_check_at = now()`.execute(database.db);
      await database.close();
      life = await service.start();
    }

    async function assertChargedOnce(attempt: Attempt): Promise<void> {
      const settled = await waitUntilSettled(life, attempt.client);
      equal(settled.status, 'complete');
      equal(provider.books.takenMinor(settled.id), 1000);
      equal(provider.books.givenBackMinor(settled.id), 0);
      const repeat = await order(life, offerId, attempt);
      deepEqual([repeat.status, repeat.body.data.id, repeat.body.data.status], [200, settled.id, 'complete']);
      await assertSound(life);
    }

    beforeAll(async () => {
      life = await service.start();
      offerId = await seedOffer(life, '10.00', 10);
    });

    test('every order is charged once and delivered if the process dies before or during the provider request', async () => {
      const beforeItCharges = await begin('cus_silent_before');
      const afterItHasCharged = await begin('cus_silent_after');
      const unasked = await prepare('cus_ok');
      cut.push(order(life, offerId, unasked).catch(() => undefined));
      while ((await toOrders(life, unasked.client)).length === 0) await sleep(LOOK_AGAIN_MS);
      equal(provider.books.attempts.size, CONCURRENCY, 'the provider got no request for the last one');
      await killAndStart();
      for (const attempt of [beforeItCharges, afterItHasCharged, unasked]) await assertChargedOnce(attempt);
    });

    test('the order is charged once and delivered if the process is killed after the provider’s response', async () => {
      provider.books.isHealed = false;
      const answered = await begin('cus_ok');
      await killAndStart();
      await assertChargedOnce(answered);
    });
  });
}
