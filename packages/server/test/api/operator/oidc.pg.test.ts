/** People sign in at a provider of OpenID Connect, which runs here. A428. */
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type Harness, startHarness } from '../../support/harness.ts';
import { Browser, CLIENT, startOidcProvider } from '../../support/oidc-provider.ts';
import { someEmail } from '../../support/person.ts';
import { wholeFile } from '../../support/vitest.ts';

const provider = await startOidcProvider(wholeFile);
const settings = {
  KEYPORT_OIDC_ISSUER: provider.issuer,
  KEYPORT_OIDC_CLIENT_ID: CLIENT.id,
  KEYPORT_OIDC_CLIENT_SECRET: CLIENT.secret,
};

async function startService(roleClaim: Record<string, string> = {}): Promise<Harness> {
  const h = await startHarness(wholeFile, { ...settings, ...roleClaim });
  provider.register(`${h.url}/console/session/oidc/callback`);
  return h;
}

const h = await startService();

/** Where the browser ends, and the cookie of its session. */
async function signIn(on: Harness, login: string) {
  const isEnd = (url: string) => url.startsWith(`${on.url}/console/`) && !url.includes('/session/oidc');
  const visits = await new Browser().signIn(`${on.url}/console/session/oidc`, login, isEnd);
  const cookie = visits.map(({ setCookie }) => /keyport_session=[^;]+/.exec(setCookie)?.[0]).find(Boolean);
  return { visits, endedAt: visits.at(-1)?.url.slice(on.url.length), cookie };
}

const sessionOf = async (on: Harness, cookie = '') =>
  (await on.call('GET', '/console/session', { headers: { cookie } })).body.data;

