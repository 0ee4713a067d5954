import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { expectAccessible, openConsole } from './support/console.ts';

const h = await startHarness(wholeFile);
const { visit } = openConsole(h);
const cheap = await h.seed.listing({ price: '10.10', stock: 2, product: { name: 'Star Harbour' } });
const dear = await h.seed.listing({ price: '20.00', stock: 2, product: { name: 'Deep Winter' } });

const toPrice = async (offerId: string) => (await h.operate('GET', `/offers/${offerId}`)).price;

test(
  'more offers than one request may change are each changed once, even if a request fails',
  NEEDS_BROWSER,
  async (t) => {
    const sellerId = await h.seed.seller('Large Keys');
    const ids = Array.from({ length: 1005 }, () => randomUUID()).sort();
    const lines = ids.map((id) => `${id},${cheap.productId},${sellerId},10.00,active`);
    const imported = await fetch(`${h.url}/admin/v1/imports/offers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${h.operatorToken}`, 'content-type': 'text/csv' },
      body: ['id,productId,sellerId,price,status', ...lines].join('\n'),
    });
    equal(imported.status, 200);
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    const { page, expectQuiet } = await visit(t, `/catalogue/offers?sellerId=${sellerId}`, {
      role: 'catalogue',
    });
    const dialog = page.getByRole('dialog');
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByText('1,005 matches selected').waitFor();
    await page.getByRole('button', { name: 'Change…' }).click();
    await dialog.getByLabel('Percent').fill('10');
    await dialog.getByText('1,005 offers change.').waitFor({ timeout: 60_000 });
    await h.operate('PATCH', `/offers/${last}`, { price: '20.00' });
    await dialog.getByLabel('Reason').fill('Costs');
    await dialog.getByLabel('Type 1005 to confirm').fill('1005');
    await dialog.getByRole('button', { name: 'Change 1,005 offers' }).click();
    await dialog.getByText('5 offers change.', { exact: true }).waitFor();
    await dialog.getByText('€20.00 → €22.00').waitFor();
    equal(await toPrice(first), '11.00');
    await dialog.getByLabel('Type 5 to confirm').fill('5');
    await dialog.getByRole('button', { name: 'Change 5 offers' }).click();
    await page.getByText('1,005 offers changed').waitFor();
    deepEqual([await toPrice(first), await toPrice(last)], ['11.00', '22.00']);
    expectQuiet(/412/);
  },
);

