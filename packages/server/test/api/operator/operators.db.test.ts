import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { postLink, seedPerson, someEmail } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const { admin } = h;
const create = (body: Record<string, unknown> = {}) =>
  admin('POST', '/operators', { name: 'Ada', email: someEmail(), role: 'support', ...body });

test('201: an operator is created with a sign-in link; 200: reads and lists omit the link', async () => {
  const email = someEmail();
  const created = await create({ email });
  equal(created.status, 201);
  const { invitationUrl, invitationExpiresAt, mailed, ...operator } = created.body.data;
  const { id, createdAt, ...rest } = operator;
  equal(mailed, false);
  match(id, /^person_[0-9a-f]{24}$/);
  deepEqual(rest, { name: 'Ada', email, role: 'support', status: 'active', lastSeenAt: null });
  ok(invitationUrl.startsWith(`${h.service.publicUrl}/console/sign-in#token=`));
  ok(invitationExpiresAt > createdAt);
  deepEqual((await admin('GET', `/operators/${id}`)).body.data, operator);
  const listed = await admin('GET', '/operators?itemsPerPage=100');
  deepEqual(
    listed.body.data.find((one: { id: string }) => one.id === id),
    operator,
  );
  const session = await postLink(h, invitationUrl);
  deepEqual(session.body.data.operator, { id, name: 'Ada', email, role: 'support' });
  notEqual((await admin('GET', `/operators/${id}`)).body.data.lastSeenAt, null);
});

test('200: name, e-mail address, role and status change, and the audit log has the old and new values', async () => {
  const { id } = (await create()).body.data;
  const email = someEmail();
  const changed = await admin('PATCH', `/operators/${id}`, { name: 'Ada L.', email, role: 'finance' });
  equal(changed.status, 200);
  const { name, email: newEmail, role, status } = changed.body.data;
  deepEqual([name, newEmail, role, status], ['Ada L.', email, 'finance', 'active']);
  deepEqual((await admin('GET', `/operators/${id}`)).body.data, changed.body.data);
  const [entry] = await h.operate('GET', '/audit?action=operator.update&itemsPerPage=10');
  deepEqual(entry.data.role, { from: 'support', to: 'finance' });
  equal(entry.data.id, id);
});

test('409: an e-mail address belongs to one operator, regardless of its case', async () => {
  const email = someEmail();
  equal((await create({ email })).status, 201);
  equal((await create({ email: email.toUpperCase() })).body.error.code, 'conflict');
  const { id } = (await create()).body.data;
  equal((await admin('PATCH', `/operators/${id}`, { email })).body.error.code, 'conflict');
});

test('409: a disabled operator cannot be invited until active again', async () => {
  const { id, invitationUrl } = (await create()).body.data;
  equal((await admin('PATCH', `/operators/${id}`, { status: 'disabled' })).body.data.status, 'disabled');
  equal((await postLink(h, invitationUrl)).status, 401);
  equal((await admin('POST', `/operators/${id}/invite`)).body.error.code, 'conflict');
  await admin('PATCH', `/operators/${id}`, { status: 'active' });
  const invited = await admin('POST', `/operators/${id}/invite`);
  deepEqual([invited.status, invited.body.data.status], [201, 'active']);
  equal((await postLink(h, invited.body.data.invitationUrl)).status, 200);
});

test('409: the last admin who can sign in cannot be disabled or demoted, even by two concurrent requests', async (t) => {
  const own = await startHarness(t);
  const patch = (id: string, body: unknown) => own.admin('PATCH', `/operators/${id}`, body);
  const [first] = await own.operate('GET', '/operators');
  const body = { name: 'Grace', email: someEmail(), role: 'admin' };
  const { id: second } = await own.operate('POST', '/operators', body);
  const answers = await Promise.all([
    patch(first.id, { status: 'disabled' }),
    patch(second, { role: 'viewer' }),
  ]);
  deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  const left = answers[0]?.status === 409 ? first.id : second;
  const renamed = await patch(left, { name: 'Ada', role: 'admin', status: 'active' });
  deepEqual([renamed.status, renamed.body.data.name], [200, 'Ada']);
});

test('a new link replaces the previous one', async () => {
  const { id, invitationUrl } = (await create()).body.data;
  const invited = await admin('POST', `/operators/${id}/invite`);
  equal((await postLink(h, invitationUrl)).status, 401);
  equal((await postLink(h, invited.body.data.invitationUrl)).status, 200);
});

test('the audit log has the acting person, the role at that time and the address', async () => {
  // Another admin could sign in with this link, so the current one may become a viewer.
  await create({ role: 'admin' });
  const person = await seedPerson(h);
  const { id } = (
    await person.call('POST', '/admin/v1/accounts', { body: { name: 'Shop', paymentMethod: null } })
  ).body.data;
  const [entry] = await h.operate(
    'GET',
    `/audit?clientId=${person.id}&action=account.create&itemsPerPage=10`,
  );
  deepEqual(
    [entry.clientId, entry.name, entry.role, entry.address, entry.accountId],
    [person.id, 'Ada', 'admin', '127.0.0.1', id],
  );
  await h.operate('PATCH', `/operators/${person.id}`, { name: 'Grace', role: 'viewer' });
  const [again] = await h.operate(
    'GET',
    `/audit?clientId=${person.id}&action=account.create&itemsPerPage=10`,
  );
  deepEqual([again.name, again.role], ['Grace', 'admin']);
  const [program] = await h.operate('GET', '/audit?action=operator.update&itemsPerPage=10');
  deepEqual([program.clientId, program.name, program.role], ['test-operator', 'First operator', 'admin']);
});
