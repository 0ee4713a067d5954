/** Details that people stumble over: layout shifts, lost filters, ambiguous previews, risky changes. */
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { manual, startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { openConsole, type VisitOptions } from './support/console.ts';

const h = await startHarness(wholeFile, { KEYPORT_LOW_STOCK_UNITS: '10' });
const browser = NEEDS_BROWSER.skip ? undefined : await openConsole(wholeFile, h);
const listing = await h.seed.listing({ price: '10.00', stock: 8 });
const reseller = await h.seed.reseller({ balance: '100.00', account: { name: 'Acme Games' } });
const order = (await reseller.order(manual(listing.offerId, { quantity: 3 }))).body.data;

async function visit(path: string, options: VisitOptions = {}) {
  const opened = await browser?.visit(path, options);
  ok(opened);
  return opened;
}

test('the page of an order shifts by less than 0.1 while it loads', NEEDS_BROWSER, async () => {
  const { page, context, go, expectQuiet } = await visit('/orders');
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  // Each part waits until the page has painted the one before it.
  const parts = [/\/audit\?/, /\/orders\?accountId/, /\/orders\/\d+\/keys$/, /\/accounts\/[^/]+$/];
  let before: Promise<unknown> = Promise.resolve();
  const painting = parts.map(async (part) => {
    const previous = before;
    const painted = page
      .waitForEvent('requestfinished', (request) => part.test(request.url()))
      .then(() =>
        page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))),
      );
    before = painted;
    await page.route(part, (route) => previous.then(() => route.continue()));
    await painted;
  });
  await Promise.all([go(`/orders/${order.id}`), ...painting]);
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.getByText('Account since').waitFor();
  const shifts: number[] = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);
  const sum = shifts.reduce((total, shift) => total + shift, 0);
  ok(sum < 0.1, `${sum}: ${shifts}`);
  expectQuiet();
  await page.unrouteAll({ behavior: 'wait' });
  await context.close();
});

