import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startHarness } from '../../support/harness.ts';
import { enter, postLink, seedPerson, someEmail, toCookie } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const SESSION = '/console/session';
const invite = async (role = 'support') =>
  (await h.operate('POST', '/operators', { name: 'Ada', email: someEmail(), role })).invitationUrl;

test('the link printed at the start signs in as an admin', async () => {
  const link = h.service.consoleLink ?? '';
  ok(link.startsWith(`${h.service.publicUrl}/console/sign-in#token=`));
  const { operator, permissions } = (await postLink(h, link)).body.data;
  deepEqual(
    [operator.role, permissions],
    ['admin', ['view', 'internal', 'orders', 'catalogue', 'finance', 'approve', 'notes', 'administer']],
  );
});

test('a session has the person, the permissions and its end, and scripts and other sites cannot use its cookie', async () => {
  const response = await postLink(h, await invite('support'));
  const { operator, permissions, csrfToken, mode, endsAt, ...rest } = response.body.data;
  const { hasPassword, passkeys, approvalAbove, lowStockUnits } = rest;
  equal(operator.role, 'support');
  deepEqual(
    [permissions, mode, hasPassword, passkeys, approvalAbove, lowStockUnits],
    [['view', 'internal', 'orders', 'approve', 'notes'], 'sandbox', false, 0, null, 10],
  );
  ok(Date.parse(endsAt) > Date.now() + 25 * 60_000 && Date.parse(endsAt) < Date.now() + 35 * 60_000);
  match(
    response.headers.get('set-cookie') ?? '',
    /^keyport_session=[\w-]{64}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  equal(response.headers.get('cache-control'), 'no-store');
  const read = await enter(h, response).call('GET', SESSION);
  deepEqual([read.status, read.body.data.csrfToken, read.body.data.operator], [200, csrfToken, operator]);
});

test('behind https, the cookie belongs to this host alone, and the Origin must be that of the public URL', async (t) => {
  const own = await startHarness(t, { KEYPORT_PUBLIC_URL: 'https://shop.example/keyport' });
  const { host } = new URL(own.url);
  const link = own.service.consoleLink ?? '';
  ok(link.startsWith('https://shop.example/keyport/console/sign-in#token='), link);
  for (const origin of [own.url, 'http://shop.example', 'https://shop.example:8443', `https://evil.example`])
    equal((await postLink(own, link, { origin })).status, 403, origin);
  const response = await postLink(own, link, { origin: 'https://shop.example' });
  match(
    response.headers.get('set-cookie') ?? '',
    /^__Host-keyport_session=[\w-]{64}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
  );
  const planted = toCookie(response).replace('__Host-', '');
  const headers = { cookie: planted };
  equal((await own.call('GET', '/console/session', { headers })).status, 401, 'without the prefix');
  const person = enter(own, response);
  const body = { name: 'Shop', paymentMethod: null };
  const write = async (origin: string) =>
    (await person.call('POST', '/admin/v1/accounts', { body, headers: { origin } })).status;
  deepEqual(
    [await write('https://shop.example'), await write(`https://${host}`), await write(own.url)],
    [201, 201, 403],
  );
});

test('a plain http installation below a path prefix keeps its cookie below the path', async (t) => {
  const own = await startHarness(t, { KEYPORT_PUBLIC_URL: 'http://shop.example/keyport' });
  const response = await postLink(own, own.service.consoleLink ?? '', { origin: 'http://shop.example' });
  match(response.headers.get('set-cookie') ?? '', /^keyport_session=[\w-]{64}; Path=\/keyport\/; /);
});

test('a link works once, and only from the console’s own pages', async () => {
  const link = await invite();
  for (const origin of ['http://evil.example', new URL('http://127.0.0.1:1').origin, 'null', '']) {
    const response = await postLink(h, link, { origin });
    deepEqual([response.status, response.body.error.code], [403, 'forbidden'], origin);
  }
  equal((await postLink(h, link)).status, 200);
  const again = await postLink(h, link);
  deepEqual([again.status, again.body.error.code], [401, 'unauthorized']);
  match(again.body.error.message, /used before/);
});

test('one of several concurrent uses of a link signs in', async () => {
  const link = await invite();
  const answers = await Promise.all([1, 2, 3].map(() => postLink(h, link)));
  deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401]);
});

