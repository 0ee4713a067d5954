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

const act = (orderId: string, action: string, body: unknown) =>
  h.call('POST', `/admin/v1/orders/${orderId}/${action}`, {
    token: h.operatorToken,
    body,
    headers: { 'idempotency-key': randomUUID() },
  });

test('the items of a refund must be valid', async () => {
  const item = `${id}01`;
  const [{ id: keyId }] = await h.operate('GET', `/orders/${id}/keys`);
  const other = (await reseller.order(auto(productId))).body.data.id;
  const [{ id: otherKeyId }] = await h.operate('GET', `/orders/${other}/keys`);
  const rows: [items: unknown, field: string][] = [
    [[{ id: `${id}02`, quantity: 1 }], 'body.items[0].id'],
    [[{ id: `0${item}`.slice(0, 18), quantity: 1 }], 'body.items[0].id'],
    [
      [
        { id: item, quantity: 1 },
        { id: `${id}99`, quantity: 1 },
      ],
      'body.items[1].id',
    ],
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
  const both = await assertNothingWritten(h, scope, () =>
    act(id, 'refund', { reason: 'x', returnToStock: true, withdrawKeys: true }),
  );
  deepEqual([both.status, both.body.error.errors[0].field], [400, 'body.withdrawKeys']);
});
