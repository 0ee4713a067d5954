/** Work that moves money and stock, by keyboard, concurrently, and without a session or the service. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type TestContext, test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { auto, startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { openConsole } from './support/console.ts';

const h = await startHarness(wholeFile, { KEYPORT_APPROVAL_ABOVE: '100.00' });
const { visit } = openConsole(h);
const { productId } = await h.seed.listing({ stock: 140, product: { name: 'Star Harbour' } });
const northwind = await h.seed.reseller({ balance: '2000.00', account: { name: 'Northwind Keys' } });
const acme = await h.seed.reseller({
  balance: '2000.00',
  account: { name: 'Acme Games', holdOrders: true },
});

async function placeOrder(reseller = northwind, quantity = 3): Promise<string> {
  return (await reseller.order(auto(productId, { quantity }))).body.data.id;
}

async function refundedUnits(orderId: string): Promise<number> {
  const order = await h.operate('GET', `/orders/${orderId}`);
  return order.transactions[0].items[0].quantity.refunded;
}

type Key = { readonly id: string; readonly maskedCode: string; readonly refundedAs: string | null };
const toKeys = (orderId: string): Promise<[Key, ...Key[]]> => h.operate('GET', `/orders/${orderId}/keys`);

const toStatus = async (orderId: string) => (await h.operate('GET', `/orders/${orderId}`)).status;

test(
  'a held order is released by keyboard alone, and the next one takes its place',
  NEEDS_BROWSER,
  async (t) => {
    const [first, second] = [await placeOrder(acme), await placeOrder(acme, 2)];
    const { page, expectQuiet } = await visit(t, '/');
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await page.getByText('1 of 2, oldest first').waitFor();
    await page.getByRole('button', { name: 'Release…' }).waitFor();
    await page.locator('.timeline > li').first().waitFor();
    equal(await page.locator('.timeline > li').count(), 1);
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: `Release order ${first}` });
    await dialog.getByText('Held → Complete').waitFor();
    await page.keyboard.type('Checked the account');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').getByText('Order released').waitFor();
    await page.getByText('1 of 1, oldest first').waitFor();
    ok(page.url().endsWith('/held') || page.url().includes(second));
    equal(await toStatus(first), 'complete');
    equal(await toStatus(second), 'held');
    expectQuiet();
  },
);

test(
  'a refund starts with nothing selected, takes the key that is selected, and leaves it visible',
  NEEDS_BROWSER,
  async (t) => {
    const id = await placeOrder();
    const [first] = await toKeys(id);
    const { page, expectQuiet } = await visit(t, `/orders/${id}`);
    await page.getByRole('button', { name: 'Refund…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Refund/ });
    equal(await dialog.getByRole('checkbox', { checked: true }).count(), 0);
    await dialog.getByLabel('Reason').fill('Used before');
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByText('Select the keys to refund.').waitFor();
    await dialog.getByRole('checkbox', { name: first.maskedCode }).check();
    ok(await dialog.getByLabel('go back to stock').isChecked());
    await dialog.getByText('Units back on sale').waitFor();
    await dialog.getByRole('button', { name: 'Refund €10.00' }).click();
    await page.getByRole('status').getByText('€10.00 refunded').waitFor();
    await page
      .locator('.item .rows li', { hasText: first.maskedCode })
      .getByText(/back to stock/)
      .waitFor();
    equal((await toKeys(id)).find((key) => key.id === first.id)?.refundedAs, 'returned');
    // Another operator's refund changes the balance beside the order too.
    const items = [{ id: `${id}01`, quantity: 1 }];
    await h.operate('POST', `/orders/${id}/refund`, { reason: 'Used too', items });
    const { balance } = await h.operate('GET', `/accounts/${northwind.accountId}`);
    const shown = Number(balance).toLocaleString('en-GB', { style: 'currency', currency: 'EUR' });
    await page.getByRole('region', { name: 'Account' }).getByText(shown, { exact: true }).waitFor();
    await page.goto(`${h.url}/console/orders?accountId=${northwind.accountId}`);
    const row = page.getByRole('row').filter({ has: page.locator(`[data-row-key="${id}"]`) });
    await row.getByText('2 of 3 refunded').waitFor();
    expectQuiet();
  },
);

test('keys that were read stay with their order and cannot go back to stock', NEEDS_BROWSER, async (t) => {
  const id = await placeOrder();
  await northwind.get(`/orders/${id}/keys`);
  const { page } = await visit(t, `/orders/${id}`);
  await page.getByRole('button', { name: 'Refund…' }).click();
  await page.getByRole('button', { name: 'Select all 3 keys' }).click();
  ok(await page.getByLabel('stay with the order').isChecked());
  ok(await page.getByLabel('go back to stock').isDisabled());
  await page.getByLabel('Reason').fill('The publisher withdrew it');
  await page.getByRole('button', { name: 'Refund €30.00' }).click();
  await page.getByRole('status').getByText('€30.00 refunded').waitFor();
  deepEqual(
    (await toKeys(id)).map(({ refundedAs }) => refundedAs),
    ['kept', 'kept', 'kept'],
  );
});

test(
  'a waiting approval shows on its order and account, and counts for those who may approve it',
  NEEDS_BROWSER,
  async (t) => {
    const id = await placeOrder(northwind, 12);
    await h.operate('POST', `/orders/${id}/refund`, { reason: 'They do not work' });
    const { page, go, expectQuiet } = await visit(t, `/orders/${id}`);
    const banner = page.getByText(/^Refund of €120.00 is waiting for approval./);
    await banner.waitFor();
    await go(`/accounts/${northwind.accountId}`);
    await banner.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('heading', { level: 1, name: /Refund €120.00/ }).waitFor();
    // Ada was invited by the requester and counts as the same person (A500).
    equal(await page.getByRole('link', { name: 'Approvals', exact: true }).locator('.count').count(), 0);
    expectQuiet();
  },
);

test('rejections on Home lead to their accounts and to advice', NEEDS_BROWSER, async (t) => {
  await northwind.order(auto(productId, { maxPrice: '1.00' }));
  const { page, expectQuiet } = await visit(t, '/');
  await page.getByRole('link', { name: /^offer-not-available: \d+ rejected order/ }).click();
  await page.getByText('What to do').waitFor();
  const row = page.getByRole('table', { name: 'Rejected orders' }).getByRole('row').nth(1);
  await row.getByText(/^No single offer has 1 unit at a price of at most 1.00 EUR./).waitFor();
  await row.getByText('Star Harbour').waitFor();
  await row.getByText('1 unit, at most €1.00 each').waitFor();
  await row.getByRole('link', { name: 'Northwind Keys' }).click();
  await page.getByRole('link', { name: 'Rejected orders of this account' }).click();
  await page.waitForURL(new RegExp(`rejected\\?accountId=${northwind.accountId}`));
  await page.getByRole('link', { name: 'Northwind Keys' }).first().waitFor();
  expectQuiet();
});

test(
  'an order shows the actions that are possible, and why an expected one is not',
  NEEDS_BROWSER,
  async (t) => {
    const [held, complete] = [await placeOrder(acme), await placeOrder()];
    const { page, go, expectQuiet } = await visit(t, `/orders/${held}`);
    const expectActions = async (why: string, names: readonly string[]) => {
      await page.getByText(why).waitFor();
      const buttons = page.locator('.page-actions').getByRole('button', { name: /…$/ });
      deepEqual(await buttons.allTextContents(), names);
    };
    await expectActions('Paid: refund it instead of canceling it.', ['Release…', 'Refund…']);
    await go(`/orders/${complete}`);
    await expectActions('Delivered: it can only be refunded.', ['Refund…']);
    await h.operate('POST', `/orders/${complete}/refund`, { reason: 'They do not work' });
    await expectActions('Everything was refunded.', []);
    expectQuiet();
  },
);

test(
  'an operator whose refund follows a concurrent one first sees the change and keeps the typed reason',
  NEEDS_BROWSER,
  async (t) => {
    const id = await placeOrder();
    const { page } = await visit(t, `/orders/${id}`);
    await page.getByRole('button', { name: 'Refund…' }).click();
    await page.getByRole('checkbox').first().check();
    await page.getByLabel('Reason').fill('It does not work');
    await page.getByRole('button', { name: 'Refund €10.00' }).waitFor();
    const items = [
      { id: (await h.operate('GET', `/orders/${id}`)).transactions[0].items[0].id, quantity: 1 },
    ];
    await h.operate('POST', `/orders/${id}/refund`, { reason: 'Asked by mail', items });
    await page.getByRole('button', { name: 'Refund €10.00' }).click();
    await page.getByRole('alert').getByText('The data changed while the form was open.').waitFor();
    equal(await page.getByLabel('Reason').inputValue(), 'It does not work');
    equal(await refundedUnits(id), 1);
    await page.getByRole('button', { name: 'Refund €10.00' }).click();
    await page.getByRole('status').getByText('€10.00 refunded').waitFor();
    equal(await refundedUnits(id), 2);
  },
);

/** Fills the form of a refund of one key of a new order. */
async function refundOne(t: TestContext) {
  const id = await placeOrder();
  const visited = await visit(t, `/orders/${id}`);
  const { page } = visited;
  await page.getByRole('button', { name: 'Refund…' }).click();
  await page.getByRole('checkbox').first().check();
  await page.getByLabel('Reason').fill('It does not work');
  await page.getByRole('button', { name: 'Refund €10.00' }).waitFor();
  return { id, ...visited };
}

