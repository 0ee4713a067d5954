/** R23, A24, A26. */
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const admin = (method: string, path: string, body?: unknown) =>
  h.call(method, `/admin/v1${path}`, { token: h.operatorToken, ...(body === undefined ? {} : { body }) });

const REFUSED_WITHIN_MS = 5_000;

async function tokenStatus(clientId: string, clientSecret: string): Promise<number> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return (await h.call('POST', '/oauth/token', { body })).status;
}

test('a client’s secret is shown once, at its creation, and works', async () => {
  const { id } = await h.operate('POST', '/accounts', { name: 'Shop', paymentMethod: null });
  const created = await admin('POST', `/accounts/${id}/clients`, { name: 'first' });
  assert.equal(created.status, 201);
  const { clientId, clientSecret } = created.body.data;
  assert.match(clientSecret, /^kpsec_[\w-]{43}$/);
  assert.equal(await tokenStatus(clientId, clientSecret), 200);
  const listed = await admin('GET', `/accounts/${id}/clients`);
  assert.ok(!JSON.stringify(listed.body).includes(clientSecret));
  const [client] = listed.body.data;
  assert.deepEqual(
    [client.clientId, client.accountId, client.name, client.role, client.liveSecrets, client.disabledAt],
    [clientId, id, 'first', 'reseller', 1, null],
  );
  assert.equal(listed.body.meta.totalResults, 1);
});

test('a client needs no name, and its creation no body', async () => {
  const { id } = await h.operate('POST', '/accounts', { name: 'Shop', paymentMethod: null });
  const created = [
    await admin('POST', `/accounts/${id}/clients`),
    await h.call('POST', `/admin/v1/accounts/${id}/clients`, {
      token: h.operatorToken,
      headers: { 'content-type': 'application/json' },
    }),
  ];
  for (const { status, body } of created) {
    assert.equal(status, 201);
    assert.equal(await tokenStatus(body.data.clientId, body.data.clientSecret), 200);
  }
});

test('two secrets work side by side, and a third retires the oldest', async () => {
  const { clientId, clientSecret, accountId } = await h.seed.reseller();
  const add = async () => {
    const response = await admin('POST', `/clients/${clientId}/secrets`);
    assert.deepEqual([response.status, response.body.data?.clientId], [201, clientId]);
    return response.body.data.clientSecret;
  };
  const second = await add();
  assert.deepEqual(
    [await tokenStatus(clientId, clientSecret), await tokenStatus(clientId, second)],
    [200, 200],
  );
  const third = await add();
  const statuses = [];
  for (const secret of [clientSecret, second, third]) statuses.push(await tokenStatus(clientId, secret));
  assert.deepEqual(statuses, [401, 200, 200]);
  assert.equal((await h.operate('GET', `/accounts/${accountId}/clients`))[0].liveSecrets, 2);
});

test('a disabled client gets no token and its tokens end, and other clients of the account keep working', async () => {
  const reseller = await h.seed.reseller();
  const other = await h.operate('POST', `/accounts/${reseller.accountId}/clients`, {});
  const otherToken = await h.tokenFor(other.clientId, other.clientSecret);
  assert.equal((await reseller.get('/account')).status, 200);
  const disabled = await admin('DELETE', `/clients/${reseller.clientId}`);
  assert.deepEqual([disabled.status, disabled.body], [204, undefined]);
  const disabledAtMs = performance.now();
  let response = await reseller.get('/account');
  while (response.status !== 401 && performance.now() - disabledAtMs < REFUSED_WITHIN_MS) {
    response = await reseller.get('/account');
  }
  assert.deepEqual([response.status, response.body.error?.code], [401, 'unauthorized']);
  assert.equal(await tokenStatus(reseller.clientId, reseller.clientSecret), 401);
  assert.equal((await h.call('GET', '/export/v1/account', { token: otherToken })).status, 200);
  const [first] = await h.operate('GET', `/accounts/${reseller.accountId}/clients`);
  assert.match(first.disabledAt, /Z$/);
});

test('an unknown or disabled client is 404', async () => {
  const { clientId } = await h.seed.reseller();
  for (const _ of [1, 2]) assert.equal((await admin('DELETE', `/clients/${clientId}`)).status, 204);
  for (const id of ['nobody', clientId]) {
    assert.equal((await admin('POST', `/clients/${id}/secrets`)).body.error.code, 'not-found', id);
  }
  assert.equal((await admin('DELETE', '/clients/nobody')).status, 404);
});

test('a disabled client is enabled again with its secrets and tokens, and enabling it twice is not an error', async () => {
  const reseller = await h.seed.reseller();
  const { clientId, clientSecret } = reseller;
  await admin('DELETE', `/clients/${clientId}`);
  assert.equal(await tokenStatus(clientId, clientSecret), 401);
  for (const _ of [1, 2]) {
    const enabled = await admin('POST', `/clients/${clientId}/enable`);
    assert.deepEqual(
      [
        enabled.status,
        enabled.body.data.clientId,
        enabled.body.data.disabledAt,
        enabled.body.data.liveSecrets,
      ],
      [200, clientId, null, 1],
    );
  }
  assert.equal(await tokenStatus(clientId, clientSecret), 200);
  const enabledAtMs = performance.now();
  let response = await reseller.get('/account');
  while (response.status !== 200 && performance.now() - enabledAtMs < REFUSED_WITHIN_MS) {
    response = await reseller.get('/account');
  }
  assert.equal(response.status, 200);
  assert.equal((await admin('POST', '/clients/nobody/enable')).body.error.code, 'not-found');
  const [entry] = await h.operate('GET', '/audit?action=client.enable&itemsPerPage=10');
  assert.deepEqual([entry.accountId, entry.data], [reseller.accountId, { clientId }]);
});

test('409: a closed account gets no client and no secret, and its clients cannot be enabled', async () => {
  const { accountId, clientId } = await h.seed.reseller();
  await admin('DELETE', `/clients/${clientId}`);
  const { clientId: other } = await h.operate('POST', `/accounts/${accountId}/clients`, {});
  await h.operate('PATCH', `/accounts/${accountId}`, { status: 'closed' });
  for (const [path, body] of [
    [`/accounts/${accountId}/clients`, {}],
    [`/clients/${other}/secrets`],
    [`/clients/${clientId}/enable`],
  ] as const) {
    const response = await admin('POST', path, body);
    assert.deepEqual([response.status, response.body.error.code], [409, 'conflict'], path);
  }
  assert.equal((await h.operate('GET', `/accounts/${accountId}/clients`)).length, 2);
});
