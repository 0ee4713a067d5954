/** docs/console.md. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { expectAccessible, openConsole, type VisitOptions } from './support/console.ts';

const h = await startHarness(wholeFile);
const browser = NEEDS_BROWSER.skip ? undefined : await openConsole(wholeFile, h);

async function visit(path: string, options: VisitOptions = {}) {
  const opened = await browser?.visit(path, options);
  ok(opened);
  return opened;
}

/** The labels of the fields that are marked as wrong. */
function invalidFields(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]')].map(
      (field) => field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? '',
    ),
  );
}

test('an error is shown at its field, once, before anything is sent', NEEDS_BROWSER, async () => {
  const { accountId } = await h.seed.reseller();
  const { page, context, expectQuiet } = await visit(`/accounts/${accountId}`);
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByLabel('Spend per UTC day in EUR').fill('1.234');
  await page.getByLabel('Units per UTC day').fill('many');
  await page.getByRole('button', { name: 'Save changes' }).click();
  deepEqual(await invalidFields(page), ['Spend per UTC day in EUR', 'Units per UTC day']);
  const said = page.getByText('1.234 could be 1234 or 1.23. Enter one of these.');
  await said.waitFor();
  equal(await said.count(), 1);
  await expectAccessible(page);
  await page.getByLabel('Spend per UTC day in EUR').fill('1.234,56');
  await page.getByLabel('Warn below this balance').fill('1,234.50');
  await page.getByLabel('Units per UTC day').fill('12');
  await page.getByLabel('Discount in percent').fill('2,5');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Account changed').waitFor();
  const { limits, balanceLowThreshold, discountPercent } = await h.operate('GET', `/accounts/${accountId}`);
  deepEqual([limits.dailySpendMax, balanceLowThreshold, discountPercent], ['1234.56', '1234.50', '2.50']);
  expectQuiet();
  await context.close();
});

test(
  'a problem that the service finds is shown at its field, in the words of the form, until the field changes',
  NEEDS_BROWSER,
  async () => {
    const { accountId } = await h.seed.reseller();
    const { page, context, expectQuiet } = await visit(`/accounts/${accountId}`);
    await page.getByRole('button', { name: 'Edit…' }).click();
    const units = page.getByLabel('Units per UTC day');
    await units.fill('99999999999');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const problem = page.getByText('Must be a whole number from 0 to 1000000000.');
    await problem.waitFor();
    equal(await problem.count(), 1);
    deepEqual(await invalidFields(page), ['Units per UTC day']);
    equal(await units.evaluate((field) => field === document.activeElement), true);
    equal(await page.getByText('dailyUnitsMax').count(), 0);
    await expectAccessible(page);
    await units.fill('5');
    await problem.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Account changed').waitFor();
    expectQuiet(/400/);
    await context.close();
  },
);

for (const [typed, amount] of [
  ['1.234,56', '€1,234.56'],
  ['1,234.56', '€1,234.56'],
  ['250', '€250.00'],
] as const) {
  test(`a deposit typed as ${typed} is one of ${amount}`, NEEDS_BROWSER, async () => {
    const { accountId } = await h.seed.reseller();
    const { page, context, expectQuiet } = await visit(`/accounts/${accountId}`, { role: 'finance' });
    await page.getByRole('button', { name: 'Deposit…' }).click();
    await page.getByLabel('Amount in EUR').fill(typed);
    await page.getByLabel('Reference').fill('bank-1');
    await page.getByRole('button', { name: `Deposit ${amount}` }).waitFor();
    expectQuiet();
    await context.close();
  });
}

test('the button is disabled without a quantity above 0', NEEDS_BROWSER, async () => {
  const { offerId } = await h.seed.listing({ stock: 3 });
  const { page, context, expectQuiet } = await visit(`/catalogue/offers/${offerId}`, { role: 'catalogue' });
  await page.getByRole('button', { name: 'Withdraw keys…' }).click();
  const submit = page.getByRole('dialog').getByRole('button', { name: /^Withdraw/ });
  const quantity = page.getByRole('dialog').getByRole('textbox').first();
  for (const none of ['', '0', '00']) {
    await quantity.fill(none);
    equal(await submit.isDisabled(), true, none);
  }
  await quantity.fill('1');
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw 1 key' }).waitFor();
  expectQuiet();
  await context.close();
});

test('a right-to-left name does not reorder the title of a page or a dialog', NEEDS_BROWSER, async () => {
  const name = '\u05d7\u05e0\u05d5\u05ea 5';
  const { accountId } = await h.seed.reseller({ account: { name } });
  const { page, context, expectQuiet } = await visit(`/accounts/${accountId}`, { role: 'finance' });
  await page.getByRole('button', { name: 'Deposit…' }).click();
  await page.getByRole('dialog').getByText(`Deposit for \u2068${name}\u2069`, { exact: true }).waitFor();
  equal(await page.title(), `\u2068${name}\u2069 · Keyport`);
  expectQuiet();
  await context.close();
});

test('an error that the preview finds as well is shown once', NEEDS_BROWSER, async () => {
  const { accountId } = await h.seed.reseller();
  const { page, context, expectQuiet } = await visit(`/accounts/${accountId}`, { role: 'finance' });
  await page.getByRole('button', { name: 'Deposit…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount in EUR').fill('20');
  await dialog.getByLabel('Reference').fill('bank-1');
  await dialog.getByRole('button', { name: 'Deposit €20.00' }).waitFor();
  await h.operate('POST', `/accounts/${accountId}/deposits`, { amount: '5.00', reference: 'bank-1' });
  await dialog.getByRole('button', { name: 'Deposit €20.00' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Amount in EUR').fill('30');
  await dialog.locator('.preview').getByRole('alert').waitFor();
  equal(await dialog.getByRole('alert').count(), 1);
  equal(await dialog.getByText('Trace id').count(), 1);
  expectQuiet(/409|412/);
  await context.close();
});
