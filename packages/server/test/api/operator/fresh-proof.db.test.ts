/** A483. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { passkeyPages } from '../../support/authenticator.ts';
import { ageSessions, enter, type Person, postLink, seedPerson, someEmail } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const passkeys = passkeyPages(h);
const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'another horse battery';

async function invite(): Promise<{ person: Person; email: string }> {
  const email = someEmail();
  const body = { name: 'Ada', email, role: 'viewer' };
  const { invitationUrl } = await h.operate('POST', '/operators', body);
  return { person: enter(h, await postLink(h, invitationUrl)), email };
}

const choose = (person: Person, body: Record<string, unknown> = {}) =>
  person.call('PUT', '/console/profile/password', { body: { password: NEW_PASSWORD, ...body } });

const age = (person: Person, minutes: number) => ageSessions(h, person, minutes);

const needsProof = async (person: Person) =>
  (await person.call('GET', '/console/session')).body.data.needsProof;

test('403: a first password or a passkey needs a sign-in within 5 minutes, or nothing changes', async () => {
  const { person, email } = await invite();
  await age(person, 4);
  equal(await needsProof(person), false);
  const { device } = await passkeys.add(person);
  const challenge = (await passkeys.options(person)).body.data.challenge;
  await age(person, 2);
  equal(await needsProof(person), true);
  const body = device.create(challenge);
  const add = await person.call('POST', '/console/profile/passkeys', { url: passkeys.url, body });
  for (const response of [await choose(person), await passkeys.options(person), add]) {
    deepEqual([response.status, response.body.error.code], [403, 'forbidden']);
    match(response.body.error.message, /Sign in again/);
  }
  const { hasPassword, passkeys: count } = (await person.call('GET', '/console/session')).body.data;
  deepEqual([hasPassword, count], [false, 1]);
  // A sign-in by passkey in the same browser counts as fresh proof.
  const again = enter(h, await passkeys.signIn(device));
  equal((await choose(again)).status, 204);
  equal((await passkeys.send('password', { email, password: NEW_PASSWORD })).status, 200);
});

test('a sign-in by password is a proof, but a password change needs the current one even after a passkey', async () => {
  const { person, email } = await invite();
  await choose(person, { password: PASSWORD });
  const { device } = await passkeys.add(person);
  await age(person, 6);
  const byPassword = enter(h, await passkeys.send('password', { email, password: PASSWORD }));
  equal((await passkeys.options(byPassword)).status, 200);
  const byPasskey = enter(h, await passkeys.signIn(device));
  equal((await choose(byPasskey)).body.error.errors[0].field, 'body.currentPassword');
  equal((await choose(byPasskey, { currentPassword: PASSWORD })).status, 204);
});

test('400: a session that began with a link needs the current password after 5 minutes', async () => {
  const { person } = await invite();
  await choose(person, { password: PASSWORD });
  const { needsCurrentPassword } = (await person.call('GET', '/console/session')).body.data;
  equal(needsCurrentPassword, false);
  await age(person, 6);
  equal((await person.call('GET', '/console/session')).body.data.needsCurrentPassword, true);
  equal((await choose(person)).body.error.errors[0].field, 'body.currentPassword');
  equal((await choose(person, { currentPassword: PASSWORD })).status, 204);
});

test('204: a password change removes all passkeys if the body requests it, and the audit log has their number', async () => {
  const { person } = await invite();
  const devices = [(await passkeys.add(person)).device, (await passkeys.add(person)).device];
  equal((await choose(person, { password: PASSWORD })).status, 204);
  for (const device of devices) equal((await passkeys.signIn(device)).status, 200);
  equal((await choose(person, { removePasskeys: true })).status, 204);
  for (const device of devices) equal((await passkeys.signIn(device)).status, 401);
  const [entry] = await h.operate('GET', '/audit?action=operator.password&itemsPerPage=10');
  deepEqual([entry.clientId, entry.data], [person.id, { removedPasskeys: 2 }]);
});

test('403: whatever hands out a way in needs a sign-in within 5 minutes, and other changes do not', async () => {
  const admin = await seedPerson(h);
  const [other, disabled] = [await seedPerson(h, 'viewer'), await seedPerson(h, 'viewer')];
  await h.operate('PATCH', `/operators/${disabled.id}`, { status: 'disabled' });
  const { accountId, clientId } = await h.seed.reseller();
  const body = { name: 'Grace', email: someEmail(), role: 'viewer' };
  const ways: readonly (readonly [string, string, object])[] = [
    ['POST', '/operators', body],
    ['POST', `/operators/${other.id}/invite`, {}],
    ['POST', `/operators/${other.id}/reset-credentials`, {}],
    ['PATCH', `/operators/${other.id}`, { email: someEmail() }],
    ['PATCH', `/operators/${disabled.id}`, { status: 'active' }],
    ['POST', '/clients', { name: 'Robot', operatorRole: 'viewer' }],
    ['POST', `/accounts/${accountId}/clients`, {}],
    ['POST', `/clients/${clientId}/secrets`, {}],
    ['PATCH', `/clients/${clientId}`, { allowedAddresses: null }],
    ['POST', `/clients/${clientId}/enable`, {}],
  ];
  const send = ([method, path, json]: (typeof ways)[number]) =>
    admin.call(method, `/admin/v1${path}`, { body: json });
  await age(admin, 6);
  for (const way of ways) {
    const { status, body: answer } = await send(way);
    deepEqual([status, answer.error.data], [403, { reason: 'sign-in-too-old' }], way.join(' '));
  }
  for (const [method, path, json] of [
    ['PATCH', `/operators/${other.id}`, { name: 'Ada' }],
    ['DELETE', `/clients/${clientId}`, undefined],
    ['PATCH', `/operators/${other.id}`, { status: 'disabled' }],
  ] as const) {
    const { status } = await admin.call(method, `/admin/v1${path}`, json === undefined ? {} : { body: json });
    equal(Math.floor(status / 100), 2, path);
  }
  await h.operate('PATCH', `/operators/${other.id}`, { status: 'active' });
  await h.operate('POST', `/clients/${clientId}/enable`);
  await age(admin, -6);
  for (const way of ways) equal(Math.floor((await send(way)).status / 100), 2, way.join(' '));
});

test('403: no one makes a sign-in link for themselves', async () => {
  const admin = await seedPerson(h);
  for (const action of ['invite', 'reset-credentials']) {
    const { status, body } = await admin.call('POST', `/admin/v1/operators/${admin.id}/${action}`, {
      body: {},
    });
    deepEqual([status, body.error.code], [403, 'forbidden']);
  }
  equal((await admin.call('GET', '/console/session')).status, 200);
});
