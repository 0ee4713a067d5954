/**
 * Makes pictures of screens, to be looked at: `npm run pictures [FOLDER [PATH…]]`. A letter behind `!` is a key that is pressed then. Without paths: of every screen in light and dark, and of
 * some on a telephone.
 */
import { mkdir } from 'node:fs/promises';
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
  '/held',
  '/orders/COMPLETE!f',
  '/find-key',
  '/profile',
];
await mkdir(folder, { recursive: true });
const browser = await openConsole(owner, h);
for (const [scheme, width] of [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
] as const) {
  const visit = await browser.visit('/', { scheme, width });
  for (const path of paths.length > 0 ? paths : SCREENS) {
    const [address = '', key] = path.split('!');
    await visit.go(address.replace('HELD', orders.held).replace('COMPLETE', orders.complete));
    await visit.page.waitForLoadState('networkidle');
    if (key !== undefined) {
      await visit.page.keyboard.press(key);
      await visit.page.locator('.preview[data-stale="false"]').waitFor();
    }
    const name = path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home';
    await visit.page.screenshot({ path: join(folder, `${name}-${scheme}-${width}.png`) });
  }
}
for (const end of ends.toReversed()) await end();

async function seedOrders() {
  const { productId } = await h.seed.listing({ stock: 60, product: { name: 'Star Harbour (PC) Steam Key' } });
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
  await northwind.get(`/orders/${id}/keys`);
  return { held: held.body.data.id as string, complete: id as string };
}
