/** Partial refunds never total more than was paid, regardless of price, discount and order. R15, A35. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { auto } from '../support/harness.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();

type Case = {
  readonly price: string;
  readonly discountPercent: string;
  readonly quantity: number;
  readonly parts: readonly number[];
  readonly amounts?: readonly string[];
};

const CASES: readonly Case[] = [
  {
    price: '10.00',
    discountPercent: '0',
    quantity: 3,
    parts: [1, 1, 1],
    amounts: ['10.00', '10.00', '10.00'],
  },
  // 10 % of 9.99 is 99.9 cents, so 1.00; thirds of it are rounded half-up, and the last unit takes the
  // remainder.
  { price: '3.33', discountPercent: '10', quantity: 3, parts: [1, 1, 1], amounts: ['3.00', '3.00', '2.99'] },
  { price: '0.01', discountPercent: '50', quantity: 25, parts: [1, 1, 1, 22] },
  { price: '0.01', discountPercent: '99.99', quantity: 25, parts: [10, 10, 5], amounts: [] },
  { price: '0.99', discountPercent: '33.33', quantity: 7, parts: [2, 2, 2, 1] },
  { price: '19.95', discountPercent: '2.5', quantity: 4, parts: [3, 1] },
  { price: '5.00', discountPercent: '100', quantity: 2, parts: [1, 1], amounts: [] },
];

const cents = (amount: string) => Math.round(Number(amount) * 100);

for (const { price, discountPercent, quantity, parts, amounts } of CASES) {
  const name = `${quantity} × ${price} less ${discountPercent} %, refunded ${parts.join(' + ')}`;
  test(`${name}: the refunds add up to totalPrice`, async () => {
    const reseller = await h.seed.reseller({ balance: '100.00', account: { discountPercent } });
    const { productId } = await h.seed.listing({ price, stock: quantity });
    const { data } = (await reseller.order(auto(productId, { quantity }))).body;
    const items = data.transactions[0].items;
    for (const [index, part] of parts.entries()) {
      const response = await h.operate('POST', `/orders/${data.id}/refund`, {
        reason: 'part',
        items: [{ id: items[0].id, quantity: part }],
      });
      equal(response.status, index === parts.length - 1 ? 'closed' : 'complete');
      equal(response.totalPrice, data.totalPrice, 'the paid amount does not change');
    }
    const lines: { kind: string; amount: string; balance: string }[] = await h.operate(
      'GET',
      `/accounts/${reseller.accountId}/statement`,
    );
    const refunds = lines.filter((line) => line.kind === 'refund').map((line) => line.amount);
    const total = refunds.reduce((sum, amount) => sum + cents(amount), 0);
    equal(total, cents(data.totalPrice));
    ok(refunds.every((amount) => cents(amount) > 0));
    if (amounts !== undefined) deepEqual(refunds, amounts);
    equal(lines.at(-1)?.balance, '100.00');
  });
}

test('partial refunds with and without return to stock leave exactly the kept units', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, codes } = await h.seed.listing({ price: '1.00', stock: 5 });
  const { data } = (await reseller.order(auto(productId, { quantity: 5 }))).body;
  const refund = (quantity: number, returnToStock: boolean) =>
    h.operate('POST', `/orders/${data.id}/refund`, {
      reason: 'part',
      items: [{ id: data.transactions[0].items[0].id, quantity }],
      returnToStock,
    });
  await refund(1, false);
  await refund(2, true);
  const order = await refund(1, false);
  deepEqual(order.transactions[0].items[0].quantity, { ordered: 5, invoiced: 5, shipped: 3, refunded: 4 });
  const keys = await reseller.get(`/orders/${data.id}/keys`);
  const left = keys.body.data[0].keys.map((key: { code: string }) => key.code);
  equal(left.length, 3);
  ok(left.every((code: string) => codes.includes(code)));
  const again = (await reseller.order(auto(productId, { quantity: 2 }))).body.data;
  const bought = await reseller.get(`/orders/${again.id}/keys`);
  ok(bought.body.data[0].keys.every((key: { code: string }) => !left.includes(key.code)));
});

test('concurrent refunds of one order never refund more than was paid', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00', account: { discountPercent: '33.33' } });
  const { productId } = await h.seed.listing({ price: '0.99', stock: 20 });
  const { data } = (await reseller.order(auto(productId, { quantity: 20 }))).body;
  const items = [{ id: data.transactions[0].items[0].id, quantity: 3 }];
  const responses = await Promise.all(
    Array.from({ length: 10 }, () =>
      h.call('POST', `/admin/v1/orders/${data.id}/refund`, {
        token: h.operatorToken,
        body: { reason: 'race', items },
        headers: { 'idempotency-key': randomUUID() },
      }),
    ),
  );
  equal(responses.filter((response) => response.status === 200).length, 6);
  await h.operate('POST', `/orders/${data.id}/refund`, { reason: 'rest' });
  equal((await reseller.get('/account')).body.data.balance, '100.00');
});
