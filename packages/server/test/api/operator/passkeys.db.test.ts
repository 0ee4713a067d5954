/** A427. A software authenticator replaces the device. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { createAuthenticator, passkeyPages } from '../../support/authenticator.ts';
import { enter, seedPerson } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const PASSKEYS = '/console/profile/passkeys';
const { url, page: PAGE, send: anonymous, add, signIn } = passkeyPages(h);

test('a passkey can be added, used repeatedly, listed and removed', async () => {
  const person = await seedPerson(h, 'support');
  const { device, options, response } = await add(person);
  deepEqual([options.rp.id, options.authenticatorSelection.userVerification], ['localhost', 'required']);
  deepEqual([response.status, response.body.data.name, response.body.data.lastUsedAt], [201, 'Laptop', null]);
  for (const _ of [1, 2]) {
    const { operator, passkeys } = (await signIn(device)).body.data;
    deepEqual([operator.id, passkeys], [person.id, 1]);
  }
  const session = enter(h, await signIn(device));
  const { id } = response.body.data;
  const listed = (await session.call('GET', PASSKEYS)).body.data;
  deepEqual([listed.length, listed[0].id, typeof listed[0].lastUsedAt], [1, id, 'string']);
  equal((await session.call('DELETE', `${PASSKEYS}/${id}`)).status, 204);
  equal((await signIn(device)).status, 401);
  deepEqual((await session.call('GET', PASSKEYS)).body.data, []);
  const actions = (await h.operate('GET', `/audit?clientId=${person.id}&itemsPerPage=10`)).map(
    ({ action }: { action: string }) => action,
  );
  deepEqual(actions.slice(0, 2), ['operator.passkey.remove', 'operator.sign-in']);
});

test('an assertion signs in once, and only for this page’s challenge, with the user verified', async () => {
  const person = await seedPerson(h);
  const { device } = await add(person);
  const { challenge } = (await anonymous('passkey/options')).body.data;
  const answer = device.get(challenge);
  equal((await anonymous('passkey', answer)).status, 200);
  equal((await anonymous('passkey', answer)).status, 401);
  const ofAnother = (await person.call('POST', `${PASSKEYS}/options`, { url, body: {} })).body.data.challenge;
  for (const one of [ofAnother, 'AAAA', Buffer.alloc(54).toString('base64url')]) {
    equal((await anonymous('passkey', device.get(one))).status, 401);
  }
  for (const [page, flags] of [
    [{ ...PAGE, origin: 'https://evil.example' }, 0b101],
    [{ ...PAGE, rpId: 'evil.example' }, 0b101],
    [PAGE, 0b001],
  ] as const) {
    const stranger = createAuthenticator(page, { flags });
    const { response } = await add(person, stranger);
    deepEqual([response.status, response.body.error.code], [400, 'validation-failed']);
  }
});

test('a passkey of a disabled person and an unknown passkey do not sign in', async () => {
  const person = await seedPerson(h, 'viewer');
  const { device } = await add(person);
  equal((await signIn(createAuthenticator(PAGE))).status, 401);
  await h.operate('PATCH', `/operators/${person.id}`, { status: 'disabled' });
  equal((await signIn(device)).status, 401);
});

test('a person cannot see or remove a passkey of another person, or add one created for another', async () => {
  const [person, other] = [await seedPerson(h), await seedPerson(h)];
  const { device, response, body } = await add(person);
  const { id } = response.body.data;
  equal((await other.call('DELETE', `${PASSKEYS}/${id}`)).status, 404);
  deepEqual((await other.call('GET', PASSKEYS)).body.data, []);
  equal((await other.call('POST', PASSKEYS, { url, body })).status, 400);
  equal((await person.call('POST', PASSKEYS, { url, body })).body.error.code, 'conflict');
  equal((await add(other, device)).response.body.error.code, 'conflict');
});

test('400: passkeys do not work at an IP address, and the sign-in methods exclude them there', async () => {
  const person = await seedPerson(h);
  const options = await person.call('POST', `${PASSKEYS}/options`, { body: {} });
  deepEqual([options.status, options.body.error.code], [400, 'validation-failed']);
  const methods = async (at: string) => (await h.callAt(at, 'GET', '/console/sign-in-methods')).body.data;
  const expected = { mode: 'sandbox', password: true, oidc: null };
  deepEqual(await methods(h.url), { ...expected, passkey: false });
  deepEqual(await methods(url), { ...expected, passkey: true });
});

test('400: bodies that no authenticator sends; 401 and 403: no session or a foreign origin', async () => {
  for (const body of [{}, { id: 'x' }, { id: '+', rawId: 'a', type: 'public-key', response: {} }]) {
    equal((await anonymous('passkey', body)).status, 400);
  }
  const elsewhere = { body: {}, headers: { origin: 'https://evil.example' } };
  equal((await h.call('POST', '/console/session/passkey/options', elsewhere)).status, 403);
  equal((await h.call('GET', PASSKEYS)).status, 401);
});
