/** A426. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { type ApiResponse, type Harness, startHarness } from '../../support/harness.ts';
import { enter, type Person, postLink, someEmail } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';
import { waitUntil } from '../../support/webhook-receiver.ts';

const h = await sharedHarness();
const PASSWORD = 'correct horse battery';

async function invite(on: Harness = h): Promise<{ person: Person; email: string }> {
  const email = someEmail();
  const { invitationUrl } = await on.operate('POST', '/operators', { name: 'Ada', email, role: 'viewer' });
  return { person: enter(on, await postLink(on, invitationUrl)), email };
}

const choose = (person: Person, password: unknown, currentPassword?: string) =>
  person.call('PUT', '/console/profile/password', { body: { password, currentPassword } });

const signIn = (email: string, password: string, url = h.url) =>
  h.callAt(url, 'POST', '/console/session/password', {
    body: { email, password },
    headers: { origin: new URL(url).origin },
  });

test('200: an operator who followed an invitation link chooses a password and signs in with it', async () => {
  const { person, email } = await invite();
  equal((await choose(person, PASSWORD)).status, 204);
  const response = await signIn(email.toUpperCase(), PASSWORD);
  const { operator, hasPassword, needsCurrentPassword } = response.body.data;
  deepEqual([operator.id, hasPassword, needsCurrentPassword], [person.id, true, true]);
  const again = enter(h, response);
  equal((await again.call('GET', '/admin/v1/orders')).status, 200);
  const [entry] = await h.operate('GET', `/audit?clientId=${person.id}&itemsPerPage=10`);
  deepEqual([entry.action, entry.data], ['operator.sign-in', { method: 'password' }]);
});

test('a password is stored as argon2id with a unique salt', async () => {
  const [one, other] = [await invite(), await invite()];
  for (const { person } of [one, other]) await choose(person, PASSWORD);
  const { rows } = await sql<{ hash: string }>`
    SELECT password_hash AS hash FROM person WHERE id IN (${one.person.id}, ${other.person.id})`.execute(
    h.database.db,
  );
  const hashes = rows.map(({ hash }) => hash);
  equal(new Set(hashes).size, 2);
  for (const hash of hashes) match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
});

test('a new password needs the current one, except after an invitation link, and ends all other sessions', async () => {
  const { person, email } = await invite();
  await choose(person, PASSWORD);
  const session = enter(h, await signIn(email, PASSWORD));
  for (const current of [undefined, 'wrong horse battery']) {
    const refused = await choose(session, 'another horse battery', current);
    deepEqual([refused.status, refused.body.error.errors[0].field], [400, 'body.currentPassword']);
  }
  equal((await choose(session, 'another horse battery', PASSWORD)).status, 204);
  equal((await person.call('GET', '/console/session')).status, 401);
  equal((await session.call('GET', '/console/session')).status, 200);
  equal((await signIn(email, PASSWORD)).status, 401);
  const { invitationUrl } = await h.operate('POST', `/operators/${person.id}/invite`);
  const byLink = await postLink(h, invitationUrl);
  deepEqual([byLink.body.data.hasPassword, byLink.body.data.needsCurrentPassword], [true, false]);
  const forgetful = enter(h, byLink);
  equal((await choose(forgetful, PASSWORD)).status, 204);
  equal((await signIn(email, PASSWORD)).status, 200);
});

/** Commits `change` after the request has arrived and before its transaction writes. */
async function overtake(personId: string, change: string, request: () => Promise<ApiResponse>) {
  const other = await h.database.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM person WHERE id = $1 FOR UPDATE', [personId]);
    const answering = request();
    const waiting = `SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await waitUntil(async () => (await other.query(waiting)).rows[0].waiting > 0, 'the request to wait');
    await other.query(change, [personId]);
    await other.query('COMMIT');
    return await answering;
  } finally {
    other.release();
  }
}

test('401: a sign-in fails if the password changes while it is checked', async () => {
  if (h.database.kind === 'embedded') return;
  const { person, email } = await invite();
  await choose(person, PASSWORD);
  const change = "UPDATE person SET password_hash = 'another' WHERE id = $1";
  const late = await overtake(person.id, change, () => signIn(email, PASSWORD));
  deepEqual([late.status, late.body.error.code], [401, 'unauthorized']);
});

test('401: a session that ends while it changes the password changes nothing', async () => {
  if (h.database.kind === 'embedded') return;
  const { person, email } = await invite();
  const change = 'DELETE FROM person_token WHERE person_id = $1';
  const late = await overtake(person.id, change, () => choose(person, PASSWORD));
  deepEqual([late.status, late.body.error.code], [401, 'unauthorized']);
  equal((await signIn(email, PASSWORD)).status, 401);
});

test('400: a password has 12 to 200 characters', async () => {
  const { person } = await invite();
  for (const password of ['short', 'x'.repeat(201), ' '.repeat(20), 7]) {
    const response = await choose(person, password);
    deepEqual([response.status, response.body.error.errors[0].field], [400, 'body.password']);
  }
});

test('401: the response is the same for a wrong password, an unknown address, an operator without a password and a disabled operator', async () => {
  const { person, email } = await invite();
  const without = await invite();
  await choose(person, PASSWORD);
  await h.operate('PATCH', `/operators/${person.id}`, { status: 'disabled' });
  const answers = [
    await signIn(email, 'wrong horse battery'),
    await signIn(email, PASSWORD),
    await signIn(without.email, PASSWORD),
    await signIn(someEmail(), PASSWORD),
  ];
  const bodies = answers.map(({ status, headers, body }) => {
    const { message, code } = body.error;
    return JSON.stringify([status, code, message, headers.get('set-cookie')]);
  });
  deepEqual(new Set(bodies).size, 1, bodies.join('\n'));
  equal(answers[0]?.status, 401);
});

test('403: only the console’s own pages can sign in by password', async () => {
  const { person, email } = await invite();
  await choose(person, PASSWORD);
  const body = { email, password: PASSWORD };
  const headers = { origin: 'https://evil.example' };
  equal((await h.call('POST', '/console/session/password', { body, headers })).status, 403);
});

test('429: after ten wrong passwords, an operator must wait; invitation links still work, and other operators are not affected', async (t) => {
  const own = await startHarness(t);
  const { person, email } = await invite(own);
  const other = await invite(own);
  await choose(person, PASSWORD);
  await choose(other.person, PASSWORD);
  const attempts = await Promise.all(
    Array.from({ length: 15 }, () => signIn(email, 'wrong horse battery', own.url)),
  );
  const statuses = attempts.map(({ status }) => status);
  deepEqual(
    [statuses.filter((status) => status === 401).length, statuses.filter((status) => status === 429).length],
    [10, 5],
  );
  const response = await signIn(email, PASSWORD, own.url);
  equal(response.status, 429);
  ok(Number(response.headers.get('retry-after')) > 60);
  equal((await signIn(other.email, PASSWORD, own.url)).status, 200);
  const { invitationUrl } = await own.operate('POST', `/operators/${person.id}/invite`);
  equal((await postLink(own, invitationUrl)).status, 200);
});
