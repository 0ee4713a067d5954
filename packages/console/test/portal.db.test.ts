/** The portal of an account's members. A804. Their sign-in and rights are in packages/server/test/api/members.db.test.ts. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { MemberRole } from '@keyport/contract/roles';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { auto, startHarness } from '../../server/test/support/harness.ts';
import { someEmail } from '../../server/test/support/person.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { expectAccessible, expectFits, openConsole } from './support/console.ts';

const COLORS = { runOnly: ['color-contrast'] };
const PRODUCT = 'Star Harbour: Definitive Anniversary Edition (PC) Steam Key GLOBAL';

const h = await startHarness(wholeFile, {
  KEYPORT_TOP_UP_NOTE: 'Transfer to DE02 1203 0000 0000 2020 51 with your account name.',
});
const { open, visit, visitPortal } = openConsole(h);
const { productId } = await h.seed.listing({ price: '10.00', stock: 40, product: { name: PRODUCT } });
const shop = await h.seed.reseller({
  balance: '500.00',
  account: {
    name: 'Acme Games',
    discountPercent: '10',
    returnWindowHours: 24,
    balanceLowThreshold: '900.00',
  },
});
const owner = { accountId: shop.accountId, role: 'owner' as MemberRole };

const dialogOf = (page: Page) => page.getByRole('dialog');
const submit = (page: Page, name: string | RegExp) => dialogOf(page).getByRole('button', { name }).click();

async function openDialogOf(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: `Buy ${PRODUCT}` })
    .first()
    .click();
}

async function openBuying(page: Page): Promise<void> {
  await openDialogOf(page);
  await dialogOf(page).getByText('You pay').waitFor();
}

test(
  'a buyer’s day: signs in by the link, buys, reads and finds a key, returns an unread unit and claims',
  NEEDS_BROWSER,
  async (t) => {
    const { page, context, expectQuiet } = await open(t, { app: 'portal' });
    const { invitationUrl } = await h.operate('POST', `/accounts/${shop.accountId}/members`, {
      name: 'Bea',
      email: someEmail(),
      role: 'buyer',
    });
    await page.goto(invitationUrl);
    const useLink = page.getByRole('button', { name: 'Sign in with this link' });
    await useLink.click();
    // The link works once, so the first password is set first.
    const password = page.getByLabel('New password');
    await password.fill('short');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Enter 12 to 200 characters.').waitFor();
    await password.fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('You can order').waitFor();
    await page.goto(`${h.url}/portal/profile`);
    await page.goto(invitationUrl);
    await useLink.click();
    await page.getByRole('alert').getByText('In this browser, Bea (').waitFor();
    await page.getByRole('button', { name: 'Continue as Bea' }).click();
    await page.getByText('You can order').waitFor();
    await page.getByText('The balance is below €900.00').waitFor();

    // Buys two units, whose discount and sum the confirmation names.
    await page.getByRole('link', { name: 'Catalogue' }).click();
    await page.getByRole('searchbox', { name: 'Search products' }).fill('star harb');
    await openBuying(page);
    equal(await page.getByLabel('At most, per unit, in EUR').inputValue(), '10.00');
    await page.getByLabel('Units', { exact: true }).fill('2');
    await page.getByLabel('Your reference').fill('A-4711');
    await dialogOf(page).getByText('€464.00').waitFor();
    await submit(page, 'Buy for €18.00');
    await page.getByRole('heading', { name: /^Order / }).waitFor();
    const bought = page.url();

    // One unread unit goes back; then the other one's key is read, copied, and leaves no trace.
    await page.getByRole('button', { name: 'Return…' }).click();
    await page.getByRole('dialog', { name: `Return ${PRODUCT}` }).waitFor();
    await dialogOf(page).getByText(`€18.00 is refunded for 2 units of ${PRODUCT}.`).waitFor();
    await page.getByLabel('Units to return').fill('1');
    await dialogOf(page).getByText('€9.00 is refunded for 1 unit').waitFor();
    await submit(page, 'Return 1 unit');
    await page.getByText('1 of 2 refunded').waitFor();
    const money = page.getByRole('region', { name: 'Money' }).locator('dd');
    deepEqual(await money.allInnerTexts(), ['€20.00', '-€2.00', '€18.00', '-€9.00', '€9.00']);
    await page.getByRole('button', { name: 'Show 1 key' }).click();
    await page.getByRole('button', { name: 'Hide' }).waitFor();
    const code = await page.locator('main .rows code').first().innerText();
    match(code, /^[A-Z0-9-]{8,}$/i);
    await page.getByText(/It can be shown until \d+ \w+ \d\d:\d\d/).waitFor();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = page.getByRole('button', { name: 'Copy Key 1' });
    await copy.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    equal(await page.evaluate(() => navigator.clipboard.readText()), code);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    ok(readFileSync(await (await downloading).path(), 'utf8').includes(code));
    equal(await page.getByRole('button', { name: 'Return…' }).count(), 0, 'a read key cannot be returned');

    // A claim of the key that is shown.
    await page.getByRole('button', { name: 'Claim…' }).click();
    equal(await dialogOf(page).getByRole('checkbox').isChecked(), true, 'the only key is chosen');
    equal(await dialogOf(page).getByRole('radio', { checked: true }).count(), 0);
    await submit(page, 'File claim');
    await dialogOf(page).getByText('Choose what is wrong with the keys.').waitFor();
    await dialogOf(page).getByLabel('Invalid key').and(page.locator(':focus')).waitFor();
    await dialogOf(page).getByLabel('Key already used').check();
    await dialogOf(page).getByLabel('Message').fill('The shop says that AB12C-DE34F-GH56I was used.');
    equal((await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).includes('AB12C'), false);
    await submit(page, 'File claim');
    await page.getByRole('button', { name: 'Claim…' }).click();
    await dialogOf(page)
      .getByText(`…${code.slice(-4)}`)
      .waitFor();
    await dialogOf(page).getByRole('link', { name: 'Show this claim' }).click();
    await page.getByText(`…${code.slice(-4)}`).waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }, history.state, location.href]),
    );
    equal(kept.includes(code), false, 'nothing in storage, history or URL');
    await page.goBack();
    await page.getByRole('button', { name: 'Show 1 key' }).waitFor();
    equal((await page.content()).includes(code), false);

    // By its reference, and by its key, which leaves the page in no URL.
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    const search = page.getByRole('searchbox', { name: 'Search orders' });
    for (const words of ['A-4711', 'a-47', code.slice(-5)]) {
      await search.fill(words);
      await page.waitForURL(new RegExp(`query=${words}$`));
      // The rows of the search before stay until those of this one are there.
      const path = new URL(bought).pathname;
      await page.locator(`main table a:not([href="${path}"])`).first().waitFor({ state: 'detached' });
      await page.locator(`main table a[href="${path}"]`).waitFor();
    }
    await search.fill('8WLYJ-H4T6D-ZVBP3');
    await page.waitForURL(/query=VBP3$/);
    deepEqual(
      urls.filter((url) => url.includes('H4T6D')),
      [],
    );
    expectQuiet(/401/);
  },
);

test(
  'a lost response never buys twice, even if the form is closed or the page is loaded again',
  NEEDS_BROWSER,
  async (t) => {
    const { page, go } = await visitPortal(t, `/catalogue/products/${productId}`, owner);
    const count = async () => (await shop.get('/orders?itemsPerPage=10')).body.meta.totalResults;
    const before = await count();
    const lose = async (route: { fetch(): Promise<unknown>; abort(): Promise<void> }) => {
      await route.fetch();
      await route.abort();
    };
    const orders = '**/export/v1/orders';
    await page.route(orders, lose);
    await openBuying(page);
    await submit(page, 'Buy for €9.00');
    await dialogOf(page).getByRole('button', { name: 'Retry' }).waitFor({ timeout: 90_000 });
    await page.unroute(orders);
    await go(`/catalogue/products/${productId}`);
    await openDialogOf(page);
    ok(await dialogOf(page).getByLabel('Units').isDisabled(), 'other entries would be another purchase');
    await submit(page, 'Retry');
    await page.getByRole('heading', { name: /^Order / }).waitFor();
    equal(await count(), before + 1);
    await go(`/catalogue/products/${productId}`);
    await openBuying(page);
    await submit(page, 'Buy for €9.00');
    await page.getByRole('heading', { name: /^Order / }).waitFor();
    equal(await count(), before + 2, 'a definite response ends the key');
  },
);

