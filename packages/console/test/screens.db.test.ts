/**
 * No screen has an axe violation, an error or a request to another host, or is cut off on a narrow screen.
 */
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { auto, startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { expectAccessible, expectFits, openConsole, waitUntilLoaded } from './support/console.ts';

const DIST = join(import.meta.dirname, '../dist/console');

/** Only colors differ in the second theme. */
const COLORS = { runOnly: ['color-contrast'] };

/** Names as long as in real shops. */
const PRODUCT = 'Star Harbour: Definitive Anniversary Edition (PC) Steam Key GLOBAL';

const h = await startHarness(wholeFile, { KEYPORT_APPROVAL_ABOVE: '200.00' });
const { visit, open } = openConsole(h);
const { productId, offerId, sellerId } = await h.seed.listing({ stock: 20, product: { name: PRODUCT } });
const reseller = await h.seed.reseller({
  balance: '1000.00',
  account: { name: 'Acme Games and Digital Entertainment International', holdOrders: true },
});
const complete = (await (await h.seed.reseller({ balance: '900.00' })).order(auto(productId))).body.data;
const held = (await reseller.order(auto(productId, { quantity: 3 }))).body.data;
await reseller.order(auto(productId, { maxPrice: '1.00' }));
const { id: approvalId } = await h.operate('POST', `/accounts/${reseller.accountId}/payouts`, {
  amount: '250.00',
  reference: 'out-1',
});

const write = (path: string, body: object) =>
  h.call('POST', `/export/v1${path}`, {
    token: reseller.token,
    headers: { 'idempotency-key': randomUUID() },
    body,
  });
equal((await write('/reservations', { items: [auto(productId)] })).status, 201);
await write('/orders', { items: [] });

/** A decided claim and an open one, by a client without a name, whose id is long. */
const claimer = await h.seed.reseller({ balance: '900.00', account: { name: 'Northwind Keys' } });
const claims: string[] = [];
for (const decision of ['refund', undefined]) {
  const { id: orderId, transactions } = (await claimer.order(auto(productId, { quantity: 2 }))).body.data;
  const { keys } = (await claimer.get(`/orders/${orderId}/keys`)).body.data[0];
  const { body } = await h.call('POST', `/export/v1/orders/${orderId}/claims`, {
    token: claimer.token,
    headers: { 'idempotency-key': randomUUID() },
    body: {
      itemId: transactions[0].items[0].id,
      codes: keys.map(({ code }: { code: string }) => code),
      reason: 'already-used',
      message: `See https://tickets.example/${'0123456789'.repeat(8)}`,
    },
  });
  claims.push(body.data.id);
  const decisions = body.data.keys.map(({ id: keyId }: { id: string }) => ({ keyId, decision }));
  const answer = 'The keys were refunded, and the seller was asked to explain.';
  if (decision !== undefined)
    await h.operate('POST', `/claims/${body.data.id}/decide`, { decisions, answer });
}

const SCREENS = [
  ['the list of orders', '/orders'],
  ['home', '/'],
  ['home over a month', '/?period=month'],
  ['the rejected orders', '/orders/rejected?code=offer-not-available'],
  ['the queue of held orders', '/held'],
  ['the search for a key', '/find-key'],
  ['a filter that nothing matches', '/orders?status=canceled'],
  ['an order', `/orders/${held.id}`],
  ['a look at an order beside the list', `/orders?peek=${held.id}`],
  ['the open claims', '/claims'],
  ['all claims', '/claims?status=all'],
  ['an open claim', `/claims/${claims[1]}`],
  ['a decided claim', `/claims/${claims[0]}`],
  ['the list of accounts', '/accounts'],
  ['an account', `/accounts/${reseller.accountId}`],
  ['its statement', `/accounts/${reseller.accountId}?tab=statement`],
  ['its reservations', `/accounts/${reseller.accountId}?tab=reservations`],
  ['its requests', `/accounts/${reseller.accountId}?tab=requests`],
  ['its clients', `/accounts/${reseller.accountId}?tab=clients`],
  ['its webhook endpoints', `/accounts/${reseller.accountId}?tab=webhooks`],
  ['its check-up', `/accounts/${reseller.accountId}?tab=checkup`],
  ['the open payments', '/payments'],
  ['the list of approvals', '/approvals'],
  ['an approval', `/approvals/${approvalId}`],
  ['the trial balance', '/finance'],
  ['the statements of all accounts', '/finance?tab=statements'],
  ['the incidents', '/system/incidents'],
  ['the report by day', '/reports'],
  ['the report by product', '/reports?by=product'],
  ['the report of one product', `/reports?dimension=product&id=${productId}`],
  ['an order that does not exist', '/orders/99999999999999'],
  ['the products', '/catalogue'],
  ['a product', `/catalogue/products/${productId}`],
  ['offers with low stock, one selected', `/catalogue/offers?quantityMax=20&sel=${offerId}`],
  ['an offer', `/catalogue/offers/${offerId}`],
  ['the sellers', '/catalogue/sellers'],
  ['a seller', `/catalogue/sellers/${sellerId}`],
  ['the imports', '/imports'],
  ['the webhook endpoints of all accounts', '/webhooks'],
  ['the audit log', '/audit'],
  ['the state of the system', '/system'],
  ['the settings', '/system/settings'],
  ['the operators', '/system/operators'],
  ['an address without a screen', '/nowhere'],
] as const;

/** All tests share it, since a new one takes as long as some of them. */
const shared = NEEDS_BROWSER.skip ? undefined : await visit(wholeFile, '/', { width: 1440 });

test.for(SCREENS)(
  '%s has no problems in light and dark, and fits narrow screens',
  NEEDS_BROWSER,
  async ([, path]) => {
    ok(shared);
    const { page } = shared;
    await page.emulateMedia({ colorScheme: 'light' });
    await shared.go(path);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, COLORS);
    await expectFits(page);
    shared.expectQuiet(path.includes('9999') ? /404/ : undefined);
  },
);

