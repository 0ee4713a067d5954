/** With passkeys of a virtual authenticator, and at an OpenID provider on another site. */
import { equal } from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { type TestContext, test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { startHarness } from '../../server/test/support/harness.ts';
import { CLIENT, startOidcProvider } from '../../server/test/support/oidc-provider.ts';
import { someEmail } from '../../server/test/support/person.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { expectAccessible, openConsole } from './support/console.ts';

const provider = await startOidcProvider(wholeFile, 'localhost');
const h = await startHarness(wholeFile, {
  KEYPORT_OIDC_ISSUER: provider.issuer,
  KEYPORT_OIDC_CLIENT_ID: CLIENT.id,
  KEYPORT_OIDC_CLIENT_SECRET: CLIENT.secret,
  KEYPORT_OIDC_ROLE_CLAIM: 'groups',
});
const { visit, open } = openConsole(h);

/** Adds a virtual authenticator that verifies its user and stores passkeys. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ada: profile and sign-out' }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
}

test('a passkey that was added in the profile signs in until it is removed', NEEDS_BROWSER, async (t) => {
  // Passkeys belong to host names, never to IP addresses.
  const { page, context, expectQuiet } = await visit(t, '/profile', {
    url: h.url.replace('127.0.0.1', 'localhost'),
  });
  await addAuthenticator(context, page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const remove = page.getByRole('button', { name: 'Remove' });
  await remove.waitFor();
  await signOut(page);
  expectQuiet();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await remove.click();
  await remove.waitFor({ state: 'hidden' });
  await signOut(page);
  expectQuiet();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  const refused = 'This passkey cannot be used to sign in here. Use another one, or sign in another way.';
  await page.getByRole('alert').getByText(refused).waitFor();
  expectQuiet(/401/);
});

test(
  'to add a passkey, an operator with an old session must first sign in again in a dialog',
  NEEDS_BROWSER,
  async (t) => {
    const { page, context, expectQuiet } = await visit(t, '/profile', {
      url: h.url.replace('127.0.0.1', 'localhost'),
    });
    await addAuthenticator(context, page);
    const password = 'correct horse battery staple';
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('status').getByText('Password set').waitFor();
    const database = await h.database.connect();
    await database.query(`UPDATE person_token SET ends_at = ends_at - interval '6 minutes'`);
    database.release();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('You did not sign in again. Nothing was changed.').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill(`${password} too`);
    await page.getByLabel('Also remove all my passkeys').check();
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor({ state: 'hidden' });
    expectQuiet();
  },
);

async function openSignIn(t: TestContext, path: string) {
  const stranger = await open(t);
  // The provider's pages load a font from the Internet.
  await stranger.context.route(/googleapis/, (route) => route.abort());
  await stranger.page.goto(`${h.url}/console${path}`);
  return stranger;
}

async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with localhost' }).click();
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test(
  'single sign-on reports that the provider is down, and later opens the requested page with the role of the claim',
  NEEDS_BROWSER,
  async (t) => {
    const { page } = await openSignIn(t, '/orders?status=held');
    await page.getByRole('link', { name: 'Sign in with localhost' }).click();
    await page.getByRole('alert').getByText('Single sign-on failed.').waitFor();
    provider.register(`${h.url}/console/session/oidc/callback`);
    const email = someEmail();
    provider.know('ada', { email, name: 'Ada', groups: ['staff', 'finance'] });
    await signInAtProvider(page, 'ada');
    await page.waitForURL(`${h.url}/console/orders?status=held`);
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await page.getByRole('button', { name: 'Ada: profile and sign-out' }).click();
    await page.getByText(`${email} · finance`).waitFor();
  },
);

test('a new sign-in in one tab keeps the writes of the other tab working', NEEDS_BROWSER, async (t) => {
  const { page, context, go } = await visit(t, '/profile');
  await page.getByLabel('New password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('status').getByText('Password set').waitFor();
  const { data } = await (await context.request.get(`${h.url}/console/session`)).json();
  const { sellerId } = await h.seed.listing();
  await go(`/catalogue/sellers/${sellerId}`);
  await page.getByRole('textbox', { name: 'Add a note' }).waitFor();
  const signedIn = await context.request.post(`${h.url}/console/session/password`, {
    data: { email: data.operator.email, password: 'correct horse battery staple' },
    headers: { origin: h.url },
  });
  equal(signedIn.status(), 200);
  await page.getByRole('textbox', { name: 'Add a note' }).fill('Called them');
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Called them' }).waitFor();
  equal((await h.operate('GET', `/notes?subject=seller:${sellerId}`)).length, 1);
});

test(
  'an invitation link works in a tab in which the sign-in page is already open',
  NEEDS_BROWSER,
  async (t) => {
    const { invitationUrl } = await h.operate('POST', '/operators', {
      name: 'Ada',
      email: someEmail(),
      role: 'viewer',
    });
    const { page } = await open(t);
    await page.goto(invitationUrl.replace(/#.*/, ''));
    await page.getByLabel('Email').waitFor();
    await page.goto(invitationUrl);
    await page.getByRole('button', { name: 'Sign in with this link' }).click();
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  },
);

test(
  'a person without a role at the provider sees whom to contact and stays signed out',
  NEEDS_BROWSER,
  async (t) => {
    provider.register(`${h.url}/console/session/oidc/callback`);
    provider.know('bob', { email: someEmail(), name: 'Bob', groups: ['staff'] });
    const { page } = await openSignIn(t, '/');
    await signInAtProvider(page, 'bob');
    const told = 'Your provider did not assign you a role here. Ask its administrator.';
    await page.getByRole('alert').getByText(told).waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  },
);
