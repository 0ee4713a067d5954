/** docs/security.md, "What is rejected". */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { passkeyPages } from '../../support/authenticator.ts';
import { startHarness } from '../../support/harness.ts';
import { CLIENT } from '../../support/oidc-provider.ts';
import { enter, postLink, seedMember, someEmail } from '../../support/person.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile, {
  KEYPORT_LOCAL_SIGN_IN: 'false',
  KEYPORT_OIDC_ISSUER: 'http://127.0.0.1:9',
  KEYPORT_OIDC_CLIENT_ID: CLIENT.id,
  KEYPORT_OIDC_CLIENT_SECRET: CLIENT.secret,
});
const passkeys = passkeyPages(h);

test('links still sign in, so that a first start or an unavailable provider locks no one out', async () => {
  const first = enter(h, await postLink(h, h.service.consoleLink ?? ''));
  const body = { name: 'Ada', email: someEmail(), role: 'admin' };
  const created = await first.call('POST', '/admin/v1/operators', { body });
  equal((await postLink(h, created.body.data.invitationUrl)).status, 200);
  const methods = (await h.callAt(passkeys.url, 'GET', '/console/sign-in-methods')).body.data;
  deepEqual(methods, { mode: 'sandbox', password: false, passkey: false, oidc: { name: '127.0.0.1' } });
});

test('403: no operator can sign in with a password or passkey, or add one, and a member can', async () => {
  const body = { name: 'Ada', email: someEmail(), role: 'viewer' };
  const { invitationUrl } = await h.operate('POST', '/operators', body);
  const person = enter(h, await postLink(h, invitationUrl));
  for (const response of [
    await passkeys.send('password', { email: body.email, password: 'correct horse battery' }),
    await passkeys.send('passkey/options'),
    await passkeys.send('passkey', {}),
    await person.call('PUT', '/console/profile/password', { body: { password: 'correct horse battery' } }),
    await passkeys.options(person),
  ]) {
    deepEqual([response.status, response.body.error.code], [403, 'forbidden']);
    match(response.body.error.message, /single sign-on/);
  }
  const member = await seedMember(h, await h.seed.reseller());
  const password = { password: 'correct horse battery' };
  equal((await member.call('PUT', '/portal/profile/password', { body: password })).status, 204);
});

test('401: the setting ends only the sessions that began with a password or passkey', async () => {
  const { invitationUrl } = await h.operate('POST', '/operators', {
    name: 'Ada',
    email: someEmail(),
    role: 'viewer',
  });
  const person = enter(h, await postLink(h, invitationUrl));
  for (const [method, status] of [
    ['password', 401],
    ['passkey', 401],
    ['oidc', 200],
    ['link', 200],
  ] as const) {
    await sql`UPDATE person_token SET method = ${method} WHERE person_id = ${person.id} AND kind = 'session'`.execute(
      h.database.db,
    );
    equal((await person.call('GET', '/admin/v1/orders')).status, status, method);
  }
});

test('409: an admin with only a password does not count as one who can sign in', async () => {
  const { invitationUrl, id } = await h.operate('POST', '/operators', {
    name: 'Ada',
    email: someEmail(),
    role: 'admin',
  });
  await postLink(h, invitationUrl);
  await sql`UPDATE person SET password_hash = 'x' WHERE id = ${id}`.execute(h.database.db);
  await sql`UPDATE person SET disabled_at = now() WHERE role = 'admin' AND id <> ${id}
    AND email <> 'admin@localhost'`.execute(h.database.db);
  await sql`DELETE FROM person_token WHERE person_id IN (SELECT id FROM person WHERE disabled_at IS NOT NULL)`.execute(
    h.database.db,
  );
  const [first] = await h.operate('GET', '/operators');
  const disable = () => h.admin('PATCH', `/operators/${first.id}`, { status: 'disabled' });
  equal((await disable()).status, 409);
  await h.operate('POST', `/operators/${id}/invite`);
  equal((await disable()).status, 200);
});
