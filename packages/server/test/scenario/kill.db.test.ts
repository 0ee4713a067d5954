/**
 * The process is killed in the middle of orders and restarted on the same data; every client retries. R26.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
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

const KILL_COUNT = 2;
const CLIENT_COUNT = 16;
/** Responses in each life of the process before it is killed. */
const RESPONSES_BEFORE_KILL = 25;

const service = await prepareKillableService(wholeFile);

type Sent = Map<string, { readonly id: string } | undefined>;

test(`after ${KILL_COUNT} kills in the middle of orders, every key has one order and no acknowledged order is lost`, async () => {
  let life = await service.start();
  const offerId = await seedOffer(life, '1.00', 1000);
  const client = await seedClient(life, { paymentMethod: 'balance' });
  const body = { items: [{ manual: { offerId, quantity: 1, maxPrice: '1.00' } }] };
  const sent: Sent = new Map();

  const order = (token: string, key: string) =>
    callService(life, 'POST', '/export/v1/orders', { token, key, body });

  async function orderUntilKilled(token: string) {
    let responses = 0;
    const clientLoop = async () => {
      for (;;) {
        const key = randomUUID();
        sent.set(key, undefined);
        const response = await order(token, key).catch(() => undefined);
        if (response === undefined) return;
        equal(response.status, 201, JSON.stringify(response.body));
        sent.set(key, response.body.data);
        responses += 1;
        if (responses === RESPONSES_BEFORE_KILL) life.process.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: CLIENT_COUNT }, clientLoop));
    await endProcess(life.process);
  }

  async function repeatAll(token: string) {
    for (const [key, acknowledged] of sent) {
      const response = await order(token, key);
      if (acknowledged === undefined) ok([200, 201].includes(response.status), String(response.status));
      else deepEqual([response.status, response.body.data], [200, acknowledged]);
      sent.set(key, response.body.data);
    }
  }

  for (let round = 0; round < KILL_COUNT; round += 1) {
    await orderUntilKilled(await toToken(life, client));
    life = await service.start();
    await repeatAll(await toToken(life, client));
  }

  const token = await toToken(life, client);
  const history = await callService(life, 'GET', `/export/v1/orders?itemsPerPage=10`, { token });
  equal(history.body.meta.totalResults, sent.size);
  const account = await callService(life, 'GET', `/export/v1/account`, { token });
  equal(account.body.data.balance, `${1000 - sent.size}.00`);
  const codes = new Set<string>();
  for (const acknowledged of sent.values()) {
    const keys = await callService(life, 'GET', `/export/v1/orders/${acknowledged?.id}/keys`, { token });
    codes.add(keys.body.data[0].keys[0].code);
  }
  equal(codes.size, sent.size, 'no code was handed out twice');
  await assertSound(life);
});