test('a price that changed in another tab is seen before it is changed again', NEEDS_BROWSER, async (t) => {
  const { offerId } = await h.seed.listing({ price: '12.00' });
  const { page } = await visit(t, `/catalogue/offers/${offerId}`, { role: 'catalogue' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Change price…' }).click();
  await dialog.getByLabel('New price in EUR').fill('13.00');
  await dialog.getByText('€12.00 → €13.00').waitFor();
  await h.operate('PATCH', `/offers/${offerId}`, { price: '9.99' });
  await dialog.getByRole('button', { name: 'Change price' }).click();
  await dialog.getByText('The data changed while the form was open.').waitFor();
  await dialog.getByText('€9.99 → €13.00').waitFor();
  equal(await toPrice(offerId), '9.99');
  await dialog.getByRole('button', { name: 'Change price' }).click();
  await page.getByRole('status').getByText('Price changed to €13.00').waitFor();
  equal(await toPrice(offerId), '13.00');
});

test('keys are added once, and never kept in the browser', NEEDS_BROWSER, async (t) => {
  const { page, go, expectQuiet } = await visit(t, `/catalogue/offers/${cheap.offerId}`, { role: 'admin' });
  await page.getByRole('button', { name: 'Add keys…' }).click();
  const known = cheap.codes[0] ?? '';
  const field = page.getByLabel('Keys, one per line');
  await field.fill('AAAA-1111\n1.23457E+13');
  await field.blur();
  await page.getByText('The key in line 2 is what a spreadsheet shows instead of the text').waitFor();
  await field.fill(`AAAA-1111\u200b\n"aaaa 1111"\n\n="BBBB-2222"\n${known}`);
  await page.getByText('2 new keys, 1 left out: the service already holds them. On sale: 2 → 4.').waitFor();
  await page.getByText('1 repeated line; each key counts once.').waitFor();
  await page.getByText('1 key has blanks or invisible characters at an end, which are removed.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add 2 keys' }).click();
  await page.getByText('2 keys added, 1 left out').waitFor();
  equal((await h.operate('GET', `/offers/${cheap.offerId}`)).quantity, 4);
  ok(!(await page.evaluate(() => JSON.stringify(sessionStorage))).includes('BBBB'));
  ok(!(await page.content()).includes('BBBB-2222'));
  await go('/audit?action=keys.add');
  await page.getByRole('link', { name: 'Offer', exact: true }).first().click();
  await page.waitForURL(/\/catalogue\/offers\//);
  expectQuiet();
});

test(
  'the catalogue role adds keys without a preview, which would reveal which codes are in stock',
  NEEDS_BROWSER,
  async (t) => {
    const { offerId, codes } = await h.seed.listing({ stock: 1 });
    const { page, expectQuiet } = await visit(t, `/catalogue/offers/${offerId}`, { role: 'catalogue' });
    await page.getByRole('button', { name: 'Add keys…' }).click();
    await page.getByLabel('Keys, one per line').fill(`CCCC-1111\n${codes[0]}`);
    await page.getByRole('button', { name: 'Add 2 keys' }).click();
    await page.getByText('1 key added, 1 left out').waitFor();
    equal((await h.operate('GET', `/offers/${offerId}`)).quantity, 2);
    expectQuiet();
  },
);

test(
  'keys are withdrawn as in the preview, which lists the keys that stay and why',
  NEEDS_BROWSER,
  async (t) => {
    const { page, expectQuiet } = await visit(t, `/catalogue/offers/${dear.offerId}`, { role: 'admin' });
    await page.getByRole('button', { name: 'Withdraw keys…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Which').selectOption('codes');
    await dialog.getByLabel('Keys, one per line').fill(`${dear.codes[0]}\nNOT-OURS`);
    await dialog.getByText('1 key will never be sold. On sale: 2 → 1.').waitFor();
    await dialog.getByText('not found in this service').waitFor();
    await dialog.getByLabel('Reason').fill('The publisher blocked it');
    await dialog.getByRole('button', { name: 'Withdraw 1 key' }).click();
    await page.getByText('1 key withdrawn').waitFor();
    equal((await h.operate('GET', `/offers/${dear.offerId}`)).quantity, 1);
    expectQuiet();
  },
);

test('a seller, a product and an offer are each created once and then changed', NEEDS_BROWSER, async (t) => {
  const { page, go, expectQuiet } = await visit(t, '/catalogue/sellers', { role: 'catalogue' });
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'New seller…' }).click();
  await dialog.getByRole('button', { name: 'Create seller' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  ok(await dialog.getByLabel('Name').evaluate((field) => field === document.activeElement));
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill('Borealis Keys');
  await dialog.getByRole('button', { name: 'Create seller' }).dblclick();
  await page.getByText('Borealis Keys created').waitFor();
  const sellers = await h.call('GET', '/admin/v1/sellers?query=borealis', { token: h.operatorToken });
  equal(sellers.body.data.length, 1);

  await go('/catalogue');
  await page.getByRole('button', { name: 'New product…' }).click();
  await dialog.getByLabel('Product id').fill('123');
  await dialog.getByLabel('Name').fill('Silent Orbit');
  await dialog.getByText('Enter 14 digits. The first one must not be 0.').waitFor();
  await dialog.getByLabel('Product id').fill(cheap.productId);
  await dialog.getByRole('button', { name: 'Create product' }).click();
  const taken = dialog.getByText('This is the id of Star Harbour.');
  await taken.waitFor();
  equal(await taken.count(), 1);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await dialog.getByLabel('Product id').fill('70000000000017');
  await dialog.getByLabel('Categories').fill('Action\nRäume');
  await dialog.getByLabel('Region').fill('x'.repeat(201));
  await dialog.getByRole('button', { name: 'Create product' }).click();
  await dialog.getByText('This must be text of 0 to 200 characters.').waitFor();
  await dialog.getByLabel('Region').fill('Global');
  await dialog.getByRole('button', { name: 'Create product' }).click();
  await page.getByRole('heading', { level: 1, name: 'Silent Orbit' }).waitFor();
  const product = await h.operate('GET', '/products/70000000000017');
  deepEqual([product.region, product.platform, product.slug], ['Global', null, 'silent-orbit']);
  deepEqual(product.categories, [
    { id: 'action', name: 'Action' },
    { id: 'raume', name: 'Räume' },
  ]);

  await page.getByRole('button', { name: 'New offer…' }).click();
  await dialog.getByRole('combobox', { name: 'Seller' }).fill('boreal');
  await page.getByRole('option', { name: 'Borealis Keys' }).click();
  await dialog.getByLabel('Price in EUR').fill('12,30');
  await dialog.getByText('No seller currently sells this product.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create offer' }).dblclick();
  await page.getByText('Offer created. Add keys to sell it.').waitFor();
  const offers = await h.call('GET', '/admin/v1/offers?productId=70000000000017', { token: h.operatorToken });
  deepEqual(
    offers.body.data.map(({ price, status, sellerName }: Record<string, string>) => [
      price,
      status,
      sellerName,
    ]),
    [['12.30', 'active', 'Borealis Keys']],
  );
  expectQuiet(/400/);
});

test(
  'an edit replaces only the edited fields and keeps concurrent changes by others',
  NEEDS_BROWSER,
  async (t) => {
    const { page, go, expectQuiet } = await visit(t, `/catalogue/products/${dear.productId}`, {
      role: 'catalogue',
    });
    await page.getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Publisher').fill('Polar Works');
    const { id, ...before } = await h.operate('GET', `/products/${dear.productId}`);
    await h.operate('PUT', `/products/${id}`, {
      ...before,
      region: 'Europe',
      images: ['https://img.example/1.jpg'],
      portraitImage: 'https://img.example/portrait.jpg',
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Deep Winter saved').waitFor();
    const { publisher, region, images } = await h.operate('GET', `/products/${id}`);
    deepEqual([publisher, region, images], ['Polar Works', 'Europe', ['https://img.example/1.jpg']]);
    equal(await page.locator('.no-picture').textContent(), 'D', 'nothing is loaded from another host');

    await h.seed.seller('Aurora Keys');
    await go('/catalogue/sellers');
    await page.getByRole('button', { name: 'Actions for Aurora Keys' }).click();
    await page.getByRole('menuitem', { name: 'Rename Aurora Keys' }).click();
    await dialog.getByLabel('Name').fill('Aurora');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Seller renamed to Aurora').waitFor();
    expectQuiet();
  },
);

test('a viewer gets no actions', NEEDS_BROWSER, async (t) => {
  const { page, go, expectQuiet } = await visit(t, `/catalogue/offers/${cheap.offerId}`, { role: 'viewer' });
  await page.getByRole('heading', { name: 'Prices' }).waitFor();
  const actions = page.getByRole('button', {
    name: /keys…|Change price|Pause|New (seller|product|offer)|Edit|Rename/,
  });
  equal(await actions.count(), 0);
  for (const path of ['', '/offers', '/sellers', `/products/${cheap.productId}`]) {
    await go(`/catalogue${path}`);
    await page.getByRole('table').waitFor();
    equal(await actions.count(), 0, path);
  }
  expectQuiet();
});
