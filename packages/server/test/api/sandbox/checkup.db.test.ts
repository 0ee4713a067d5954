import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { CHECK_IDS, type CheckId } from '@keyport/contract/sandbox/checks';
import type { Check } from '@keyport/contract/sandbox/sandbox';
import { test } from 'vitest';
import { auto, type Reseller } from '../../support/harness.ts';
import { seedMember } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const shop = await h.seed.listing({ price: '10.00', stock: 100 });
const item = auto(shop.productId);

const buyer = () => h.seed.reseller({ balance: '500.00' });

async function checkup(
  by: Reseller,
  query = '',
): Promise<{ score: number; requests: number; checks: Check[] }> {
  const response = await h.call('GET', `/sandbox/v1/checkup${query}`, { token: by.token });
  equal(response.status, 200, JSON.stringify(response.body));
  return response.body.data;
}

async function toCheck(by: Reseller, id: CheckId): Promise<Check> {
  const { checks } = await checkup(by);
  const check = checks.find((one) => one.id === id);
  ok(check !== undefined, id);
  return check;
}

function place(by: Reseller, scenario: string, key: string, of: unknown = item) {
  return by.order(of, key, { 'keyport-scenario': scenario });
}

test('every check of a client without requests is not-seen', async () => {
  const { score, requests, checks } = await checkup(await buyer());
  deepEqual([score, requests], [0, 0]);
  deepEqual(
    checks.map(({ id, status }) => [id, status]),
    CHECK_IDS.map((id) => [id, 'not-seen']),
  );
  for (const { doc, howTo } of checks) {
    match(doc, /\/docs\/checkup#/);
    ok(howTo.length > 10);
  }
});

test('HEAD is judged like GET', async () => {
  const reseller = await buyer();
  const { id } = (await reseller.order(item)).body.data;
  for (let read = 0; read < 6; read += 1)
    await h.call('HEAD', `/export/v1/orders/${id}/keys`, { token: reseller.token });
  equal((await checkup(reseller)).requests, 7);
  const { status, evidence } = await toCheck(reseller, 'keys-polling');
  deepEqual([status, evidence?.[0]?.request], ['failed', `HEAD /export/v1/orders/${id}/keys`]);
});

test('operators see the check-up of any reseller client, and members that of each client of their account', async () => {
  const by = await buyer();
  const { score, checks } = await checkup(by);
  const seen = await h.operate('GET', `/clients/${by.clientId}/checkup`);
  deepEqual([seen.score, seen.checks], [score, checks]);
  const clients = await h.operate('GET', '/clients?role=operator');
  for (const clientId of ['nobody', clients[0].clientId]) {
    const { status, body } = await h.admin('GET', `/clients/${clientId}/checkup`);
    deepEqual([status, body.error.code], [404, 'not-found']);
  }
  const developer = await seedMember(h, by, 'developer');
  const ofMember = (clientId: string) => developer.call('GET', `/sandbox/v1/checkup?clientId=${clientId}`);
  deepEqual((await ofMember(by.clientId)).body.data.checks, checks);
  for (const clientId of ['nobody', (await buyer()).clientId])
    equal((await ofMember(clientId)).status, 404, clientId);
});

test('a key with two payloads fails; another spelling of the key or payload passes', async () => {
  const reseller = await buyer();
  const key = randomUUID();
  await reseller.order(item, key);
  await reseller.order(auto(shop.productId, { maxPrice: '100' }), key.toUpperCase());
  equal((await toCheck(reseller, 'one-payload-per-key')).status, 'passed');
  equal((await reseller.order(auto(shop.productId, { quantity: 2 }), key)).status, 422);
  const { status, evidence = [] } = await toCheck(reseller, 'one-payload-per-key');
  deepEqual([status, evidence[0]?.key, evidence[0]?.status], ['failed', key, 422]);
});

test('a burst of reads hides no order', async () => {
  const reseller = await buyer();
  // More than the log takes from an account in a second.
  const burst = await Promise.all(Array.from({ length: 250 }, () => reseller.get('/account')));
  deepEqual(new Set(burst.map(({ status }) => status)), new Set([200]));
  const key = randomUUID();
  for (const quantity of [1, 2]) await reseller.order(auto(shop.productId, { quantity }), key);
  equal((await toCheck(reseller, 'one-payload-per-key')).status, 'failed');
});

test('`since` leaves out earlier requests', async () => {
  const reseller = await buyer();
  await rejects(place(reseller, 'lost-answer', randomUUID()));
  await reseller.order(item);
  equal((await toCheck(reseller, 'order-retries')).status, 'failed');
  const since = encodeURIComponent(new Date().toISOString());
  const { checks, requests } = await checkup(reseller, `?since=${since}`);
  equal(requests, 0);
  ok(checks.every(({ status }) => status !== 'failed'));
  const wrong = await h.call('GET', '/sandbox/v1/checkup?since=yesterday', { token: reseller.token });
  equal(wrong.body.error.errors[0].field, 'query.since');
});

test('a client sees only its own requests, not those of other clients of its account', async () => {
  const reseller = await buyer();
  await rejects(place(reseller, 'lost-answer', randomUUID()));
  await reseller.order(item);
  const { clientId, clientSecret } = await h.operate('POST', `/accounts/${reseller.accountId}/clients`, {});
  const other = { ...reseller, token: await h.tokenFor(clientId, clientSecret) };
  equal((await toCheck(other, 'order-retries')).status, 'not-seen');
});

test('requests for the check-up itself do not count', async () => {
  const reseller = await buyer();
  for (let count = 0; count < 6; count += 1) {
    const token = await h.tokenFor(reseller.clientId, reseller.clientSecret);
    await h.call('GET', '/sandbox/v1/checkup', { token });
  }
  equal((await toCheck(reseller, 'token-reuse')).status, 'not-seen');
});
