/** The tests also check the rows of the status log and the audit log. R12 to R15, R23. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { readBooks } from '../../support/books.ts';
import { manual } from '../../support/harness.ts';
import { importOrders } from '../../support/imported-orders.ts';
import { advanceDays } from '../../support/past.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function order(options: { account?: Record<string, unknown>; quantity?: number } = {}) {
  const reseller = await h.seed.reseller({ balance: '100.00', account: options.account ?? {} });
  const { offerId, productId } = await h.seed.listing({ price: '10.00', stock: 5 });
  const response = await reseller.order(manual(offerId, { quantity: options.quantity ?? 2 }));
  const id: string = response.body.data?.id ?? response.body.error.data.orderId;
  const act = (action: string, body: Record<string, unknown> = {}) =>
    h.operate('POST', `/orders/${id}/${action}`, { reason: `${action} it`, ...body });
  const books = () => readBooks(h, { accountId: reseller.accountId, offerId });
  return { reseller, offerId, productId, id, act, books };
}

const waiting = { account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' } };
const underReview = { account: { holdOrders: true } };

test('an action returns the changed order, with its account', async () => {
  const { act, id, reseller } = await order(underReview);
  const data = await act('release');
  const { accountId, ...shown } = data;
  equal(accountId, reseller.accountId);
  deepEqual(shown, (await reseller.get(`/orders/${id}`)).body.data);
});

test('hold stops an order that waits for its payment, and release lets it wait again', async () => {
  const { act, books } = await order(waiting);
  equal((await act('hold')).status, 'held');
  deepEqual((await books()).units, { available: 3, reserved: 2 });
  equal((await act('release')).status, 'pending_payment');
  deepEqual((await books()).units, { available: 3, reserved: 2 });
});

test('release completes a paid order and delivers its keys', async () => {
  const { act, books, reseller, id } = await order(underReview);
  const data = await act('release');
  equal(data.status, 'complete');
  deepEqual(data.transactions[0].items[0].quantity, { ordered: 2, invoiced: 2, shipped: 2, refunded: 0 });
  deepEqual((await books()).units, { available: 3, sold: 2 });
  equal((await reseller.get(`/orders/${id}/keys`)).body.data[0].keys.length, 2);
});

for (const held of [false, true]) {
  test(`cancel of an unpaid order ${held ? 'that is held ' : ''}returns its units and its daily use`, async () => {
    const { act, books, reseller, productId } = await order(waiting);
    if (held) await act('hold');
    equal((await act('cancel')).status, 'canceled');
    const { units, dayUnits, daySpendMinor, transfers } = await books();
    deepEqual([units, dayUnits, daySpendMinor], [{ available: 5 }, 0, 0]);
    equal(transfers, 1, 'the deposit only');
    await h.seed.inStep();
    const product = await reseller.get(`/products/${productId}`);
    equal(product.body.data.totalQuantity, 5, 'and they are on sale again');
  });
}

test('a full refund closes a complete order and returns the money, not the units', async () => {
  const { act, books } = await order();
  const data = await act('refund');
  equal(data.status, 'closed');
  deepEqual(data.transactions[0].items[0].quantity, { ordered: 2, invoiced: 2, shipped: 2, refunded: 2 });
  const { balanceMinor, units } = await books();
  deepEqual([balanceMinor, units], [10_000, { available: 3, sold: 2 }]);
});

test('a refund with returnToStock puts unread units on sale again', async () => {
  const { act, books, reseller, productId } = await order();
  const data = await act('refund', { returnToStock: true });
  deepEqual(data.transactions[0].items[0].quantity, { ordered: 2, invoiced: 2, shipped: 0, refunded: 2 });
  deepEqual((await books()).units, { available: 5 });
  await h.seed.inStep();
  equal((await reseller.get(`/products/${productId}`)).body.data.totalQuantity, 5);
});

test('a refund with withdrawKeys permanently takes the keys from the order, whether they were read or not', async () => {
  for (const isRead of [false, true]) {
    const { act, books, reseller, id, offerId } = await order();
    const read = async (): Promise<string[]> =>
      (await reseller.get(`/orders/${id}/keys`)).body.data[0].keys.map((key: { code: string }) => key.code);
    if (isRead) equal((await read()).length, 2);
    const data = await act('refund', { items: [{ id: `${id}01`, quantity: 1 }], withdrawKeys: true });
    deepEqual(
      [data.status, data.transactions[0].items[0].quantity],
      ['complete', { ordered: 2, invoiced: 2, shipped: 1, refunded: 1 }],
    );
    const { balanceMinor, units } = await books();
    deepEqual([balanceMinor, units], [9000, { available: 3, sold: 1, withdrawn: 1 }]);
    equal((await read()).length, 1, 'the other key can still be read');
    const rest = (await reseller.order(manual(offerId, { quantity: 4 }))).body;
    equal(rest.error.code, 'offer-not-available', 'the withdrawn one is not for sale');
  }
});

test('a partial refund leaves the order complete', async () => {
  const { act, books, id } = await order();
  const data = await act('refund', { items: [{ id: `${id}01`, quantity: 1 }] });
  equal(data.status, 'complete');
  equal(data.transactions[0].items[0].quantity.refunded, 1);
  equal((await books()).balanceMinor, 9000);
});

test('a refund uses the payment method of the order, not the current one of the account', async () => {
  const fromBalance = await order();
  await h.operate('PATCH', `/accounts/${fromBalance.reseller.accountId}`, {
    paymentMethod: 'gateway',
    gatewayCustomer: 'sim_ok',
  });
  await fromBalance.act('refund');
  equal((await fromBalance.books()).balanceMinor, 100_00);

  const byProvider = await order({ account: { paymentMethod: 'gateway', gatewayCustomer: 'sim_ok' } });
  await h.operate('PATCH', `/accounts/${byProvider.reseller.accountId}`, { paymentMethod: 'balance' });
  await byProvider.act('refund');
  equal((await byProvider.books()).balanceMinor, 100_00);
});

test('a unit of a discounted order is refunded at its discounted price', async () => {
  const { act, books, id } = await order({ account: { discountPercent: '2.5' } });
  equal((await books()).balanceMinor, 8050);
  await act('refund', { items: [{ id: `${id}01`, quantity: 1 }] });
  equal((await books()).balanceMinor, 9025);
});

test('an order lists its refunds', async () => {
  const { act, id } = await order();
  const refunds = async () =>
    (await h.operate('GET', `/orders/${id}`)).refunds.map(({ amount }: { amount: string }) => amount);
  deepEqual(await refunds(), []);
  await act('refund', { items: [{ id: `${id}01`, quantity: 1 }] });
  await act('refund');
  deepEqual(await refunds(), ['10.00', '10.00']);
});

for (const [choice, became, units] of [
  [{}, 'kept', { available: 2, sold: 3 }],
  [{ returnToStock: true }, 'returned', { available: 4, sold: 1 }],
  [{ withdrawKeys: true }, 'withdrawn', { available: 2, sold: 1, withdrawn: 2 }],
] as const) {
  test(`a refund takes the keys that it names, and operators still see them on the order as ${became}`, async () => {
    const { act, books, reseller, id, offerId } = await order({ quantity: 3 });
    const keys = await h.operate('GET', `/orders/${id}/keys`);
    deepEqual(
      keys.map(({ refundedAs }: { refundedAs: unknown }) => refundedAs),
      [null, null, null],
    );
    const refund = (one: { id: string }) =>
      act('refund', { items: [{ id: `${id}01`, quantity: 1, keyIds: [one.id] }], ...choice });
    await refund(keys[0]);
    await refund(keys[1]);
    const after = await books();
    deepEqual([after.units, after.balanceMinor], [units, 9000]);
    // A returned key that another reseller buys and reads still shows its state in this order.
    const other = await h.seed.reseller({ balance: '100.00' });
    const next = (await other.order(manual(offerId, { quantity: after.units.available ?? 0 }))).body.data.id;
    equal((await other.get(`/orders/${next}/keys`)).status, 200);
    const seen = await h.operate('GET', `/orders/${id}/keys`);
    deepEqual(
      seen.map(({ id: keyId, maskedCode, readAt, refundedAs, refundedAt }: Record<string, unknown>) => [
        keyId,
        maskedCode,
        readAt,
        refundedAs,
        refundedAt !== null,
      ]),
      keys.map(({ id: keyId, maskedCode }: Record<string, unknown>, index: number) =>
        index === 2 ? [keyId, maskedCode, null, null, false] : [keyId, maskedCode, null, became, true],
      ),
    );
    const read = (await reseller.get(`/orders/${id}/keys`)).body.data[0].keys;
    equal(read.length, became === 'kept' ? 3 : 1);
    const last = { items: [{ id: `${id}01`, quantity: 1, keyIds: [keys[2].id] }] };
    equal((await act('refund', last)).status, 'closed');
  });
}

test('read keys of other units do not prevent the return of an unread key', async () => {
  const { act, reseller, id, books } = await order();
  await reseller.get(`/orders/${id}/keys`);
  const [first, second] = await h.operate('GET', `/orders/${id}/keys`);
  const { newKeyId } = await act('replace-key', { keyId: first.id });
  await act('refund', { items: [{ id: `${id}01`, quantity: 1, keyIds: [newKeyId] }], returnToStock: true });
  deepEqual((await books()).units, { available: 3, sold: 1, withdrawn: 1 });
  const shown = await h.operate('GET', `/orders/${id}/keys`);
  const became = new Map(shown.map((key: Record<string, unknown>) => [key['id'], key['refundedAs']]));
  deepEqual(
    [first.id, second.id, newKeyId].map((keyId) => became.get(keyId)),
    [null, null, 'returned'],
  );
});

test('the keys of a held order stay visible when its refund returns or withdraws them', async () => {
  for (const [choice, became] of [
    [{ returnToStock: true }, 'returned'],
    [{}, 'withdrawn'],
    [{ withdrawKeys: true }, 'withdrawn'],
  ] as const) {
    const { act, id } = await order(underReview);
    const before = await h.operate('GET', `/orders/${id}/keys`);
    await act('refund', choice);
    const after = await h.operate('GET', `/orders/${id}/keys`);
    deepEqual(
      after.map(({ maskedCode, refundedAs }: Record<string, unknown>) => [maskedCode, refundedAs]),
      before.map(({ maskedCode }: Record<string, unknown>) => [maskedCode, became]),
    );
  }
});

test('a refund without items refunds the units that earlier refunds left', async () => {
  const { act, books, id } = await order();
  await act('refund', { items: [{ id: `${id}01`, quantity: 1 }] });
  equal((await act('refund')).status, 'closed');
  equal((await books()).balanceMinor, 10_000);
});

test('a refund of a held, paid order withdraws its units, or returns them to stock on request', async () => {
  for (const [choice, units] of [
    [{}, { available: 3, withdrawn: 2 }],
    [{ returnToStock: true }, { available: 5 }],
    [{ returnToStock: false }, { available: 3, withdrawn: 2 }],
    [{ withdrawKeys: true }, { available: 3, withdrawn: 2 }],
  ] as const) {
    const { act, books } = await order(underReview);
    const data = await act('refund', choice);
    equal(data.status, 'closed');
    equal(data.transactions[0].items[0].quantity.shipped, 0);
    const after = await books();
    deepEqual([after.units, after.balanceMinor], [units, 10_000]);
  }
});

test('the status log has every change with its statuses, actor and reason', async () => {
  const { act, id } = await order(underReview);
  await act('release');
  await act('refund');
  const { statusLog } = await h.operate('GET', `/orders/${id}`);
  const steps = statusLog.map((line: Record<string, unknown>) => [line['from'], line['to'], line['actor']]);
  deepEqual(steps, [
    [null, 'pending', 'keyport'],
    ['pending', 'processing', 'keyport'],
    ['processing', 'held', 'keyport'],
    ['held', 'processing', 'test-operator'],
    ['processing', 'complete', 'test-operator'],
    ['complete', 'closed', 'test-operator'],
  ]);
  deepEqual([statusLog[3].reason, statusLog[5].reason], ['release it', 'refund it']);
  deepEqual([statusLog[0].actorName, statusLog[3].actorName], [undefined, 'First operator']);
});

test('every action is in the audit log with its reason and its data', async () => {
  const { act, id, reseller } = await order();
  const items = [{ id: `${id}01`, quantity: 1 }];
  await act('refund', { items });
  const [entry] = await h.operate('GET', `/audit?orderId=${id}`);
  deepEqual(
    [entry.action, entry.clientId, entry.accountId],
    ['order.refund', 'test-operator', reseller.accountId],
  );
  const [, last] = await h.operate('GET', `/orders/${id}/keys`);
  deepEqual(entry.data, { reason: 'refund it', amount: '10.00', items, units: 'kept', keyIds: [last.id] });
});

test('operators list the orders of all accounts, or of one, with the filters of the history', async () => {
  const resellers = [await h.seed.reseller(), await h.seed.reseller()];
  const day = { createdAt: '2021-05-05T00:00:00Z' };
  const ids = [];
  for (const { accountId } of resellers) ids.push(...(await importOrders(h, accountId, [day])));
  const list = async (query: string) =>
    (await h.operate('GET', `/orders?${query}`)).map((each: { id: string }) => each.id).sort();
  deepEqual(await list(`dateFrom=${day.createdAt}&dateTo=${day.createdAt}`), [...ids].sort());
  deepEqual(await list(`accountId=${resellers[0]?.accountId}`), [ids[0]]);
  deepEqual(await list(`accountId=${resellers[1]?.accountId.toUpperCase()}&status=complete`), [ids[1]]);
  deepEqual(await list(`orderId=${ids[0]}`), [ids[0]]);
});

test('only one of several concurrent refunds of the same unit is carried out', async () => {
  const { id, books } = await order({ quantity: 1 });
  const responses = await Promise.all(
    Array.from({ length: 5 }, () =>
      h.call('POST', `/admin/v1/orders/${id}/refund`, {
        token: h.operatorToken,
        body: { reason: 'x' },
        headers: { 'idempotency-key': randomUUID() },
      }),
    ),
  );
  deepEqual(responses.map((response) => response.status).sort(), [200, 409, 409, 409, 409]);
  equal((await books()).balanceMinor, 10_000);
});

test('canceling an order of an earlier day does not lower today’s use of the limits', async () => {
  const { act, reseller, offerId, books } = await order(waiting);
  await advanceDays(h, reseller.accountId, 2);
  await reseller.order(manual(offerId));
  const before = (await books()).dayUnits;
  await act('cancel');
  equal((await books()).dayUnits, before);
});
