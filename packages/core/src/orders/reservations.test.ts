import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { aCommand, aManualLine, anAccount, anAutoLine, anOffer, aProduct, aState } from '../../test/shops.ts';
import { parseIdempotencyKey } from '../ids.ts';
import { decidePlaceOrders, type PlaceOrder, type PlaceOrderOutcome } from './place-order.ts';
import { computeExpiry, operationKey, type ReservationState, toEnd } from './reservations.ts';

const NOW = 1_795_255_200_000_000;
const RESERVE = { id: 'rsv_1', ttlSeconds: 60 };
const ALLOWANCE = { unitsMax: 50, units: 0 };
const NEW_EXPIRY = computeExpiry(NOW, 60);

function decide(commands: readonly PlaceOrder[], change: Parameters<typeof aState>[0] = {}) {
  return decidePlaceOrders(commands, aState({ allowance: ALLOWANCE, nowMicros: NOW, ...change }));
}

function aReservation(change: Partial<ReservationState> = {}): ReservationState {
  return {
    id: 'rsv_1',
    status: 'active',
    createdAtMicros: NOW - 1,
    expiresAtMicros: NOW + 1,
    orderId: null,
    firstUnit: 7,
    unitPriceMinor: 90,
    price: { sumMinor: 180, discountMinor: 10, totalPriceMinor: 170 },
    ...change,
  };
}

const ORDER = aCommand(aManualLine({ quantity: 2 }), { reservationId: 'rsv_1' });

function toReason(outcome: PlaceOrderOutcome | undefined) {
  ok(outcome?.kind === 'rejected');
  const { rejection } = outcome;
  return rejection.code === 'cart-validation-error' ? rejection.reason : rejection.code;
}

test('a reservation takes its units and no money', () => {
  const account = anAccount({ paymentMethod: null, balanceMinor: 0 });
  const offer = anOffer({ nextUnit: 3, availableText: 5 });
  const command = aCommand(anAutoLine({ quantity: 2 }), { reserve: RESERVE });
  const { outcomes, accounts, offers } = decide([command], { accounts: [account], offers: [offer] });
  const [outcome] = outcomes;
  ok(outcome?.kind === 'reserved');
  equal(outcome.reservation.firstUnit, 3);
  equal(outcome.reservation.expiresAtMicros, NEW_EXPIRY);
  deepEqual(accounts, []);
  deepEqual(offers, [{ ...offer, nextUnit: 5, availableText: 3 }]);
});

test('reserving checks the order value, and ordering the reservation also the daily limits', () => {
  const daily = { dailyUnitsMax: 1, dailySpendMaxMinor: 1 };
  const reserve = aCommand(aManualLine({ quantity: 2 }), { reserve: RESERVE });
  equal(decide([reserve], { accounts: [anAccount(daily)] }).outcomes[0]?.kind, 'reserved');
  const order = (account: Parameters<typeof anAccount>[0]) =>
    toReason(decide([ORDER], { accounts: [anAccount(account)], reservations: [aReservation()] }).outcomes[0]);
  equal(order({ dailyUnitsMax: 1 }), 'daily-units-max');
  equal(order({ dailySpendMaxMinor: 169 }), 'daily-spend-max');
  equal(order({ orderValueMaxMinor: 169 }), 'order-value-max');
  const atMost = decide([reserve], { accounts: [anAccount({ orderValueMaxMinor: 199 })] });
  equal(toReason(atMost.outcomes[0]), 'order-value-max');
});

test('reservations of one batch share the allowance of the account, and an allowance of 0 turns them off', () => {
  const commands = ['k1', 'k2'].map((idempotencyKey) =>
    aCommand(anAutoLine({ quantity: 2 }), {
      idempotencyKey,
      reserve: { id: idempotencyKey, ttlSeconds: 60 },
    }),
  );
  const { outcomes } = decide(commands, { allowance: { unitsMax: 4, units: 1 } });
  equal(outcomes[0]?.kind, 'reserved');
  equal(toReason(outcomes[1]), 'reserved-units-max');
  const off = decide(commands, { allowance: { unitsMax: 0, units: 0 } });
  equal(toReason(off.outcomes[0]), 'reserved-units-max');
});

test('an offer that has only images cannot be reserved', () => {
  const offers = [anOffer({ availableText: 0, availableImage: 5 })];
  const command = aCommand(anAutoLine(), { reserve: RESERVE });
  equal(toReason(decide([command], { offers }).outcomes[0]), 'offer-not-available');
});

test('the order gets the reserved price and units, even if the offer and the product have changed', () => {
  const offer = anOffer({ isActive: false, priceMinor: 500, availableText: 0, nextUnit: 9 });
  const state = {
    offers: [offer],
    products: [aProduct({ checkoutClass: 'esim' })],
    reservations: [aReservation()],
  };
  const { outcomes, accounts, offers } = decide([ORDER], state);
  const [outcome] = outcomes;
  ok(outcome?.kind === 'placed', JSON.stringify(outcome));
  const { firstUnit, price, status } = outcome.order;
  deepEqual([status, firstUnit, price], ['complete', 7, aReservation().price]);
  equal(outcome.order.offer.priceMinor, 90);
  equal(accounts[0]?.balanceMinor, anAccount().balanceMinor - 170);
  deepEqual(offers, []);
});

test('a reservation is ordered only once, even within one batch', () => {
  const second = { ...ORDER, idempotencyKey: 'k2' };
  const { outcomes } = decide([ORDER, second], { reservations: [aReservation()] });
  ok(outcomes[0]?.kind === 'placed');
  const end = { status: 'ordered', orderId: outcomes[0].order.id };
  deepEqual(outcomes[1], { kind: 'reservation-ended', end });
});

test('a reservation ends when it expires, and an order that cannot be paid leaves it as it is', () => {
  const ended = (change: Partial<ReservationState>) =>
    decide([ORDER], { reservations: [aReservation(change)] }).outcomes[0];
  deepEqual(ended({ expiresAtMicros: NOW }), { kind: 'reservation-ended', end: { status: 'expired' } });
  deepEqual(ended({ status: 'released' }), { kind: 'reservation-ended', end: { status: 'released' } });
  deepEqual(toEnd(aReservation(), NOW), undefined);
  const poor = { accounts: [anAccount({ balanceMinor: 169 })], reservations: [aReservation()] };
  const { outcomes, accounts } = decide([ORDER, { ...ORDER, idempotencyKey: 'k2' }], poor);
  deepEqual(outcomes.map(toReason), ['insufficient-funds', 'insufficient-funds']);
  deepEqual(accounts, []);
});

test('each operation has its own key', () => {
  const key = '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10';
  const keys = [key, operationKey(key, 'reserve'), operationKey(key, 'order')];
  equal(new Set(keys).size, 3);
  for (const one of keys) notEqual(parseIdempotencyKey(one), undefined);
  equal(operationKey(operationKey(key, 'order'), 'order'), key);
});
