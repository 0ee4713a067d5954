/** Order keys, 401 and 403: only a reseller's own token opens it. Spec: "Authentication"; A25. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHarness } from '../../support/harness.ts';

const PATH = '/export/v1/orders/2174556001234567/keys';
const h = await startHarness({ after });

test('without a good token nothing is answered but 401', async () => {
  const reseller = await h.seed.reseller();
  const { token } = reseller;
  const forged = `${token.slice(0, -6)}AAAAAA`;
  for (const authorization of ['', 'Bearer', `Bearer ${forged}`, `Basic ${token}`, token, 'Bearer a b']) {
    const answer = await h.call('GET', PATH, { headers: { authorization } });
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'unauthorized'], authorization);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
  assert.equal((await h.call('GET', PATH)).status, 401);
  assert.equal((await h.call('GET', `${PATH}?access_token=${token}`)).status, 401, 'not in the query');
});

test('an operator’s token is for the operator interface', async () => {
  const answer = await h.call('GET', PATH, { token: h.operatorToken });
  assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden']);
});