test('a person whom the provider vouches for signs in by the e-mail address, and by the subject from then on', async () => {
  const email = someEmail();
  const { id } = await h.operate('POST', '/operators', { name: 'Ada', email, role: 'finance' });
  provider.know('ada', { email: email.toUpperCase(), email_verified: true, name: 'Ada at work' });
  const first = await signIn(h, 'ada');
  assert.equal(first.endedAt, '/console/');
  const { operator } = await sessionOf(h, first.cookie);
  assert.deepEqual([operator.id, operator.name, operator.role], [id, 'Ada', 'finance']);
  const state = first.visits[0]?.setCookie ?? '';
  assert.match(
    state,
    /^keyport_oidc=[\w-]+; Path=\/console\/session\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
  const asked = new URL(first.visits[1]?.url ?? '').searchParams;
  for (const name of ['state', 'nonce', 'code_challenge'])
    assert.ok((asked.get(name) ?? '').length >= 32, name);
  assert.equal(asked.get('code_challenge_method'), 'S256');
  provider.know('ada', { email: someEmail(), name: 'Ada' });
  assert.equal((await sessionOf(h, (await signIn(h, 'ada')).cookie)).operator.id, id);
  const [entry] = await h.operate('GET', `/audit?clientId=${id}&itemsPerPage=10`);
  assert.deepEqual([entry.action, entry.data], ['operator.sign-in', { method: 'oidc' }]);
});

test('who was not invited, has no verified address, is disabled, or has the address of another subject stays outside', async () => {
  provider.know('stranger', { email: someEmail() });
  const { endedAt, cookie } = await signIn(h, 'stranger');
  assert.deepEqual([endedAt, cookie], ['/console/sign-in#error=not-invited', undefined]);
  const email = someEmail();
  const { id } = await h.operate('POST', '/operators', { name: 'Grace', email, role: 'viewer' });
  for (const claims of [
    { email, email_verified: false },
    { email },
    { email, email_verified: 'false' },
    {},
  ]) {
    provider.know('unverified', claims);
    assert.equal((await signIn(h, 'unverified')).endedAt, '/console/sign-in#error=no-email');
  }
  provider.know('grace', { email, email_verified: true });
  assert.equal((await signIn(h, 'grace')).endedAt, '/console/');
  provider.know('grace', { email, email_verified: false });
  assert.equal((await signIn(h, 'grace')).endedAt, '/console/', 'a known subject needs no verified address');
  provider.know('impostor', { email, email_verified: true });
  assert.equal((await signIn(h, 'impostor')).endedAt, '/console/sign-in#error=not-invited');
  await h.operate('PATCH', `/operators/${id}`, { status: 'disabled' });
  assert.equal((await signIn(h, 'grace')).endedAt, '/console/sign-in#error=not-invited');
});

test('an answer of the provider is good once, and in the browser that asked only', async () => {
  const email = someEmail();
  await h.operate('POST', '/operators', { name: 'Ada', email, role: 'viewer' });
  provider.know('once', { email, email_verified: 'true' });
  const { visits } = await signIn(h, 'once');
  const back = visits.find(({ url }) => url.includes('/callback'))?.url.slice(h.url.length) ?? '';
  const departure = /^[^;]+/.exec(visits[0]?.setCookie ?? '')?.[0] ?? '';
  for (const [path, cookie] of [
    [back, ''],
    [back, departure],
    [back.replace(/state=[^&]+/, 'state=another'), departure],
    ['/console/session/oidc/callback?error=access_denied', departure],
    ['/console/session/oidc/callback', 'keyport_oidc=AAAA'],
  ] as const) {
    const response = await fetch(h.url + path, { redirect: 'manual', headers: { cookie } });
    assert.equal(response.headers.get('location'), `${h.url}/console/sign-in#error=failed`);
    assert.equal(response.headers.get('set-cookie'), null);
  }
});

test('with a role claim people need no invitation, and have the role that the provider says at each sign-in', async () => {
  const own = await startService({ KEYPORT_OIDC_ROLE_CLAIM: 'groups' });
  const email = someEmail();
  const roleOf = async () => (await sessionOf(own, (await signIn(own, 'new')).cookie)).operator.role;
  provider.know('new', { email, email_verified: false, groups: ['admin'] });
  assert.equal((await signIn(own, 'new')).endedAt, '/console/sign-in#error=no-email');
  provider.know('new', { email, name: 'New', groups: ['staff', 'viewer', 'support'] });
  assert.equal(await roleOf(), 'support');
  provider.know('new', { email, groups: 'finance' });
  assert.equal(await roleOf(), 'finance');
  provider.know('new', { email, groups: ['staff'] });
  assert.equal((await signIn(own, 'new')).endedAt, '/console/sign-in#error=no-role');
  provider.know('new', { email, groups: ['admin'] });
  assert.equal(await roleOf(), 'admin');
  const [first] = await own.operate('GET', '/operators');
  await own.operate('PATCH', `/operators/${first.id}`, { status: 'disabled' });
  provider.know('new', { email, groups: ['viewer'] });
  assert.equal(await roleOf(), 'admin', 'the last admin stays one');
  type Entry = { action: string; role: string; address: string; clientId: string; data: object };
  const entries: Entry[] = await own.operate('GET', '/audit?itemsPerPage=100');
  const made = entries.filter(({ data }) => 'method' in data && 'role' in data).toReversed();
  const [{ clientId: id } = assert.fail('no entry')] = made;
  const change = (from: string, to: string) => [
    'operator.update',
    { id, role: { from, to }, method: 'oidc' },
  ];
  assert.deepEqual(
    made.map(({ action, data }) => [action, data]),
    [
      ['operator.create', { id, name: 'New', email, role: 'support', method: 'oidc' }],
      change('support', 'finance'),
      change('finance', 'admin'),
    ],
  );
  for (const { clientId, address } of made) assert.deepEqual([clientId, address], [id, '127.0.0.1']);
});

test('the ways to sign in name the provider; without one its address is not there', async () => {
  const methods = (await h.call('GET', '/console/sign-in-methods')).body.data;
  assert.deepEqual(methods.oidc, { name: '127.0.0.1' });
});

test('a provider that does not answer leaves the person at the sign-in', async (t) => {
  const gone = await startHarness(t, { ...settings, KEYPORT_OIDC_ISSUER: 'http://127.0.0.1:9' });
  const response = await fetch(`${gone.url}/console/session/oidc`, { redirect: 'manual' });
  assert.equal(response.headers.get('location'), `${gone.url}/console/sign-in#error=failed`);
});