/** Carries refunds out and loses their responses: the first ones, as many as given. */
async function loseRefunds(page: Page, id: string, most: number) {
  const state = { lost: 0 };
  await page.route(`**/orders/${id}/refund`, async (route) => {
    if (state.lost >= most || route.request().postDataJSON().dryRun) return route.continue();
    state.lost += 1;
    await route.fetch();
    await route.abort();
  });
  return state;
}

test('a refund whose response is lost happens once', NEEDS_BROWSER, async (t) => {
  const { id, page } = await refundOne(t);
  const state = await loseRefunds(page, id, 1);
  await page.getByRole('button', { name: 'Refund €10.00' }).click();
  await page.getByRole('status').getByText('€10.00 refunded').waitFor();
  equal(state.lost, 1);
  equal(await refundedUnits(id), 1);
});

test.for([
  ['in the open form', async () => {}],
  ['after Cancel', async (page: Page) => page.getByRole('button', { name: 'Cancel' }).click()],
  ['after the page was loaded again', async (page: Page) => page.reload()],
] as const)(
  'a refund whose outcome is unknown is sent again unchanged %s, and settled',
  NEEDS_BROWSER,
  async ([_, leave], t) => {
    const { id, page } = await refundOne(t);
    await loseRefunds(page, id, 3);
    await page.getByRole('button', { name: 'Refund €10.00' }).click();
    const notice = page.getByRole('alert').getByText(/it is unknown whether this took effect/);
    await notice.waitFor({ timeout: 90_000 });
    await leave(page);
    if (!(await notice.isVisible())) await page.getByRole('button', { name: 'Refund…' }).click();
    await notice.waitFor();
    ok(await page.getByLabel('Reason').isDisabled(), 'other entries would be another refund');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    equal(await refundedUnits(id), 1);
  },
);