test('a purchase on its way is not bought again, whatever the person does', NEEDS_BROWSER, async (t) => {
  const { page, go } = await visitPortal(t, `/catalogue/products/${productId}`, owner);
  const ids = async () =>
    (await shop.get('/orders?itemsPerPage=100')).body.data.map(({ id }: { id: string }) => id);
  const before = await ids();
  const sent: (string | undefined)[] = [];
  const orders = '**/export/v1/orders';
  // The response of the first sending never arrives.
  await page.route(orders, async (route) => {
    sent.push(route.request().headers()['idempotency-key']);
    await route.fetch();
  });
  await openBuying(page);
  await dialogOf(page).getByLabel('Your reference').fill('NW-1');
  await submit(page, 'Buy for €9.00');
  await page.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
  await page.keyboard.press('Escape');
  ok(await dialogOf(page).getByRole('button', { name: 'Cancel' }).isDisabled());
  ok(await dialogOf(page).getByRole('button', { name: 'Close' }).isDisabled());
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.unroute(orders);
  await openDialogOf(page);
  await dialogOf(page).getByText('it is unknown whether this took effect').waitFor();
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/orders'))
      sent.push(request.headers()['idempotency-key']);
  });
  await submit(page, 'Retry');
  await page.getByRole('heading', { name: /^Order / }).waitFor();
  equal((await ids()).length, before.length + 1);
  equal(new Set(sent).size, 1, 'one key');
  // The same reference again may be the same purchase again.
  await go(`/catalogue/products/${productId}`);
  await openBuying(page);
  await dialogOf(page).getByLabel('Your reference').fill('NW-1');
  await dialogOf(page).getByText('You have used this reference before').waitFor();
  await dialogOf(page).getByLabel('Your reference').fill('x'.repeat(65));
  await dialogOf(page).getByLabel('At most').fill('9.99');
  await submit(page, /^Buy/);
  await dialogOf(page).getByText('A reference has at most 64 characters.').waitFor();
  await dialogOf(page).getByText('This is below the price of €10.00: nothing would be bought.').waitFor();
});

