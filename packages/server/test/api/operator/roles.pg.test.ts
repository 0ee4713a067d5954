/** Operator interface, 401 and 403: every operation takes the tokens of its own audience only. R23. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { test } from 'vitest';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller();

/** The path with something well-formed for each parameter. */
function pathOf(template: string): string {
  return template
    .replace(/\{(accountId|sellerId|offerId)\}/, randomUUID())
    .replace('{operatorId}', 'person_000000000000000000000000')
    .replace('{clientId}', reseller.clientId)
    .replace('{productId}', '10000000000017')
    .replace('{orderId}', '1234567890123456')
    .replace('{endpointId}', 'whe_unknown')
    .replace('{deliveryId}', 'whd_unknown')
    .replace('{kind}', 'sellers');
}

test('the other role’s token is 403 on every operation, before anything else is looked at', async () => {
  assert.ok(OPERATION_LIST.some(({ audience }) => audience === 'reseller'));
  for (const { method, path, audience, name } of OPERATION_LIST) {
    const token = audience === 'operator' ? reseller.token : h.operatorToken;
    const response = await h.call(method, pathOf(path), {
      token,
      ...(method === 'GET' ? {} : { body: '{' }),
    });
    assert.deepEqual([response.status, response.body?.error?.code], [403, 'forbidden'], name);
  }
  assert.equal((await reseller.get('/account')).status, 200, 'its client was not disabled');
});

test('without a token every operation is 401', async () => {
  for (const { method, path, name } of OPERATION_LIST) {
    const response = await h.call(method, pathOf(path), method === 'GET' ? {} : { body: '{' });
    assert.deepEqual([response.status, response.body?.error?.code], [401, 'unauthorized'], name);
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
});
