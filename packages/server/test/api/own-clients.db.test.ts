/** A704, A26. */
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { decodeJwt } from 'jose/jwt/decode';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { passMinutes } from '../support/clock.ts';
import { auto, startHarness } from '../support/harness.ts';
import { wholeFile } from '../support/vitest.ts';

const h = await startHarness(wholeFile);

async function startReseller() {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const callAs =
    (token: string) =>
    (method: string, path: string, body?: unknown, headers = {}) =>
      h.call(method, `/export/v1${path}`, { token, headers, ...(body === undefined ? {} : { body }) });
  const addClient = async () => {
    const created = await h.operate('POST', `/accounts/${reseller.accountId}/clients`, { name: 'Second' });
    const token = await h.tokenFor(created.clientId, created.clientSecret);
    return { ...created, token, call: callAs(token) };
  };
  const callWith = async (secret: string) => callAs(await h.tokenFor(reseller.clientId, secret));
  return {
    ...reseller,
    call: callAs(reseller.token),
    callWith,
    addClient,
    own: `/clients/${reseller.clientId}`,
  };
}

const statusOfToken = async (client_id: string, client_secret: string) => {
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  return (await h.call('POST', '/oauth/token', { body })).status;
};

async function toChanges({
  get,
}: {
  readonly get: (path: string) => Promise<{ body: { data: unknown[] } }>;
}) {
  await h.service.eventsWritten();
  return (await get('/events?types[]=client.changed')).body.data.map(
    (event) => (event as { data: { clientId: string; change: string } }).data,
  );
}

test('200: the clients of the account are listed without secrets', async () => {
  const { call, addClient, clientId } = await startReseller();
  const second = await addClient();
  const { status, body } = await call('GET', '/clients');
  equal(status, 200);
  deepEqual(
    body.data.map((client: Record<string, unknown>) => ({ ...client, createdAt: undefined })),
    [
      { clientId, name: null },
      { clientId: second.clientId, name: 'Second' },
    ].map((client) => ({
      ...client,
      liveSecrets: 1,
      allowedAddresses: [],
      disabledAt: null,
      createdAt: undefined,
      access: 'full',
    })),
  );
});

test('200: both secrets work after a rotation until the overlap ends by the database’s clock', async () => {
  const { call, callWith, own, clientId, clientSecret, get } = await startReseller();
  const { status, body } = await call('POST', `${own}/rotate-secret`, {});
  equal(status, 200);
  const { clientSecret: next, previousValidUntil } = body.data;
  match(next, /^kpsec_/);
  const hours = (Date.parse(previousValidUntil) - Date.now()) / 3_600_000;
  ok(hours > 23.9 && hours < 24.1);
  deepEqual([await statusOfToken(clientId, clientSecret), await statusOfToken(clientId, next)], [200, 200]);
  deepEqual(await toChanges({ get }), [{ clientId, change: 'secret' }]);
  await sql`UPDATE client_secret SET expires_at = statement_timestamp() WHERE expires_at IS NOT NULL AND client_id = ${clientId}`.execute(
    h.database.db,
  );
  deepEqual([await statusOfToken(clientId, clientSecret), await statusOfToken(clientId, next)], [401, 200]);
  const renewed = await callWith(next);
  equal((await renewed('GET', '/clients')).body.data[0].liveSecrets, 1);
  equal(await toEnd(() => call('GET', '/clients')), 401);
  const [entry] = await h.operate('GET', '/audit?action=client.rotate-secret');
  const { secret_id: secretId } = decodeJwt(await h.tokenFor(clientId, next));
  deepEqual(
    [entry.clientId, entry.data, entry.address],
    [clientId, { clientId, overlapHours: 24, secretId }, '127.0.0.1'],
  );
});

test('200: an overlap of 0 ends the previous secret immediately, and a third secret ends the first', async () => {
  const { callWith, own, clientId, clientSecret } = await startReseller();
  const rotate = async (secret: string, overlapHours: number): Promise<string> => {
    const call = await callWith(secret);
    return (await call('POST', `${own}/rotate-secret`, { overlapHours })).body.data.clientSecret;
  };
  const second = await rotate(clientSecret, 0);
  equal(await statusOfToken(clientId, clientSecret), 401);
  const third = await rotate(second, 168);
  const fourth = await rotate(third, 168);
  const secrets = [second, third, fourth];
  deepEqual(await Promise.all(secrets.map((secret) => statusOfToken(clientId, secret))), [401, 200, 200]);
});