/** The pixels of a canvas that differ from a color such as `rgb(0, 0, 0)`. */
function countVisible(element: Node, background: string): number {
  const { width, height } = element as HTMLCanvasElement;
  const data = (element as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
  const [red, green, blue] = (background.match(/\d+/g) ?? []).map(Number);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] === 255 && (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue))
      count += 1;
  return count;
}

const FIRST_SCREEN_BYTES_MAX = 150 * 1024;

test(
  'the first screen takes at most 150 KB with its typeface, before the library of its chart',
  NEEDS_BROWSER,
  async (t) => {
    const { page, go } = await visit(t, '/');
    const files = new Set<string>();
    page.on('response', (response) => files.add(response.url()));
    await go('/');
    await page.locator('.chart canvas').waitFor();
    const sizes = [...files].flatMap((url) => {
      const file = join(DIST, /\/console(\/assets\/[^/]+)$/.exec(url)?.[1] ?? 'index.html');
      // Browsers accept Brotli only over HTTPS.
      return url.includes('/assets/') && !url.includes('/chart-')
        ? statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
        : [];
    });
    const sum = sizes.reduce((total, size) => total + size, 0);
    ok(sizes.length > 10 && sum <= FIRST_SCREEN_BYTES_MAX, `${sum} bytes in ${sizes.length} files`);
    const fonts = [...files].filter((url) => url.endsWith('.woff2'));
    equal(fonts.length, 1, 'only the file of English letters is loaded');
    const { headers, status } = await fetch(fonts[0] ?? '');
    deepEqual(
      [status, headers.get('content-type'), headers.get('cache-control')],
      [200, 'font/woff2', 'public, max-age=31536000, immutable'],
    );
    equal(await page.evaluate(() => document.fonts.check('600 14px Inter')), true);
  },
);

test('home and lists hardly move while they load', NEEDS_BROWSER, async () => {
  ok(shared);
  const { page } = shared;
  await page.addInitScript(() => {
    const moved = { sum: 0 };
    Object.assign(globalThis, { moved });
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as unknown as { value: number }[]) moved.sum += shift.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const path of ['/', '/orders', '/catalogue']) {
    await shared.go(path);
    await waitUntilLoaded(page);
    const sum = await page.evaluate(() => (globalThis as unknown as { moved: { sum: number } }).moved.sum);
    ok(sum < 0.05, `${path}: ${sum}`);
  }
});

/** Dialogs, their screens, and the button or the key that opens each. */
const DIALOGS = [
  ['the refund', `/orders/${complete.id}`, { button: 'Refund…' }],
  ['the replacement of a key', `/orders/${complete.id}`, { button: /^Replace key/ }],
  ['the decision of a claim', `/claims/${claims[1]}`, { button: 'Decide…' }],
  ['the release of several orders', `/orders?sel=${held.id}`, { button: 'Release…' }],
  ['the edit of an account', `/accounts/${reseller.accountId}`, { button: 'Edit…' }],
  ['the correction of a balance', `/accounts/${reseller.accountId}`, { button: 'Correct balance…' }],
  ['the change to several offers', `/catalogue/offers?sel=${offerId}`, { button: 'Change…' }],
  ['the withdrawal of keys', `/catalogue/offers/${offerId}`, { button: 'Withdraw keys…' }],
  ['new keys', `/catalogue/offers/${offerId}`, { button: 'Add keys…' }],
  ['another price', `/catalogue/offers/${offerId}`, { button: 'Change price…' }],
  ['the pause of an offer', `/catalogue/offers/${offerId}`, { button: 'Pause…' }],
  ['a new offer', '/catalogue/offers', { button: 'New offer…' }],
  ['a new seller', '/catalogue/sellers', { button: 'New seller…' }],
  ['the renaming of a seller', '/catalogue/sellers', { button: /^Actions for/, item: /^Rename/ }],
  ['a new product', '/catalogue', { button: 'New product…' }],
  ['the edit of a product', `/catalogue/products/${productId}`, { button: 'Edit…' }],
  ['filters', '/orders', { button: 'Filter' }],
  ['the columns', '/orders', { button: 'Columns' }],
  ['the shortcuts', '/', { key: '?' }],
  ['the palette', '/', { key: 'Control+k' }],
] as const;

