/**
 * Measures lists beside 10,000 orders: `npm run loading`. Prints, for each list, the milliseconds until its rows are
 * painted (the median of five), without and with the browser's cache, and how much the page moved (layout shift).
 */
import { auto, startHarness } from '../../server/test/support/harness.ts';
import { openConsole } from './support/console.ts';

const ORDERS = 10_000;
const AT_ONCE = 16;
/** A request adds at most this many keys. */
const KEYS_MAX = 1000;
const TIMES = 5;
const LISTS = ['/orders', '/accounts', '/catalogue/offers', '/catalogue', '/audit', '/'];

const ends: (() => Promise<void>)[] = [];
const owner = { onTestFinished: (work: () => Promise<void>) => void ends.push(work) };
const h = await startHarness(owner, { KEYPORT_DEMO: 'true' });
await seedOrders();
const { page, context } = await openConsole(h).visit(owner, '/profile', { width: 1440 });
const browser = await context.newCDPSession(page);
await page.addInitScript(() => {
  const seen = { shift: 0, rowsAtMs: 0 };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries() as unknown as { value: number }[]) seen.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    if (document.querySelector('tbody tr, .tiles dd') === null) requestAnimationFrame(look);
    // The next frame begins when this one is painted.
    else requestAnimationFrame(() => Object.assign(seen, { rowsAtMs: performance.now() }));
  };
  requestAnimationFrame(look);
});
for (const path of LISTS) {
  const figures: number[] = [];
  let shift = 0;
  for (const cacheDisabled of [true, false]) {
    await browser.send('Network.setCacheDisabled', { cacheDisabled });
    const times: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      await page.goto(`${h.url}/console${path}`);
      await page.waitForLoadState('networkidle');
      const seen = await page.evaluate(
        () => (globalThis as unknown as { seen: { shift: number; rowsAtMs: number } }).seen,
      );
      times.push(seen.rowsAtMs);
      shift = Math.max(shift, seen.shift);
    }
    figures.push(times.toSorted((one, other) => one - other)[Math.floor(TIMES / 2)] ?? Number.NaN);
  }
  const [cold = 0, warm = 0] = figures;
  console.log(`${path}: cold ${Math.round(cold)} ms, warm ${Math.round(warm)} ms, shift ${shift.toFixed(3)}`);
}
for (const end of ends.toReversed()) await end();
// The browser would keep the process alive.
process.exit();

async function seedOrders(): Promise<void> {
  const products: string[] = [];
  for (let count = 0; count < ORDERS / KEYS_MAX; count += 1)
    products.push((await h.seed.listing({ stock: KEYS_MAX, price: '1.00' })).productId);
  const reseller = await h.seed.reseller({ balance: '20000.00' });
  let left = ORDERS;
  const place = async () => {
    while (left > 0) {
      left -= 1;
      await reseller.order(auto(products[left % products.length] ?? ''));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, place));
}
