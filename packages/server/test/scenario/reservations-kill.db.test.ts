/**
 * No unit is sold twice, acknowledged orders belong to their reservations, and no unit is still reserved 5 s
 * after its reservation expired. A602, A603.
 */
import { equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import {
  assertSound,
  callService,
  type Life,
  OPERATOR,
  operateService,
  prepareKillableService,
  seedOffer,
  toToken,
} from '../support/killable-service.ts';
import { endProcess } from '../support/processes.ts';
import { createRandom } from '../support/random.ts';
import { wholeFile } from '../support/vitest.ts';

const ACTIVE = 100;
const CALLERS = 16;
const KILL_COUNT = 2;
const LOAD_MS = 2_000;
const STOCK = 300;
/** Longer than a killed node takes to restart. */
const LOAD_TTL_SECONDS = 600;
const KEYS_AT_ONCE = 500;
/** How many seconds forgotten reservations have left after the test moves their expiry forward. */
const SECONDS_LEFT = 5;
const RETURNED_WITHIN_MS = 5_000;

const service = await prepareKillableService(wholeFile);

// The last steps wait for real time to pass.
test(`${CALLERS} callers, ${ACTIVE} active reservations and ${KILL_COUNT} kills: nothing is oversold or stuck`, async () => {
  const isShared = service.database.url !== undefined;
  const lives: Life[] = [await service.start()];
  if (isShared) lives.push(await service.start());
  const [first] = lives;
  ok(first !== undefined);
  const offerId = await seedOffer(first, '1.00', 1);
  for (let added = 1; added < STOCK; added += KEYS_AT_ONCE) {
    const count = Math.min(KEYS_AT_ONCE, STOCK - added);
    const keys = Array.from({ length: count }, (_, index) => ({ code: `KEY-${added + index}` }));
    await operateService(first, 'POST', `/offers/${offerId}/keys`, { keys });
  }
  const client = await seedBuyer(first);
  const token = await toToken(first, client);
  const items = [{ manual: { offerId, quantity: 1, maxPrice: '1.00' } }];
  const toNode = (index: number) => lives[index % lives.length] ?? first;
  const send = async (index: number, method: string, path: string, body: unknown, key = randomUUID()) => {
    for (let attempt = 0; ; attempt += 1) {
      const node = toNode(index + attempt);
      const url = `/export/v1/reservations${path}`;
      const response = await callService(node, method, url, { token, body, key }).catch(() => undefined);
      if (response !== undefined && response.status < 500 && response.body?.error?.code !== PROCESSING)
        return response;
      await sleep(50);
    }
  };
  const inTurns = (count: number, act: (index: number) => Promise<void>) => {
    let next = 0;
    const caller = async () => {
      while (next < count) await act(next++);
    };
    return Promise.all(Array.from({ length: CALLERS }, caller));
  };
  await inTurns(ACTIVE, async (index) => {
    const { status, body } = await send(index, 'POST', '', { items, ttlSeconds: 1800 });
    equal(status, 201, JSON.stringify(body));
  });

  const orders = new Map<string, string>();
  const random = createRandom('reservations');
  const act = async (caller: number) => {
    const { status, body } = await send(caller, 'POST', '', { items, ttlSeconds: LOAD_TTL_SECONDS });
    if (status >= 300) return equal(body.error.code, 'offer-not-available');
    const { id } = body.data;
    const fate = random.between(0, 4);
    if (fate === 0) return;
    if (fate === 1) {
      await fetch(`${toNode(caller).url}/export/v1/reservations/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      }).catch(() => undefined);
      return;
    }
    if (fate === 2) await send(caller, 'POST', `/${id}/renew`, { ttlSeconds: LOAD_TTL_SECONDS });
    const ordered = await send(caller, 'POST', `/${id}/order`, {});
    ok(ordered.status < 300, JSON.stringify(ordered.body));
    orders.set(id, ordered.body.data.id);
  };
  for (let round = 0; round < KILL_COUNT; round += 1) {
    const endsAt = performance.now() + LOAD_MS;
    const killing = sleep(LOAD_MS / 2).then(async () => {
      const place = round % lives.length;
      const killed = toNode(place);
      killed.process.kill('SIGKILL');
      await endProcess(killed.process);
      lives[place] = await service.start();
    });
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      while (performance.now() < endsAt) await act(caller);
    });
    await Promise.all([...callers, killing]);
  }

  const life = toNode(0);
  equal(new Set(orders.values()).size, orders.size, 'each reservation has its own order');
  const listed = await listReservations(life);
  for (const [id, orderId] of orders) equal(listed.get(id)?.orderId, orderId);
  const forgotten = [...listed.values()].filter(
    ({ status, createdAt, expiresAt }) =>
      status === 'active' && Date.parse(expiresAt) - Date.parse(createdAt) < 1_000_000,
  );
  await inTurns(forgotten.length, async (index) => {
    const { id = '', expiresAt = '' } = forgotten[index] ?? {};
    const seconds = Math.max(1, (Date.parse(expiresAt) - Date.now()) / 1000 - SECONDS_LEFT);
    await callService(toNode(index), 'POST', `/sandbox/v1/reservations/${id}/advance`, {
      token,
      body: { seconds },
    });
  });
  await sleep(SECONDS_LEFT * 1000 + RETURNED_WITHIN_MS);
  const after = [...(await listReservations(toNode(0))).values()];
  equal(after.filter(({ status }) => status === 'active').length, ACTIVE);
  const { data } = (await callService(toNode(0), 'GET', `/export/v1/products/${PRODUCT_ID}`, { token })).body;
  const sold = after.filter(({ status }) => status === 'ordered').length;
  equal((data?.totalQuantity ?? 0) + ACTIVE + sold, STOCK, 'every other unit is on sale again');
  ok(orders.size > 0, `${orders.size} orders of ${after.length} reservations`);
  await assertSound(toNode(0));
});

const PROCESSING = 'idempotency-key-processing';
const PRODUCT_ID = '10000000000001';

type Listed = Readonly<Record<'id' | 'status' | 'createdAt' | 'expiresAt', string>> & {
  readonly orderId?: string;
};

async function listReservations(life: Life): Promise<Map<string, Listed>> {
  const token = await toToken(life, OPERATOR);
  const found = new Map<string, Listed>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await callService(life, 'GET', `/admin/v1/reservations?limit=100${from}`, { token });
    for (const one of body.data) found.set(one.id, one);
    cursor = body.meta.nextCursor;
  }
  return found;
}

async function seedBuyer(life: Life) {
  const limits = { reservedUnitsMax: 100_000 };
  const account = { name: 'Shop', paymentMethod: 'balance', limits };
  const { id } = await operateService(life, 'POST', '/accounts', account);
  await operateService(life, 'POST', `/accounts/${id}/deposits`, { amount: '100000.00', reference: 'first' });
  const { clientId, clientSecret } = await operateService(life, 'POST', `/accounts/${id}/clients`, {});
  return { client_id: clientId, client_secret: clientSecret };
}