test('200: a retry with the same Idempotency-Key returns the same secret', async () => {
  const { call, own, clientId } = await startReseller();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await call('POST', `${own}/rotate-secret`, {}, headers);
  const again = await call('POST', `${own}/rotate-secret`, {}, headers);
  deepEqual([again.status, again.body.data], [200, first.body.data]);
  equal(await statusOfToken(clientId, first.body.data.clientSecret), 200);
});

test('200: only given members change, each with its event, and the audit log has the old and new values', async () => {
  const { call, own, clientId, get, addClient } = await startReseller();
  const second = await addClient();
  await h.operate('PATCH', `/clients/${second.clientId}`, { access: 'read-only' });
  const before = (await call('GET', '/clients')).body.data[0];
  const addresses = { allowedAddresses: ['127.0.0.0/8'] };
  const limited = await call('PATCH', own, addresses);
  deepEqual([limited.status, limited.body.data], [200, { ...before, ...addresses }]);
  const renamed = await call('PATCH', own, { name: 'Shop', ...addresses });
  deepEqual(renamed.body.data, { ...before, ...addresses, name: 'Shop' });
  equal((await call('PATCH', own, { allowedAddresses: null })).body.data.allowedAddresses.length, 0);
  deepEqual(await toChanges({ get }), [
    { clientId: second.clientId, change: 'access' },
    { clientId, change: 'addresses' },
    { clientId, change: 'name' },
    { clientId, change: 'addresses' },
  ]);
  const [entry] = await h.operate('GET', '/audit?action=client.update');
  deepEqual(entry.data, { clientId, allowedAddresses: { from: ['127.0.0.0/8'], to: [] } });
});

test('403: a read-only client reads everything except keys and changes only its own secret', async () => {
  const { order, addClient, clientId } = await startReseller();
  const { productId } = await h.seed.listing();
  const { id } = (await order(auto(productId))).body.data;
  const reader = await addClient();
  const path = `/clients/${reader.clientId}`;
  equal((await reader.call('PATCH', path, { access: 'read-only' })).status, 200);
  const ids: Record<string, string> = { orderId: id, productId, clientId };
  for (const { name, method, path, audience, permission } of OPERATION_LIST) {
    if (audience !== 'reseller') continue;
    const filled = path
      .replace('/export/v1', '')
      .replaceAll(/\{(\w+)\}/g, (_, parameter) => ids[parameter] ?? randomUUID());
    if (!path.startsWith('/export/v1')) continue;
    const { status, body } = await reader.call(method, filled, method === 'GET' ? undefined : {});
    const isAllowed = method === 'GET' && name !== 'getOrderKeys' && permission !== 'members';
    if (isAllowed) notEqual(status, 403, name);
    else deepEqual([status, body.error.code], [403, 'forbidden'], name);
  }
  equal((await reader.call('PATCH', path, { access: 'full' })).status, 403);
  const rotated = await reader.call('POST', `${path}/rotate-secret`, {});
  equal(await statusOfToken(reader.clientId, rotated.body.data.clientSecret), 200);
  await h.operate('PATCH', path, { access: 'full' });
  equal((await reader.call('GET', `/orders/${id}/keys`)).status, 200);
});

test('403: a client cannot exclude the address that it calls from', async () => {
  const { call, own } = await startReseller();
  const elsewhere = { allowedAddresses: ['192.0.2.0/24'] };
  const rejected = await call('PATCH', own, elsewhere);
  deepEqual([rejected.status, rejected.body.error.code], [403, 'forbidden']);
  match(rejected.body.error.message, /must include 127\.0\.0\.1/);
  deepEqual((await call('GET', '/clients')).body.data[0].allowedAddresses, []);
});

/** The status once it is no success, at the latest after 5 s. */
async function toEnd(call: () => Promise<{ readonly status: number }>): Promise<number> {
  const startedAtMs = performance.now();
  for (;;) {
    const { status } = await call();
    if (status >= 300 || performance.now() - startedAtMs > 5000) return status;
  }
}

test('403: a client changes only itself, even if both have full access', async () => {
  const { call, addClient } = await startReseller();
  const { clientId, clientSecret } = await addClient();
  for (const [method, path, body] of [
    ['POST', '/rotate-secret', { overlapHours: 0 }],
    ['PATCH', '', { name: 'Mine' }],
    ['PATCH', '', { access: 'read-only' }],
    ['PATCH', '', { allowedAddresses: ['192.0.2.1'] }],
  ] as const) {
    const { status, body: answer } = await call(method, `/clients/${clientId}${path}`, body);
    deepEqual([status, answer.error.code], [403, 'forbidden']);
  }
  equal(await statusOfToken(clientId, clientSecret), 200);
});

