import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { priceLine, priceRefund } from './pricing.ts';

test('the discount of a line is rounded half-up to the cent', () => {
  const rows: [unitPrice: number, quantity: number, basisPoints: number, discount: number][] = [
    [1000, 1, 0, 0],
    [1000, 3, 500, 150],
    [1, 1, 5000, 1],
    [1, 1, 4999, 0],
    [3, 1, 5000, 2],
    [999, 1, 250, 25],
    [1001, 1, 250, 25],
    [1020, 1, 250, 26],
    [1019, 1, 250, 25],
    [50, 1, 100, 1],
    [49, 1, 100, 0],
    // The sum is discounted, not the unit: 25 units at 1 cent with 2 % are half a cent off, not 25 times
    // nothing.
    [1, 25, 200, 1],
    [1, 25, 199, 0],
    [7, 3, 10_000, 21],
    // The largest possible line; its product with the rate is beyond 2^53.
    [9_999_999_999_999, 25, 9999, 249_974_999_999_975],
    [9_999_999_999_999, 25, 3333, 83_324_999_999_992],
  ];
  for (const [unitPriceMinor, quantity, discountBasisPoints, discountMinor] of rows) {
    const sumMinor = unitPriceMinor * quantity;
    deepEqual(priceLine({ unitPriceMinor, quantity, discountBasisPoints }), {
      sumMinor,
      discountMinor,
      totalPriceMinor: sumMinor - discountMinor,
    });
  }
});

const unitPrice = fc.oneof(fc.integer({ min: 1, max: 9_999_999_999_999 }), fc.integer({ min: 1, max: 300 }));
const quantity = fc.integer({ min: 1, max: 25 });
const basisPoints = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constantFrom(0, 5000, 9999, 10_000));

test('discount and total are whole cents, add up to the sum, and the discount is within half a cent of its rate', () => {
  fc.assert(
    fc.property(unitPrice, quantity, basisPoints, (unitPriceMinor, units, discountBasisPoints) => {
      const price = priceLine({ unitPriceMinor, quantity: units, discountBasisPoints });
      equal(price.sumMinor, unitPriceMinor * units);
      equal(price.discountMinor + price.totalPriceMinor, price.sumMinor);
      for (const amount of Object.values(price)) ok(Number.isSafeInteger(amount) && amount >= 0);
      const exact = BigInt(price.sumMinor) * BigInt(discountBasisPoints);
      const error = 10_000n * BigInt(price.discountMinor) - exact;
      ok(error > -5000n && error <= 5000n, String(error));
    }),
  );
});

test('a refund covers the price of the units less their share of the discount, and the last one covers the rest', () => {
  const order = { orderSumMinor: 1000, orderTotalPriceMinor: 975 };
  const rows: [
    unitPrice: number,
    quantity: number,
    alreadyRefunded: number,
    isLast: boolean,
    amount: number,
  ][] = [
    [100, 4, 0, false, 390],
    // 292.5 cents are rounded half-up.
    [100, 3, 0, false, 293],
    [100, 3, 293, false, 293],
    [100, 4, 586, true, 389],
    [100, 10, 0, true, 975],
    // If nothing remains, the last refund is zero. No refund exceeds the remaining amount.
    [100, 1, 975, true, 0],
    [100, 1, 970, false, 5],
  ];
  for (const [unitPriceMinor, units, alreadyRefundedMinor, isLast, amountMinor] of rows) {
    equal(
      priceRefund({ ...order, unitPriceMinor, quantity: units, alreadyRefundedMinor, isLast }),
      amountMinor,
    );
  }
});

test('a refund without a discount is exactly the price of its units', () => {
  const refund = { orderSumMinor: 999, orderTotalPriceMinor: 999, alreadyRefundedMinor: 0, isLast: false };
  equal(priceRefund({ ...refund, unitPriceMinor: 333, quantity: 2 }), 666);
});

test('a refund of an order that cost nothing is 0', () => {
  const refund = { orderTotalPriceMinor: 0, alreadyRefundedMinor: 0, unitPriceMinor: 5, quantity: 1 };
  for (const isLast of [true, false]) {
    equal(priceRefund({ ...refund, orderSumMinor: 10, isLast }), 0);
    equal(priceRefund({ ...refund, unitPriceMinor: 0, orderSumMinor: 0, isLast }), 0);
  }
});

const partition = fc.record({
  unitPrices: fc.tuple(unitPrice, unitPrice),
  refundIndexes: fc.array(fc.tuple(fc.nat({ max: 1 }), fc.nat({ max: 7 })), { minLength: 1, maxLength: 50 }),
  discountBasisPoints: basisPoints,
});

test('the partial refunds of an order always add up to its total, and none is negative', () => {
  fc.assert(
    fc.property(partition, ({ unitPrices, refundIndexes, discountBasisPoints }) => {
      const orderSumMinor = refundIndexes.reduce((sum, [item]) => sum + unitPrices[item === 0 ? 0 : 1], 0);
      const { totalPriceMinor } = priceLine({
        unitPriceMinor: orderSumMinor,
        quantity: 1,
        discountBasisPoints,
      });
      const pieces = new Map<string, { unitPriceMinor: number; quantity: number }>();
      for (const [item, refund] of refundIndexes) {
        const key = `${refund}/${item}`;
        const units = (pieces.get(key)?.quantity ?? 0) + 1;
        pieces.set(key, { unitPriceMinor: unitPrices[item === 0 ? 0 : 1], quantity: units });
      }
      let refundedMinor = 0;
      let left = pieces.size;
      for (const piece of pieces.values()) {
        left -= 1;
        const amountMinor = priceRefund({
          ...piece,
          orderSumMinor,
          orderTotalPriceMinor: totalPriceMinor,
          alreadyRefundedMinor: refundedMinor,
          isLast: left === 0,
        });
        ok(Number.isSafeInteger(amountMinor) && amountMinor >= 0);
        refundedMinor += amountMinor;
        ok(refundedMinor <= totalPriceMinor);
      }
      equal(refundedMinor, totalPriceMinor);
    }),
  );
});
