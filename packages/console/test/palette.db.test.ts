import { deepEqual, ok } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type TestContext, test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { auto, startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { expectAccessible, openConsole, type VisitOptions } from './support/console.ts';

const h = await startHarness(wholeFile);
const { visit } = openConsole(h);
const sellerId = await h.seed.seller('Lootlarder');
const { productId, offerId, codes } = await h.seed.listing({
  sellerId,
  stock: 3,
  product: { name: 'Star Harbour' },
});
const northwind = await h.seed.reseller({ balance: '90.00', account: { name: 'Northwind Keys' } });
const { data: referred } = (
  await h.call('POST', '/export/v1/orders', {
    token: northwind.token,
    body: { items: [auto(productId)], reference: 'Shop 4711/b' },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
).body;
const code = 'AB12C-DE34F-GH56I';
const sold = await h.seed.listing({ stock: 0 });
await h.operate('POST', `/offers/${sold.offerId}/keys`, { keys: [{ code }] });
const { data: ofCode } = (await northwind.order(auto(sold.productId))).body;
// The first row of its list.
const { data: order } = (await northwind.order(auto(productId))).body;
const { traceId } = await h.operate('GET', `/orders/${order.id}`);

async function openPalette(t: TestContext, path: string, options?: VisitOptions) {
  const opened = await visit(t, path, options);
  const { page } = opened;
  const dialog = page.getByRole('dialog', { name: 'Search or jump to' });
  const search = async (text: string) => {
    await page.keyboard.press('Control+k');
    await dialog.getByRole('textbox').fill(text);
    return dialog;
  };
  return { ...opened, search };
}

test('an id opens what it names', NEEDS_BROWSER, async (t) => {
  const { page, search, expectQuiet } = await openPalette(t, '/');
  for (const [id, label, path] of [
    [order.id, `Order ${order.id} of Northwind Keys`, `/orders/${order.id}`],
    [`charge-${order.id}`, `Order ${order.id} of Northwind Keys`, `/orders/${order.id}`],
    [productId, 'Product Star Harbour', `/catalogue/products/${productId}`],
    [northwind.accountId.toUpperCase(), 'Account Northwind Keys', `/accounts/${northwind.accountId}`],
    [offerId, 'Offer of Star Harbour from Lootlarder', `/catalogue/offers/${offerId}`],
    [sellerId, 'Seller Lootlarder', `/catalogue/sellers/${sellerId}`],
    [traceId, `Order ${order.id} of Northwind Keys`, `/orders/${order.id}`],
    [
      `${order.id.slice(0, 4)} ${order.id.slice(4, 8)}`,
      `Order ${order.id} of Northwind Keys`,
      `/orders/${order.id}`,
    ],
    ['4711', `Order ${referred.id} of Northwind Keys: Shop 4711/b`, `/orders/${referred.id}`],
    ['lootl', 'Seller Lootlarder', `/catalogue/sellers/${sellerId}`],
  ] as const) {
    const dialog = await search(id);
    await dialog.getByRole('button', { name: label }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${h.url}/console${path}`);
    await dialog.waitFor({ state: 'hidden' });
  }
  await (await search('zzzzz')).getByText('Nothing found').waitFor();
  expectQuiet();
});

test('a key in the search of a list leads to its order, and never to the URL', NEEDS_BROWSER, async (t) => {
  const { page, expectQuiet } = await visit(t, '/orders');
  const dialog = page.getByRole('dialog', { name: 'Search or jump to' });
  const search = page.getByRole('searchbox', { name: 'Search orders' });
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await search.fill(code);
  await page.getByRole('button', { name: 'Find its order' }).click();
  await dialog.getByRole('button', { name: 'Find the order of this key' }).click();
  await dialog.getByRole('button', { name: `Order ${ofCode.id}` }).click();
  await page.waitForURL(new RegExp(`/orders/${ofCode.id}$`));
  deepEqual(
    urls.filter((url) => decodeURIComponent(url).includes(code)),
    [],
  );
  // A reference may look like a key.
  await page.goBack();
  await search.fill('SHOP-4711-2026');
  await page.getByRole('button', { name: 'Search for this text' }).click();
  await page.waitForURL(/query=SHOP-4711-2026/);
  await page
    .getByText('No order matches')
    .or(page.getByText(/matches/))
    .first()
    .waitFor();
  expectQuiet();
});

test('the palette has the actions of the current row and of the open page', NEEDS_BROWSER, async (t) => {
  const { page, search, go, expectQuiet } = await openPalette(t, '/orders');
  const row = page.locator(`[data-row-key="${order.id}"]`);
  await row.waitFor();
  await page.keyboard.press('j');
  await search('peek at');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`peek=${order.id}`));
  await go(`/orders/${order.id}`);
  await page.getByRole('button', { name: 'Refund…' }).waitFor();
  await search('refund');
  await page.keyboard.press('Enter');
  const refund = page.getByRole('dialog', { name: `Refund order ${order.id}` });
  await refund.getByRole('checkbox').check();
  await refund.getByRole('button', { name: 'Refund €10.00' }).waitFor();
  await page.keyboard.press('Escape');
  await refund.waitFor({ state: 'hidden' });
  await go(`/catalogue/offers/${offerId}`);
  await page.getByRole('button', { name: 'Pause…' }).waitFor();
  await search('pause');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Pause the offer of Star Harbour' }).waitFor();
  expectQuiet();
});

test(
  'actions of other pages are offered everywhere, to the roles that may use them',
  NEEDS_BROWSER,
  async (t) => {
    const { page, search, expectQuiet } = await openPalette(t, '/audit');
    const dialog = page.getByRole('dialog');
    await search('find a key');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/find-key$/);
    await search('new acc');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New account' }).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Name').fill('Borealis');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(/\/accounts\/.*tab=clients/);
    await search('invite');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Name').fill('Grace');
    await dialog.getByLabel('Email').fill('grace@shop.example');
    await dialog.getByRole('button', { name: 'Create operator' }).click();
    await page.getByRole('dialog', { name: 'Send this link to Grace' }).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await search('import products');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/imports$/);
    expectQuiet();

    const offered = async (role: VisitOptions['role'] = 'admin') => {
      const opened = await openPalette(t, '/', { role });
      const palette = await opened.search('');
      await palette.getByRole('button', { name: 'Home' }).waitFor();
      const actions = palette.getByRole('button', { name: /^(?:New|Invite|Import |Find)/ });
      return actions.allTextContents();
    };
    deepEqual(await offered('viewer'), []);
    deepEqual(await offered('support'), ['Find a key']);
    const ofCatalogue = ['New product', 'New offer', 'New seller', 'Import products, offers or keys'];
    deepEqual(await offered('catalogue'), ofCatalogue);
  },
);

test('Enter before the results arrive chooses the first result', NEEDS_BROWSER, async (t) => {
  const { page, search, expectQuiet } = await openPalette(t, '/');
  await page.route(/admin\/v1\/search/, async (route) => {
    await delay(400);
    await route.continue();
  });
  await search('northwind');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/accounts\//);
  expectQuiet();
});

test(
  'a key is sent only in a request body, and only by a role that may find keys',
  NEEDS_BROWSER,
  async (t) => {
    const { page, search } = await openPalette(t, '/');
    const code = codes[1] ?? '';
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const dialog = await search(code);
    await dialog.getByRole('button', { name: 'Find the order of this key' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Offer of Star Harbour from Lootlarder' }).waitFor();
    await dialog.getByRole('button', { name: `Order ${order.id}` }).click();
    await page.waitForURL(`${h.url}/console/orders/${order.id}`);
    const typed = /[?&](?:query|code)=/;
    ok(!addresses.some((address) => address.includes(code) || typed.test(address)), addresses.join('\n'));

    const viewer = await openPalette(t, '/', { role: 'viewer' });
    await (await viewer.search(code)).waitFor();
    ok(!(await viewer.page.getByRole('button', { name: 'Find the order of this key' }).isVisible()));
  },
);
