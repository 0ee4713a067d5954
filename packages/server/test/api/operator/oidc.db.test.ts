/** A428. */
import { deepEqual, equal, fail, match, ok } from 'node:assert/strict';
import { pino } from 'pino';
import { test } from 'vitest';
import { type Harness, startHarness } from '../../support/harness.ts';
import { Browser, CLIENT, startOidcProvider } from '../../support/oidc-provider.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { someEmail } from '../../support/person.ts';
import { freePort } from '../../support/postgres.ts';
import { wholeFile } from '../../support/vitest.ts';

const provider = await startOidcProvider(wholeFile);
const settings = {
  KEYPORT_OIDC_ISSUER: provider.issuer,
  KEYPORT_OIDC_CLIENT_ID: CLIENT.id,
  KEYPORT_OIDC_CLIENT_SECRET: CLIENT.secret,
  KEYPORT_APPROVAL_ABOVE: '25.00',
};

async function startService(roleClaim: Record<string, string> = {}): Promise<Harness> {
  const h = await startHarness(wholeFile, { ...settings, ...roleClaim });
  provider.register(`${h.url}/console/session/oidc/callback`);
  return h;
}

const h = await startService();

async function signIn(on: Harness, login: string) {
  const isEnd = (url: string) => url.startsWith(`${on.url}/console/`) && !url.includes('/session/oidc');
  const visits = await new Browser().signIn(`${on.url}/console/session/oidc`, login, isEnd);
  const cookie = visits.map(({ setCookie }) => /keyport_session=[^;]+/.exec(setCookie)?.[0]).find(Boolean);
  return { visits, endedAt: visits.at(-1)?.url.slice(on.url.length), cookie };
}

const toSession = async (on: Harness, cookie = '') =>
  (await on.call('GET', '/console/session', { headers: { cookie } })).body.data;

test('a person first signs in by the verified e-mail address, and then by the subject', async () => {
  const email = someEmail();
  const { id } = await h.operate('POST', '/operators', { name: 'Ada', email, role: 'finance' });
  provider.know('ada', { email: email.toUpperCase(), email_verified: true, name: 'Ada at work' });
  const first = await signIn(h, 'ada');
  equal(first.endedAt, '/console/');
  const { operator } = await toSession(h, first.cookie);
  deepEqual([operator.id, operator.name, operator.role], [id, 'Ada', 'finance']);
  const state = first.visits[0]?.setCookie ?? '';
  match(state, /^keyport_oidc=[\w-]+; Path=\/console\/session\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/);
  const asked = new URL(first.visits[1]?.url ?? '').searchParams;
  for (const name of ['state', 'nonce', 'code_challenge']) ok((asked.get(name) ?? '').length >= 32, name);
  equal(asked.get('code_challenge_method'), 'S256');
  provider.know('ada', { email: someEmail(), name: 'Ada' });
  equal((await toSession(h, (await signIn(h, 'ada')).cookie)).operator.id, id);
  const [entry] = await h.operate('GET', `/audit?clientId=${id}&itemsPerPage=10`);
  deepEqual([entry.action, entry.data], ['operator.sign-in', { method: 'oidc' }]);
});

test('a sign-in needs an invited, enabled person with a verified address that belongs to no other subject', async () => {
  provider.know('stranger', { email: someEmail() });
  const { endedAt, cookie } = await signIn(h, 'stranger');
  deepEqual([endedAt, cookie], ['/console/sign-in#error=not-invited', undefined]);
  const email = someEmail();
  const { id } = await h.operate('POST', '/operators', { name: 'Grace', email, role: 'viewer' });
  for (const claims of [
    { email, email_verified: false },
    { email },
    { email, email_verified: 'false' },
    {},
  ]) {
    provider.know('unverified', claims);
    equal((await signIn(h, 'unverified')).endedAt, '/console/sign-in#error=no-email');
  }
  provider.know('grace', { email, email_verified: true });
  equal((await signIn(h, 'grace')).endedAt, '/console/');
  provider.know('grace', { email, email_verified: false });
  equal((await signIn(h, 'grace')).endedAt, '/console/', 'a known subject needs no verified address');
  provider.know('impostor', { email, email_verified: true });
  equal((await signIn(h, 'impostor')).endedAt, '/console/sign-in#error=not-invited');
  await h.operate('PATCH', `/operators/${id}`, { status: 'disabled' });
  equal((await signIn(h, 'grace')).endedAt, '/console/sign-in#error=not-invited');
});

