/** A481. */
import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { enter, postLink, someEmail } from '../../support/person.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const PASSWORD = 'correct horse battery';
const create = (email: string) => h.admin('POST', '/operators', { name: 'Ada', email, role: 'viewer' });
const signIn = async (email: string) =>
  (
    await h.call('POST', '/console/session/password', {
      body: { email, password: PASSWORD },
      headers: { origin: new URL(h.url).origin },
    })
  ).status;

async function seed(email: string): Promise<string> {
  const created = await create(email);
  equal(created.status, 201, JSON.stringify(created.body));
  const person = enter(h, await postLink(h, created.body.data.invitationUrl));
  await person.call('PUT', '/console/profile/password', { body: { password: PASSWORD } });
  return person.id;
}

const KELVIN = '\u212A';

test('400: a local part that is not ASCII, invisible characters, and dots at the end of a part', async () => {
  const { id } = (await create(someEmail())).body.data;
  for (const email of [
    `${KELVIN}ate@shop.example`,
    'jürgen@shop.example',
    'ad\u200Ba@shop.example',
    'ada.@shop.example',
    '.ada@shop.example',
    'a..da@shop.example',
    'ada@shop.example.',
    'ada@shop..example',
    'ada@sh\u00ADop.example',
    'ada@sh\u200Dop.example',
    'ada@sh\uFE0Fop.example',
    'ada@sh\u3164op.example',
    'ada@shop。example',
    'ada@192.0.2.1',
    'ada@[192.0.2.1]',
    'ada@-shop.example',
    `ada@${'a'.repeat(64)}.example`,
  ]) {
    const changed = await h.admin('PATCH', `/operators/${id}`, { email });
    for (const { status, body } of [await create(email), changed]) {
      deepEqual([status, body.error.errors[0].field], [400, 'body.email'], JSON.stringify(email));
    }
  }
});

test('an address in another case or another form of its domain signs in, and a look-alike does not', async () => {
  const unique = randomUUID().slice(0, 8);
  const local = `kate+${unique}`;
  await seed(`${local}@Bücher-${unique}.example`);
  const idna = new URL(`http://bücher-${unique}.example`).host;
  for (const [email, status] of [
    [`${local}@bücher-${unique}.example`, 200],
    [`${local.toUpperCase()}@BÜCHER-${unique}.EXAMPLE`, 200],
    [`${local}@${idna}`, 200],
    [`${local.replace('k', KELVIN)}@${idna}`, 401],
    [`${local.replace('k', 'ｋ')}@${idna}`, 401],
    [`${local}@bucher-${unique}.example`, 401],
  ] as const) {
    equal(await signIn(email), status, email);
  }
  equal((await create(`${local}@${idna}`)).body.error.code, 'conflict');
});

test('people stored by an earlier version sign in with the stored address, and no look-alike does', async () => {
  const unique = randomUUID().slice(0, 8);
  for (const [stored, others] of [
    [`jürgen-${unique}@shop.example`, [`jurgen-${unique}@shop.example`]],
    [`ada-${unique}@bücher.example`, [`ada-${unique}@bucher.example`]],
    [`${KELVIN}ate-${unique}@shop.example`, [`kate-${unique}@shop.example`]],
    [`ada-${unique}@shop.example.`, [`ada-${unique}@shop.example`]],
  ] as const) {
    const id = await seed(someEmail());
    await sql`UPDATE person SET email = ${stored}, email_key = ${stored.normalize('NFKC').toLowerCase()}
      WHERE id = ${id}`.execute(h.database.db);
    equal(await signIn(stored), 200, stored);
    for (const other of others) equal(await signIn(other), 401, other);
    const patched = await h.admin('PATCH', `/operators/${id}`, { name: 'Grace' });
    deepEqual([patched.status, patched.body.data.email], [200, stored]);
    equal(await signIn(stored), 200, `${stored} after a change`);
  }
});