test.for(DIALOGS)(
  'the dialog of %s has no problems in light and dark, and fits narrow screens',
  NEEDS_BROWSER,
  async ([, path, opener]) => {
    ok(shared);
    const { page } = shared;
    await page.emulateMedia({ colorScheme: 'light' });
    await shared.go(path);
    if ('key' in opener) await page.keyboard.press(opener.key);
    else await page.getByRole('button', { name: opener.button }).first().click();
    if ('item' in opener) await page.getByRole('menuitem', { name: opener.item }).click();
    await page.getByRole('dialog').waitFor();
    for (const group of await page.getByRole('dialog').locator('summary').all()) await group.click();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, COLORS);
    await expectFits(page);
    shared.expectQuiet();
  },
);

test('the navigation on a phone has no problems', NEEDS_BROWSER, async () => {
  ok(shared);
  const { page } = shared;
  await page.setViewportSize({ width: 390, height: 800 });
  await shared.go('/orders');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Accounts' }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test(
  'forced colors still distinguish selected, current, focused and counted elements',
  NEEDS_BROWSER,
  async () => {
    ok(shared);
    const { page } = shared;
    const toStyle = (selector: string, property: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    await page.emulateMedia({ forcedColors: 'active' });
    await shared.go(`/orders?sel=${held.id}`);
    await page.locator('tr[data-selected="true"]').waitFor();
    equal(await toStyle('tr[data-selected="true"]', 'outline-style'), 'solid');
    equal(await toStyle('tr[data-selected="false"]', 'outline-style'), 'none');
    for (const selector of ['.badge', '.count', '.mode'])
      equal(await toStyle(selector, 'border-top-style'), 'solid', selector);
    const canvas = await toStyle('body', 'background-color');
    notEqual(await toStyle('.table input:checked', 'background-color'), canvas);
    notEqual(await toStyle('.sidebar a[aria-current="page"]', 'border-left-color'), canvas);
    equal(await toStyle('.sidebar a:not([aria-current="page"])', 'border-left-color'), canvas);
    for (const selector of ['.search-filter input', '.filters button', '.table a', '.bulk button']) {
      await page.locator(selector).first().focus();
      equal(await toStyle(`${selector}:focus`, 'outline-style'), 'solid', selector);
    }
    await shared.go('/?period=month');
    const chart = page.locator('.chart canvas');
    await chart.waitFor();
    await page
      .getByRole('img', { name: /^Over time; peak: \d+ \w+: / })
      .nth(4)
      .waitFor();
    ok((await chart.evaluate(countVisible, canvas)) > 100, 'bars and axes are visible');
    notEqual(await toStyle('.share > span', 'background-color'), canvas);
    notEqual(await toStyle('[aria-pressed="true"]', 'background-color'), canvas);
    await page.emulateMedia({ forcedColors: 'none' });
  },
);

test('the sign-in names the service, and has no problems in light and dark', NEEDS_BROWSER, async (t) => {
  const { page, expectQuiet } = await open(t);
  await page.goto(`${h.url}/console`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  for (const shown of ['Keyport', 'Sandbox', new URL(h.url).host])
    await page.getByText(shown, { exact: true }).waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, COLORS);
  expectQuiet(/401|404/);
});

test('each page has its own nonce in its policy, and its files are cached forever', async () => {
  const first = await fetch(`${h.url}/console`);
  const page = await first.text();
  equal(first.headers.get('cache-control'), 'no-store');
  const policy = first.headers.get('content-security-policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  ok(page.includes(`nonce="${nonce}"`) && nonce.length >= 20);
  ok(!policy.includes('unsafe'));
  ok(
    !((await fetch(`${h.url}/console/orders/1`)).headers.get('content-security-policy') ?? '').includes(
      nonce,
    ),
  );
  const [script = ''] = /\/console\/assets\/index-[^"]+\.js/.exec(page) ?? [];
  const file = await fetch(h.url + script);
  equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  equal(file.headers.get('content-encoding'), 'gzip');
  const small = await fetch(h.url + script, { headers: { 'accept-encoding': 'gzip, br' } });
  equal(small.headers.get('content-encoding'), 'br');
  equal(await small.text(), await file.text());
  equal((await fetch(`${h.url}/console/assets/unknown.js`)).status, 404);
});

test('a page behind a path prefix has the prefix in its own URL and in those of its files', async (t) => {
  const prefixed = await startHarness(t, {
    KEYPORT_PUBLIC_URL: 'https://shop.example/export',
  });
  const page = await (await fetch(`${prefixed.url}/console`)).text();
  match(page, /content="\/export\/console"/);
  deepEqual(
    [...page.matchAll(/(?:src|href)="([^"]+)"/g)].filter(
      ([, path = '']) => !path.startsWith('/export/console/'),
    ),
    [],
  );
});
