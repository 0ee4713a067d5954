import { equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { startHarness } from '../../server/test/support/harness.ts';
import { ageSessions, enter, postLink, someEmail } from '../../server/test/support/person.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { openConsole } from './support/console.ts';

const h = await startHarness(wholeFile);
const browser = NEEDS_BROWSER.skip ? undefined : await openConsole(wholeFile, h);

test(
  'an administrator invites a colleague, who signs in with the link, and later resets the credentials',
  NEEDS_BROWSER,
  async () => {
    const visit = await browser?.visit('/system/operators');
    ok(visit);
    const { page } = visit;
    await page.getByRole('button', { name: 'Invite an operator…' }).click();
    await page.getByText('Operators you invite cannot approve your requests.').waitFor();
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('Email').fill('grace@shop.example');
    await page.getByLabel('Role').selectOption('finance');
    await page.getByRole('button', { name: 'Create operator' }).click();
    const link = await page.locator('.secret code').textContent();
    const other = await browser?.open();
    ok(other !== undefined && link !== null);
    await other.page.goto(link);
    // A mail scanner that opens the link does not use it up.
    const scanner = await browser?.open();
    await scanner?.page.goto(link);
    await scanner?.page.getByRole('button', { name: 'Sign in with this link' }).waitFor();
    await scanner?.context.close();
    await other.page.getByRole('button', { name: 'Sign in with this link' }).click();
    await other.page.getByRole('button', { name: 'Grace: profile and sign-out' }).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'More actions besides “Edit Grace”' }).click();
    await page.getByRole('menuitem', { name: 'Reset credentials of Grace' }).click();
    await page.getByRole('button', { name: 'Reset credentials', exact: true }).click();
    await page.getByText('Send this link to Grace').waitFor();
    const newLink = await page.locator('.secret code').textContent();
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await other.page.goto(newLink ?? '');
    await other.page.getByRole('button', { name: 'Sign in with this link' }).click();
    await other.page.getByRole('button', { name: 'Grace: profile and sign-out' }).waitFor();
    await other.context.close();
    visit.expectQuiet();
    await visit.context.close();
  },
);

test(
  'an operator who signed in with a link is led to set a password, and an administrator changes their own name and address',
  NEEDS_BROWSER,
  async () => {
    const visit = await browser?.visit('/');
    ok(visit);
    const { page } = visit;
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
    await visit.go('/');
    await page.getByText('Nothing needs attention now.').waitFor();
    visit.expectQuiet();
    await visit.context.close();
  },
);

test(
  'a change that gives someone a way to sign in needs a recent sign-in, and continues after it',
  NEEDS_BROWSER,
  async () => {
    const email = someEmail();
    const { id, invitationUrl } = await h.operate('POST', '/operators', {
      name: 'Ada',
      email,
      role: 'admin',
    });
    const person = enter(h, await postLink(h, invitationUrl));
    const body = { password: 'correct horse battery' };
    equal((await person.call('PUT', '/console/profile/password', { body })).status, 204);
    const visit = await browser?.open();
    ok(visit);
    const [, name = '', value = ''] = /^(.*?)=(.*)$/.exec(person.cookie) ?? [];
    await visit.context.addCookies([{ name, value, url: h.url }]);
    await visit.go('/system/operators');
    await ageSessions(h, { id }, 6);
    const { page } = visit;
    await page.getByRole('button', { name: 'Invite an operator…' }).click();
    await page.getByLabel('Name').fill('Linus');
    await page.getByLabel('Email').fill(someEmail());
    await page.getByRole('button', { name: 'Create operator' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password', { exact: true }).fill(body.password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Send this link to Linus').waitFor();
    visit.expectQuiet(/403/);
    await visit.context.close();
  },
);
