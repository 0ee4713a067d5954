/** A480. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { passkeyPages } from '../../support/authenticator.ts';
import { startHarness } from '../../support/harness.ts';
import { enter, type Person, postLink, seedPerson, someEmail } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const passkeys = passkeyPages(h);
const PASSWORD = 'correct horse battery';
const admin = (method: string, path: string, body?: unknown, on = h) =>
  on.admin(method, `/operators${path}`, body);

type Way = 'password' | 'passkey' | 'session' | 'link';

async function seedEverything() {
  const email = someEmail();
  const body = { name: 'Ada', email, role: 'support' };
  const { id, invitationUrl } = await h.operate('POST', '/operators', body);
  const person: Person = enter(h, await postLink(h, invitationUrl));
  const { device } = await passkeys.add(person);
  const password = { password: PASSWORD };
  equal((await person.call('PUT', '/console/profile/password', { body: password })).status, 204);
  const { invitationUrl: link } = (await admin('POST', `/${id}/invite`)).body.data;
  const attempts: Record<Way, () => Promise<{ readonly status: number }>> = {
    session: () => person.call('GET', '/console/session'),
    password: () => passkeys.send('password', { email, ...password }),
    passkey: () => passkeys.signIn(device),
    link: () => postLink(h, link),
  };
  return {
    id,
    async statuses() {
      const statuses: Partial<Record<Way, number>> = {};
      for (const [way, attempt] of Object.entries(attempts)) statuses[way as Way] = (await attempt()).status;
      return statuses;
    },
    subject: async () =>
      (
        await sql<{ subject: string | null }>`
          SELECT oidc_subject AS subject FROM person WHERE id = ${id}`.execute(h.database.db)
      ).rows[0]?.subject,
    /** Links the subject as the first single sign-on does. */
    linkSubject: () =>
      sql`UPDATE person SET oidc_subject = ${`https://sso.example ${id}`} WHERE id = ${id}`.execute(
        h.database.db,
      ),
  };
}

const NONE = { session: 401, password: 401, passkey: 401, link: 401 };

test('every credential works until it is reset', async () => {
  const { statuses } = await seedEverything();
  deepEqual(await statuses(), { session: 200, password: 200, passkey: 200, link: 200 });
});

test('201: after a reset only the new link signs in, and a retry with the same Idempotency-Key returns that link', async () => {
  const { id, statuses, subject, linkSubject } = await seedEverything();
  await linkSubject();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const reset = () =>
    h.call('POST', `/admin/v1/operators/${id}/reset-credentials`, { token: h.operatorToken, headers });
  const response = await reset();
  deepEqual([response.status, response.body.data.status], [201, 'active']);
  deepEqual(await statuses(), NONE);
  equal(await subject(), null);
  const { invitationUrl } = response.body.data;
  equal((await reset()).body.data.invitationUrl, invitationUrl);
  const signedIn = enter(h, await postLink(h, invitationUrl));
  const { hasPassword, passkeys: count } = (await signedIn.call('GET', '/console/session')).body.data;
  deepEqual([signedIn.id, hasPassword, count], [id, false, 0]);
  const [entry] = await h.operate('GET', '/audit?action=operator.reset-credentials&itemsPerPage=10');
  deepEqual(entry.data, {
    id,
    removed: { sessions: 1, links: 1, passkeys: 1, password: true, singleSignOn: true },
  });
});

test('200: disabling removes the same credentials, and neither enabling nor inviting restores them', async () => {
  const { id, statuses, subject, linkSubject } = await seedEverything();
  await linkSubject();
  equal((await admin('PATCH', `/${id}`, { status: 'disabled' })).status, 200);
  deepEqual(await statuses(), NONE);
  const [entry] = await h.operate('GET', '/audit?action=operator.update&itemsPerPage=10');
  const removed = { sessions: 1, links: 1, passkeys: 1, password: true, singleSignOn: false };
  deepEqual(entry.data, { id, isDisabled: { from: false, to: true }, removed });
  await admin('PATCH', `/${id}`, { status: 'active' });
  deepEqual([await statuses(), await subject()], [NONE, null]);
  const invited = await admin('POST', `/${id}/invite`);
  equal((await postLink(h, invited.body.data.invitationUrl)).status, 200);
  deepEqual(await statuses(), NONE);
});

test('200: enabling removes the credentials that an earlier version left to a disabled operator', async () => {
  const { id, statuses } = await seedEverything();
  await sql`DELETE FROM person_token WHERE person_id = ${id}`.execute(h.database.db);
  await sql`UPDATE person SET disabled_at = now() WHERE id = ${id}`.execute(h.database.db);
  equal((await admin('PATCH', `/${id}`, { status: 'active' })).status, 200);
  deepEqual(await statuses(), NONE);
});

