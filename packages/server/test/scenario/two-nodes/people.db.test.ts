import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { enter, postLink, someEmail } from '../../support/person.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';

test('a changed role, a sign-out and a disabled operator take effect immediately at the other node', async (t) => {
  const { h, nodes } = await startTwoNodes(t);
  const { url } = nodes[1];
  const body = { name: 'Ada', email: someEmail(), role: 'support' };
  const { id, invitationUrl } = await h.operate('POST', '/operators', body);
  const person = enter(h, await postLink(h, invitationUrl));
  const account = { name: 'Shop', paymentMethod: null };
  const statusElsewhere = async () =>
    (await person.call('POST', '/admin/v1/accounts', { url, body: account })).status;
  equal(await statusElsewhere(), 403);
  await h.operate('PATCH', `/operators/${id}`, { role: 'admin' });
  equal(await statusElsewhere(), 201);
  await h.operate('PATCH', `/operators/${id}`, { role: 'viewer' });
  equal(await statusElsewhere(), 403);
  await h.operate('PATCH', `/operators/${id}`, { status: 'disabled' });
  equal(await statusElsewhere(), 401);
  await h.operate('PATCH', `/operators/${id}`, { status: 'active' });
  const again = enter(
    h,
    await postLink(h, (await h.operate('POST', `/operators/${id}/invite`)).invitationUrl),
  );
  equal((await again.call('GET', '/console/session', { url })).status, 200);
  equal((await again.call('DELETE', '/console/session')).status, 204);
  equal((await again.call('GET', '/console/session', { url })).status, 401);
});
