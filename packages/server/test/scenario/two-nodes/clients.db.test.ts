/** Changes at one node apply at the other within 5 s. A704, A24. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { wholeFile } from '../../support/vitest.ts';

const FOLLOWED_WITHIN_MS = 5_000;

const { h, nodes } = await startTwoNodes(wholeFile);

async function untilRejected(
  call: () => Promise<{ readonly status: number }>,
  rejection = 403,
): Promise<number> {
  const endsAtMs = performance.now() + FOLLOWED_WITHIN_MS;
  let { status } = await call();
  while (status !== rejection && performance.now() < endsAtMs) ({ status } = await call());
  return status;
}

test('access and addresses changed at one node apply at the other, a new secret works at both, and tokens end with their secret at both', async () => {
  const reseller = await h.seed.reseller();
  const { accountId, token } = reseller;
  const [one, other] = nodes;
  const second = await h.operate('POST', `/accounts/${accountId}/clients`, {});
  const secondToken = await h.tokenFor(second.clientId, second.clientSecret);
  const change = (body: unknown) =>
    h.callAt(one.url, 'PATCH', `/admin/v1/clients/${second.clientId}`, { token: h.operatorToken, body });
  const write = () => h.callAt(other.url, 'POST', '/export/v1/orders', { token: secondToken, body: {} });
  const read = () => h.callAt(other.url, 'GET', '/export/v1/account', { token: secondToken });
  equal((await write()).status, 400);
  await change({ access: 'read-only' });
  equal(await untilRejected(write), 403);
  equal((await read()).status, 200);
  await change({ allowedAddresses: ['192.0.2.1'] });
  equal(await untilRejected(read), 403);
  const path = `/export/v1/clients/${reseller.clientId}/rotate-secret`;
  const { body } = await h.callAt(one.url, 'POST', path, { token, body: {} });
  const statuses = nodes.map(async ({ url }) => {
    const credentials = { client_id: reseller.clientId, client_secret: body.data.clientSecret };
    const asked = { body: { grant_type: 'client_credentials', ...credentials } };
    return (await h.callAt(url, 'POST', '/oauth/token', asked)).status;
  });
  deepEqual(await Promise.all(statuses), [200, 200]);
  const next = await h.tokenFor(reseller.clientId, body.data.clientSecret);
  const ended = { token: next, body: { overlapHours: 0 } };
  equal((await h.callAt(one.url, 'POST', path, ended)).status, 200);
  for (const ends of [token, next])
    equal(
      await untilRejected(() => h.callAt(other.url, 'GET', '/export/v1/account', { token: ends }), 401),
      401,
    );
});
