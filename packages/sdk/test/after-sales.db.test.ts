import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'vitest';
import { sharedHarness } from '../../server/test/support/vitest.ts';
import { KeyportAdmin } from '../src/admin.ts';
import { KeyportError } from '../src/requests/errors.ts';
import { errorAnswer, toKeyport, watchedFetch } from './support.ts';

const h = await sharedHarness();

async function ordered(fetched: typeof fetch = fetch) {
  const { productId } = await h.seed.listing({ price: '1.00', stock: 3 });
  const reseller = await h.seed.reseller({ balance: '10.00', account: { returnWindowHours: 24 } });
  const keyport = toKeyport(h, reseller, { fetch: fetched });
  const { id: orderId, transactions = [] } = await keyport.orders.create({
    auto: { productId, quantity: 3, maxPrice: '1.00' },
  });
  return { keyport, orderId, itemId: transactions[0]?.items[0]?.id ?? '' };
}

test('unread keys are returned once, even if the response is lost; read ones are rejected', async () => {
  const { fetch, sent } = watchedFetch(async ({ path }, send) => {
    const response = await send();
    const isFirst = path.endsWith('/returns') && sent.filter((one) => one.path === path).length === 1;
    return isFirst ? errorAnswer(503, 'service-unavailable') : response;
  });
  const { keyport, orderId, itemId } = await ordered(fetch);
  const one = { items: [{ id: itemId, quantity: 1 }], reason: 'Ordered twice' };
  const order = await keyport.orders.return(orderId, one);
  equal(order.transactions?.[0]?.items[0]?.quantity.refunded, 1);
  equal(sent.filter(({ path }) => path.endsWith('/returns')).length, 2);
  equal((await keyport.account.get()).balance, '8.00');
  await keyport.orders.keys(orderId);
  await rejects(
    async () => keyport.orders.return(orderId, one),
    (error) =>
      error instanceof KeyportError &&
      error.is('return-not-possible') &&
      error.data.reason === 'keys-were-read',
  );
});

test('a claim is made, found, decided, and withdrawn while it is open', async () => {
  const { keyport, orderId, itemId } = await ordered();
  const [item] = await keyport.orders.keys(orderId);
  const [first = '', second = ''] = item?.keys.map(({ code }) => code) ?? [];
  const input = { orderId, itemId, reason: 'already-used', message: 'The shop rejects it.' } as const;
  const claim = await keyport.claims.create({ ...input, codes: [first] });
  deepEqual([claim.status, claim.keys[0]?.outcome], ['open', null]);
  await rejects(
    async () => keyport.claims.create({ ...input, codes: [first, second] }),
    (error) => error instanceof KeyportError && error.is('conflict') && error.data?.claimId === claim.id,
  );
  const other = await keyport.claims.create({ ...input, codes: [second] });
  equal((await keyport.claims.withdraw(other.id)).status, 'withdrawn');
  const admin = new KeyportAdmin({
    baseUrl: h.url,
    clientId: 'test-operator',
    clientSecret: 'test-operator-secret',
  });
  const decisions = [{ keyId: claim.keys[0]?.id ?? '', decision: 'refund' as const }];
  await admin.decideClaim({ params: { claimId: claim.id }, body: { decisions } });
  const decided = await keyport.claims.get(claim.id);
  deepEqual([decided.status, decided.keys[0]?.outcome], ['decided', 'refunded']);
  equal((await keyport.account.get()).balance, '8.00');
  const listed = [];
  for await (const { id, status } of keyport.claims.list({ orderId, limit: 1 })) listed.push([id, status]);
  deepEqual(listed, [
    [other.id, 'withdrawn'],
    [claim.id, 'decided'],
  ]);
});
