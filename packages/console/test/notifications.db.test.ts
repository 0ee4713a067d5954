import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { manual, startHarness } from '../../server/test/support/harness.ts';
import { startMailServer } from '../../server/test/support/mail-server.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { expectAccessible, expectFits, openConsole } from './support/console.ts';

const server = await startMailServer(wholeFile);
const h = await startHarness(wholeFile, {
  KEYPORT_SMTP_URL: server.url,
  KEYPORT_MAIL_FROM: 'keyport@marketplace.example',
});
const { visit } = openConsole(h);

test(
  'an operator chooses mail, receives it, and opens the notification at the bell by keyboard',
  NEEDS_BROWSER,
  async (t) => {
    const { page, go, expectQuiet } = await visit(t, '/profile', { role: 'viewer' });
    equal(await page.getByLabel('Approval requested: Console').count(), 0, 'a viewer approves nothing');
    await page.getByLabel('Order held: Mail').check();
    await page.getByRole('button', { name: 'Save notifications' }).click();
    await page.getByText('Notifications saved.').waitFor();
    const { offerId } = await h.seed.listing({ price: '10.00', stock: 50 });
    const shop = await h.seed.reseller({ balance: '100.00', account: { holdOrders: true } });
    const orderId = (await shop.order(manual(offerId))).body.data.id;
    await h.service.notifyOperators();
    deepEqual(
      server.received.filter(({ text }) => text.includes(orderId)).map(({ to }) => to),
      [[await page.locator('dd', { hasText: '@' }).textContent()]],
    );
    await go('/system');
    const bell = page.getByRole('button', { name: 'Notifications, 1 unread' });
    await bell.focus();
    await page.keyboard.press('Enter');
    const item = page.getByRole('menuitem', { name: 'Order held' });
    await item.waitFor();
    ok((await item.textContent())?.includes('Unread'));
    await page.getByRole('menuitem', { name: 'Mark all as read' }).press('Enter');
    await page.getByRole('button', { name: 'Notifications', exact: true }).press('Enter');
    await item.press('Enter');
    await page.waitForURL(`**/orders/${orderId}`);

    await shop.order(manual(offerId));
    await h.service.notifyOperators();
    await go('/system');
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).press('Enter');
    equal(await page.getByRole('menuitem', { name: 'Order held' }).count(), 0);
    await page.getByRole('menuitem', { name: '2 orders held' }).press('Enter');
    await page.waitForURL('**/held');
    expectQuiet();
  },
);

const { offerId } = await h.seed.listing({ stock: 50 });
const reseller = await h.seed.reseller({ balance: '100.00', account: { name: 'Northwind Keys' } });
const { id: orderId } = (await reseller.order(manual(offerId))).body.data;

test('a note is written by keyboard, and its author withdraws it', NEEDS_BROWSER, async (t) => {
  const { page, expectQuiet } = await visit(t, `/orders/${orderId}`, { role: 'support' });
  const field = page.getByLabel('Add a note');
  await field.focus();
  await page.getByText('Never enter a product key.').waitFor();
  await page.keyboard.type('The license is missing (https://tickets.example/17?a=b).');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('listitem').filter({ hasText: 'The license is missing' }).waitFor();
  await page.locator('a[href="https://tickets.example/17?a=b"][rel=noreferrer]').waitFor();
  deepEqual(
    [await field.inputValue(), await field.evaluate((element) => element === document.activeElement)],
    ['', true],
  );
  await page.keyboard.type('Another one.');
  await page.keyboard.press('Control+Enter');
  const last = page.getByRole('listitem').filter({ hasText: 'Another one.' });
  await last.waitFor();
  const notes = await h.operate('GET', `/notes?subject=order:${orderId}`);
  deepEqual(
    notes.map(({ text }: { text: string }) => text),
    ['Another one.', 'The license is missing (https://tickets.example/17?a=b).'],
  );
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('button', { name: 'Withdraw the note by Ada: Another one.' }).click();
  await last.waitFor({ state: 'detached' });
  expectQuiet();
});

test(
  'a success is shown until the page changes, and an error until it is dismissed',
  NEEDS_BROWSER,
  async (t) => {
    const { page } = await visit(t, `/accounts/${reseller.accountId}`, { role: 'admin' });
    await page.getByLabel('Add a note').fill('Call them back');
    await page.keyboard.press('Control+Enter');
    const note = page.getByRole('listitem').filter({ hasText: 'Call them back' });
    await note.waitFor();
    await page.route(/admin\/v1\/notes\//, (route) => route.abort());
    await note.getByRole('button').click();
    const error = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' });
    await error.waitFor();
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByLabel('Units per UTC day').fill('12');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const success = page.getByRole('status').getByText('Account changed');
    await success.waitFor();
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await success.waitFor({ state: 'detached', timeout: 2000 });
    await expectAccessible(page);
    await error.getByRole('button', { name: 'Close' }).click();
    await error.waitFor({ state: 'detached' });
  },
);
