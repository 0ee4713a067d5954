import { deepEqual, ok } from 'node:assert/strict';
import { type TestContext, test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { manual, startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { expectAccessible, expectFits, openConsole, type VisitOptions } from './support/console.ts';

const h = await startHarness(wholeFile);
const browser = NEEDS_BROWSER.skip ? undefined : await openConsole(wholeFile, h);
const { offerId } = await h.seed.listing({ stock: 9 });
const reseller = await h.seed.reseller({ balance: '100.00', account: { name: 'Northwind Keys' } });
const { id: orderId } = (await reseller.order(manual(offerId))).body.data;

async function visit(t: TestContext, path: string, options: VisitOptions = { role: 'support' }) {
  const opened = await browser?.visit(path, options);
  ok(opened);
  t.onTestFinished(() => opened.context.close());
  return opened;
}

test('a note is written by keyboard, and its author withdraws it', NEEDS_BROWSER, async (t) => {
  const { page, expectQuiet } = await visit(t, `/orders/${orderId}`);
  await page.getByRole('heading', { name: 'Notes', exact: true }).waitFor();
  const field = page.getByLabel('Add a note');
  await page.getByText('Never enter a product key.').waitFor();
  await field.focus();
  await page.keyboard.type('The license is missing.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Notes (1)' }).waitFor();
  deepEqual(
    [await field.inputValue(), await field.evaluate((element) => element === document.activeElement)],
    ['', true],
  );
  await page.keyboard.type('Another one.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Notes (2)' }).waitFor();
  const notes = await h.operate('GET', `/notes?subject=order:${orderId}`);
  deepEqual(
    notes.map(({ text }: { text: string }) => text),
    ['Another one.', 'The license is missing.'],
  );
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('button', { name: 'Withdraw the note by Ada: Another one.' }).click();
  await page.getByRole('heading', { name: 'Notes (1)' }).waitFor();
  expectQuiet();
});

test(
  'a success is shown until the page changes, and an error until it is dismissed',
  NEEDS_BROWSER,
  async (t) => {
    const { page } = await visit(t, `/accounts/${reseller.accountId}`, { role: 'admin' });
    await page.getByLabel('Add a note').fill('Call them back');
    await page.keyboard.press('Control+Enter');
    const note = page.getByRole('listitem').filter({ hasText: 'Call them back' });
    await note.waitFor();
    await page.route(/admin\/v1\/notes\//, (route) => route.abort());
    await note.getByRole('button').click();
    const error = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' });
    await error.waitFor();
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByLabel('Units per UTC day').fill('12');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const success = page.getByRole('status').getByText('Account changed');
    await success.waitFor();
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await success.waitFor({ state: 'detached', timeout: 2000 });
    await expectAccessible(page);
    await error.getByRole('button', { name: 'Close' }).click();
    await error.waitFor({ state: 'detached' });
  },
);
