/** R23, A24, A26. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const { admin } = h;

const REFUSED_WITHIN_MS = 5_000;

async function tokenStatus(clientId: string, clientSecret: string): Promise<number> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return (await h.call('POST', '/oauth/token', { body })).status;
}

test('a client’s secret is shown once, at its creation, and works', async () => {
  const { id } = await h.operate('POST', '/accounts', { name: 'Shop', paymentMethod: null });
  const created = await admin('POST', `/accounts/${id}/clients`, { name: 'first' });
  equal(created.status, 201);
  const { clientId, clientSecret } = created.body.data;
  match(clientSecret, /^kpsec_[\w-]{43}$/);
  equal(await tokenStatus(clientId, clientSecret), 200);
  const listed = await admin('GET', `/accounts/${id}/clients`);
  ok(!JSON.stringify(listed.body).includes(clientSecret));
  const [client] = listed.body.data;
  deepEqual(
    [client.clientId, client.accountId, client.name, client.role, client.liveSecrets, client.disabledAt],
    [clientId, id, 'first', 'reseller', 1, null],
  );
  equal(listed.body.meta.totalResults, 1);
});

test('two secrets work at a time, and a third retires the oldest', async () => {
  const { clientId, clientSecret, accountId } = await h.seed.reseller();
  const add = async () => {
    const response = await admin('POST', `/clients/${clientId}/secrets`);
    deepEqual([response.status, response.body.data?.clientId], [201, clientId]);
    return response.body.data.clientSecret;
  };
  const second = await add();
  deepEqual([await tokenStatus(clientId, clientSecret), await tokenStatus(clientId, second)], [200, 200]);
  const third = await add();
  const statuses = [];
  for (const secret of [clientSecret, second, third]) statuses.push(await tokenStatus(clientId, secret));
  deepEqual(statuses, [401, 200, 200]);
  equal((await h.operate('GET', `/accounts/${accountId}/clients`))[0].liveSecrets, 2);
});

test('a disabled client gets no token and its tokens end, and other clients of the account keep working', async () => {
  const reseller = await h.seed.reseller();
  const other = await h.operate('POST', `/accounts/${reseller.accountId}/clients`, {});
  const otherToken = await h.tokenFor(other.clientId, other.clientSecret);
  equal((await reseller.get('/account')).status, 200);
  const disabled = await admin('DELETE', `/clients/${reseller.clientId}`);
  deepEqual([disabled.status, disabled.body], [204, undefined]);
  const disabledAtMs = performance.now();
  let response = await reseller.get('/account');
  while (response.status !== 401 && performance.now() - disabledAtMs < REFUSED_WITHIN_MS) {
    response = await reseller.get('/account');
  }
  deepEqual([response.status, response.body.error?.code], [401, 'unauthorized']);
  equal(await tokenStatus(reseller.clientId, reseller.clientSecret), 401);
  equal((await h.call('GET', '/export/v1/account', { token: otherToken })).status, 200);
  const [first] = await h.operate('GET', `/accounts/${reseller.accountId}/clients`);
  match(first.disabledAt, /Z$/);
});

test('an unknown or disabled client returns 404', async () => {
  const { clientId, accountId } = await h.seed.reseller();
  const times = [];
  for (const _ of [1, 2]) {
    equal((await admin('DELETE', `/clients/${clientId}`)).status, 204);
    times.push((await h.operate('GET', `/accounts/${accountId}/clients`))[0].disabledAt);
  }
  equal(times[0], times[1], 'the first time of disabling stays');
  for (const id of ['nobody', clientId]) {
    equal((await admin('POST', `/clients/${id}/secrets`)).body.error.code, 'not-found', id);
  }
  equal((await admin('DELETE', '/clients/nobody')).status, 404);
});

test('a disabled client is enabled again with its secrets and tokens, and enabling it twice is not an error', async () => {
  const reseller = await h.seed.reseller();
  const { clientId, clientSecret } = reseller;
  await admin('DELETE', `/clients/${clientId}`);
  equal(await tokenStatus(clientId, clientSecret), 401);
  for (const _ of [1, 2]) {
    const enabled = await admin('POST', `/clients/${clientId}/enable`);
    deepEqual(
      [
        enabled.status,
        enabled.body.data.clientId,
        enabled.body.data.disabledAt,
        enabled.body.data.liveSecrets,
      ],
      [200, clientId, null, 1],
    );
  }
  equal(await tokenStatus(clientId, clientSecret), 200);
  const enabledAtMs = performance.now();
  let response = await reseller.get('/account');
  while (response.status !== 200 && performance.now() - enabledAtMs < REFUSED_WITHIN_MS) {
    response = await reseller.get('/account');
  }
  equal(response.status, 200);
  equal((await admin('POST', '/clients/nobody/enable')).body.error.code, 'not-found');
  const [entry] = await h.operate('GET', '/audit?action=client.enable&itemsPerPage=10');
  deepEqual([entry.accountId, entry.data], [reseller.accountId, { clientId }]);
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
    deepEqual([response.status, response.body.error.code], [409, 'conflict'], path);
  }
  equal((await h.operate('GET', `/accounts/${accountId}/clients`)).length, 2);
});
