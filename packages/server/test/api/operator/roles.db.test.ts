/** R23, A420. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { ROLE_PERMISSIONS, ROLES } from '@keyport/contract/roles';
import { expect, test } from 'vitest';
import type { ApiResponse } from '../../support/harness.ts';
import { seedPerson } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller();

function toPath(template: string, clientId = reseller.clientId): string {
  return template
    .replace(/\{(accountId|sellerId|offerId)\}/, randomUUID())
    .replace('{operatorId}', 'person_000000000000000000000000')
    .replace('{clientId}', clientId)
    .replace('{productId}', '10000000000017')
    .replace('{orderId}', '1234567890123456')
    .replace('{endpointId}', 'whe_unknown')
    .replace('{deliveryId}', 'whd_unknown')
    .replace('{runId}', '999999')
    .replace('{approvalId}', '999999')
    .replace('{kind}', 'sellers');
}

test('a token of the other audience gets 403 on every operation, before anything else is checked', async () => {
  ok(OPERATION_LIST.some(({ audience }) => audience === 'reseller'));
  for (const { method, path, audience, name } of OPERATION_LIST) {
    const token = audience === 'operator' ? reseller.token : h.operatorToken;
    const response = await h.call(method, toPath(path), {
      token,
      ...(method === 'GET' ? {} : { body: '{' }),
    });
    deepEqual([response.status, response.body?.error?.code], [403, 'forbidden'], name);
  }
  equal((await reseller.get('/account')).status, 200, 'its client was not disabled');
});

test('every operation returns 401 without a token', async () => {
  for (const { method, path, name } of OPERATION_LIST) {
    const response = await h.call(method, toPath(path), method === 'GET' ? {} : { body: '{' });
    deepEqual([response.status, response.body?.error?.code], [401, 'unauthorized'], name);
    match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
});

for (const role of ROLES) {
  test(`a client and a person with the role ${role} may do exactly what its permissions allow`, async () => {
    const program = await h.operate('POST', '/clients', { name: 'Robot', operatorRole: role });
    const token = await h.tokenFor(program.clientId, program.clientSecret);
    const person = await seedPerson(h, role);
    const permissions: readonly string[] = ROLE_PERMISSIONS[role];
    for (const { method, path, audience, name, permission = '' } of OPERATION_LIST) {
      if (audience !== 'operator') continue;
      const request = { ...(method === 'GET' ? {} : { body: '{' }) };
      const answers: readonly ApiResponse[] = [
        await h.call(method, toPath(path, 'nobody'), { ...request, token }),
        await person.call(method, toPath(path, 'nobody'), request),
      ];
      for (const { status, body } of answers) {
        const isAllowed = permissions.includes(permission);
        equal(status === 403, !isAllowed, `${name}: ${status}`);
        if (!isAllowed) ok(body.error.message.includes(`permission ${permission}`), body.error.message);
      }
    }
  });
}

test('the role of an operator client can be changed, and a reseller client gets 409', async () => {
  const { clientId, clientSecret } = await h.operate('POST', '/clients', {
    name: 'Robot',
    operatorRole: 'support',
  });
  const token = await h.tokenFor(clientId, clientSecret);
  const body = { name: 'Shop', paymentMethod: null };
  equal((await h.call('POST', '/admin/v1/accounts', { token, body })).status, 403);
  const changed = await h.operate('PATCH', `/clients/${clientId}`, { operatorRole: 'admin' });
  deepEqual([changed.role, changed.operatorRole], ['operator', 'admin']);
  // This node is notified and queries the database immediately.
  await expect
    .poll(async () => (await h.call('POST', '/admin/v1/accounts', { token, body })).status)
    .toBe(201);
  const [entry] = await h.operate('GET', `/audit?action=client.update&itemsPerPage=10`);
  deepEqual(entry.data, { clientId, operatorRole: { from: 'support', to: 'admin' } });
  const patch = { token: h.operatorToken, body: { operatorRole: 'viewer' } };
  const refused = await h.call('PATCH', `/admin/v1/clients/${reseller.clientId}`, patch);
  deepEqual([refused.status, refused.body.error.code], [409, 'conflict']);
});
