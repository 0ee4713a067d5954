/** R5, A25. */
import { deepEqual, equal, match } from 'node:assert/strict';
import type { Harness } from './harness.ts';

/** Asserts 401 without a valid token and 403 with an operator's token, regardless of other errors. */
export async function assertResellerOnly(h: Harness, path: string): Promise<void> {
  const { token } = await h.seed.reseller();
  const forged = `${token.slice(0, -6)}AAAAAA`;
  for (const authorization of ['', 'Bearer', `Bearer ${forged}`, `Basic ${token}`, token, 'Bearer a b']) {
    const response = await h.call('GET', path, { headers: { authorization } });
    deepEqual([response.status, response.body.error.code], [401, 'unauthorized'], authorization);
    match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
  equal((await h.call('GET', path)).status, 401, 'no token');
  const inQuery = `${path}${path.includes('?') ? '&' : '?'}access_token=${token}`;
  equal((await h.call('GET', inQuery)).status, 401, 'not in the query');
  const operator = await h.call('GET', path, { token: h.operatorToken });
  deepEqual([operator.status, operator.body.error.code], [403, 'forbidden']);
}