test('401: a thief’s token ends with its secret, and a token older than 5 minutes changes no client', async () => {
  const victim = await startReseller();
  const { own, callWith } = victim;
  const sibling = await victim.addClient();
  const [robot, robots] = await Promise.all([
    h.operate('POST', '/clients', { name: 'Robot', operatorRole: 'admin' }),
    startReseller(),
  ]);
  const robotToken = await h.tokenFor(robot.clientId, robot.clientSecret);
  const asRobot = (method: string, path: string) => h.call(method, `/admin/v1${path}`, { token: robotToken });
  await passMinutes(h, 6);
  for (const old of [
    await victim.call('POST', `${own}/rotate-secret`, { overlapHours: 0 }),
    await victim.call('PATCH', own, { name: 'Thief' }),
    await asRobot('POST', `/clients/${robot.clientId}/secrets`),
  ])
    deepEqual([old.status, old.body.error.data], [403, { reason: 'token-too-old' }]);
  // An old token reads, and an operator's client still adds secrets to others.
  equal((await victim.call('GET', '/account')).status, 200);
  equal((await asRobot('POST', `/clients/${robots.clientId}/secrets`)).status, 201);
  const ends: [string, () => Promise<unknown>, () => Promise<{ readonly status: number }>][] = [
    [
      'an operator disables the sibling whose secret the thief could not rotate',
      async () => {
        const path = `/clients/${sibling.clientId}/rotate-secret`;
        equal((await victim.call('POST', path, { overlapHours: 0 })).status, 403);
        await h.operate('DELETE', `/clients/${sibling.clientId}`);
      },
      () => sibling.call('GET', '/account'),
    ],
    [
      'an operator adds two secrets',
      async () => {
        for (const _ of [1, 2]) await h.operate('POST', `${own}/secrets`);
      },
      () => victim.call('POST', `${own}/rotate-secret`, { overlapHours: 0 }),
    ],
    [
      'the reseller rotates without overlap',
      async () => {
        const { clientSecret } = await h.operate('POST', `${own}/secrets`);
        const call = await callWith(clientSecret);
        const rotated = await call('POST', `${own}/rotate-secret`, { overlapHours: 0 });
        equal(rotated.status, 200);
      },
      () => victim.call('GET', '/account'),
    ],
    [
      'an operator adds two secrets to an operator client',
      async () => {
        for (const _ of [1, 2]) await h.operate('POST', `/clients/${robot.clientId}/secrets`);
      },
      () => asRobot('GET', '/accounts'),
    ],
  ];
  for (const [name, end, thief] of ends) {
    await end();
    equal(await toEnd(thief), 401, name);
  }
});

test('409: one enabled client must keep full access, even if two give it up concurrently', async () => {
  const { call, own, addClient } = await startReseller();
  const alone = await call('PATCH', own, { access: 'read-only' });
  deepEqual([alone.status, alone.body.error.code], [409, 'conflict']);
  const disabled = await addClient();
  await h.operate('DELETE', `/clients/${disabled.clientId}`);
  equal((await call('PATCH', own, { access: 'read-only' })).status, 409);
  const second = await addClient();
  const both = await Promise.all([
    call('PATCH', own, { access: 'read-only' }),
    second.call('PATCH', `/clients/${second.clientId}`, { access: 'read-only' }),
  ]);
  deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
});

test('200: operators see and set the access of reseller clients only', async () => {
  const { accountId, clientId, token } = await startReseller();
  const [client] = await h.operate('GET', `/accounts/${accountId}/clients`);
  equal(client.access, 'full');
  const changed = await h.operate('PATCH', `/clients/${clientId}`, { access: 'read-only' });
  equal(changed.access, 'read-only');
  const rejected = await h.call('POST', '/export/v1/orders', { token, body: {} });
  equal(rejected.status, 403);
  const { clientId: robot } = await h.operate('POST', '/clients', { name: 'Robot', operatorRole: 'viewer' });
  const wrong = await h.admin('PATCH', `/clients/${robot}`, { access: 'read-only' });
  deepEqual([wrong.status, wrong.body.error.code], [409, 'conflict']);
});