test('409: the credentials of a disabled operator cannot be reset', async () => {
  const { id } = await seedEverything();
  await admin('PATCH', `/${id}`, { status: 'disabled' });
  const response = await admin('POST', `/${id}/reset-credentials`);
  deepEqual([response.status, response.body.error.code], [409, 'conflict']);
});

test('409: an admin who has no way to sign in does not count as the other admin', async (t) => {
  const own = await startHarness(t);
  const [first] = await own.operate('GET', '/operators');
  const body = { name: 'Grace', email: someEmail(), role: 'admin' };
  const second = await own.operate('POST', '/operators', body);
  const disable = (id: string) => admin('PATCH', `/${id}`, { status: 'disabled' }, own);
  const expire = (id: string) =>
    sql`UPDATE person_token SET ends_at = now() - interval '1 hour' WHERE person_id = ${id}`.execute(
      own.database.db,
    );
  await expire(first.id);
  const response = await disable(second.id);
  deepEqual([response.status, response.body.error.code], [409, 'conflict']);
  await admin('POST', `/${first.id}/invite`, undefined, own);
  await expire(second.id);
  equal((await disable(first.id)).status, 409);
  // A password, unlike a link, does not expire.
  const grace = enter(
    own,
    await postLink(
      own,
      (await admin('POST', `/${second.id}/invite`, undefined, own)).body.data.invitationUrl,
    ),
  );
  equal((await disable(first.id)).status, 409, 'a session alone does not count, because it ends');
  await grace.call('PUT', '/console/profile/password', { body: { password: PASSWORD } });
  equal((await disable(first.id)).status, 200);
});

/** Issues everything that a thief with an admin's session would keep for later. */
async function issueEverything() {
  const thief = await seedPerson(h);
  const issue = async (path: string, body: object = {}) => {
    const response = await thief.call('POST', `/admin/v1${path}`, { body });
    equal(response.status, 201, JSON.stringify(response.body));
    return response.body.data;
  };
  const { accountId, clientId } = await h.seed.reseller();
  const person = { name: 'Later', email: someEmail(), role: 'viewer' };
  const invited = await issue('/operators', person);
  const robot = await issue('/clients', { name: 'Robot', operatorRole: 'admin' });
  const own = await issue(`/accounts/${accountId}/clients`);
  const added = await issue(`/clients/${clientId}/secrets`);
  const token = await h.tokenFor(robot.clientId, robot.clientSecret);
  const body = { name: 'Robot of the robot', operatorRole: 'admin' };
  const second = (await h.call('POST', '/admin/v1/clients', { token, body })).body.data;
  return {
    thief,
    clientId,
    ended: {
      links: [invited.id],
      secrets: [clientId],
      clients: [robot.clientId, own.clientId, second.clientId].toSorted(),
    },
    async statuses() {
      const given = [robot, own, added, second];
      const all = await Promise.all(given.map((one) => statusOfToken(one)));
      return [...all, (await postLink(h, invited.invitationUrl)).status];
    },
  };
}

const statusOfToken = async (given: { clientId: string; clientSecret: string }) => {
  const body = {
    grant_type: 'client_credentials',
    client_id: given.clientId,
    client_secret: given.clientSecret,
  };
  return (await h.call('POST', '/oauth/token', { body })).status;
};

test.for([
  ['a reset', (id: string) => admin('POST', `/${id}/reset-credentials`)],
  ['disabling', (id: string) => admin('PATCH', `/${id}`, { status: 'disabled' })],
] as const)(
  '%s ends the links, secrets and clients that the operator issued, and lists them',
  async ([, end]) => {
    const { thief, clientId, ended, statuses } = await issueEverything();
    const response = await end(thief.id);
    deepEqual(response.body.data.ended, ended);
    deepEqual(await statuses(), [401, 401, 401, 401, 401]);
    const [client] = await h.operate('GET', `/clients?query=${clientId}`);
    deepEqual([client.liveSecrets, client.disabledAt], [1, null]);
    const entries = await h.operate('GET', '/audit?actionsOnly=true&limit=5');
    const entry = entries.find(({ data }: { data: object }) => 'ended' in data);
    deepEqual(entry.data.ended, ended);
  },
);

test('disabling with keepIssued leaves everything that the operator issued to others', async () => {
  const { thief, statuses } = await issueEverything();
  const { body } = await admin('PATCH', `/${thief.id}`, { status: 'disabled', keepIssued: true });
  deepEqual([body.data.status, body.data.ended], ['disabled', undefined]);
  deepEqual(await statuses(), [200, 200, 200, 200, 200]);
});
