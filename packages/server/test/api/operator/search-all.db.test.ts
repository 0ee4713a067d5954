/** A411. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { runTransaction } from '../../../src/db/transaction.ts';
import { auto, startHarness } from '../../support/harness.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { someEmail } from '../../support/person.ts';
import { wholeFile } from '../../support/vitest.ts';
import { waitUntil } from '../../support/webhook-receiver.ts';

const h = await startHarness(wholeFile);
const viewer = await operatorClient(h, 'viewer');
const { productId, offerId, sellerId, codes } = await h.seed.listing({
  stock: 12,
  product: { name: 'Star Harbour' },
});
const { token, accountId, order } = await h.seed.reseller({
  balance: '900.00',
  account: { name: 'Northwind' },
});
const key = randomUUID();
const write = (path: string, body: object) =>
  h.call('POST', `/export/v1${path}`, { token, body, headers: { 'idempotency-key': key } });
const { data: placed } = (await write('/orders', { items: [auto(productId)], reference: 'Shop_4711/b' }))
  .body;
const { data: reserved } = (await write('/reservations', { items: [auto(productId)] })).body;

type Group = { kind: string; matches: { id: string; name: string; detail: string | null }[]; more: boolean };
const call = (query: unknown, by = h.operatorToken) =>
  h.call('POST', '/admin/v1/search', { token: by, body: { query } });
const search = async (query: string, by?: string): Promise<Group[]> => (await call(query, by)).body.data;
const found = async (query: string, by?: string) =>
  (await search(query, by)).flatMap(({ kind, matches }) => matches.map(({ id }) => `${kind} ${id}`));

test('200: everything is found by its id or its name, in one response', async () => {
  const { traceId } = await h.operate('GET', `/orders/${placed.id}`);
  for (const [query, expected] of [
    [placed.id, [`order ${placed.id}`]],
    [`${placed.id.slice(0, 4)} ${placed.id.slice(4, 8)}`, [`order ${placed.id}`]],
    [placed.id.slice(-7), [`order ${placed.id}`]],
    [`refund-${placed.id}`, [`order ${placed.id}`]],
    [`${placed.id}01`, [`order ${placed.id}`]],
    [`${placed.id.slice(0, 15)}0`, [`order ${placed.id}`]],
    [`${placed.id.slice(0, 15)}000`, [`order ${placed.id}`]],
    [`${placed.id.slice(0, 4)} ${placed.id.slice(4)} 00`, [`order ${placed.id}`]],
    [key.toUpperCase(), [`order ${placed.id}`]],
    [traceId, [`order ${placed.id}`]],
    ['4711/', [`reference ${placed.id}`]],
    ['b SHOP', [`reference ${placed.id}`]],
    [reserved.id.slice(0, 12), [`reservation ${reserved.id}`]],
    ['northw', [`account ${accountId}`]],
    [accountId.slice(0, 8), [`account ${accountId}`]],
    ['harb', [`product ${productId}`]],
    [productId, [`product ${productId}`, `offer ${offerId}`]],
    [offerId, [`offer ${offerId}`]],
    [sellerId, [`seller ${sellerId}`, `offer ${offerId}`]],
    [codes[0] ?? '', []],
  ] as const)
    deepEqual(await found(query), expected, query);
});

test('200: an order is found with its status and how much of it was refunded', async () => {
  const { id } = (await order(auto(productId, { quantity: 2 }))).body.data;
  const refund = async (quantity: number) =>
    h.operate('POST', `/orders/${id}/refund`, { reason: 'Bad', items: [{ id: `${id}01`, quantity }] });
  for (const [status, unitsRefunded] of [
    ['complete', 0],
    ['complete', 1],
    ['closed', 2],
  ] as const) {
    if (unitsRefunded > 0) await refund(1);
    const { body } = await call(id);
    deepEqual(body.data[0].matches[0].order, { status, unitsPaid: 2, unitsRefunded });
  }
});

test('200: a viewer finds no people', async () => {
  const email = someEmail();
  const { id } = await h.operate('POST', '/operators', { name: 'Grace', email, role: 'viewer' });
  deepEqual(await found(email.slice(1)), [`person ${id}`]);
  deepEqual(await found(email.slice(1), viewer), []);
  deepEqual(await found('harb', viewer), [`product ${productId}`]);
  const read = async (path: string) => h.call('GET', `/admin/v1${path}`, { token: viewer });
  const { data } = (await read(`/operators/${id}`)).body;
  deepEqual([data.name, data.email], ['Grace', '']);
  ok(!JSON.stringify((await read('/audit?actionsOnly=true')).body).includes(email));
  equal((await read('/books')).status, 403);
});

test('200: at most five results of a kind are returned, and the response states whether there are more', async () => {
  for (let count = 0; count < 6; count += 1) await order(auto(productId));
  const [orders] = await search(placed.id.slice(0, 1).padEnd(2, placed.id[1]));
  ok(orders);
  const alike = (await h.operate('GET', '/orders')).filter(({ id }: { id: string }) =>
    id.startsWith(placed.id.slice(0, 2)),
  ).length;
  deepEqual([orders.matches.length, orders.more], [Math.min(alike, 5), alike > 5]);
});

test('200: a kind that takes too long is marked as late, and the others are returned', async () => {
  const { database } = h.service;
  if (database.kind === 'embedded') return;
  await runTransaction(database, {}, async (tx) => {
    await sql`LOCK TABLE seller IN ACCESS EXCLUSIVE MODE`.execute(tx);
    const expected = [
      ['account', false],
      ['seller', true],
    ];
    // On a busy machine, other kinds may be late too.
    await waitUntil(async () => {
      const groups = await search('northw');
      return isDeepStrictEqual(
        groups.map(({ kind, ...group }) => [kind, 'late' in group && group.late]),
        expected,
      );
    }, 'a response in which only the sellers are late');
  });
});
