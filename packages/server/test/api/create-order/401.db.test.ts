/** R5, A24, A25. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { assertNothingWritten } from '../../support/books.ts';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller({ balance: '100.00' });
const { productId, offerId } = await h.seed.listing();

async function assertUnauthorized(headers: Readonly<Record<string, string>>, body: unknown) {
  const response = await assertNothingWritten(h, { accountId: reseller.accountId, offerId, records: 0 }, () =>
    h.call('POST', '/export/v1/orders', { headers: { 'idempotency-key': randomUUID(), ...headers }, body }),
  );
  deepEqual([response.status, response.body.error.code], [401, 'unauthorized'], JSON.stringify(headers));
  match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
}

test('no order is placed without a valid token', async () => {
  const forged = `${reseller.token.slice(0, -6)}AAAAAA`;
  for (const authorization of [
    '',
    'Bearer',
    'Bearer x',
    `Bearer ${forged}`,
    `Basic ${reseller.token}`,
    reseller.token,
    `Bearer ${reseller.token} x`,
    `Bearer ${reseller.token}, Bearer ${reseller.token}`,
  ]) {
    await assertUnauthorized({ authorization }, { items: [auto(productId)] });
  }
  await assertUnauthorized({}, { items: [auto(productId)] });
});

test('an unknown client does not learn whether its request is valid', async () => {
  await assertUnauthorized({}, { nonsense: true });
  await assertUnauthorized({ 'idempotency-key': 'abc' }, '{');
  await assertUnauthorized({ 'content-type': 'text/plain' }, 'x');
});

test('a stored response is not replayed without a token', async () => {
  const key = randomUUID();
  const before = await h.seed.reseller({ balance: '100.00' });
  equal((await before.order(auto(productId), key)).status, 201);
  await assertUnauthorized({ 'idempotency-key': key }, { items: [auto(productId)] });
});

test('a disabled client and a closed account can no longer order', async () => {
  const disabled = await h.seed.reseller({ balance: '100.00' });
  equal((await disabled.order(auto(productId))).status, 201);
  await h.operate('DELETE', `/clients/${disabled.clientId}`);
  const closed = await h.seed.reseller();
  equal((await closed.get('/orders')).status, 200);
  await h.operate('PATCH', `/accounts/${closed.accountId}`, { status: 'closed' });
  for (const who of [disabled, closed]) {
    const deadlineMs = Date.now() + 5000;
    let response = await who.order(auto(productId));
    // A24 allows 5 s; each attempt is a new request.
    while (response.status !== 401 && Date.now() < deadlineMs) response = await who.order(auto(productId));
    equal(response.status, 401);
  }
});
