/** A426. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { enter, postLink, someEmail } from '../../support/person.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile, { KEYPORT_TRUSTED_PROXIES: '127.0.0.1' });
const PASSWORD = 'correct horse battery';

const signInFrom = (address: string, email: string, password = PASSWORD) =>
  h.call('POST', '/console/session/password', {
    body: { email, password },
    headers: { origin: new URL(h.url).origin, 'x-forwarded-for': address },
  });

test.each([
  ['IPv4', (index: number) => `203.0.113.${index}`],
  ['IPv6', (index: number) => `2001:db8:1:${index.toString(16)}::1`],
])('200: a person signs in while %s addresses send more requests than can wait', async (_, toAddress) => {
  const email = someEmail();
  const body = { name: 'Ada', email, role: 'viewer' };
  const { invitationUrl } = await h.operate('POST', '/operators', body);
  const person = enter(h, await postLink(h, invitationUrl));
  await person.call('PUT', '/console/profile/password', { body: { password: PASSWORD } });
  const flood = Array.from({ length: 90 }, (_item, index) => signInFrom(toAddress(index), someEmail()));
  const response = await signInFrom('198.51.100.7', email);
  equal(response.status, 200);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  deepEqual(new Set(statuses), new Set([401, 503]));
});
