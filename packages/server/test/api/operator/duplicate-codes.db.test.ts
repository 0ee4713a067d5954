/** A58, A105. */
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { KeysAdded } from '@keyport/contract/catalogue/stock-keys';
import type { Static } from 'typebox';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

test('a code of another seller is rejected in any spelling', async () => {
  const [one, other] = [await h.seed.listing({ stock: 0 }), await h.seed.listing({ stock: 0 })];
  notEqual(one.sellerId, other.sellerId);
  deepEqual(await add(one.offerId, ['AbCdE-12345-FgHiJ']), { added: 1, duplicates: 0, trimmed: 0 });
  const writings = [
    'AbCdE-12345-FgHiJ',
    ' abcde-12345-fghij',
    'ABCDE12345FGHIJ',
    'AbCdE 12345 FgHiJ\n',
    '\ufeffAbCdE–12345–FgHiJ',
  ];
  deepEqual(await add(other.offerId, writings), { added: 0, duplicates: writings.length, trimmed: 3 });
  deepEqual(await add(other.offerId, ['AbCdE-12345-FgHiK']), { added: 1, duplicates: 0, trimmed: 0 });
});

test('a code is delivered in the spelling in which it was first added', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { productId, offerId } = await h.seed.listing({ stock: 0 });
  const code = 'Mixed-Case  code–1';
  await add(offerId, [code, 'mixedcasecode1']);
  await h.seed.inStep();
  const { body } = await reseller.order(auto(productId));
  deepEqual(await toCodes(reseller, body.data.id), [code]);
});

test('a code that is reserved, sold, refunded, back in stock or withdrawn is not added again', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const held = await h.seed.reseller({ balance: '100.00', account: { holdOrders: true } });
  const { productId, offerId, codes } = await h.seed.listing({ stock: 8 });
  const other = await h.seed.listing({ stock: 0 });
  const buy = async (from = reseller) => (await from.order(auto(productId))).body.data.id;
  const act = (id: string, action: string, body = {}) =>
    h.operate('POST', `/orders/${id}/${action}`, { reason: 'test', ...body });
  await buy();
  await buy(held);
  await act(await buy(), 'refund');
  await act(await buy(), 'refund', { returnToStock: true });
  await act(await buy(), 'refund', { withdrawKeys: true });
  await h.operate('POST', `/offers/${offerId}/keys/withdraw`, { quantity: 1, reason: 'test' });
  for (const to of [offerId, other.offerId]) {
    deepEqual(await add(to, codes), { added: 0, duplicates: codes.length, trimmed: 0 });
  }
});

test('codes that several sellers import concurrently, in different orders and spellings, are added once', async () => {
  const codes = Array.from({ length: 600 }, () => randomUUID());
  const offers = await Promise.all(Array.from({ length: 4 }, () => h.seed.listing({ stock: 0 })));
  const results = await Promise.all([
    ...offers.map(({ offerId }, index) =>
      importKeys(
        offerId,
        rotate(codes, index * 150).map((code) => (index % 2 === 0 ? code : code.toUpperCase())),
      ),
    ),
    add(must(offers[0]).offerId, codes.toReversed()).then(({ added, duplicates }) => ({
      written: added,
      unchanged: duplicates,
    })),
  ]);
  equal(
    results.reduce((sum, { written }) => sum + written, 0),
    codes.length,
  );
  equal(
    results.reduce((sum, { unchanged }) => sum + unchanged, 0),
    codes.length * 4,
  );
  const quantities = await Promise.all(
    offers.map(async ({ offerId }) => (await h.operate('GET', `/offers/${offerId}`)).quantity),
  );
  equal(
    quantities.reduce((sum, quantity) => sum + quantity, 0),
    codes.length,
  );
});

function add(offerId: string, codes: readonly string[]): Promise<Static<typeof KeysAdded>> {
  return h.operate('POST', `/offers/${offerId}/keys`, { keys: codes.map((code) => ({ code })) });
}

async function importKeys(
  offerId: string,
  codes: readonly string[],
): Promise<{ written: number; unchanged: number }> {
  const response = await h.call('POST', '/admin/v1/imports/keys', {
    token: h.operatorToken,
    headers: { 'content-type': 'application/x-ndjson' },
    body: codes.map((code) => JSON.stringify({ offerId, code })).join('\n'),
  });
  equal(response.status, 200, JSON.stringify(response.body));
  return response.body.data;
}

async function toCodes(
  reseller: { get(path: string): ReturnType<typeof h.call> },
  orderId: string,
): Promise<string[]> {
  const { body } = await reseller.get(`/orders/${orderId}/keys`);
  return body.data.flatMap((item: { keys: { code: string }[] }) => item.keys.map(({ code }) => code));
}

function rotate<T>(values: readonly T[], by: number): T[] {
  return [...values.slice(by), ...values.slice(0, by)];
}

function must<T>(value: T | undefined): T {
  ok(value !== undefined);
  return value;
}
