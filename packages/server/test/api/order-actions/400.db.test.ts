import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { assertNothingWritten } from '../../support/books.ts';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller({ balance: '100.00' });
const { productId, offerId } = await h.seed.listing({ stock: 9 });
const { id } = (await reseller.order(auto(productId, { quantity: 2 }))).body.data;
const scope = { accountId: reseller.accountId, offerId, records: 0 };

const ACTIONS = ['hold', 'release', 'cancel', 'refund'] as const;

const act = (orderId: string, action: string, body: unknown) =>
  h.call('POST', `/admin/v1/orders/${orderId}/${action}`, {
    token: h.operatorToken,
    body,
    headers: { 'idempotency-key': randomUUID() },
  });

test('an action needs a reason', async () => {
  for (const action of ACTIONS) {
    for (const body of [
      {},
      { reason: '' },
      { reason: '  ' },
      { reason: 5 },
      { reason: null },
      { reason: 'x'.repeat(501) },
    ]) {
      const response = await assertNothingWritten(h, scope, () => act(id, action, body));
      deepEqual([response.status, response.body.error.code], [400, 'validation-error']);
      equal(response.body.error.errors[0].field, 'body.reason');
    }
  }
});

test('the items of a refund must be valid', async () => {
  const item = `${id}01`;
  const [{ id: keyId }] = await h.operate('GET', `/orders/${id}/keys`);
  const other = (await reseller.order(auto(productId))).body.data.id;
  const [{ id: otherKeyId }] = await h.operate('GET', `/orders/${other}/keys`);
  const rows: [items: unknown, field: string][] = [
    [[], 'body.items'],
    ['x', 'body.items'],
    [[{ id: item }], 'body.items[0].quantity'],
    [[{ quantity: 1 }], 'body.items[0].id'],
    [[{ id: item, quantity: 0 }], 'body.items[0].quantity'],
    [[{ id: item, quantity: 26 }], 'body.items[0].quantity'],
    [[{ id: item, quantity: 1.5 }], 'body.items[0].quantity'],
    [[{ id: item, quantity: -1 }], 'body.items[0].quantity'],
    [[{ id: 'x', quantity: 1 }], 'body.items[0].id'],
    [[{ id: `${id}02`, quantity: 1 }], 'body.items[0].id'],
    [[{ id: `0${item}`.slice(0, 18), quantity: 1 }], 'body.items[0].id'],
    [
      [
        { id: item, quantity: 1 },
        { id: `${id}99`, quantity: 1 },
      ],
      'body.items[1].id',
    ],
    [[{ id: item, quantity: 1, keyIds: [] }], 'body.items[0].keyIds'],
    [[{ id: item, quantity: 1, keyIds: ['x'] }], 'body.items[0].keyIds[0]'],
    [[{ id: item, quantity: 2, keyIds: [keyId] }], 'body.items[0].keyIds'],
    [[{ id: item, quantity: 2, keyIds: [keyId, keyId] }], 'body.items[0].keyIds'],
    [[{ id: item, quantity: 1, keyIds: [otherKeyId] }], 'body.items[0].keyIds[0]'],
    [
      [
        { id: item, quantity: 1, keyIds: [keyId] },
        { id: item, quantity: 1, keyIds: [keyId] },
      ],
      'body.items[1].keyIds',
    ],
  ];
  for (const [items, field] of rows) {
    const response = await assertNothingWritten(h, scope, () => act(id, 'refund', { reason: 'x', items }));
    deepEqual([response.status, response.body.error.code], [400, 'validation-error'], JSON.stringify(items));
    equal(response.body.error.errors[0].field, field, JSON.stringify(items));
  }
  for (const name of ['returnToStock', 'withdrawKeys']) {
    for (const value of ['true', 1, null]) {
      const response = await act(id, 'refund', { reason: 'x', [name]: value });
      equal(response.body.error.errors[0].field, `body.${name}`);
    }
  }
  const both = await assertNothingWritten(h, scope, () =>
    act(id, 'refund', { reason: 'x', returnToStock: true, withdrawKeys: true }),
  );
  deepEqual([both.status, both.body.error.errors[0].field], [400, 'body.withdrawKeys']);
});

test('an unknown order returns 404, and an invalid id returns 400', async () => {
  for (const action of ACTIONS) {
    for (const absent of ['9999999999999999', '99999999999999']) {
      const response = await act(absent, action, { reason: 'x' });
      deepEqual([response.status, response.body.error.code], [404, 'not-found'], action);
    }
    equal((await act('12345', action, { reason: 'x' })).body.error.errors[0].field, 'path.orderId');
  }
  const look = await h.admin('GET', '/orders/9999999999999999');
  equal(look.status, 404);
});
