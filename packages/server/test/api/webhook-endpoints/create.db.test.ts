/** A310 to A313. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const URL_OF_SHOP = 'https://shop.example/hook';

function create(token: string, body: unknown, headers: Record<string, string> = {}) {
  return h.call('POST', '/export/v1/webhook-endpoints', { token, body, headers });
}

test('201: a new endpoint is enabled, and only this response has its secret of 32 bytes', async () => {
  const { token, accountId, get } = await h.seed.reseller();
  const body = { url: URL_OF_SHOP, types: ['order.complete', 'order.closed', 'order.complete'] };
  const response = await create(token, body);
  equal(response.status, 201);
  const { id, createdAt, secret, ...endpoint } = response.body.data;
  match(id, /^whe_[0-9a-f]{32}$/);
  match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const types = ['order.complete', 'order.closed'];
  deepEqual(endpoint, { url: URL_OF_SHOP, types, description: null, status: 'enabled' });
  const shown = { id, createdAt, ...endpoint };
  deepEqual((await get(`/webhook-endpoints/${id}`)).body.data, shown);
  deepEqual((await get('/webhook-endpoints')).body.data, [shown]);
  const path = `/accounts/${accountId}/webhook-endpoints`;
  deepEqual(await h.operate('GET', path), [shown]);
  deepEqual(await h.operate('GET', `${path}/${id}`), shown);
  const log = await h.operate('GET', '/audit?action=webhook.create&itemsPerPage=10');
  ok(log.some((entry: { data: { endpointId: string } }) => entry.data.endpointId === id));
  ok(!JSON.stringify(log).includes('whsec_'));
});

test('200: a retry with its Idempotency-Key gets the same endpoint with the same secret', async () => {
  const { token, get } = await h.seed.reseller();
  const headers = { 'idempotency-key': randomUUID() };
  const body = { url: URL_OF_SHOP, types: ['*'], description: 'Shop' };
  const first = await create(token, body, headers);
  const again = await create(token, body, headers);
  deepEqual([first.status, again.status], [201, 200]);
  deepEqual(again.body.data, first.body.data);
  equal((await get('/webhook-endpoints')).body.data.length, 1);
});

test('400: the error names each wrong field, and nothing is created', async () => {
  const { token, get } = await h.seed.reseller();
  const rows: [body: Record<string, unknown>, field: string][] = [
    [{ url: 'shop.example', types: ['*'] }, 'body.url'],
    [{ url: 'https://user:word@shop.example/', types: ['*'] }, 'body.url'],
    [{ url: 'https://10.0.0.7/', types: ['*'] }, 'body.url'],
  ];
  for (const [body, field] of rows) {
    const { status, body: answer } = await create(token, body);
    deepEqual([status, answer.error.code], [400, 'validation-error'], field);
    equal(answer.error.errors[0].field, field);
  }
  deepEqual((await get('/webhook-endpoints')).body.data, []);
});

test('409: an account has at most 16 endpoints, even if 20 are created concurrently', async () => {
  const { token, get } = await h.seed.reseller();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => create(token, { url: URL_OF_SHOP, types: ['*'] })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  deepEqual(statuses, [...Array(16).fill(201), ...Array(4).fill(409)]);
  const rejected = answers.find(({ status }) => status === 409);
  deepEqual([rejected?.body.error.code, /Delete one/.test(rejected?.body.error.message)], ['conflict', true]);
  const { data } = (await get('/webhook-endpoints')).body;
  equal(data.length, 16);
  await h.call('DELETE', `/export/v1/webhook-endpoints/${data[3].id}`, { token });
  equal((await create(token, { url: URL_OF_SHOP, types: ['*'] })).status, 201);
});
