/**
 * Measures the console's lists in Chromium with 10,000 orders, in a new browser and then in the same tab,
 * against a page of a few bytes. Then measures the check of an import of 100,000 lines.
 */
import { randomUUID } from 'node:crypto';
import { operate } from '@keyport/proof/load/operator';
import { fillCatalogue, openShop } from '@keyport/proof/load/shop';
import { BROWSER } from '@keyport/server/test/support/browser';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { seedPastOrders, waitUntilCounted } from './orders/past-orders.ts';
import { startChild } from './processes.ts';
import { median } from './report.ts';
import { startService } from './service.ts';

const SHOP = { products: 200, offersEach: 1, stockEach: 1, resellers: 50 };
const ORDERS = 10_000;
const LINES = 100_000;
const ROUNDS = 5;
const VIEWPORT = { width: 1440, height: 900 };
const PAGE = { headers: { 'content-type': 'text/html' }, body: '<table><tbody><tr><td>A row' };
const LISTS = { orders: '/orders', accounts: '/accounts', offers: '/catalogue/offers' };

type Load = {
  readonly firstPaintMs: number;
  readonly rowsMs: number;
  readonly longestTaskMs: number;
  readonly shift: number;
};

export async function benchConsole({ products: lines = LINES }: { products?: number }): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const service = await startService({ databaseUrl: postgres.url });
  const bare = await startChild('./bare-server.ts', { message: PAGE });
  const browser = await chromium.launch(BROWSER);
  try {
    const { accounts } = await openShop(service.url, SHOP);
    const accountIds = accounts.map(({ id }) => id);
    await seedPastOrders({ databaseUrl: postgres.url, accountIds, count: ORDERS });
    await waitUntilCounted(postgres.url);
    const first = await browser.newContext({ viewport: VIEWPORT });
    await signIn(first, service.url);
    const storageState = await first.storageState();
    const loads: Record<string, Load[]> = {};
    const note = (name: string, load: Load) => {
      loads[name] ??= [];
      loads[name].push(load);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, path] of Object.entries({ bare: bare.url, ...LISTS })) {
        const context = await browser.newContext({ viewport: VIEWPORT, storageState });
        const url = name === 'bare' ? path : `${service.url}/console${path}`;
        const page = await openPage(context);
        note(`${name}, cold`, await load(page, url));
        // The browser caches compiled code from the second load on.
        await load(page, url);
        note(`${name}, warm`, await load(page, url));
        await context.close();
      }
    }
    console.log(
      `Lists of the console beside ${ORDERS} orders, median of ${ROUNDS} (longest task, shift: the largest)`,
    );
    for (const [name, all] of Object.entries(loads)) {
      const time = (pick: keyof Load) => median(all.map((one) => one[pick])).toFixed(0);
      const most = (pick: keyof Load) => Math.max(...all.map((one) => one[pick]));
      console.log(
        `  ${name.padEnd(16)} first paint ${time('firstPaintMs')} ms, rows ${time('rowsMs')} ms, longest task ` +
          `${most('longestTaskMs').toFixed(0)} ms, shift ${most('shift').toFixed(3)}`,
      );
    }
    await checkImport(first, service.url, lines);
  } finally {
    await browser.close();
    await bare.stop();
    await service.stop();
    await postgres.stop();
  }
}

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const person = { name: 'Ada', email: 'ada@marketplace.example', role: 'admin' };
  const { invitationUrl } = await operate(url, 'POST', '/operators', person);
  const page = await context.newPage();
  await page.goto(invitationUrl);
  await page.locator('#content').waitFor();
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = { tasks: [0], shift: 0, rowsMs: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    const look = () => {
      if (document.querySelector('tbody td') !== null) seen.rowsMs = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return page;
}

/** Measures the time until a row is painted. */
async function load(page: Page, url: string): Promise<Load> {
  await page.goto(url);
  await page.locator('tbody td').first().waitFor();
  await page.waitForLoadState('networkidle');
  return page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { tasks: number[]; shift: number; rowsMs: number } };
    const firstPaintMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
    return { firstPaintMs, rowsMs: seen.rowsMs, longestTaskMs: Math.max(...seen.tasks), shift: seen.shift };
  });
}

async function checkImport(context: BrowserContext, url: string, lines: number): Promise<void> {
  const offers = await fillCatalogue(url, { products: 1_000, offersEach: 1, stockEach: 1 });
  const products = offers.map(({ productId }) => productId);
  const [seller] = await operate(url, 'GET', '/sellers?limit=1');
  const file = ['id,productId,sellerId,price,status'];
  for (let line = 0; line < lines; line += 1)
    file.push(`${randomUUID()},${products[line % products.length]},${seller.id},1${line % 10}.50,active`);
  const page = await context.newPage();
  await page.goto(`${url}/console/imports`);
  const buffer = Buffer.from(file.join('\n'));
  const field = page.getByLabel('Drop a file here');
  await field.setInputFiles({ name: 'offers.csv', mimeType: 'text/csv', buffer });
  const button = page.getByRole('button', { name: 'Check the file' });
  await button.waitFor();
  const startedAt = performance.now();
  await button.click();
  await page.getByText('would change something').waitFor({ timeout: 120_000 });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`  check of an import of ${lines} lines: ${seconds.toFixed(1)} s (goal: 10)\n`);
}
