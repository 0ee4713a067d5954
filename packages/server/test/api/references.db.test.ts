/** A700, A701. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { allEvents } from '../support/events.ts';
import { auto, type Reseller } from '../support/harness.ts';
import { advanceDays } from '../support/past.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();
const { productId } = await h.seed.listing({ price: '1.00', stock: 200 });

const order = (reseller: Reseller, reference: unknown, key: string = randomUUID()) =>
  h.call('POST', '/export/v1/orders', {
    token: reseller.token,
    body: { items: [auto(productId)], reference },
    headers: { 'idempotency-key': key },
  });

async function placed(reseller: Reseller, reference: string, key?: string): Promise<string> {
  const { status, body } = await order(reseller, reference, key);
  equal(status, 201, JSON.stringify(body));
  equal(body.data.reference, reference);
  return body.data.id;
}

const toIds = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);

test('every view of an order has its reference, and the member is absent if there is none', async () => {
  const reseller = await h.seed.reseller({ balance: '10.00', account: { holdOrders: true } });
  const reference = 'Bestellung 4711/ä';
  const key = randomUUID();
  const id = await placed(reseller, reference, key);
  const plain = (await reseller.order(auto(productId))).body.data;
  equal('reference' in plain, false);
  equal((await order(reseller, reference, key)).body.data.reference, reference, 'a replay');
  await h.operate('POST', `/orders/${id}/release`, { reason: 'checked' });
  equal((await order(reseller, reference, key)).body.data.reference, reference, 'a replay after a change');
  const refunded = await h.operate('POST', `/orders/${id}/refund`, { reason: 'returned' });
  equal(refunded.reference, reference, 'a refund');
  equal((await reseller.get(`/orders/${id}`)).body.data.reference, reference);
  deepEqual(
    (await reseller.get('/orders?sort=ASC')).body.data.map((one: object) => Reflect.get(one, 'reference')),
    [reference, undefined],
  );
  equal((await h.operate('GET', `/orders/${id}`)).reference, reference);
  const held = await h.call('POST', `/sandbox/v1/orders/${plain.id}/release`, {
    token: reseller.token,
    body: { reason: 'rehearsed' },
  });
  equal(held.body.data.reference, undefined);
  const events = (await allEvents(h, reseller)).flatMap(({ type, data }) =>
    'order' in data && data.order.id === id ? [[type, data.order.reference]] : [],
  );
  deepEqual(
    events.toSorted(),
    ['order.closed', 'order.complete', 'order.held', 'order.refunded'].map((type) => [type, reference]),
  );
});

test('an order keeps its reference when a payment provider settles it', async () => {
  const account = { paymentMethod: 'gateway', gatewayCustomer: 'sim_ok' };
  const reseller = await h.seed.reseller({ account });
  const key = randomUUID();
  await placed(reseller, 'paid by card', key);
  equal((await order(reseller, 'paid by card', key)).body.data.reference, 'paid by card');
});

test('a reference must have 1 to 64 printable characters without a blank at either end', async () => {
  const reseller = await h.seed.reseller({ balance: '50.00' });
  for (const reference of [
    'x',
    '0',
    'a b',
    '😀'.repeat(64),
    '注文 4711',
    "'; DROP TABLE",
    '<b>|1|{}"\\',
    'á',
  ])
    await placed(reseller, reference);
  for (const reference of [
    '',
    ' ',
    ' x',
    'x ',
    '\u00a0x',
    'x\u3000',
    'a\tb',
    'a\nb',
    'a\u0000b',
    'a\u200bb',
    'a\u202eb',
    'a\u2028b',
    'a\ufeffb',
    '\ue000',
    '\ufdd0',
    'x'.repeat(65),
    '😀'.repeat(65),
    5,
    null,
    ['x'],
  ]) {
    const { status, body } = await order(reseller, reference);
    deepEqual([status, body.error?.code], [400, 'validation-error'], JSON.stringify(reference));
    equal(body.error.errors[0].field, 'body.reference');
  }
});

test('a reference is part of the payload, even for a stored rejection', async () => {
  const reseller = await h.seed.reseller({ balance: '1.00' });
  const key = randomUUID();
  const id = await placed(reseller, 'one', key);
  for (const other of ['One', 'one|', 'two', undefined])
    equal((await order(reseller, other, key)).status, 422);
  equal((await order(reseller, 'one', key)).body.data.id, id);
  const rejected = randomUUID();
  equal((await order(reseller, 'a|b', rejected)).status, 402);
  equal((await order(reseller, 'a', rejected)).status, 422);
  equal((await order(reseller, 'a|b', rejected)).status, 402);
  const path = `/rejections?accountId=${reseller.accountId}`;
  deepEqual(
    (await h.operate('GET', path)).map(({ quantity, reference }: Record<string, unknown>) => [
      quantity,
      reference,
    ]),
    [[1, 'a|b']],
  );
});

test('the history finds exactly the orders of a reference or of a key, regardless of their age', async () => {
  const [reseller, stranger] = [
    await h.seed.reseller({ balance: '10.00' }),
    await h.seed.reseller({ balance: '10.00' }),
  ];
  const key = randomUUID();
  const first = await placed(reseller, 'A-1 ü', key);
  const second = await placed(reseller, 'A-1 ü');
  const third = await placed(reseller, 'a-1 ü');
  await placed(stranger, 'A-1 ü');
  await advanceDays(h, reseller.accountId, 400);
  for (const [query, expected] of [
    ['reference=A-1+%C3%BC', [second, first]],
    ['reference=A-1%20%C3%BC&sort=ASC', [first, second]],
    ['reference=a-1+%C3%BC', [third]],
    ['reference=A-1', []],
    ['reference=A-1+%C3%BC&status=held', []],
    [`idempotencyKey=${key}`, [first]],
    [`idempotencyKey=${key.toUpperCase()}`, [first]],
    [`idempotencyKey=${key}&reference=a-1+%C3%BC`, []],
    [`idempotencyKey=${randomUUID()}`, []],
  ] as const) {
    const page = await reseller.get(`/orders?${query}`);
    deepEqual(toIds(page), expected, query);
    equal(page.body.meta.totalResults, expected.length, query);
  }
  deepEqual(toIds(await stranger.get(`/orders?idempotencyKey=${key}`)), []);
  const page = await reseller.get('/orders?reference=A-1+%C3%BC&itemsPerPage=10&page=2');
  deepEqual(page.body.meta, {
    page: 2,
    itemsPerPage: 10,
    totalResults: 2,
    hasNext: false,
    hasPrevious: true,
  });
});

test('operators find orders by reference and key, in pages, by cursor and by search', async () => {
  const reseller = await h.seed.reseller({ balance: '10.00' });
  const reference = `Ref ${randomUUID().slice(0, 13)}-Ü`;
  const key = randomUUID();
  const id = await placed(reseller, reference, key);
  const other = await h.seed.reseller({ balance: '10.00' });
  const otherId = await placed(other, reference);
  const encoded = encodeURIComponent(reference);
  const get = (query: string) => h.admin('GET', `/orders?${query}`);
  for (const [query, expected] of [
    [`reference=${encoded}`, [otherId, id]],
    [`reference=${encoded}&limit=5`, [otherId, id]],
    [`reference=${encoded}&accountId=${reseller.accountId}&limit=5`, [id]],
    [`reference=${encoded}&accountId=${reseller.accountId}`, [id]],
    [`idempotencyKey=${key.toUpperCase()}`, [id]],
    [`idempotencyKey=${key}&limit=5`, [id]],
    [`idempotencyKey=${key}&accountId=${other.accountId}`, []],
    [`query=${encoded}`, [otherId, id]],
    [`query=+${encoded}+`, [otherId, id]],
    [`query=${encoded.toLowerCase()}`, [otherId, id]],
  ] as const)
    deepEqual(toIds(await get(query)), expected, query);
});

test('a search for a reference that looks like an id finds the order with that id first', async () => {
  const reseller = await h.seed.reseller({ balance: '10.00' });
  const first = await placed(reseller, '20261125');
  const second = await placed(reseller, first);
  const search = async (query: string) => toIds(await h.admin('GET', `/orders?query=${query}`));
  deepEqual(await search('20261125'), [first]);
  deepEqual(await search(first), [first]);
  deepEqual(await search(second), [second]);
});

test('a search finds the orders with an id, a part of the reference, or the end of a key, and no other account’s', async () => {
  const [reseller, other] = [
    await h.seed.reseller({ balance: '9.00' }),
    await h.seed.reseller({ balance: '9.00' }),
  ];
  const [first, second] = [await placed(reseller, 'A-1'), await placed(reseller, 'B-2')];
  const ofOther = await placed(other, 'A-1');
  const [{ keys }] = (await reseller.get(`/orders/${second}/keys`)).body.data;
  const end = keys[0].code.slice(-4);
  const find = async (text: string, more = '') =>
    toIds(await reseller.get(`/orders?query=${encodeURIComponent(text)}${more}`));
  deepEqual(await find(first), [first]);
  deepEqual(await find(ofOther), []);
  deepEqual(await find('A-1'), [first]);
  deepEqual(await find('A-1', '&status=held'), []);
  for (const part of ['a-1', 'a 1', 'A']) deepEqual(await find(part), [first], part);
  deepEqual(await find(end.toLowerCase()), [second]);
  deepEqual(await find(keys[0].code.slice(-5)), [second]);
  deepEqual(await find(`?${end}`), [second], 'other characters do not count, so no one can guess the rest');
  const [{ keys: foreign }] = (await other.get(`/orders/${ofOther}/keys`)).body.data;
  deepEqual(await find(foreign[0].code.slice(-4)), []);
});