test(
  'a developer rotates a secret, adds an endpoint, sees why it fails, redelivers, and finds an order’s events',
  NEEDS_BROWSER,
  async (t) => {
    let status = 500;
    const server = createServer((_, response) => response.writeHead(status).end('The shop is closed'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const reseller = await h.seed.reseller({ balance: '100.00' });
    const developer = { accountId: reseller.accountId, role: 'developer' } as const;
    const { page, go } = await visitPortal(t, '/clients', developer);
    await page.getByRole('button', { name: /^New secret/ }).click();
    await submit(page, 'Create new secret');
    await dialogOf(page)
      .getByText(/^kpsec_\S{20}/)
      .waitFor();
    await submit(page, 'I have copied it');
    await go('/webhooks');
    await page.getByRole('button', { name: 'Add endpoint…' }).click();
    await page.getByLabel('URL').fill(url);
    // All types exclude single ones.
    const all = page.getByLabel('All types, also future ones');
    const complete = page.getByLabel('order.complete: its keys can be read');
    await complete.check();
    equal(await all.isChecked(), false);
    await complete.uncheck();
    await submit(page, 'Add endpoint');
    await page.getByText('Choose at least one type.').waitFor();
    await all.check();
    await complete.check();
    await submit(page, 'Add endpoint');
    await dialogOf(page)
      .getByText(/^whsec_\S{20}/)
      .waitFor();
    await submit(page, 'I have copied it');
    await page.getByRole('row', { name: url }).and(page.locator('[aria-current]')).waitFor();
    await page.getByRole('button', { name: 'Send test…' }).click();
    await submit(page, 'Send test');
    await page.getByText('The response was 500, not 2xx.', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Details of/ }).click();
    await dialogOf(page).getByText('The shop is closed').first().waitFor();
    equal(await dialogOf(page).getByText('not 2xx').count(), 0, 'the status says it already');
    status = 200;
    await dialogOf(page).getByRole('button', { name: 'Redeliver…' }).click();
    await submit(page, 'Redeliver 1 event');
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await deliveries.getByText('Delivered').waitFor();
    await page.keyboard.press('Escape');
    const { id } = (await reseller.order(auto(productId))).body.data;
    const other = (await reseller.order(auto(productId))).body.data;
    await deliveries.getByRole('link', { name: other.id }).first().waitFor();
    await deliveries.getByRole('link', { name: id }).first().click();
    await page.getByRole('link', { name: 'Events and deliveries of this order' }).click();
    await deliveries.getByText('webhook.test').waitFor({ state: 'detached' });
    await deliveries.getByRole('row', { name: id }).filter({ hasText: 'order.complete' }).waitFor();
    equal(await deliveries.getByRole('link', { name: other.id }).count(), 0);
  },
);

const ENTRIES: Readonly<Record<MemberRole, readonly string[]>> = {
  accountant: ['Home', 'Orders', 'Claims', 'Statement'],
  buyer: ['Home', 'Catalogue', 'Orders', 'Reservations', 'Claims', 'Statement'],
  developer: ['Home', 'Orders', 'Claims', 'Statement', 'Credentials', 'Webhooks', 'Request log'],
  owner: [
    ...['Home', 'Catalogue', 'Orders', 'Reservations', 'Claims', 'Statement'],
    ...['Credentials', 'Webhooks', 'Request log', 'Members'],
  ],
};

test.for(Object.entries(ENTRIES))(
  'the role %s sees %j, and no more of an order',
  NEEDS_BROWSER,
  async ([role, entries], t) => {
    const member = { ...owner, role: role as MemberRole };
    const { page, go } = await visitPortal(t, '/', member);
    deepEqual(
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts(),
      entries,
    );
    await page.getByText(/^Transfer to DE02/).waitFor();
    await go('/members');
    const forbidden = page.getByText(`Your role (${role}) does not include this.`);
    equal(await forbidden.count(), role === 'owner' ? 0 : 1);
    const { id } = (await shop.order(auto(productId))).body.data;
    await go(`/orders/${id}`);
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.getByText('Can be claimed until').waitFor();
    const mayBuy = ['buyer', 'owner'].includes(role);
    for (const name of ['Show 1 key', 'Return…', 'Claim…'])
      equal(await page.getByRole('button', { name }).count(), mayBuy ? 1 : 0, name);
  },
);

test(
  'an operator invites the first owner on the page of the account, and resets them',
  NEEDS_BROWSER,
  async (t) => {
    const account = await h.seed.reseller({ account: { name: 'Northwind Keys' } });
    const { page, expectQuiet, context } = await visit(t, `/accounts/${account.accountId}?tab=members`);
    await page.getByRole('button', { name: 'Invite the first owner…' }).click();
    const email = someEmail();
    await page.getByLabel('Name').fill('Nora');
    await page.getByLabel('Email').fill(email);
    await submit(page, 'Invite the first owner');
    const link = await dialogOf(page)
      .getByText(/\/portal\/sign-in#token=/)
      .innerText();
    await submit(page, 'I have copied it');
    const row = page.getByRole('row', { name: /Nora/ });
    await row.getByText('Invited').waitFor();
    await row.getByText('Never signed in').waitFor();
    await row
      .getByRole('button', { name: /^Reset/ })
      .or(row.getByRole('button', { name: 'More actions' }))
      .first()
      .waitFor();
    expectQuiet();
    // Nora leaves the password for later, which is then too late.
    const portal = await context.newPage();
    await portal.goto(link);
    await portal.getByRole('button', { name: 'Sign in with this link' }).click();
    await portal.getByRole('button', { name: 'Later' }).click();
    await portal.getByRole('link', { name: 'Set a password' }).click();
    const database = await h.database.connect();
    await database.query(
      `UPDATE person_token SET ends_at = ends_at - interval '6 minutes' WHERE method = 'link'`,
    );
    database.release();
    await portal.getByLabel('New password').fill('correct horse battery staple');
    await portal.getByRole('button', { name: 'Set password' }).click();
    await dialogOf(portal).getByText('You signed in by a link more than 5 minutes ago').waitFor();
    equal(await dialogOf(portal).getByLabel('Password').count(), 0);
  },
);

test(
  'after a sign-out in another tab, keys are hidden, and the write that asked to sign in continues after that tab signs in',
  NEEDS_BROWSER,
  async (t) => {
    const { id } = (await shop.order(auto(productId))).body.data;
    const { page, context, go } = await visitPortal(t, '/profile', owner);
    const password = 'correct horse battery staple';
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Password set.').waitFor();
    const email = await page.locator('main dd').getByText('@').innerText();
    await go(`/orders/${id}`);
    await page.getByRole('button', { name: 'Show 1 key' }).click();
    const code = await page.locator('main .rows code.wraps').first().innerText();
    await page.getByRole('button', { name: 'Claim…' }).click();
    await dialogOf(page).getByLabel('Key already used').check();
    const other = await context.newPage();
    await other.goto(`${h.url}/portal`);
    await other.getByRole('button', { name: /: profile and sign-out$/ }).click();
    // The page's own reads would notice the end before the write does.
    const reads = /\/orders\/\d+(\/timeline)?$/;
    await page.route(reads, () => {});
    await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const refused = page.waitForResponse((response) => response.url().endsWith('/claims'));
    await submit(page, 'File claim');
    equal((await refused).status(), 401);
    const signIn = page.getByRole('dialog', { name: 'Sign in' });
    await signIn.getByLabel('Password').and(page.locator(':focus')).waitFor();
    equal((await page.content()).includes(code), false);
    await other.getByLabel('Email').fill(email);
    await other.getByRole('textbox', { name: 'Password' }).fill(password);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByText('You can order').waitFor();
    await page.unroute(reads);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await signIn.waitFor({ state: 'hidden' });
    await submit(page, 'Retry');
    await page.getByRole('link', { name: 'Claim filed' }).click();
  },
);

test(
  'a range of days whose end is before its beginning is named at once, and not read',
  NEEDS_BROWSER,
  async (t) => {
    const { page, expectQuiet } = await visitPortal(t, '/orders', owner);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('button', { name: 'Days' }).click();
    const says = page.getByText('From is after To, so no day is in this range. Change one of the days.');
    await page.getByLabel(/^From/).fill('2026-11-20');
    await page.getByLabel(/^To/).fill('2026-11-10');
    await says.and(page.getByRole('alert')).waitFor();
    equal(await says.count(), 2, 'in the editor and in place of the list');
    equal(await page.getByRole('table').count(), 0);
    await page.getByLabel(/^To/).fill('2026-12-31');
    await says.first().waitFor({ state: 'detached' });
    expectQuiet();
  },
);

test('the form of an invitation begins with the role of the fewest rights', NEEDS_BROWSER, async (t) => {
  const { page } = await visitPortal(t, '/members', owner);
  await page.getByRole('button', { name: 'Invite a member…' }).click();
  await dialogOf(page).getByText('No email is sent.').waitFor();
  equal(
    await dialogOf(page)
      .getByLabel(/^Accountant/)
      .isChecked(),
    true,
  );
  const email = someEmail();
  await page.getByLabel('Name').fill('Nils');
  await page.getByLabel('Email').fill(email);
  await submit(page, 'Invite a member');
  await dialogOf(page)
    .getByText(/\/portal\/sign-in#token=/)
    .waitFor();
});

test('Home shows no numbers that it could not read', NEEDS_BROWSER, async (t) => {
  const { page, go } = await visitPortal(t, '/profile', owner);
  const reads = /\/export\/v1\/(account\/spend|claims)/;
  await page.route(reads, (route) => route.fulfill({ status: 503, json: {} }));
  await go('/');
  await page.getByText('This could not be loaded.').nth(1).waitFor();
  equal(await page.getByText('Nothing needs attention.').count(), 0);
  equal(await page.getByText('Spent today').count(), 0);
  await page.unroute(reads);
  for (const name of ['Needs attention', 'What happened'])
    await page.getByRole('region', { name }).getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Spent today').waitFor();
  // An order of several items counts the units of all.
  await page.route(/\/export\/v1\/orders\?/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const { items } of json.data.flatMap((one: { transactions: object[] }) => one.transactions))
      items.push(...items);
    await route.fulfill({ response, json });
  });
  await go('/orders');
  await page.getByRole('table').getByRole('row').nth(1).waitFor();
  equal(await page.getByText('NaN').count(), 0);
});

const order = (await shop.order(auto(productId, { quantity: 2 }))).body.data;
const SCREENS = [
  '/',
  '/catalogue',
  `/catalogue/products/${productId}`,
  '/orders',
  `/orders/${order.id}`,
  '/reservations',
  '/claims',
  '/statement',
  '/clients',
  '/webhooks',
  '/requests',
  '/members',
  '/profile',
];

const shared = NEEDS_BROWSER.skip ? undefined : await visitPortal(wholeFile, '/', owner);

test.for(SCREENS)(
  '%s has no problems in light and dark, and fits narrow screens',
  NEEDS_BROWSER,
  async (path) => {
    ok(shared);
    const { page } = shared;
    await page.emulateMedia({ colorScheme: 'light' });
    await shared.go(path);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, COLORS);
    await expectFits(page);
    shared.expectQuiet();
  },
);

const DIST = join(import.meta.dirname, '../dist/portal');
const FIRST_SCREEN_BYTES_MAX = 120 * 1024;

test('the first screen takes at most 120 KB with its typeface', NEEDS_BROWSER, async (t) => {
  const { page } = await open(t, { app: 'portal' });
  const files = new Set<string>();
  page.on('response', (response) => files.add(response.url()));
  const { page: signedIn } = await visitPortal(t, '/profile', owner);
  await page.context().addCookies(await signedIn.context().cookies());
  await page.goto(`${h.url}/portal`);
  await page.getByRole('table', { name: 'Latest orders' }).waitFor();
  const sizes = [...files].flatMap((url) => {
    const file = join(DIST, /\/portal(\/assets\/[^/]+)$/.exec(url)?.[1] ?? 'index.html');
    return url.includes('/assets/') ? statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size : [];
  });
  const sum = sizes.reduce((total, size) => total + size, 0);
  ok(sizes.length > 5 && sum <= FIRST_SCREEN_BYTES_MAX, `${sum} bytes in ${sizes.length} files`);
});
