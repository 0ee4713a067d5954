/**
 * The console as its browser sees it: Home of the demo with nothing in the cache, from the start of the navigation to its
 * content; and the pages of a table of a million orders, from the click on Older to the frame after the rows have changed.
 */
import { must } from '@keyport/core/assert';
import { operate } from '@keyport/proof/load/operator';
import { openShop } from '@keyport/proof/load/shop';
import { BROWSER, NEEDS_BROWSER } from '@keyport/server/test/support/browser';
import { startPostgres } from '@keyport/server/test/support/postgres';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { waitUntilCounted } from './history.ts';
import { seedPastOrders } from './past-orders.ts';
import { quantiles } from './quantiles.ts';
import { startService } from './service.ts';

const SIZE = 1_000_000;
const SHOP = { products: 200, offersEach: 1, stockEach: 1, resellers: 50 };
const VISITS = 10;
const FIRST_SCREEN_GOAL_MS = 1000;
const PAGES = 30;
const PAGE_GOAL_MS = 150;

export async function benchConsole({ products: size = SIZE }: { products?: number }): Promise<void> {
  if (NEEDS_BROWSER.skip) return console.log(`Console: left out, there is no ${BROWSER.executablePath}\n`);
  await benchFirstScreen();
  await benchPages(size);
}

async function benchFirstScreen(): Promise<void> {
  const service = await startService({ dataDir: 'memory' }, { KEYPORT_DEMO: 'true' });
  const browser = await chromium.launch(BROWSER);
  try {
    const storageState = await signIn(service.url);
    const times: number[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) {
      // A context of its own has a cache of its own, which is empty.
      const context = await browser.newContext({ storageState });
      const page = await context.newPage();
      await page.addInitScript(noteContent);
      await page.goto(`${service.url}/console/`, { waitUntil: 'commit' });
      times.push(await numberIn(page, () => globalThis.shownAtMs));
      await context.close();
    }
    report('Console, first screen on the demo, nothing cached', times, FIRST_SCREEN_GOAL_MS);
  } finally {
    await browser.close();
    await service.stop();
  }

  async function signIn(url: string): Promise<NonNullable<BrowserContextOptions['storageState']>> {
    const context = await browser.newContext();
    await openSignedIn(await context.newPage(), url);
    const state = await context.storageState();
    await context.close();
    return state;
  }
}

async function benchPages(size: number): Promise<void> {
  const postgres = await startPostgres({ durable: true });
  const service = await startService({ databaseUrl: postgres.url });
  const browser = await chromium.launch(BROWSER);
  try {
    const shop = await openShop(service.url, SHOP);
    const accountIds = shop.accounts.map(({ id }) => id);
    await seedPastOrders({ databaseUrl: postgres.url, accountIds, count: size });
    await waitUntilCounted(postgres.url);
    const page = await browser.newPage();
    await page.addInitScript(notePages);
    await openSignedIn(page, service.url);
    console.log(`Console, pages of 50 of ${size} orders`);
    const [accountId] = accountIds;
    for (const [name, search] of Object.entries({
      'without a filter': '',
      'with a status': '?status=complete',
      'of an account': `?accountId=${must(accountId, 'an account')}`,
      'of a product': `?productId=${must(shop.offers[7], 'an offer').productId}`,
    })) {
      await page.goto(`${service.url}/console/orders${search}`);
      report(`  ${name}`, await turnPages(page), PAGE_GOAL_MS);
    }
  } finally {
    await browser.close();
    await service.stop();
    await postgres.stop();
  }
}

/** Through a one-time link, as the first time. */
async function openSignedIn(page: Page, url: string): Promise<void> {
  const body = { name: 'Bench', email: 'bench@marketplace.example', role: 'admin' };
  const { invitationUrl } = await operate(url, 'POST', '/operators', body);
  await page.goto(invitationUrl);
  await page.locator('#content').waitFor();
}

/** What the page has noted, once it has. */
async function numberIn(page: Page, read: () => number | undefined): Promise<number> {
  return must(await (await page.waitForFunction(read)).jsonValue(), 'a time');
}

async function turnPages(page: Page): Promise<number[]> {
  const times: number[] = [];
  const older = page.getByRole('button', { name: 'Older' });
  for (let count = 0; count < PAGES; count += 1) {
    await older.click();
    times.push(await numberIn(page, () => globalThis.turnedInMs));
  }
  return times;
}

declare global {
  /** Since the start of the navigation; undefined: not yet. */
  var shownAtMs: number | undefined;
  /** Since the last click; undefined: not yet. */
  var turnedInMs: number | undefined;
}

/** Runs in the page: what needs somebody, the sums and the chart are there, and painted. */
function noteContent(): void {
  const observer = new MutationObserver(() => {
    const isShown = document.querySelector('.attention, .empty') && document.querySelector('.tiles');
    if (!isShown || document.querySelector('.bars svg') === null) return;
    observer.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => {
        globalThis.shownAtMs = performance.now();
      }),
    );
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Runs in the page: from a click until other rows are painted. */
function notePages(): void {
  const firstRow = () => document.querySelector<HTMLElement>('tbody [data-row-key]')?.dataset['rowKey'];
  let clickedAtMs: number | undefined;
  let before: string | undefined;
  addEventListener(
    'click',
    ({ timeStamp }) => {
      clickedAtMs = timeStamp;
      before = firstRow();
      globalThis.turnedInMs = undefined;
    },
    { capture: true },
  );
  new MutationObserver(() => {
    if (clickedAtMs === undefined || firstRow() === before || firstRow() === undefined) return;
    const startedAtMs = clickedAtMs;
    clickedAtMs = undefined;
    requestAnimationFrame(() =>
      setTimeout(() => {
        globalThis.turnedInMs = performance.now() - startedAtMs;
      }),
    );
  }).observe(document, { childList: true, subtree: true });
}

function report(name: string, times: readonly number[], goalMs: number): void {
  const at = quantiles(times);
  const ms = (share: number) => `${at(share).toFixed(0).padStart(4)} ms`;
  console.log(`${name.padEnd(50)} p50 ${ms(0.5)}  p99 ${ms(0.99)}  (goal: p50 below ${goalMs} ms)`);
}