test(
  'an id is copied without the clipboard interface, or selected if the browser does not copy',
  NEEDS_BROWSER,
  async () => {
    const { page, context, go, expectQuiet } = await visit('/orders');
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await go(`/orders/${order.id}`);
    await page.getByRole('button', { name: 'Copy Order' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.evaluate(() => {
      document.execCommand = () => false;
    });
    await page.getByRole('button', { name: 'Copy offer' }).click();
    const field = page.getByRole('dialog', { name: 'Copy by hand' }).getByRole('textbox');
    await field.and(page.locator(':focus')).waitFor();
    const selected = await field.evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    );
    equal(selected, listing.offerId);
    equal(await page.locator('html').getAttribute('translate'), 'no', 'a translator would replace the texts');
    expectQuiet();
    await context.close();
  },
);

test(
  'keys of an input method choose nothing, and a name does not reorder what follows it',
  NEEDS_BROWSER,
  async () => {
    await h.seed.reseller({ account: { name: 'متجر الألعاب' } });
    const { page, context, expectQuiet } = await visit('/accounts');
    await page.locator('tbody a bdi', { hasText: 'متجر الألعاب' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByRole('textbox');
    await field.fill('Approvals');
    await page.getByRole('dialog').getByRole('button', { name: 'Approvals' }).waitFor();
    await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
    await field.dispatchEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true });
    ok(await field.isVisible());
    ok(page.url().endsWith('/accounts'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/approvals/);
    expectQuiet();
    await context.close();
  },
);

test('a click shows at once that something is in progress', NEEDS_BROWSER, async () => {
  const { page, context, expectQuiet } = await visit('/orders');
  const answered = Promise.withResolvers<void>();
  await page.route(/\/admin\/v1\/accounts\?/, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await page.locator('.busy').waitFor();
  answered.resolve();
  await page.getByRole('link', { name: 'Acme Games' }).waitFor();
  await page.locator('.busy').waitFor({ state: 'detached' });
  expectQuiet();
  await context.close();
});

test('the link back to a list keeps its filters', NEEDS_BROWSER, async () => {
  const { page, context, expectQuiet } = await visit('/orders?status=complete&query=acme');
  await page.getByRole('row').filter({ hasText: 'Acme Games' }).getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.getByRole('link', { name: '‹ Orders' }).click();
  await page.getByRole('row').filter({ hasText: 'Acme Games' }).waitFor();
  match(page.url(), /status=complete/);
  match(page.url(), /query=acme/);
  expectQuiet();
  await context.close();
});

test('nothing is polled behind the sign-in dialog', NEEDS_BROWSER, async () => {
  const { page, context } = await visit('/orders');
  await page.getByRole('row').filter({ hasText: 'Acme Games' }).waitFor();
  await page.clock.install();
  await context.clearCookies();
  await page.clock.runFor(20_000);
  await page.getByText('Your session has ended.').waitFor();
  await page.clock.runFor(1000);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.clock.runFor(120_000);
  deepEqual(
    asked.filter((url) => url.includes('/admin/v1/')),
    [],
  );
  await context.close();
});

test('operators must confirm that they give up their own rights', NEEDS_BROWSER, async () => {
  const { page, context, expectQuiet } = await visit('/profile');
  await page.getByRole('button', { name: 'Edit…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Role').selectOption('viewer');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await dialog.getByText('Confirm that you give up your own rights.').waitFor();
  await dialog.getByLabel('I give up my own rights').check();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  expectQuiet();
  await context.close();
});

test('the preview of a payout names the account and the amount that is paid out', NEEDS_BROWSER, async () => {
  const { page, context, expectQuiet } = await visit(`/accounts/${reseller.accountId}`, { role: 'finance' });
  await page.getByRole('button', { name: 'Pay out…' }).click();
  await page.getByLabel('Amount in EUR').fill('20');
  await page.getByLabel('Reference').fill('bank-9');
  const preview = page.getByRole('status', { name: 'What happens' });
  await preview.getByText('Paid out to the reseller').waitFor();
  match(await preview.innerText(), /Acme Games[\s\S]*Paid out to the reseller\s*€20\.00/);
  expectQuiet();
  await context.close();
});

test('lists of offers warn at the same stock level as Home', NEEDS_BROWSER, async () => {
  await h.seed.listing({ stock: 10, product: { name: 'Few of it' } });
  await h.seed.listing({ stock: 11, product: { name: 'Enough of it' } });
  const { page, context, expectQuiet } = await visit('/catalogue/offers', { role: 'viewer' });
  const badges = (name: string) =>
    page
      .getByRole('row')
      .filter({ hasText: name })
      .locator('.badge', { hasText: / left$/ });
  await badges('Few of it').waitFor();
  equal(await badges('Enough of it').count(), 0);
  expectQuiet();
  await context.close();
});

test('in the first hour of a day, the course has no line yet', NEEDS_BROWSER, async () => {
  const hour = new Date().getUTCHours();
  // The sign of these zones is inverted: it is 02:00 UTC at midnight in Etc/GMT+2.
  const zone = hour <= 12 ? `Etc/GMT+${hour}` : `Etc/GMT-${24 - hour}`;
  const { page, context, expectQuiet } = await visit('/', { zone });
  await page.locator('.spark path').first().waitFor({ state: 'attached' });
  equal(await page.locator('.spark path').first().getAttribute('d'), '');
  expectQuiet();
  await context.close();
});

test('the line to the unfinished day is dashed, because its total is too low', NEEDS_BROWSER, async () => {
  const { page, context, expectQuiet } = await visit('/?period=week');
  const [done, open] = [page.locator('.spark path').first(), page.locator('.spark .unfinished').first()];
  await done.waitFor({ state: 'attached' });
  const pointsOf = async (path: typeof done) => (await path.getAttribute('d'))?.slice(1).split('L') ?? [];
  const [points, last] = [await pointsOf(done), await pointsOf(open)];
  equal(points.length, 6);
  equal(points.at(-1), last[0]);
  equal(last[1]?.split(',')[0], '120');
  const dash = (path: typeof done) => path.evaluate((drawn) => getComputedStyle(drawn).strokeDasharray);
  equal(await dash(done), 'none');
  notEqual(await dash(open), 'none');
  expectQuiet();
  await context.close();
});

test('the labels of charts have the same size at every width', NEEDS_BROWSER, async () => {
  const { page, context, go, expectQuiet } = await visit('/');
  for (const path of ['/?period=week', '/finance'])
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await go(path);
      const label = page.locator('svg .tick').first();
      await label.waitFor();
      const height = (await label.boundingBox())?.height ?? 0;
      ok(height > 11 && height < 16, `${path} at ${width}: ${height}`);
    }
  expectQuiet();
  await context.close();
});
