/** A800 to A803. operator/roles.db.test.ts has every role and operation, unknown-ids.db.test.ts other accounts' members. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { MEMBER_PERMISSIONS } from '@keyport/contract/roles';
import { test } from 'vitest';
import { passkeyPages } from '../support/authenticator.ts';
import { allEvents } from '../support/events.ts';
import { type ApiResponse, auto, manual } from '../support/harness.ts';
import {
  ageSessions,
  enter,
  type Person,
  postLink,
  seedMember,
  seedPerson,
  someEmail,
} from '../support/person.ts';
import { sharedHarness } from '../support/vitest.ts';

const h = await sharedHarness();
const shop = await h.seed.reseller({ balance: '1000.00' });
const { productId, offerId } = await h.seed.listing({ price: '1.00', stock: 50 });
const MEMBERS = '/export/v1/members';
const PASSWORD = 'correct horse battery';

const toOutcome = ({ status, body }: ApiResponse) => [status, body?.error?.code];
const toToken = ({ cookie }: Person) => cookie.slice(cookie.indexOf('=') + 1);
const nobody = (role = 'buyer') => ({ name: 'Grace', email: someEmail(), role });

const order = (by: Person, headers: Record<string, string> = {}) =>
  by.call('POST', '/export/v1/orders', {
    body: { items: [auto(productId)] },
    headers: { 'idempotency-key': randomUUID(), ...headers },
  });

test('an operator invites the first owner, who signs in, and every status shows', async () => {
  const { accountId, get } = await h.seed.reseller();
  const email = someEmail();
  const body = { name: 'Ada', email, role: 'owner' };
  const created = await h.operate('POST', `/accounts/${accountId}/members`, body);
  const { id, invitationUrl, invitationExpiresAt: _at, ...member } = created;
  match(id, /^mem_[0-9a-f]{24}$/);
  ok(invitationUrl.startsWith(`${h.service.publicUrl}/portal/sign-in#token=`), invitationUrl);
  deepEqual(member, { ...body, status: 'invited', lastSeenAt: null });
  const response = await postLink(h, invitationUrl);
  match(
    response.headers.get('set-cookie') ?? '',
    /^keyport_portal_session=[\w-]{64}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  const { csrfToken: _csrf, endsAt: _end, ...session } = response.body.data;
  deepEqual(session, {
    member: { id, name: 'Ada', email, role: 'owner' },
    permissions: MEMBER_PERMISSIONS.owner,
    ...{ mode: 'sandbox', hasPassword: false, needsCurrentPassword: false, needsProof: false, passkeys: 0 },
  });
  const owner = enter(h, response);
  const invited = (await owner.call('POST', MEMBERS, { body: nobody() })).body.data;
  const patch = (status: string) =>
    owner.call('PATCH', `${MEMBERS}/${invited.id}`, { body: { status, name: 'Grace Hopper' } });
  const [disabled, enabled] = [await patch('disabled'), await patch('active')];
  deepEqual([disabled.body.data.status, enabled.body.data.status], ['disabled', 'invited']);
  const listed = (await owner.call('GET', MEMBERS)).body.data;
  deepEqual(
    listed.map((one: { name: string; status: string }) => [one.name, one.status]),
    [
      ['Ada', 'active'],
      ['Grace Hopper', 'invited'],
    ],
  );
  deepEqual(await h.operate('GET', `/accounts/${accountId}/members`), listed);
  deepEqual(toOutcome(await get('/members')), [403, 'forbidden']);
  const actions = (await h.operate('GET', `/audit?accountId=${accountId}&limit=20`)).map(
    ({ action, clientId, memberId, name }: Record<string, string>) => [action, clientId, memberId, name],
  );
  deepEqual(actions.slice(0, 5), [
    ['member.update', null, id, 'Ada'],
    ['member.update', null, id, 'Ada'],
    ['member.create', null, id, 'Ada'],
    ['member.sign-in', null, id, 'Ada'],
    ['member.create', 'test-operator', undefined, 'First operator'],
  ]);
});

test('a retried invitation creates one member, and an address belongs to one member who is not disabled', async () => {
  const owner = await seedMember(h, shop);
  const body = nobody();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await owner.call('POST', MEMBERS, { body, headers });
  const again = await owner.call('POST', MEMBERS, { body, headers });
  deepEqual([first.status, again.status, again.body.data], [201, 200, first.body.data]);
  const other = await h.seed.reseller();
  for (const answer of [
    await owner.call('POST', MEMBERS, { body: { ...body, email: body.email.toUpperCase() } }),
    await h.admin('POST', `/accounts/${other.accountId}/members`, body),
  ])
    deepEqual(toOutcome(answer), [409, 'conflict']);
  const patch = (status: string) =>
    owner.call('PATCH', `${MEMBERS}/${first.body.data.id}`, { body: { status } });
  equal((await patch('disabled')).status, 200);
  await h.operate('POST', `/accounts/${other.accountId}/members`, body);
  deepEqual(toOutcome(await patch('active')), [409, 'conflict']);
});

// --- The attempts of an attacker ---

type World = {
  readonly owner: Person;
  readonly colleague: Person;
  readonly operator: Person;
  readonly foreign: Person;
};

type Attack = (world: World) => Promise<ApiResponse>;

const world: World = {
  owner: await seedMember(h, shop),
  colleague: await seedMember(h, shop),
  operator: await seedPerson(h),
  foreign: await seedMember(h, await h.seed.reseller()),
};

const portal = (value: string, rest = '') => ({
  headers: { cookie: `keyport_portal_session=${value}${rest}` },
});
const console_ = (value: string, rest = '') => ({ headers: { cookie: `keyport_session=${value}${rest}` } });
const write = (by: Person, headers: Record<string, string>) =>
  by.call('POST', MEMBERS, { body: nobody(), headers });

test.each<[string, [number, string?], Attack]>([
  ['no CSRF token', [403, 'forbidden'], ({ owner }) => write(owner, { 'x-csrf-token': '' })],
  [
    "a colleague's CSRF token",
    [403, 'forbidden'],
    ({ owner, colleague }) => write(owner, { 'x-csrf-token': colleague.csrfToken }),
  ],
  [
    "an operator's CSRF token",
    [403, 'forbidden'],
    ({ owner, operator }) => write(owner, { 'x-csrf-token': operator.csrfToken }),
  ],
  ['no Origin', [403, 'forbidden'], ({ owner }) => write(owner, { origin: '' })],
  [
    "another site's Origin",
    [403, 'forbidden'],
    ({ owner }) => write(owner, { origin: 'https://evil.example' }),
  ],
  [
    'another port of the host',
    [403, 'forbidden'],
    ({ owner }) => write(owner, { origin: 'http://127.0.0.1:1' }),
  ],
  [
    'a picture on another port that would read keys',
    [403, 'forbidden'],
    ({ owner }) =>
      owner.call('GET', '/export/v1/orders/1234567890123456/keys', {
        headers: { 'sec-fetch-site': 'same-site' },
      }),
  ],
  [
    'a read by a page of the portal',
    [200],
    ({ owner }) => owner.call('GET', MEMBERS, { headers: { 'sec-fetch-site': 'same-origin' } }),
  ],
  ['an order without a CSRF token', [403, 'forbidden'], ({ owner }) => order(owner, { 'x-csrf-token': '' })],
  ['an invented cookie', [401, 'unauthorized'], () => h.call('GET', MEMBERS, portal('A'.repeat(64)))],
  [
    "an operator's cookie",
    [401, 'unauthorized'],
    ({ operator }) => h.call('GET', MEMBERS, console_(toToken(operator))),
  ],
  [
    "an operator's cookie under the portal's name",
    [401, 'unauthorized'],
    ({ operator }) => h.call('GET', MEMBERS, portal(toToken(operator))),
  ],
  [
    "a member's cookie on the operators' interface",
    [401, 'unauthorized'],
    ({ owner }) => h.call('GET', '/admin/v1/accounts', portal(toToken(owner))),
  ],
  [
    "a member's cookie under the console's name",
    [401, 'unauthorized'],
    ({ owner }) => h.call('GET', '/admin/v1/accounts', console_(toToken(owner))),
  ],
  [
    "a member's cookie for the console's session",
    [401, 'unauthorized'],
    ({ owner }) => h.call('GET', '/console/session', console_(toToken(owner))),
  ],
  [
    'both cookies: the portal sees the member',
    [200],
    ({ owner, operator }) => h.call('GET', MEMBERS, portal(toToken(owner), `; ${operator.cookie}`)),
  ],
  [
    'both cookies: the console sees the operator',
    [200],
    ({ owner, operator }) =>
      h.call('GET', '/admin/v1/accounts', portal(toToken(owner), `; ${operator.cookie}`)),
  ],
  [
    "both cookies: a write with the operator's CSRF token",
    [403, 'forbidden'],
    ({ owner, operator }) =>
      write(owner, { cookie: `${owner.cookie}; ${operator.cookie}`, 'x-csrf-token': operator.csrfToken }),
  ],
  [
    'a link for oneself',
    [403, 'forbidden'],
    ({ owner }) => owner.call('POST', `${MEMBERS}/${owner.id}/invite`, { body: {} }),
  ],
  [
    'a reset of oneself',
    [403, 'forbidden'],
    ({ owner }) => owner.call('POST', `${MEMBERS}/${owner.id}/reset-credentials`, { body: {} }),
  ],
  [
    "another account's member",
    [404, 'not-found'],
    ({ owner, foreign }) => owner.call('PATCH', `${MEMBERS}/${foreign.id}`, { body: { role: 'buyer' } }),
  ],
  [
    "another account's member through the operators' path of this account",
    [404, 'not-found'],
    ({ foreign }) => h.admin('PATCH', `/accounts/${shop.accountId}/members/${foreign.id}`, { role: 'buyer' }),
  ],
  [
    'an operator as a member',
    [404, 'not-found'],
    ({ colleague }) => h.admin('PATCH', `/operators/${colleague.id.replace('mem', 'person')}`, { name: 'X' }),
  ],
  [
    'a role of operators',
    [400, 'validation-error'],
    ({ owner }) => owner.call('POST', MEMBERS, { body: nobody('admin') }),
  ],
])('%s gets %j', async (_what, expected, attack) => {
  deepEqual(toOutcome(await attack(world)), [expected[0], expected[1]]);
});

test('403: a session older than 5 minutes hands out no way in, and does everything else', async () => {
  const owner = await seedMember(h, shop);
  const [colleague, disabled] = [await seedMember(h, shop, 'buyer'), await seedMember(h, shop, 'buyer')];
  await owner.call('PATCH', `${MEMBERS}/${disabled.id}`, { body: { status: 'disabled' } });
  await ageSessions(h, owner, 6);
  const ids: Record<string, string> = { memberId: colleague.id, clientId: shop.clientId };
  const ways = OPERATION_LIST.filter(
    ({ audience, givesAccess }) => audience === 'reseller' && givesAccess === true,
  ).map(({ method, path }): [string, string, object] => [
    method,
    path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? ''),
    method === 'PATCH' ? { name: 'X' } : path === MEMBERS ? nobody() : {},
  ]);
  ways.push(['PATCH', `${MEMBERS}/${disabled.id}`, { status: 'active' }]);
  ways.push(['PUT', '/portal/profile/password', { password: PASSWORD }]);
  for (const [method, path, body] of ways) {
    const { status, body: answer } = await owner.call(method, path, { body });
    deepEqual([status, answer.error?.data], [403, { reason: 'sign-in-too-old' }], `${method} ${path}`);
  }
  equal(ways.length, 7);
  equal((await owner.call('PATCH', `${MEMBERS}/${colleague.id}`, { body: { name: 'X' } })).status, 200);
  equal((await order(owner)).status, 201);
  await ageSessions(h, owner, -6);
  for (const [method, path, body] of ways)
    equal(Math.floor((await owner.call(method, path, { body })).status / 100), 2, `${method} ${path}`);
});

test('a disabled member and the members of a closed account are signed out, and no link, password or passkey lets them in', async () => {
  const account = await h.seed.reseller();
  const [owner, leaver] = [await seedMember(h, account), await seedMember(h, account, 'developer')];
  const passkeys = passkeyPages(h, '/portal');
  const { device } = await passkeys.add(leaver);
  equal((await passkeys.signIn(device)).status, 200);
  const link = await h.operate('POST', `/accounts/${account.accountId}/members/${leaver.id}/invite`);
  const path = `${MEMBERS}/${leaver.id}`;
  const { status, body } = await owner.call('PATCH', path, { body: { status: 'disabled' } });
  deepEqual([status, body.data.ended], [200, { links: [], secrets: [], clients: [] }]);
  equal((await leaver.call('GET', '/export/v1/account')).status, 401);
  equal((await passkeys.signIn(device)).status, 401);
  equal((await postLink(h, link.invitationUrl)).status, 401);
  deepEqual(toOutcome(await owner.call('POST', `${path}/invite`, { body: {} })), [409, 'conflict']);

  const { invitationUrl } = (await owner.call('POST', MEMBERS, { body: nobody('owner') })).body.data;
  const ofOwner = (await passkeys.add(owner)).device;
  await h.operate('PATCH', `/accounts/${account.accountId}`, { status: 'suspended' });
  equal((await owner.call('GET', '/export/v1/account')).status, 200);
  await h.operate('PATCH', `/accounts/${account.accountId}`, { status: 'closed' });
  equal((await owner.call('GET', '/export/v1/account')).status, 401);
  for (const { status, body } of [await postLink(h, invitationUrl), await passkeys.signIn(ofOwner)]) {
    equal(status, 401);
    match(body.error.message, /^Your account is closed/);
  }
  const again = await h.admin('POST', `/accounts/${account.accountId}/members`, nobody('owner'));
  deepEqual(toOutcome(again), [409, 'conflict']);
});

test('an operator and a member with the same address are two people: neither’s link, password or passkey, nor wrong guesses, reach the other', async () => {
  const email = someEmail();
  const operator = await h.operate('POST', '/operators', { name: 'Ada', email, role: 'admin' });
  const member = await h.operate('POST', `/accounts/${shop.accountId}/members`, {
    name: 'Ada',
    email,
    role: 'owner',
  });
  const at = (app: string, path: string, body: unknown) =>
    h.call('POST', `${app}/session/${path}`, { body, headers: { origin: h.url } });
  const toLink = ({ invitationUrl }: { invitationUrl: string }) => ({
    token: new URL(invitationUrl).hash.replace('#token=', ''),
  });
  equal((await at('/portal', 'link', toLink(operator))).status, 401);
  equal((await at('/console', 'link', toLink(member))).status, 401);
  const people = {
    '/console': enter(h, await postLink(h, operator.invitationUrl)),
    '/portal': enter(h, await postLink(h, member.invitationUrl)),
  };
  for (const [app, person] of Object.entries(people))
    await person.call('PUT', `${app}/profile/password`, { body: { password: `${PASSWORD} ${app}` } });
  const [console_, portal_] = [passkeyPages(h), passkeyPages(h, '/portal')];
  const { device } = await portal_.add(people['/portal']);
  equal((await portal_.signIn(device)).status, 200);
  equal((await console_.signIn(device)).status, 401);
  for (const [app, other] of [
    ['/console', '/portal'],
    ['/portal', '/console'],
  ] as const) {
    equal((await at(app, 'password', { email, password: `${PASSWORD} ${other}` })).status, 401);
    equal((await at(app, 'password', { email, password: `${PASSWORD} ${app}` })).status, 200);
  }
  for (let guess = 0; guess < 10; guess += 1) await at('/portal', 'password', { email, password: 'wrong' });
  equal((await at('/portal', 'password', { email, password: `${PASSWORD} /portal` })).status, 429);
  equal((await at('/console', 'password', { email, password: `${PASSWORD} /console` })).status, 200);
});

test('409: one active owner remains, even if two owners demote each other concurrently', async () => {
  const account = await h.seed.reseller();
  const path = `/accounts/${account.accountId}/members`;
  const invited = await h.operate('POST', path, nobody('owner'));
  // No one has signed in yet, so a wrong address can be taken back.
  await h.operate('PATCH', `${path}/${invited.id}`, { status: 'disabled' });
  const one = await seedMember(h, account);
  await one.call('POST', MEMBERS, { body: nobody('owner') });
  const change = (by: Person, of: Person, body: object) => by.call('PATCH', `${MEMBERS}/${of.id}`, { body });
  for (const body of [{ role: 'buyer' }, { status: 'disabled' }]) {
    deepEqual(toOutcome(await change(one, one, body)), [409, 'conflict']);
    deepEqual(toOutcome(await h.admin('PATCH', `${path}/${one.id}`, body)), [409, 'conflict']);
  }
  const other = await seedMember(h, account);
  const answers = await Promise.all([
    change(one, other, { role: 'buyer' }),
    change(other, one, { role: 'buyer' }),
  ]);
  deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  const active = (await h.operate('GET', path)).filter(
    ({ role, status }: Record<string, string>) => role === 'owner' && status === 'active',
  );
  equal(active.length, 1);
});

test('a member orders and reads keys like a program: the account is charged once, and the log and the audit log name the member', async () => {
  const buyer = await seedMember(h, shop, 'buyer');
  const key = randomUUID();
  const body = { items: [manual(offerId)] };
  const headers = { 'idempotency-key': key };
  const first = await buyer.call('POST', '/export/v1/orders', { body, headers });
  const { id } = first.body.data;
  // The key belongs to the account, so a program gets the same order.
  const again = await shop.order(manual(offerId), key);
  deepEqual([first.status, again.status, again.body.data.id], [201, 200, id]);
  equal((await buyer.call('GET', `/export/v1/orders/${id}/keys`)).status, 200);
  const [read] = await h.operate('GET', `/audit?orderId=${id}&action=keys.read`);
  deepEqual(
    [read.clientId, read.memberId, read.name, read.role, read.address],
    [null, buyer.id, 'Grace', 'buyer', '127.0.0.1'],
  );
  const developer = await seedMember(h, shop, 'developer');
  const logged = (await developer.call('GET', `/export/v1/requests?clientId=${buyer.id}`)).body.data;
  deepEqual(
    logged.map((one: Record<string, unknown>) => [one['path'], one['clientId'], one['memberId']]),
    [['/export/v1/orders', null, buyer.id]],
  );
});

test('a developer rotates and limits any client of the account, from any address, and a reset ends the secret', async () => {
  const account = await h.seed.reseller();
  const [owner, developer] = [await seedMember(h, account), await seedMember(h, account, 'developer')];
  const path = `/export/v1/clients/${account.clientId}`;
  const rotated = await developer.call('POST', `${path}/rotate-secret`, { body: { overlapHours: 0 } });
  const { clientSecret } = rotated.body.data;
  await h.tokenFor(account.clientId, clientSecret);
  equal((await developer.call('PATCH', path, { body: { allowedAddresses: ['192.0.2.1'] } })).status, 200);
  equal((await developer.call('PATCH', path, { body: { allowedAddresses: null } })).status, 200);
  deepEqual(toOutcome(await developer.call('PATCH', path, { body: { access: 'read-only' } })), [
    409,
    'conflict',
  ]);
  const foreign = await developer.call('PATCH', `/export/v1/clients/${shop.clientId}`, {
    body: { name: 'X' },
  });
  deepEqual(toOutcome(foreign), [404, 'not-found']);
  const at = { ...account, token: await h.tokenFor(account.clientId, clientSecret) };
  const events = await allEvents(h, { ...at, get: (to) => h.call('GET', `/export/v1${to}`, at) });
  deepEqual(
    events.map(({ data }) => Reflect.get(data, 'change')),
    ['secret', 'addresses', 'addresses'],
  );
  const reset = await owner.call('POST', `${MEMBERS}/${developer.id}/reset-credentials`, { body: {} });
  deepEqual(
    [reset.status, reset.body.data.ended],
    [201, { links: [], secrets: [account.clientId], clients: [] }],
  );
  equal((await developer.call('GET', '/export/v1/clients')).status, 401);
  const body = { grant_type: 'client_credentials', client_id: account.clientId, client_secret: clientSecret };
  equal((await h.call('POST', '/oauth/token', { body })).status, 401);
  equal((await postLink(h, reset.body.data.invitationUrl)).status, 200);
});

test('disabling an operator ends the unused links to members that they made, unless keepIssued', async () => {
  const path = `/admin/v1/accounts/${shop.accountId}/members`;
  for (const keepIssued of [true, false]) {
    const admin = await seedPerson(h);
    const { id, invitationUrl } = (await admin.call('POST', path, { body: nobody('owner') })).body.data;
    const ended = await h.operate('PATCH', `/operators/${admin.id}`, { status: 'disabled', keepIssued });
    deepEqual(ended.ended?.links, keepIssued ? undefined : [id]);
    equal((await postLink(h, invitationUrl)).status, keepIssued ? 200 : 401);
  }
});

test('the members of an account share its rate limit', async () => {
  const account = await h.seed.reseller();
  const owner = await seedMember(h, account);
  await owner.call('PATCH', '/sandbox/v1/account', { body: { limits: { readsPerSecondMax: 1 } } });
  const members = [
    owner,
    await seedMember(h, account),
    await seedMember(h, account),
    await seedMember(h, account),
  ];
  const read = (by: Person) => by.call('GET', '/export/v1/account');
  const answers = await Promise.all(members.map(read));
  // Each is the first request of its member.
  ok(answers.some(({ status, body }) => status === 429 && body.error.data.limit === 1));
  equal((await read(await seedMember(h, shop))).status, 200);
});