test('an expired link, an invented one and the token of a session do not sign in', async () => {
  const link = await invite();
  await sql`UPDATE person_token SET ends_at = clock_timestamp() WHERE kind = 'link'`.execute(h.database.db);
  equal((await postLink(h, link)).status, 401);
  const { cookie } = await seedPerson(h);
  for (const token of ['', 'x'.repeat(64), cookie.replace('keyport_session=', '')]) {
    equal((await postLink(h, `http://x/#token=${token}`)).status, 401, token);
  }
  const bad = await h.call('POST', `${SESSION}/link`, { body: {}, headers: { origin: h.url } });
  deepEqual([bad.status, bad.body.error.errors[0].field], [400, 'body.token']);
});

test('no value in the database signs in', async () => {
  const link = await invite();
  const { cookie } = enter(h, await postLink(h, await invite()));
  const tables = ['person', 'person_token', 'audit_entry'];
  for (const table of tables) {
    const { rows } = await sql<{
      row: string;
    }>`SELECT row::text FROM ${sql.identifier(table)} AS row`.execute(h.database.db);
    const text = JSON.stringify(rows);
    for (const token of [cookie.split('=')[1] ?? '', link.split('=')[1] ?? '']) {
      const bytes = Buffer.from(token, 'base64url');
      for (const part of [token, bytes.toString('hex'), bytes.subarray(0, 32).toString('hex')]) {
        ok(!text.includes(part), table);
      }
    }
  }
});

test('a sign-in starts a new session and ends the previous one of the browser', async () => {
  const before = await seedPerson(h);
  const response = await postLink(h, await invite(), { cookie: before.cookie });
  notEqual(toCookie(response), before.cookie);
  equal((await before.call('GET', SESSION)).status, 401);
  const planted = await postLink(h, await invite(), { cookie: `keyport_session=${'A'.repeat(64)}` });
  notEqual(toCookie(planted), `keyport_session=${'A'.repeat(64)}`);
});

test('401: requests without a session, with an invented one, and for operations of resellers', async () => {
  equal((await h.call('GET', SESSION)).status, 401);
  const person = await seedPerson(h);
  for (const path of [SESSION, '/admin/v1/accounts']) {
    for (const cookie of [
      'keyport_session=',
      `keyport_session=${'A'.repeat(64)}`,
      `other_${person.cookie}`,
    ]) {
      const response = await h.call('GET', path, { headers: { cookie } });
      deepEqual([response.status, response.body.error.code], [401, 'unauthorized'], `${path} ${cookie}`);
    }
  }
  equal((await person.call('GET', '/export/v1/account')).status, 401);
});

test('the valid cookie is found among others of the same name', async () => {
  const { cookie } = await seedPerson(h);
  const several = `a=b; keyport_session=planted; ${cookie}; c=d`;
  equal((await h.call('GET', '/admin/v1/accounts', { headers: { cookie: several } })).status, 200);
});

test('a write needs the token of the session and an Origin of the service, including its port', async () => {
  const person = await seedPerson(h);
  const other = await seedPerson(h);
  const body = { name: 'Shop', paymentMethod: null };
  const write = (headers: Record<string, string>) =>
    person.call('POST', '/admin/v1/accounts', { body, headers });
  for (const headers of [
    { 'x-csrf-token': '' },
    { 'x-csrf-token': other.csrfToken },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'https://evil.example' },
    { origin: '' },
  ]) {
    const response = await write(headers);
    deepEqual([response.status, response.body.error.code], [403, 'forbidden'], JSON.stringify(headers));
  }
  equal((await write({})).status, 201);
  const byName = `http://localhost:${new URL(h.url).port}`;
  equal((await person.call('POST', '/admin/v1/accounts', { body, url: byName })).status, 201);
});

