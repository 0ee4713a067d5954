import { equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { startHarness } from '../../server/test/support/harness.ts';
import { ageSessions, enter, postLink, someEmail } from '../../server/test/support/person.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { openConsole } from './support/console.ts';

const h = await startHarness(wholeFile);
const { visit, open } = openConsole(h);

test(
  'an administrator invites a colleague, who signs in with the link, and later resets the credentials',
  NEEDS_BROWSER,
  async (t) => {
    const { page, expectQuiet } = await visit(t, '/system/operators');
    await page.getByRole('button', { name: 'Invite an operator…' }).click();
    await page.getByText('Operators you invite cannot approve your requests.').waitFor();
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('Email').fill('grace@shop.example');
    await page.getByLabel('Role').selectOption('finance');
    await page.getByRole('button', { name: 'Create operator' }).click();
    const link = await page.getByRole('dialog').locator('dd code').textContent();
    const other = await open(t);
    ok(other !== undefined && link !== null);
    await other.page.goto(link);
    // A mail scanner that opens the link does not use it up.
    const scanner = await open(t);
    await scanner?.page.goto(link);
    await scanner?.page.getByRole('button', { name: 'Sign in with this link' }).waitFor();
    await scanner?.context.close();
    await other.page.getByRole('button', { name: 'Sign in with this link' }).click();
    await other.page.getByRole('button', { name: 'Later' }).click();
    await other.page.getByRole('button', { name: 'Grace: profile and sign-out' }).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'More actions besides “Edit Grace”' }).click();
    await page.getByRole('menuitem', { name: 'Reset credentials of Grace' }).click();
    await page.getByRole('button', { name: 'Reset credentials', exact: true }).click();
    await page.getByText('Send this link to Grace').waitFor();
    const newLink = await page.getByRole('dialog').locator('dd code').textContent();
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await other.page.goto(newLink ?? '');
    await other.page.getByRole('button', { name: 'Sign in with this link' }).click();
    await other.page.getByRole('button', { name: 'Later' }).click();
    await other.page.getByRole('button', { name: 'Grace: profile and sign-out' }).waitFor();
    await other.context.close();
    expectQuiet();
  },
);

test(
  'an operator who signed in with a link is led to set a password, and an administrator changes their own name and address',
  NEEDS_BROWSER,
  async (t) => {
    const { page, go, expectQuiet } = await visit(t, '/');
    await page.getByRole('link', { name: /You have no password yet/ }).click();
    await page.getByLabel('New password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('status').getByText('Password set').waitFor();
    await page.getByRole('button', { name: 'Edit…' }).click();
    const email = someEmail();
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Grace Hopper: profile and sign-out' }).waitFor();
    await page.getByText(email).waitFor();
    await go('/');
    await page.getByText('Nothing needs attention now.').waitFor();
    expectQuiet();
  },
);

test(
  'a change that gives someone a way to sign in needs a recent sign-in, and continues after it',
  NEEDS_BROWSER,
  async (t) => {
    const email = someEmail();
    const { id, invitationUrl } = await h.operate('POST', '/operators', {
      name: 'Ada',
      email,
      role: 'admin',
    });
    const person = enter(h, await postLink(h, invitationUrl));
    const body = { password: 'correct horse battery' };
    equal((await person.call('PUT', '/console/profile/password', { body })).status, 204);
    const { page, context, go, expectQuiet } = await open(t);
    const [, name = '', value = ''] = /^(.*?)=(.*)$/.exec(person.cookie) ?? [];
    await context.addCookies([{ name, value, url: h.url }]);
    await go('/system/operators');
    await ageSessions(h, { id }, 6);
    await page.getByRole('button', { name: 'Invite an operator…' }).click();
    await page.getByLabel('Name').fill('Linus');
    await page.getByLabel('Email').fill(someEmail());
    await page.getByRole('button', { name: 'Create operator' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password', { exact: true }).fill(body.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Send this link to Linus').waitFor();
    expectQuiet(/403/);
  },
);

test('operators must confirm that they give up their own rights', NEEDS_BROWSER, async (t) => {
  const { page, expectQuiet } = await visit(t, '/profile');
  await page.getByRole('button', { name: 'Edit…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Role').selectOption('viewer');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await dialog.getByText('Confirm that you give up your own rights.').waitFor();
  await dialog.getByLabel('I give up my own rights').check();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  expectQuiet();
});
