import { deepEqual, equal, match } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { expectAccessible, openConsole } from './support/console.ts';

const h = await startHarness(wholeFile);
const { visit } = openConsole(h);
const { productId, offerId, sellerId } = await h.seed.listing({ price: '10.00', stock: 2 });
const paused = await h.seed.offer({ productId, sellerId, price: '10.00' });
const NEW_OFFER = '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111';

/** The list has a title row, semicolons, decimal commas and the Windows encoding. */
const PRICE_LIST = [
  'Preisliste',
  '',
  'ID;Artikelnummer;sellerId;Preis (EUR);Status',
  `${offerId};${productId};${sellerId};1.234,50 EUR;ja`,
  `${NEW_OFFER};${productId};${sellerId};7,5;nein`,
  `kaputt;${productId};${sellerId};8,00;ja`,
  `${paused.id};${productId};${sellerId};10,00;nein`,
].join('\r\n');

test('a price list with odd columns is checked, then imported', NEEDS_BROWSER, async (t) => {
  const { page, expectQuiet } = await visit(t, '/imports', { role: 'catalogue' });
  await page
    .getByLabel('Drop a file here')
    .setInputFiles({ name: 'preise.csv', mimeType: 'text/csv', buffer: Buffer.from(PRICE_LIST, 'latin1') });
  await page.getByText('1.234,50').waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('3 lines would change something, 0 unchanged, 1 rejected.').waitFor();
  await page.getByText('Existing offers: 1 paused, 0 activated.').waitFor();
  equal((await h.operate('GET', `/offers/${offerId}`)).price, '10.00');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download 1 rejected line' }).click();
  const rejected = await readFile(await (await downloading).path(), 'utf8');
  match(rejected, /^line,message\r\n6,"?Id \(column “+ID”+\) must be a UUID/);
  await page.getByRole('button', { name: 'Import 3 lines' }).click();
  await page.getByText('3 lines imported, 0 unchanged, 1 rejected.').waitFor();
  const { price, status } = await h.operate('GET', `/offers/${offerId}`);
  const added = await h.operate('GET', `/offers/${NEW_OFFER}`);
  deepEqual([price, status, added.price, added.status], ['1234.50', 'active', '7.50', 'paused']);
  await page.getByRole('button', { name: 'Back to imports' }).click();
  await page.getByRole('link', { name: 'Offers', exact: true }).click();
  await page.getByRole('cell', { name: '6', exact: true }).waitFor();
  await expectAccessible(page);
  expectQuiet();
});

test('a price list without offer ids applies to the seller chosen by name', NEEDS_BROWSER, async (t) => {
  const listing = await h.seed.listing({ price: '10.00' });
  const { name } = await h.operate('PUT', `/sellers/${listing.sellerId}`, { name: 'Möwe Handel' });
  // Two price columns, an article number protected by a formula, its duplicate, a blank row and a sum.
  const list = [
    'Preisliste;;;',
    'Artikelnummer;Bezeichnung;Netto;Brutto',
    `="${listing.productId}";Star Harbour;"1.090,00 €";"1.297,10 €"`,
    `${listing.productId};Star Harbour;20,00;23,80`,
    ';;;',
    'Summe;;"1.110,00 €";"1.320,90 €"',
  ].join('\r\n');
  const { page, expectQuiet } = await visit(t, '/imports', { role: 'catalogue' });
  await page
    .getByLabel('Drop a file here')
    .setInputFiles({ name: 'liste.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
  await page.getByText('More than one column matches: Netto, Brutto.').waitFor();
  equal(await page.getByLabel('Content').inputValue(), 'prices');
  await page.getByLabel('Column for price').selectOption('Brutto');
  await page.getByText('Choose the seller, or the column that names one.').waitFor();
  await page.getByRole('combobox', { name: 'Seller of every line' }).fill('möwe');
  await page.getByRole('option', { name }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('2 lines would change something, 0 unchanged, 1 rejected.').waitFor();
  await page.getByText('Line 6').waitFor();
  await page.getByRole('button', { name: 'Import 2 lines' }).click();
  await page.getByText('2 lines imported').waitFor();
  equal((await h.operate('GET', `/offers/${listing.offerId}`)).price, '23.80');
  expectQuiet();
});

test('keys without a header are added to the chosen offer', NEEDS_BROWSER, async (t) => {
  const { offerId: other } = await h.seed.listing({ stock: 0, product: { name: 'Silent Orbit' } });
  const { page, expectQuiet } = await visit(t, '/imports', { role: 'catalogue' });
  await page
    .getByLabel('Drop a file here')
    .setInputFiles({ name: 'keys.txt', mimeType: 'text/plain', buffer: Buffer.from('ORBIT-1\nORBIT-2\n') });
  await page.getByLabel('Content').waitFor();
  equal(await page.getByLabel('Content').inputValue(), 'keys');
  await page.getByLabel('The first line names the columns').uncheck();
  await page.getByRole('combobox', { name: 'Offer of every line' }).fill('silent');
  await page.getByRole('option', { name: 'Silent Orbit' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'Import 2 lines' }).click();
  await page.getByText('2 lines imported').waitFor();
  equal((await h.operate('GET', `/offers/${other}`)).quantity, 2);
  expectQuiet();
});

test(
  'old and new prices are shown, outliers cause a warning, and the import is undone',
  NEEDS_BROWSER,
  async (t) => {
    const [one, other] = [await h.seed.listing({ price: '1.99' }), await h.seed.listing({ price: '10.00' })];
    const { page, expectQuiet } = await visit(t, '/imports', { role: 'catalogue' });
    const list = `id,price\n${other.offerId},11.00\n${one.offerId},199\n`;
    await page
      .getByLabel('Drop a file here')
      .setInputFiles({ name: 'slip.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('alert').getByText('1 price is more than three times the previous price').waitFor();
    const rows = page.getByRole('table', { name: 'Prices before and after' }).getByRole('row');
    match(await rows.nth(1).innerText(), /Check[\s\S]*€1\.99[\s\S]*€199\.00/);
    match(await rows.nth(2).innerText(), /€10\.00[\s\S]*€11\.00/);
    match(await rows.nth(0).innerText(), /Before\s+After/);
    await page.getByRole('heading', { name: /^2 prices change;/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Import 2 lines' }).click();
    await page.getByText('2 lines imported').waitFor();
    await page.getByRole('heading', { name: /^2 prices changed;/ }).waitFor();
    await page.getByRole('button', { name: 'Back to imports' }).click();
    const run = page
      .getByRole('row')
      .filter({ hasText: 'slip.csv' })
      .filter({ hasText: 'Completed' })
      .first();
    match(await run.innerText(), /Ada/);
    await run.getByRole('link').click();
    await page.getByRole('button', { name: 'Undo import…' }).click();
    await page.getByText('2 offers return to their previous price and status.').waitFor();
    await page.getByLabel('Reason').fill('A slip');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
    await page.getByRole('heading').getByText('Undone').waitFor();
    equal((await h.operate('GET', `/offers/${one.offerId}`)).price, '1.99');
    equal(await page.getByRole('button', { name: 'Undo import…' }).count(), 0);
    expectQuiet();
  },
);

test('a spreadsheet is not read as text, and a message explains what to do', NEEDS_BROWSER, async (t) => {
  const { page, expectQuiet } = await visit(t, '/imports', { role: 'catalogue' });
  const buffer = Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0, 6, 0]);
  await page
    .getByLabel('Drop a file here')
    .setInputFiles({ name: 'preise.xlsx', mimeType: 'application/octet-stream', buffer });
  await page.getByRole('alert').getByText('preise.xlsx is a spreadsheet. Open it, save it as CSV').waitFor();
  await expectAccessible(page);
  expectQuiet();
});
