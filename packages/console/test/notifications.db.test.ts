import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { manual, startHarness } from '../../server/test/support/harness.ts';
import { startMailServer } from '../../server/test/support/mail-server.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { openConsole } from './support/console.ts';

const server = await startMailServer(wholeFile);
const h = await startHarness(wholeFile, {
  KEYPORT_SMTP_URL: server.url,
  KEYPORT_MAIL_FROM: 'keyport@marketplace.example',
});
const browser = NEEDS_BROWSER.skip ? undefined : await openConsole(wholeFile, h);

test(
  'an operator chooses mail, receives it, and opens the notification at the bell by keyboard',
  NEEDS_BROWSER,
  async () => {
    const visit = await browser?.visit('/profile', { role: 'viewer' });
    ok(visit);
    const { page } = visit;
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
    await visit.go('/system');
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
    visit.expectQuiet();
    await visit.context.close();
  },
);