test('a token in the Authorization header replaces the cookie, even if the token is invalid', async () => {
  const person = await seedPerson(h);
  const headers = { cookie: person.cookie, authorization: 'Bearer junk' };
  equal((await h.call('GET', '/admin/v1/accounts', { headers })).status, 401);
  const body = { name: 'Shop', paymentMethod: null };
  const withToken = { token: h.operatorToken, body, headers: { cookie: person.cookie } };
  equal((await h.call('POST', '/admin/v1/accounts', withToken)).status, 201);
});

test('signing out ends this session, and signing out everywhere ends all sessions of the person', async () => {
  const email = someEmail();
  const { id, invitationUrl } = await h.operate('POST', '/operators', { name: 'Ada', email, role: 'viewer' });
  const again = async () => (await h.operate('POST', `/operators/${id}/invite`)).invitationUrl;
  const one = enter(h, await postLink(h, invitationUrl));
  const two = enter(h, await postLink(h, await again()));
  const three = enter(h, await postLink(h, await again()));
  equal((await h.call('DELETE', SESSION, { headers: { cookie: one.cookie } })).status, 403);
  const out = await one.call('DELETE', SESSION);
  deepEqual([out.status, toCookie(out)], [204, 'keyport_session=']);
  const statuses = async () => {
    const answers = [];
    for (const person of [one, two, three]) answers.push((await person.call('GET', SESSION)).status);
    return answers;
  };
  deepEqual(await statuses(), [401, 200, 200]);
  equal((await two.call('DELETE', '/console/sessions')).status, 204);
  deepEqual(await statuses(), [401, 401, 401]);
  const actions = (await h.operate('GET', `/audit?clientId=${id}&itemsPerPage=10`)).map(
    ({ action }: { action: string }) => action,
  );
  deepEqual(actions.slice(0, 2), ['operator.sign-out-everywhere', 'operator.sign-out']);
});

test('a disabled person is signed out immediately, and stays signed out when active again', async () => {
  const person = await seedPerson(h, 'support');
  await h.operate('PATCH', `/operators/${person.id}`, { status: 'disabled' });
  equal((await person.call('GET', '/admin/v1/orders')).status, 401);
  await h.operate('PATCH', `/operators/${person.id}`, { status: 'active' });
  equal((await person.call('GET', '/admin/v1/orders')).status, 401);
});

test('a session ends after 12 hours, or 30 minutes after its last use, which background requests do not extend', async () => {
  const person = await seedPerson(h);
  const shift = async (column: string, minutes: number) => {
    const by = sql`${minutes}::integer * interval '1 minute'`;
    await sql`UPDATE person_token SET ${sql.identifier(column)} = ${sql.identifier(column)} - ${by}
      WHERE person_id = ${person.id}`.execute(h.database.db);
  };
  const endsAt = async (headers: Record<string, string> = {}) => {
    const response = await person.call('GET', SESSION, { headers });
    equal(response.status, 200);
    return Date.parse(response.body.data.endsAt);
  };
  await shift('used_at', 20);
  const background = await endsAt({ 'keyport-background': '1' });
  ok(background < Date.now() + 15 * 60_000, 'a background request does not extend the session');
  ok((await endsAt()) > background + 15 * 60_000, 'any other request extends the session');
  await shift('used_at', 31);
  equal((await person.call('GET', '/admin/v1/accounts')).status, 401);
  await shift('used_at', -31);
  equal((await person.call('GET', '/admin/v1/accounts')).status, 200);
  await shift('ends_at', 12 * 60);
  equal((await person.call('GET', SESSION)).status, 401);
});
