import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { auto, startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { openConsole } from './support/console.ts';

const h = await startHarness(wholeFile);
const { visit } = openConsole(h);
const { productId } = await h.seed.listing({
  price: '3.00',
  stock: 200,
  product: { name: 'Star Harbour', region: 'Europe' },
});
const acme = await h.seed.reseller({ balance: '900.00', account: { name: 'Acme', holdOrders: true } });
const other = await h.seed.reseller({ balance: '900.00', account: { name: 'Borealis' } });
const held: string[] = [];
for (let count = 0; count < 60; count += 1) held.push((await acme.order(auto(productId))).body.data.id);
const dear = (await other.order(auto(productId, { quantity: 9 }))).body.data.id;

test(
  'amounts follow the language of the browser, and dates the order of its region, in English',
  NEEDS_BROWSER,
  async (t) => {
    for (const [locale, amount, day] of [
      ['de-DE', '27,00 €', /^\d+ [A-Z][a-z]+ \d\d:\d\d:\d\d$/],
      ['hi-IN', '€27.00', /^\d+ [A-Z][a-z]+ \d\d:\d\d:\d\d$/],
      ['en-US', '€27.00', /^[A-Z][a-z]+ \d+ \d\d:\d\d:\d\d$/],
    ] as const) {
      const { page } = await visit(t, `/orders?query=${dear}`, { locale });
      const row = page.locator('tbody tr');
      await row.getByText(amount).waitFor();
      match((await row.locator('time').first().textContent()) ?? '', day);
    }
  },
);

test('a column can sort the list in both directions and be hidden', NEEDS_BROWSER, async (t) => {
  const { page, expectQuiet } = await visit(t, '/accounts');
  const names = () => page.locator('tbody td:first-child').allTextContents();
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.waitForURL(/sort=name/);
  await page.locator('th[aria-sort="ascending"]').waitFor();
  await page.locator('[aria-busy="false"]').waitFor();
  deepEqual(await names(), ['Acme', 'Borealis']);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.locator('th[aria-sort="descending"]').waitFor();
  await page.locator('[aria-busy="false"]').waitFor();
  deepEqual(await names(), ['Borealis', 'Acme']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Discount' }).uncheck();
  await page.keyboard.press('Escape');
  equal(await page.getByRole('columnheader', { name: 'Discount' }).count(), 0);
  await page.goto(`${h.url}/console/accounts`);
  await page.getByRole('columnheader', { name: 'Balance' }).waitFor();
  equal(await page.getByRole('columnheader', { name: 'Discount' }).count(), 0, 'it stays hidden');
  expectQuiet();
});

test(
  'filters can be saved as a view for all operators, and the matches downloaded',
  NEEDS_BROWSER,
  async (t) => {
    const { page, expectQuiet } = await visit(t, '/orders');
    await page.keyboard.press('/');
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.press('Escape');
    equal(await page.locator('input[type=search]:focus').count(), 0, 'Esc leaves the search field');
    const openFilter = async (name: string) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    };
    await openFilter('Total from');
    await page.keyboard.type('1.234');
    await page.getByText('1.234 could be 1234 or 1.23. Enter one of these.').waitFor();
    await page.getByLabel('Total from').fill('20,00 €');
    await page.keyboard.press('Enter');
    await page.waitForURL(/totalFrom=20\.00/);
    for (const [filter, words, found] of [
      ['Region', 'eur', 'Europe'],
      ['Account', 'bor', 'Borealis'],
      ['Currency', 'usd', 'USD – US Dollar'],
    ] as const) {
      await openFilter(filter);
      await page.getByRole('combobox', { name: filter }).fill(words);
      await page.getByRole('option', { name: found }).click();
    }
    // Amounts of other currencies do not match: the chip has the currency, which is EUR by default.
    await page.getByRole('button', { name: 'Total from US$20.00', exact: true }).waitFor();
    await page.getByRole('heading', { name: /^Orders 0/ }).waitFor();
    await page.getByRole('button', { name: 'Currency USD' }).click();
    await page.getByRole('combobox', { name: 'Currency' }).fill('eur');
    await page.getByRole('option', { name: 'EUR – Euro' }).click();
    await page.getByRole('button', { name: 'Remove the filter Currency' }).click();
    await page.getByRole('button', { name: 'Total from €20.00' }).waitFor();
    for (const name of ['Total from', 'Region', 'Account'])
      await page.getByRole('button', { name: `Remove the filter ${name}` }).waitFor();
    await page.getByRole('heading', { name: 'Orders 1 · €27.00' }).waitFor();
    await page.getByRole('link', { name: dear.match(/.{4}/g)?.join('') ?? '' }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Dear ones');
    await page.getByRole('checkbox', { name: 'Share with all operators' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Dear ones 1' }).waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const saved = await saving;
    match(saved.suggestedFilename(), /^orders-[0-9a-f]{8}-20\.00-europe-\d{4}-\d\d-\d\d\.csv$/);
    const file = await readFile(await saved.path(), 'utf8');
    equal(file.trimEnd().split('\r\n').length, 2);
    match(file, new RegExp(dear));
    expectQuiet();

    const grace = await visit(t, '/orders?status=held', { role: 'support' });
    await grace.page.getByRole('link', { name: 'Dear ones (Ada) 1' }).click();
    await grace.page.waitForURL(/totalFrom=20/);
    equal(new URL(grace.page.url()).searchParams.get('status'), null);
    grace.expectQuiet();
  },
);

test('Back and the link back keep the place in a list', NEEDS_BROWSER, async (t) => {
  const { page, expectQuiet } = await visit(t, '/orders?status=held');
  const row = page.locator('tbody [data-row-key]').nth(30);
  const top = 700;
  for (const goBack of [
    () => page.goBack(),
    () => page.getByRole('link', { name: '‹ Orders' }).click(),
    async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Timeline' }).waitFor();
      await page.goBack();
    },
  ]) {
    await row.waitFor();
    await page.evaluate((y) => scrollTo(0, y), top);
    await row.click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await goBack();
    await page.waitForFunction((y) => scrollY === y, top);
    const opened = await row.getAttribute('data-row-key');
    await page.waitForFunction((id) => document.activeElement?.getAttribute('data-row-key') === id, opened);
  }
  expectQuiet();
});

test('an action applies to all matches, not only to those on the page', NEEDS_BROWSER, async (t) => {
  const { page, expectQuiet } = await visit(t, '/');
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Held 60' }).click();
  await page.waitForURL(/status=held/);
  await page.locator('[aria-busy="false"]').waitFor();
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
  await page.getByText('50 rows selected').waitFor();
  await page.getByRole('button', { name: 'Select all that match' }).click();
  await page.getByText('60 matches selected').waitFor();
  await page.getByRole('button', { name: 'Release…' }).click();
  await page.getByText('Orders that can be changed').waitFor();
  // Eight releases succeed, and the next four wait until the operator has pressed Stop.
  const [waiting, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let count = 0;
  await page.route(/\/release$/, async (route) => {
    if (route.request().postDataJSON().dryRun === true) return route.continue();
    count += 1;
    if (count === 12) waiting.resolve();
    if (count > 8) await stopped.promise;
    return route.continue();
  });
  await page.getByRole('textbox', { name: 'Reason' }).fill('Checked');
  await page.getByLabel('Type 60 to confirm').fill('60');
  await page.getByRole('button', { name: 'Release 60 orders' }).click();
  await waiting.promise;
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => history.back());
  const question = await asked;
  match(question.message(), /^The action is still running./);
  await question.dismiss();
  await page.waitForURL(/status=held/);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Stopping …' }).waitFor();
  stopped.resolve();
  await page.getByText('12 released, 48 not; they stay selected.').waitFor();
  await page.getByText('48 rows selected').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Release…' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Checked');
  await page.getByLabel('Type 48 to confirm').fill('48');
  await page.getByRole('button', { name: 'Release 48 orders' }).click();
  await page.getByText('48 orders released').waitFor();
  const { data } = (await h.call('GET', '/admin/v1/orders?status=held&limit=1', { token: h.operatorToken }))
    .body;
  deepEqual(data, []);
  expectQuiet();
});

test('the bars and rows of a report link to their orders', NEEDS_BROWSER, async (t) => {
  const { page, go, expectQuiet } = await visit(t, '/reports');
  const chart = page.getByRole('img', { name: /^Turnover over time/ });
  // Today's bar is the last one.
  const plot = chart.locator('.u-over');
  const { width = 0, height = 0 } = (await plot.boundingBox()) ?? {};
  const position = { x: width * (1 - 0.5 / 30), y: height / 2 };
  await plot.hover({ position });
  await chart.getByText(/: €207\.00$/).waitFor();
  await page.getByRole('button', { name: 'Months' }).click();
  await plot.hover({ position: { x: width * 0.9, y: height / 2 } });
  await chart
    .getByText(/ – .*: €/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Days', exact: true }).click();
  await plot.click({ position });
  await page.waitForURL(/\/orders\?.*days=utc/);
  await page.getByRole('link', { name: dear }).waitFor();
  await go('/reports?by=account');
  const row = page.getByRole('row', { name: /Borealis/ });
  await row.getByText('€27.00').first().waitFor();
  await row.getByRole('link', { name: 'Orders: Borealis, 1' }).click();
  await page.waitForURL(new RegExp(`/orders\\?.*accountId=${other.accountId}`));
  await page.locator('.text-filter', { hasText: 'Account Borealis' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  await go('/reports?by=product');
  const turnover = page.locator('td', { has: page.locator('.with-share') }).first();
  await turnover.waitFor();
  ok(await turnover.evaluate((cell) => cell.scrollWidth <= cell.clientWidth), 'the turnover is not cut off');
  await go('/reports?by=region');
  await page.getByRole('link', { name: 'Europe', exact: true }).click();
  await page.getByRole('button', { name: 'Remove the filter Region' }).click();
  await page.getByRole('button', { name: 'Day', exact: true }).waitFor();
  expectQuiet();
});

test.for([
  ['/orders?productId=12', 'Product id must be a product id of exactly 14 digits'],
  ['/accounts?sort=length', 'Sort must be one of'],
  ['/orders/12', 'Order id must be an order id of 14 to 16 digits.'],
  ['/catalogue/products/12', 'Product id must be a product id of exactly 14 digits'],
] as const)('%s names the wrong field by its label', NEEDS_BROWSER, async ([path, message], t) => {
  const { page } = await visit(t, path);
  await page.getByRole('alert').getByText(message).waitFor();
  equal(await page.getByText(/query\.|path\.|a string/).count(), 0);
});

test(
  'a page that cannot be loaded says so, and opens once the service can be reached',
  NEEDS_BROWSER,
  async (t) => {
    const { page } = await visit(t, '/orders');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Finance' }).click();
    await page.getByRole('heading', { name: 'The service cannot be reached.' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Finance' }).waitFor();
  },
);

test('the latest days are chosen by name, in the zone of the page', NEEDS_BROWSER, async (t) => {
  const { page } = await visit(t, '/orders', { zone: 'Pacific/Kiritimati' });
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('button', { name: 'Days', exact: true }).click();
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await page.waitForURL(/from=/);
  const { from, to } = Object.fromEntries(new URL(page.url()).searchParams);
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' }).format(new Date());
  equal(to, today);
  equal(Date.parse(String(to)) - Date.parse(String(from)), 6 * 86_400_000);
  await page.getByRole('button', { name: 'Last 7 days', pressed: true }).waitFor();
});
