/**
 * Takes screenshots for review: `npm run pictures [FOLDER [PATH…]]`. A letter after `!` is pressed on
 * the page; `!file` chooses a price list. Without paths, takes every screen in light, in dark and on a
 * phone, and replaces the pictures of the documents.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { auto, startHarness } from '../../server/test/support/harness.ts';
import { openConsole } from './support/console.ts';

const [folder = 'reports/pictures', ...paths] = process.argv.slice(2);

const ends: (() => Promise<void>)[] = [];
const owner = { onTestFinished: (work: () => Promise<void>) => void ends.push(work) };
const h = await startHarness(owner, { KEYPORT_DEMO: 'true', KEYPORT_APPROVAL_ABOVE: '200.00' });
const orders = await seedOrders();
const SCREENS = [
  '/',
  '/?period=month',
  '/orders',
  '/orders?peek=COMPLETE',
  '/orders/COMPLETE',
  '/orders/HELD',
  '/orders/rejected?code=offer-not-available',
  '/held',
  '/orders/COMPLETE!f',
  '/find-key',
  '/accounts',
  '/accounts/ACCOUNT',
  '/accounts/ACCOUNT?tab=statement',
  '/accounts/ACCOUNT?tab=reservations',
  '/accounts/ACCOUNT?tab=requests',
  '/claims',
  '/catalogue',
  '/catalogue/offers',
  '/imports!file',
  '/reports',
  '/reports?by=product',
  '/finance',
  '/payments',
  '/approvals',
  '/webhooks',
  '/audit',
  '/system',
  '/system/settings',
  '/system/operators',
  '/profile',
];
const DOCUMENTED = {
  'home-light-1280': 'home',
  'orders-light-1280': 'orders',
  'orders-COMPLETE-light-1280': 'order',
  'orders-COMPLETE-f-light-1280': 'refund',
  'held-light-1280': 'held',
  'imports-file-light-1280': 'import',
  'orders-light-390': 'telephone',
};
const PORTAL_SCREENS = [
  '/',
  '/catalogue',
  '/orders',
  '/orders/COMPLETE',
  '/statement',
  '/webhooks',
  '/members',
];
const PRICE_LIST = `Angebot;Preis (€)\r\n${orders.offerId};1.234,50\r\n`;
await mkdir(folder, { recursive: true });
const browser = openConsole(h);
for (const [scheme, width] of [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
] as const) {
  const visit = await browser.visit(owner, '/', { scheme, width });
  for (const path of paths.length > 0 ? paths : SCREENS) {
    const [address = '', key] = path.split('!');
    const { held, complete, accountId } = orders;
    await visit.go(address.replace('HELD', held).replace('COMPLETE', complete).replace('ACCOUNT', accountId));
    await visit.page.waitForLoadState('networkidle');
    if (key === 'file') {
      const file = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(PRICE_LIST) };
      await visit.page.locator('input[type=file]').setInputFiles(file);
      await visit.page.getByRole('table', { name: 'Columns' }).waitFor();
    } else if (key !== undefined) {
      await visit.page.keyboard.press(key);
      const dialog = visit.page.getByRole('dialog');
      await dialog.getByLabel('Reason').waitFor();
      const choices = dialog.getByRole('checkbox');
      if ((await choices.count()) > 0) await choices.first().check();
      await visit.page.locator('.preview[data-stale="false"]').waitFor();
    }
    const name = path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home';
    await visit.page.screenshot({ path: join(folder, `${name}-${scheme}-${width}.png`) });
  }
}
if (paths.length === 0) {
  const member = { accountId: orders.accountId, role: 'owner' } as const;
  for (const width of [1280, 390]) {
    const { page, go } = await browser.visitPortal(owner, '/', member, { width });
    for (const path of PORTAL_SCREENS) {
      await go(path.replace('COMPLETE', orders.complete));
      await page.waitForLoadState('networkidle');
      const name = path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home';
      await page.screenshot({ path: join(folder, `portal-${name}-${width}.png`) });
    }
  }
  await copyFile(join(folder, 'portal-home-1280.png'), 'docs/images/portal-home.png');
  for (const [name, shown] of Object.entries(DOCUMENTED))
    await copyFile(join(folder, `${name}.png`), join('docs/images', `console-${shown}.png`));
}
for (const end of ends.toReversed()) await end();
// The browser would keep the process alive.
process.exit();

async function seedOrders() {
  const { productId, offerId } = await h.seed.listing({
    stock: 60,
    product: { name: 'Star Harbour (PC) Steam Key' },
  });
  const acme = await h.seed.reseller({
    balance: '5000.00',
    account: { name: 'Acme Games', holdOrders: true },
  });
  const northwind = await h.seed.reseller({ balance: '2500.00', account: { name: 'Northwind Keys' } });
  for (let count = 0; count < 5; count += 1) await northwind.order(auto(productId, { quantity: 1 + count }));
  for (let count = 0; count < 3; count += 1) await northwind.order(auto(productId, { maxPrice: '1.00' }));
  for (let count = 0; count < 3; count += 1) await acme.order(auto(productId, { quantity: 4 }));
  const held = await acme.order(auto(productId, { quantity: 3 }));
  const complete = await northwind.order(auto(productId, { quantity: 3 }));
  const { id } = complete.body.data;
  const [{ keys }] = (await northwind.get(`/orders/${id}/keys`)).body.data;
  const write = (path: string, body: object) =>
    h.call('POST', `/export/v1${path}`, {
      token: northwind.token,
      headers: { 'idempotency-key': randomUUID() },
      body,
    });
  const codes = [keys[2].code];
  await write(`/orders/${id}/claims`, { itemId: `${id}01`, codes, reason: 'already-used' });
  await write('/reservations', { items: [auto(productId, { quantity: 2 })] });
  await northwind.get('/products/10000000099999');
  // One of three units is refunded; a refund above the limit waits for approval.
  await h.operate('POST', `/orders/${id}/refund`, {
    reason: 'The key was used before',
    items: [{ id: `${id}01`, quantity: 1 }],
  });
  const large = await northwind.order(auto(productId, { quantity: 25 }));
  await h.operate('POST', `/orders/${large.body.data.id}/refund`, { reason: 'Ordered twice' });
  return {
    offerId,
    accountId: northwind.accountId,
    held: held.body.data.id as string,
    complete: id as string,
  };
}
