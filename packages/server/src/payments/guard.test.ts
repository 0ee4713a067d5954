import { deepEqual, equal, rejects } from 'node:assert/strict';
import { pino } from 'pino';
import { test, vi } from 'vitest';
import {
  type Charge,
  type ChargeResult,
  type Gateway,
  GatewayFailure,
  NotCharged,
  type Refund,
} from './gateway.ts';
import { guardGateway } from './guard.ts';

const CHARGE: Charge = { orderId: '1', customer: 'cus_1', amountMinor: 1000 };
const REFUND: Refund = { refundId: '1', orderId: '1', reference: 'pi_1', amountMinor: 1000, currency: 'EUR' };
const PAID: ChargeResult = { status: 'paid', reference: 'pi_1' };
const log = pino({ level: 'silent' });
const never = new AbortController().signal;

function gatewayThat(charge: () => Promise<ChargeResult>): Gateway {
  return {
    charge,
    find: async () => ({ status: 'unknown' }),
    refund: async () => 'done',
    findRefund: async () => 'done',
  };
}

async function fail(): Promise<never> {
  throw new GatewayFailure('down');
}

test('makes no call after many failures until a probe succeeds', async (t) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  t.onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  let isUp = false;
  const guarded = guardGateway(
    gatewayThat(async () => {
      asked += 1;
      return isUp ? PAID : fail();
    }),
    { concurrency: 4, log },
  );
  for (let count = 0; count < 5; count += 1) {
    await rejects(guarded.charge(CHARGE, never), GatewayFailure);
  }
  equal(asked, 10, 'each charge was attempted twice');
  await rejects(guarded.charge(CHARGE, never), NotCharged);
  await rejects(guarded.find(CHARGE, never), NotCharged);
  equal(asked, 10);

  vi.advanceTimersByTime(10_000);
  await rejects(guarded.find({ ...CHARGE }, AbortSignal.abort()), NotCharged);
  await rejects(guarded.charge(CHARGE, never), GatewayFailure, 'one probe finds the provider still down');
  equal(asked, 11, 'the second attempt is not made');

  vi.advanceTimersByTime(10_000);
  isUp = true;
  deepEqual(await guarded.charge(CHARGE, never), PAID);
  deepEqual(await guarded.charge(CHARGE, never), PAID);
});

test('failing refund checks do not pause charges, and are rejected while charges are paused', async () => {
  let isUp = true;
  let checks = 0;
  const guarded = guardGateway(
    {
      ...gatewayThat(async () => (isUp ? PAID : fail())),
      findRefund() {
        checks += 1;
        return fail();
      },
    },
    { concurrency: 4, log },
  );
  const check = () => guarded.findRefund(REFUND, never);
  for (let count = 0; count < 30; count += 1) await rejects(check(), GatewayFailure);
  deepEqual(await guarded.charge(CHARGE, never), PAID);
  isUp = false;
  for (let count = 0; count < 10; count += 1) await rejects(guarded.charge(CHARGE, never));
  await rejects(check(), NotCharged);
  equal(checks, 30);
});

test('customers who cannot be charged do not count as failures of the provider', async () => {
  const guarded = guardGateway(
    gatewayThat(async () => {
      throw new NotCharged('no card', { isCustomerFault: true });
    }),
    { concurrency: 4, log },
  );
  for (let count = 0; count < 30; count += 1) await rejects(guarded.charge(CHARGE, never), /no card/);
});

test('the outcome stays unknown if the first attempt failed and the retry was rejected', async () => {
  const outcomes = [() => fail(), () => Promise.reject(new NotCharged('too many'))];
  const guarded = guardGateway(
    gatewayThat(() => outcomes.shift()?.() ?? fail()),
    { concurrency: 4, log },
  );
  await rejects(guarded.charge(CHARGE, never), GatewayFailure);
});

test('charges above the concurrency limit wait, and those beyond the queue are never sent', async () => {
  let inWork = 0;
  let inWorkMax = 0;
  const response = Promise.withResolvers<ChargeResult>();
  const guarded = guardGateway(
    gatewayThat(async () => {
      inWork += 1;
      inWorkMax = Math.max(inWorkMax, inWork);
      const paid = await response.promise;
      inWork -= 1;
      return paid;
    }),
    { concurrency: 2, log },
  );
  const charges = Array.from({ length: 12 }, () => guarded.charge(CHARGE, never));
  const settled = Promise.allSettled(charges);
  deepEqual(await guarded.find(CHARGE, never), { status: 'unknown' }, 'the worker has its own slots');
  response.resolve(PAID);
  const results = await settled;
  equal(results.filter(({ status }) => status === 'fulfilled').length, 2 + 8);
  equal(inWorkMax, 2);
});

test('a charge that timed out while waiting is never sent', async () => {
  let asked = 0;
  const first = Promise.withResolvers<ChargeResult>();
  const guarded = guardGateway(
    gatewayThat(() => {
      asked += 1;
      return first.promise;
    }),
    { concurrency: 1, log },
  );
  const holder = guarded.charge(CHARGE, never);
  const impatient = new AbortController();
  const waiting = guarded.charge(CHARGE, impatient.signal);
  impatient.abort();
  first.resolve(PAID);
  await rejects(waiting, NotCharged);
  await holder;
  equal(asked, 1);
});
