/** A310 to A312. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

async function startReseller() {
  const reseller = await h.seed.reseller();
  const { token } = reseller;
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    h.call(method, `/export/v1/webhook-endpoints${path}`, {
      token,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const { data } = (await call('POST', '', { url: 'https://shop.example/hook', types: ['*'] })).body;
  return { ...reseller, call, endpoint: data };
}

test('200: only the given fields change', async () => {
  const { call, endpoint } = await startReseller();
  const { secret: _, ...before } = endpoint;
  const steps = [
    { url: 'https://shop.example/other' },
    { types: ['order.held'] },
    { description: 'Second shop' },
    { description: null },
  ];
  let expected = before;
  for (const step of steps) {
    expected = { ...expected, ...step };
    const response = await call('PATCH', `/${endpoint.id}`, step);
    deepEqual([response.status, response.body.data], [200, expected]);
  }
  deepEqual((await call('GET', `/${endpoint.id}`)).body.data, expected);
});

test('200: a disabled endpoint shows the reason until it is enabled again', async () => {
  const { call, endpoint, accountId } = await startReseller();
  const disabled = (await call('PATCH', `/${endpoint.id}`, { status: 'disabled' })).body.data;
  deepEqual([disabled.status, disabled.disabledReason], ['disabled', 'Disabled by a request to the API.']);
  const [shown] = await h.operate('GET', `/accounts/${accountId}/webhook-endpoints`);
  equal(shown.disabledReason, disabled.disabledReason);
  const enabled = (await call('PATCH', `/${endpoint.id}`, { status: 'enabled' })).body.data;
  deepEqual([enabled.status, enabled.disabledReason], ['enabled', undefined]);
});

test('403: an endpoint that an operator disabled stays disabled until an operator enables it', async () => {
  const { call, endpoint, accountId } = await startReseller();
  const path = `/${endpoint.id}`;
  const byOperator = (status: string) =>
    h.operate('PATCH', `/accounts/${accountId}/webhook-endpoints${path}`, { status });
  for (const before of ['enabled', 'disabled']) {
    equal((await call('PATCH', path, { status: before })).status, 200);
    await byOperator('disabled');
    for (const body of [{ status: 'enabled' }, { status: 'enabled', url: 'https://other.example/' }]) {
      const { status, body: answer } = await call('PATCH', path, body);
      deepEqual([status, answer.error.code], [403, 'forbidden']);
      match(answer.error.message, /marketplace/);
    }
    for (const [method, suffix, body] of [
      ['PATCH', '', { description: before }],
      ['PATCH', '', { status: 'disabled' }],
      ['POST', '/rotate-secret', {}],
    ] as const)
      equal((await call(method, `${path}${suffix}`, body)).status, 200);
    const { status, disabledReason } = (await call('GET', path)).body.data;
    deepEqual([status, disabledReason], ['disabled', 'Disabled by the marketplace.']);
    await byOperator('enabled');
    equal((await call('GET', path)).body.data.status, 'enabled');
  }
});

test('403: a URL that an operator stopped gets nothing again, whichever endpoint has it', async () => {
  const { call, endpoint, accountId } = await startReseller();
  const other = await h.seed.reseller();
  const byOperator = (status: string) =>
    h.operate('PATCH', `/accounts/${accountId}/webhook-endpoints/${endpoint.id}`, { status });
  const twin = (await call('POST', '', { url: 'https://shop.example:443/hook', types: ['*'] })).body.data;
  const second = (await call('POST', '', { url: 'https://other.example/', types: ['*'] })).body.data;
  await call('PATCH', `/${twin.id}`, { status: 'disabled' });
  await byOperator('disabled');
  const spellings = [
    'https://shop.example/hook',
    'https://SHOP.example:443/hook',
    'https://shop.example./%68ook',
  ];
  const attempts: [method: string, path: string, body?: unknown][] = [
    ['DELETE', `/${endpoint.id}`],
    ['PATCH', `/${endpoint.id}`, { url: 'https://new.example/' }],
    ['PATCH', `/${twin.id}`, { status: 'enabled' }],
    ...spellings.map((url): [string, string, unknown] => ['POST', '', { url, types: ['*'] }]),
    ...spellings.map((url): [string, string, unknown] => ['PATCH', `/${second.id}`, { url }]),
  ];
  for (const [method, path, body] of attempts) {
    const { status, body: response } = await call(method, path, body);
    deepEqual(
      [status, response.error?.code],
      [403, 'forbidden'],
      `${method} ${path} ${JSON.stringify(body)}`,
    );
    match(response.error.message, /marketplace/);
  }
  equal((await call('GET', `/${second.id}`)).body.data.url, second.url);
  // A different URL, and the same one for another account.
  equal((await call('POST', '', { url: 'https://shop.example/hook?shop=2', types: ['*'] })).status, 201);
  const body = { url: endpoint.url, types: ['*'] };
  equal((await h.call('POST', '/export/v1/webhook-endpoints', { token: other.token, body })).status, 201);
  await byOperator('enabled');
  equal((await call('PATCH', `/${twin.id}`, { status: 'enabled' })).status, 200);
  equal((await call('DELETE', `/${endpoint.id}`)).status, 204);
});

test('200: each rotation returns a new secret, and a retry with the same key returns the same one', async () => {
  const { call, endpoint } = await startReseller();
  const path = `/${endpoint.id}/rotate-secret`;
  const secrets = [endpoint.secret];
  for (const body of [{}, { overlapHours: 0 }, { overlapHours: 168 }] as const) {
    const response = await call('POST', path, body);
    equal(response.status, 200);
    secrets.push(response.body.data.secret);
    const overlapMs = ('overlapHours' in body ? body.overlapHours : 24) * 3_600_000;
    const leftMs = Date.parse(response.body.data.previousValidUntil) - Date.now();
    ok(Math.abs(leftMs - overlapMs) < 60_000, `the old secret signs for ${leftMs} ms`);
  }
  equal(new Set(secrets).size, 4);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await call('POST', path, {}, headers);
  deepEqual((await call('POST', path, {}, headers)).body.data, first.body.data);
});

test('204: a deleted endpoint is gone', async () => {
  const { call, endpoint } = await startReseller();
  equal((await call('DELETE', `/${endpoint.id}`)).status, 204);
  deepEqual((await call('GET', '')).body.data, []);
  for (const method of ['GET', 'DELETE']) {
    equal((await call(method, `/${endpoint.id}`)).body.error.code, 'not-found', method);
  }
});