test(
  'a form that was closed has forgotten its entries; a page loaded again has not, and says so',
  NEEDS_BROWSER,
  async (t) => {
    const { page } = await refundOne(t);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Refund…' }).click();
    equal(await page.getByLabel('Reason').inputValue(), '');
    equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
    await page.getByLabel('Reason').fill('Wrong region');
    await page.reload();
    await page.getByRole('button', { name: 'Refund…' }).click();
    equal(await page.getByLabel('Reason').inputValue(), 'Wrong region');
    await page.getByText('These entries are from before the page was loaded again.').waitFor();
    await page.getByRole('button', { name: 'Discard them' }).click();
    equal(await page.getByLabel('Reason').inputValue(), '');
  },
);

test(
  'several held orders are released together, and an order that is not held shows why it is left out',
  NEEDS_BROWSER,
  async (t) => {
    const ids = [await placeOrder(acme), await placeOrder(acme), await placeOrder()];
    const { page } = await visit(t, `/orders?sel=${ids.join(',')}`);
    await page.getByText('3 rows selected · €90.00').waitFor();
    await page.getByRole('button', { name: 'Release 2 of 3…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('alert')
      .getByText(/complete/)
      .waitFor();
    const fact = (name: string) => dialog.locator('.facts > *', { hasText: name });
    await fact('Orders that can be changed').getByText('2', { exact: true }).waitFor();
    await fact('Units').getByText('6', { exact: true }).waitFor();
    await fact('Their value').getByText('€60.00').waitFor();
    await fact('Accounts').getByText('Acme Games').waitFor();
    await fact('The oldest was placed').locator('time').waitFor();
    await dialog.getByLabel('Reason').fill('Checked');
    await dialog.getByRole('button', { name: 'Release 2 orders' }).click();
    await dialog.getByText('Type 2.', { exact: true }).waitFor();
    await dialog.getByLabel('Type 2 to confirm').fill('2');
    await dialog.getByRole('button', { name: 'Release 2 orders' }).click();
    await page.getByRole('status').getByText('2 orders released').waitFor();
    await page.getByText('1 row selected').waitFor();
    for (const id of ids) equal(await toStatus(id), 'complete');
  },
);

test(
  'only actions that a selected order allows are offered, even for orders of other pages',
  NEEDS_BROWSER,
  async (t) => {
    const [held, complete] = [await placeOrder(acme, 1), await placeOrder(northwind, 2)];
    const { page, go, expectQuiet } = await visit(t, `/orders?status=canceled&sel=${held},${complete}`);
    const bar = page.locator('.bulk');
    await bar.getByText('2 rows selected · €30.00').waitFor();
    await bar.getByRole('button', { name: 'Release 1 of 2…' }).waitFor();
    await bar.getByRole('button', { name: 'Refund…', exact: true }).waitFor();
    equal(await bar.getByRole('button', { name: 'Hold' }).count(), 0);
    await go(`/orders?sel=${complete}`);
    await bar.getByText('1 row selected · €20.00').waitFor();
    await bar.getByRole('button', { name: 'Refund…', exact: true }).waitFor();
    equal(await bar.getByRole('button', { name: 'Release' }).count(), 0);
    await page.keyboard.press('r');
    await page.keyboard.press('f');
    await page.getByRole('dialog', { name: 'Refund 1 order' }).waitFor();
    expectQuiet();
  },
);

test(
  'a held order whose refund waits for approval is reviewed first, and left out of a bulk release',
  NEEDS_BROWSER,
  async (t) => {
    const [waiting, free] = [await placeOrder(acme, 12), await placeOrder(acme, 1)];
    await h.operate('POST', `/orders/${waiting}/refund`, { reason: 'Fraud' });
    const { page, go, expectQuiet } = await visit(t, `/orders/${waiting}`);
    await page.getByRole('button', { name: 'Review request' }).waitFor();
    await page.getByRole('button', { name: 'Release…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Refund of €120.00 is waiting for approval/).waitFor();
    await dialog.getByLabel('Reason').fill('Checked');
    await dialog.getByRole('button', { name: 'Release order anyway' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { level: 1, name: /Refund €120.00/ }).waitFor();
    equal(await toStatus(waiting), 'held');

    await go(`/orders?sel=${waiting},${free}`);
    const release = page.locator('.bulk').getByRole('button', { name: 'Release…' });
    await release.click();
    await dialog.getByText('1 order has a request that waits for approval.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('2 rows selected').waitFor();
    await release.click();
    await dialog.getByLabel('Reason').fill('Checked');
    await dialog.getByLabel('Type 1 to confirm').fill('1');
    await dialog.getByRole('button', { name: 'Release 1 order' }).click();
    await page.getByText('1 row selected').waitFor();
    deepEqual([await toStatus(waiting), await toStatus(free)], ['held', 'complete']);
    expectQuiet();
  },
);

test('a key that someone else refunds is named as such, and the page shows it', NEEDS_BROWSER, async (t) => {
  const id = await placeOrder(northwind, 2);
  const { page } = await visit(t, `/orders/${id}`);
  await page.getByRole('button', { name: 'Refund…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox').first().check();
  await dialog.getByLabel('Reason').fill('The key was used before');
  const submit = dialog.getByRole('button', { name: 'Refund €' });
  await submit.waitFor();
  const [key] = await toKeys(id);
  const items = [{ id: `${id}01`, quantity: 1, keyIds: [key.id] }];
  await h.operate('POST', `/orders/${id}/refund`, { reason: 'Of the other operator', items });
  await submit.click();
  await dialog.getByText('Someone else has refunded or replaced a selected key.').first().waitFor();
  await page.getByText('1 of 2 refunded').first().waitFor();
});

test('a session that ends in the middle of a form loses no input', NEEDS_BROWSER, async (t) => {
  const id = await placeOrder();
  const { page, context, go } = await visit(t, '/profile');
  await page.getByLabel('New password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('status').getByText('Password set').waitFor();
  await go(`/orders/${id}`);
  await page.getByRole('button', { name: 'Refund…' }).click();
  await page.getByRole('button', { name: 'Select all 3 keys' }).click();
  await page.getByLabel('Reason').fill('It does not work');
  await page.getByRole('button', { name: 'Refund €30.00' }).waitFor();
  await context.clearCookies();
  await page.getByRole('button', { name: 'Refund €30.00' }).click();
  const signIn = page.getByRole('dialog', { name: 'Sign in' });
  await signIn.getByText('Your session has ended.').waitFor();
  equal(await refundedUnits(id), 0);
  await signIn.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
  await page.keyboard.press('Enter');
  await signIn.waitFor({ state: 'hidden' });
  equal(await page.getByLabel('Reason').inputValue(), 'It does not work');
  await page.getByRole('button', { name: /^(Refund €30.00|Retry)$/ }).click();
  await page.getByRole('status').getByText('€30.00 refunded').waitFor();
  equal(await refundedUnits(id), 3);
});

test('a viewer sees an order without its actions', NEEDS_BROWSER, async (t) => {
  const id = await placeOrder();
  const { page, expectQuiet } = await visit(t, `/orders/${id}`, { role: 'viewer' });
  await page.getByText('Northwind Keys').waitFor();
  equal(await page.getByRole('button', { name: /Refund|Release|Hold|Cancel order|Replace/ }).count(), 0);
  await page.goto(`${h.url}/console/find-key`);
  await page.getByText('Your role (viewer) does not include this.').first().waitFor();
  expectQuiet();
});

test('the seller of a key is found by its code, which is in no URL', NEEDS_BROWSER, async (t) => {
  const sellerId = await h.seed.seller('Lootlarder');
  const { codes } = await h.seed.listing({ sellerId, stock: 1 });
  const { page } = await visit(t, '/find-key');
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.getByLabel('Product key').fill(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await page.getByText('Lootlarder').waitFor();
  equal(await page.locator('dt').first().textContent(), 'Order');
  ok(addresses.every((address) => !address.includes(codes[0] ?? '')));
});

test(
  'a page whose service is unreachable keeps its content and shows when it was last current',
  NEEDS_BROWSER,
  async (t) => {
    const id = await placeOrder();
    const { page, context, go } = await visit(t, '/');
    await page.clock.install();
    await go('/orders');
    const row = page.locator(`[data-row-key="${id}"]`);
    await row.waitFor();
    await context.setOffline(true);
    const notice = page.getByRole('status').getByText(/^Out of date since \d\d:\d\d/);
    for (let polls = 0; !(await notice.isVisible()); polls += 1) {
      ok(polls < 100);
      await page.clock.runFor(10_000);
    }
    ok(await row.isVisible());
    equal(await page.getByRole('alert').count(), 0);
    await context.setOffline(false);
    await page.getByRole('status').getByRole('button', { name: 'Retry' }).click();
    await notice.waitFor({ state: 'hidden' });
    ok(await row.isVisible());
  },
);