test('the address and its confirmation must come from the same source, the ID token or the user info', async () => {
  for (const [idToken, userinfo, endedAt] of [
    [{ email: 'victim' }, { email: 'own', email_verified: true }, '/console/sign-in#error=no-email'],
    [{ email_verified: true }, { email: 'victim' }, '/console/sign-in#error=no-email'],
    [
      { email: 'victim', email_verified: false },
      { email: 'victim', email_verified: true },
      '/console/sign-in#error=no-email',
    ],
    [{ email: 'victim', email_verified: true }, { email: 'own', email_verified: false }, '/console/'],
    [{}, { email: 'victim', email_verified: true }, '/console/'],
  ] as const) {
    const addresses = { victim: someEmail(), own: someEmail() };
    const body = { name: 'Ada', email: addresses.victim, role: 'viewer' };
    const { id } = await h.operate('POST', '/operators', body);
    const toClaims = (claims: { readonly email?: 'victim' | 'own'; readonly email_verified?: boolean }) =>
      claims.email === undefined ? claims : { ...claims, email: addresses[claims.email] };
    provider.know(id, toClaims(userinfo), toClaims(idToken));
    equal((await signIn(h, id)).endedAt, endedAt, JSON.stringify([idToken, userinfo]));
  }
});

test('an ID token that was changed in transit or has no signature signs no one in', async () => {
  const email = someEmail();
  await h.operate('POST', '/operators', { name: 'Ada', email, role: 'viewer' });
  provider.know('signed', { email, email_verified: true });
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  const parts = (token: string) => token.split('.');
  for (const change of [
    (token: string) => `${token.slice(0, -8)}AAAAAAAA`,
    (token: string) => `${unsigned}.${parts(token)[1]}.`,
    (token: string) => {
      const [head = '', claims = '', signature = ''] = parts(token);
      const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), email_verified: true };
      return `${head}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
    },
  ]) {
    provider.tamper(change);
    equal((await signIn(h, 'signed')).endedAt, '/console/sign-in#error=failed');
  }
  provider.tamper((token) => token);
  equal((await signIn(h, 'signed')).endedAt, '/console/');
});

test('the audit log has the first sign-in of a subject, and each failed one with its reason', async () => {
  const email = someEmail();
  const { id } = await h.operate('POST', '/operators', { name: 'Ada', email, role: 'viewer' });
  const signInAs = async (login: string, claims: Record<string, unknown>) => {
    provider.know(login, claims);
    await signIn(h, login);
  };
  await signInAs('audited', { email });
  await signInAs('audited', { email, email_verified: true });
  await signInAs('audited', { email, email_verified: true });
  await signInAs('audited-stranger', { email: 'nobody@shop.example' });
  await h.operate('PATCH', `/operators/${id}`, { status: 'disabled' });
  await signInAs('audited', { email, email_verified: true });
  type Entry = { action: string; clientId: string; address: string; data: { subject?: string } };
  const entries: Entry[] = await h.operate('GET', '/audit?itemsPerPage=100');
  const about = entries.filter(({ data }) => data.subject?.includes(' audited')).toReversed();
  const subject = `${provider.issuer} audited`;
  const failed = (clientId: string, reason: string, more = {}) => [
    'operator.sign-in.failed',
    clientId,
    { method: 'oidc', reason, subject, email, ...more },
  ];
  deepEqual(
    about.map(({ action, clientId, data }) => [action, clientId, data]),
    [
      failed(id, 'no-email'),
      ['operator.oidc.link', id, { id, subject, email }],
      failed('unknown', 'not-invited', { subject: `${subject}-stranger`, email: 'nobody@shop.example' }),
      failed(id, 'not-invited'),
    ],
  );
  deepEqual(new Set(about.map(({ address }) => address)), new Set(['127.0.0.1']));
});

test('the log names why the provider could not be reached', async () => {
  const lines: { readonly msg: string; readonly reason?: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
  const unreachable = { ...settings, KEYPORT_OIDC_ISSUER: `http://127.0.0.1:${await freePort()}` };
  const own = await startHarness(wholeFile, unreachable, undefined, log);

  const { headers } = await fetch(`${own.url}/console/session/oidc`, { redirect: 'manual' });

  match(headers.get('location') ?? '', /#error=failed$/);
  const [line] = lines.filter(({ msg }) => msg.startsWith('single sign-on cannot begin'));
  match(line?.reason ?? '', /^The host refused the connection: .* \(ECONNREFUSED\)\.$/);
});

test('a disabled person cannot sign in with another address at the provider', async () => {
  const own = await startService({ KEYPORT_OIDC_ROLE_CLAIM: 'groups' });
  provider.know('leaver', { email: someEmail(), groups: ['support'] });
  const { cookie } = await signIn(own, 'leaver');
  const { operator } = await toSession(own, cookie);
  await own.operate('PATCH', `/operators/${operator.id}`, { status: 'disabled' });
  provider.know('leaver', { email: someEmail(), email_verified: true, groups: ['support'] });
  equal((await signIn(own, 'leaver')).endedAt, '/console/sign-in#error=not-invited');
  provider.register(`${h.url}/console/session/oidc/callback`);
});

test('403: an approver may not approve if the requester set the approver’s address for single sign-on', async () => {
  const requester = await operatorClient(h);
  const asRequester = async (method: string, path: string, body: object) => {
    const response = await h.call(method, `/admin/v1${path}`, { token: requester, body });
    ok(response.status < 300, JSON.stringify(response.body));
    return response.body.data;
  };
  const decide = async (steps: (id: string, signedIn: () => Promise<string>) => Promise<unknown>) => {
    const email = someEmail();
    const { id } = await h.operate('POST', '/operators', { name: 'Ada', email, role: 'admin' });
    const signedIn = async () => {
      provider.know(id, { email: (await h.operate('GET', `/operators/${id}`)).email, email_verified: true });
      return (await signIn(h, id)).cookie ?? '';
    };
    await steps(id, signedIn);
    const cookie = await signedIn();
    const { csrfToken, operator } = await toSession(h, cookie);
    equal(operator.id, id);
    const { accountId } = await h.seed.reseller();
    const booking = { amount: '30.00', direction: 'credit', reference: 'r', reason: 'x' };
    const approval = await asRequester('POST', `/accounts/${accountId}/adjustments`, booking);
    const headers = { cookie, origin: h.url, 'x-csrf-token': csrfToken };
    const path = `/admin/v1/approvals/${approval.id}/approve`;
    return (await h.call('POST', path, { headers, body: {} })).status;
  };
  const patch = (id: string, body: object) => asRequester('PATCH', `/operators/${id}`, body);
  const statuses = [
    await decide((id) => patch(id, { email: someEmail() })),
    await decide(async (id, signedIn) => {
      await signedIn();
      await patch(id, { status: 'disabled' });
      await patch(id, { email: someEmail() });
      await patch(id, { status: 'active' });
    }),
    await decide(async (id, signedIn) => {
      await signedIn();
      await patch(id, { email: someEmail() });
    }),
  ];
  deepEqual(statuses, [403, 403, 200]);
});

test('a response of the provider is valid once, and only in the browser that started the sign-in', async () => {
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
    equal(response.headers.get('location'), `${h.url}/console/sign-in#error=failed`);
    equal(response.headers.get('set-cookie'), null);
  }
});

test('a sign-in at the provider ends after ten minutes, and behind https its cookie belongs to this host only', async (t) => {
  const email = someEmail();
  await h.operate('POST', '/operators', { name: 'Ada', email, role: 'viewer' });
  provider.know('late', { email, email_verified: true });
  const { now } = Date;
  t.onTestFinished(() => {
    Date.now = now;
  });
  Date.now = () => now() - 11 * 60_000;
  const departed = await fetch(`${h.url}/console/session/oidc`, { redirect: 'manual' });
  Date.now = now;
  const back = new URL(departed.headers.get('location') ?? '').searchParams.get('state');
  const arrived = await fetch(`${h.url}/console/session/oidc/callback?code=x&state=${back}`, {
    redirect: 'manual',
    headers: { cookie: /^[^;]+/.exec(departed.headers.get('set-cookie') ?? '')?.[0] ?? '' },
  });
  equal(arrived.headers.get('location'), `${h.url}/console/sign-in#error=failed`);
  const behind = await startHarness(t, { ...settings, KEYPORT_PUBLIC_URL: 'https://export.example/shop' });
  const secure = await fetch(`${behind.url}/console/session/oidc`, { redirect: 'manual' });
  match(
    secure.headers.get('set-cookie') ?? '',
    /^__Host-keyport_oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test('attempts count before the provider is asked', async (t) => {
  const limited = await startHarness(t, settings);
  const callback = (cookie: string, state: string) =>
    fetch(`${limited.url}/console/session/oidc/callback?code=x&state=${state}`, {
      redirect: 'manual',
      headers: { cookie },
    });
  await Promise.all(Array.from({ length: 100 }, () => callback('keyport_oidc=AAAA', 'x')));
  const departed = await fetch(`${limited.url}/console/session/oidc`, { redirect: 'manual' });
  const state = new URL(departed.headers.get('location') ?? '').searchParams.get('state') ?? '';
  const cookie = /^[^;]+/.exec(departed.headers.get('set-cookie') ?? '')?.[0] ?? '';
  const askedBefore = provider.requests();
  await callback(cookie, state);
  equal(provider.requests(), askedBefore);
});

test('people with a role claim need no invitation, and get the provider’s role at each sign-in', async () => {
  const own = await startService({ KEYPORT_OIDC_ROLE_CLAIM: 'groups' });
  const email = someEmail();
  const toRole = async () => (await toSession(own, (await signIn(own, 'new')).cookie)).operator.role;
  provider.know('new', { email, email_verified: false, groups: ['admin'] });
  equal((await signIn(own, 'new')).endedAt, '/console/sign-in#error=no-email');
  provider.know('new', { email, name: 'New', groups: ['staff', 'viewer', 'support'] });
  equal(await toRole(), 'support');
  provider.know('new', { email, groups: 'finance' });
  equal(await toRole(), 'finance');
  provider.know('new', { email, groups: ['staff'] });
  equal((await signIn(own, 'new')).endedAt, '/console/sign-in#error=no-role');
  provider.know('new', { email, groups: ['admin'] });
  equal(await toRole(), 'admin');
  const [first] = await own.operate('GET', '/operators');
  await own.operate('PATCH', `/operators/${first.id}`, { status: 'disabled' });
  provider.know('new', { email, groups: ['viewer'] });
  equal(await toRole(), 'admin', 'the last admin keeps the role');
  type Entry = { action: string; role: string; address: string; clientId: string; data: object };
  const entries: Entry[] = await own.operate('GET', '/audit?itemsPerPage=100');
  const made = entries.filter(({ data }) => 'method' in data && 'role' in data).toReversed();
  const [{ clientId: id } = fail('no entry')] = made;
  const change = (from: string, to: string) => [
    'operator.update',
    { id, role: { from, to }, method: 'oidc' },
  ];
  deepEqual(
    made.map(({ action, data }) => [action, data]),
    [
      ['operator.create', { id, name: 'New', email, role: 'support', method: 'oidc' }],
      change('support', 'finance'),
      change('finance', 'admin'),
    ],
  );
  for (const { clientId, address } of made) deepEqual([clientId, address], [id, '127.0.0.1']);
});

test('the sign-in methods name the provider', async () => {
  const methods = (await h.call('GET', '/console/sign-in-methods')).body.data;
  deepEqual(methods.oidc, { name: '127.0.0.1' });
});

test('the person returns to the sign-in page if the provider does not respond', async (t) => {
  const gone = await startHarness(t, { ...settings, KEYPORT_OIDC_ISSUER: 'http://127.0.0.1:9' });
  const response = await fetch(`${gone.url}/console/session/oidc`, { redirect: 'manual' });
  equal(response.headers.get('location'), `${gone.url}/console/sign-in#error=failed`);
});
