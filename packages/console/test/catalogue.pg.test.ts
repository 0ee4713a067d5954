/** The catalogue in the console: prices of several offers at once, keys in, and what a viewer does not get. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { openConsole } from './support/console.ts';

const h = await startHarness(wholeFile);
const browser = NEEDS_BROWSER.skip ? undefined : await openConsole(wholeFile, h);
const cheap = await h.seed.listing({ price: '10.10', stock: 2, product: { name: 'Star Harbour' } });
const dear = await h.seed.listing({ price: '20.00', stock: 2, product: { name: 'Deep Winter' } });

const priceOf = async (offerId: string) => (await h.operate('GET', `/offers/${offerId}`)).price;

test('prices of selected offers change by percent, as the preview shows', NEEDS_BROWSER, async () => {
  const visit = await browser?.visit('/catalogue/offers', { role: 'catalogue' });
  ok(visit);
  const { page } = visit;
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await page.getByRole('button', { name: 'Change …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Change').selectOption('percent');
  await dialog.getByLabel('Percent').fill('-2,5');
  await dialog.getByText('€10.10 → €9.85').waitFor();
  await dialog.getByText('€20.00 → €19.50').waitFor();
  equal(await priceOf(cheap.offerId), '10.10');
  await dialog.getByRole('button', { name: 'Change 2 offers' }).click();
  await page.getByText('2 offers changed').waitFor();
  deepEqual([await priceOf(cheap.offerId), await priceOf(dear.offerId)], ['9.85', '19.50']);
  visit.expectQuiet();
  await visit.context.close();
});

test('keys are added once, and never kept in the browser', NEEDS_BROWSER, async () => {
  const visit = await browser?.visit(`/catalogue/offers/${cheap.offerId}`, { role: 'catalogue' });
  ok(visit);
  const { page } = visit;
  await page.getByRole('button', { name: 'Add keys …' }).click();
  const known = cheap.codes[0] ?? '';
  await page.getByLabel('Keys, one a line').fill(`AAAA-1111\nAAAA-1111\n\nBBBB-2222\n${known}`);
  await page.getByRole('button', { name: 'Add 3 keys' }).click();
  await page.getByText('2 keys added, 1 left out').waitFor();
  equal((await h.operate('GET', `/offers/${cheap.offerId}`)).quantity, 4);
  ok(!(await page.evaluate(() => JSON.stringify(sessionStorage))).includes('BBBB'));
  ok(!(await page.content()).includes('BBBB-2222'));
  visit.expectQuiet();
  await visit.context.close();
});

test('keys are withdrawn as the preview shows, with those that stay and why', NEEDS_BROWSER, async () => {
  const visit = await browser?.visit(`/catalogue/offers/${dear.offerId}`, { role: 'catalogue' });
  ok(visit);
  const { page } = visit;
  await page.getByRole('button', { name: 'Withdraw keys …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Which').selectOption('codes');
  await dialog.getByLabel('Keys, one a line').fill(`${dear.codes[0]}\nNOT-OURS`);
  await dialog.getByText('1 key will never be sold. On sale: 2 → 1.').waitFor();
  await dialog.getByText('stays: the service does not know it').waitFor();
  await dialog.getByLabel('Reason').fill('The publisher blocked it');
  await dialog.getByRole('button', { name: 'Withdraw 1 key' }).click();
  await page.getByText('1 key withdrawn').waitFor();
  equal((await h.operate('GET', `/offers/${dear.offerId}`)).quantity, 1);
  visit.expectQuiet();
  await visit.context.close();
});

test('who may only look gets no actions', NEEDS_BROWSER, async () => {
  const visit = await browser?.visit(`/catalogue/offers/${cheap.offerId}`, { role: 'viewer' });
  ok(visit);
  await visit.page.getByRole('heading', { name: 'Prices' }).waitFor();
  equal(await visit.page.getByRole('button', { name: /keys …|Change price|Pause/ }).count(), 0);
  visit.expectQuiet();
  await visit.context.close();
});
