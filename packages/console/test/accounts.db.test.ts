import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { startReceiver, waitUntil } from '../../server/test/support/webhook-receiver.ts';
import { expectAccessible, expectFits, openConsole } from './support/console.ts';

const h = await startHarness(wholeFile, { KEYPORT_APPROVAL_ABOVE: '270.00' });
const { visit } = openConsole(h);

async function toBalance(accountId: string): Promise<string> {
  return (await h.operate('GET', `/accounts/${accountId}`)).balance;
}

async function waitForText(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor();
}

test(
  'a deposit is previewed, booked and listed on the statement, which can be saved as a file',
  NEEDS_BROWSER,
  async (t) => {
    const { accountId } = await h.seed.reseller({ balance: '10.00', account: { name: 'Acme Games' } });
    const { page, expectQuiet } = await visit(t, `/accounts/${accountId}`, { role: 'finance' });
    equal(await page.getByRole('button', { name: 'Edit…' }).count(), 0);
    await page.getByRole('button', { name: 'Deposit…' }).click();
    await page.getByLabel('Amount in EUR').fill('250.5');
    await page.getByLabel('Reference').fill('bank-7');
    await waitForText(page, '€260.50');
    equal(await toBalance(accountId), '10.00', 'a preview books nothing');
    await page.getByRole('button', { name: 'Deposit €250.50' }).click();
    await page.getByRole('link', { name: '€250.50 deposited' }).click();
    await page.getByRole('cell', { name: 'bank-7' }).waitFor();
    equal(await toBalance(accountId), '260.50');
    await page.getByRole('button', { name: 'This month' }).click();
    await page.getByRole('cell', { name: 'bank-7' }).waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const saved = await saving;
    match(saved.suggestedFilename(), /^statement-Acme-Games-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.csv$/);
    match(await readFile(await saved.path(), 'utf8'), /deposit,250\.50,260\.50,,bank-7/);
    await page.goto(`${h.url}/console/finance?tab=statements`);
    const row = page.getByRole('row').filter({ hasText: 'Acme Games' });
    await row.getByRole('cell', { name: '€260.50' }).last().waitFor();
    const savingAll = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all lines as CSV' }).click();
    match(
      await readFile(await (await savingAll).path(), 'utf8'),
      new RegExp(`${accountId},Acme Games,2,.*deposit,250\\.50,260\\.50,,bank-7`),
    );
    expectQuiet();
  },
);

test('a correction above the limit waits until another operator approves it', NEEDS_BROWSER, async (t) => {
  const { accountId } = await h.seed.reseller({ balance: '900.00' });
  const asking = await visit(t, `/accounts/${accountId}`, { role: 'finance' });
  await asking.page.getByRole('button', { name: 'Correct balance…' }).click();
  await asking.page.getByLabel('Take from the balance').check();
  await asking.page.getByLabel('Amount in EUR').fill('300.00');
  await asking.page.getByLabel('Reference').fill('wrong-1');
  await asking.page.getByLabel('Reason').fill('Booked twice.');
  await asking.page.getByRole('button', { name: 'Request approval of €300.00' }).click();
  await asking.page.getByRole('link', { name: 'Approval of €300.00 requested' }).click();
  await asking.page.getByRole('link', { name: 'Correction' }).click();
  await waitForText(asking.page, 'You requested this. Another operator must approve it.');
  equal(await asking.page.getByRole('button', { name: 'Approve…' }).count(), 0);
  equal(await toBalance(accountId), '900.00');

  const path = new URL(asking.page.url()).pathname.replace('/console', '');
  const approving = await visit(t, path, { role: 'finance' });
  await approving.page.getByRole('button', { name: 'Approve…' }).click();
  const dialog = approving.page.getByRole('dialog');
  await dialog.getByText('€600.00').waitFor();
  await dialog.getByLabel('Reason').fill('Checked with the bank.');
  await dialog.getByRole('button', { name: 'Correct by €300.00' }).click();
  await waitForText(approving.page, 'Approved:');
  equal(await toBalance(accountId), '600.00');
  await waitForText(asking.page, 'Checked with the bank.');
  approving.expectQuiet();
});

test(
  'an endpoint is tested, and its deliveries are shown in full and redelivered',
  NEEDS_BROWSER,
  async (t) => {
    const { accountId, token } = await h.seed.reseller();
    const receiver = await startReceiver(t);
    const endpoints = '/export/v1/webhook-endpoints';
    const { body } = await h.call('POST', endpoints, { token, body: { url: receiver.url, types: ['*'] } });
    await h.call('POST', `${endpoints}/${body.data.id}/test`, { token });
    await waitUntil(async () => receiver.received.length === 1, 'the first delivery');
    const { page, expectQuiet } = await visit(t, `/accounts/${accountId}?tab=webhooks`);
    await page.getByRole('button', { name: /^Redeliver evt/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver 1 event' }).click();
    await waitForText(page, '1 redelivery started');
    await page.getByRole('cell', { name: '2', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Details of evt/ }).click();
    const look = page.getByRole('dialog', { name: 'webhook.test' });
    await look.getByText(/"type": "webhook.test"/).waitFor();
    await look.getByText('204').first().waitFor();
    await page.keyboard.press('Escape');
    await look.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Send test…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click();
    await waitForText(page, 'Test sent');
    await page.getByRole('row').nth(4).waitFor();
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByText('2 matches selected').waitFor();
    await page.getByRole('button', { name: 'Redeliver 2 events…' }).click();
    await page.getByLabel('Type 2 to confirm').fill('2');
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver 2 events' }).click();
    await waitForText(page, '2 redeliveries started');
    await waitUntil(async () => receiver.received.length === 5, 'all five');
    expectQuiet();
  },
);

test(
  'a deposit with an unknown outcome says its amount later, and is not booked again',
  NEEDS_BROWSER,
  async (t) => {
    const { accountId } = await h.seed.reseller();
    const { page } = await visit(t, `/accounts/${accountId}`);
    const dialog = page.getByRole('dialog');
    const fill = async () => {
      await page.getByRole('button', { name: 'Deposit…' }).click();
      await dialog.getByLabel('Amount').fill('150');
      await dialog.getByLabel('Reference').fill('bank-8');
    };
    const deposits = '**/deposits';
    await page.route(deposits, async (route) => {
      const isDry = route.request().postData()?.includes('dryRun') === true;
      if (!isDry) await route.fetch();
      return isDry ? route.continue() : route.abort();
    });
    await fill();
    await dialog.getByRole('button', { name: 'Deposit €150.00' }).click();
    await dialog.getByText('it is unknown whether this took effect').waitFor();
    await page.unroute(deposits);
    await page.reload();
    await page.getByRole('button', { name: 'Deposit…' }).click();
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('link', { name: '€150.00 deposited' }).waitFor();
    await page.getByText('€150.00', { exact: true }).first().waitFor();
    await fill();
    await dialog.getByText('This reference was already booked with this amount').waitFor();
    ok(await dialog.getByRole('button', { name: /^Deposit/ }).isDisabled());
  },
);

test('a preview that cannot be loaded does not claim that something was sent', NEEDS_BROWSER, async (t) => {
  const { accountId } = await h.seed.reseller();
  const { page } = await visit(t, `/accounts/${accountId}`);
  await page.route('**/deposits', (route) => route.abort());
  await page.getByRole('button', { name: 'Deposit…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('15');
  await dialog.getByLabel('Reference').fill('bank-9');
  await dialog.getByText('Nothing was sent.').waitFor();
  equal(await dialog.getByText('unknown whether').count(), 0);
  await page.unroute('**/deposits');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await dialog.getByRole('button', { name: 'Deposit €15.00' }).waitFor();
});

test('an edit of what someone else changed is not saved unseen', NEEDS_BROWSER, async (t) => {
  const { accountId } = await h.seed.reseller();
  const { page } = await visit(t, `/accounts/${accountId}`);
  const change = (body: object) => h.operate('PATCH', `/accounts/${accountId}`, body);
  const read = () => h.operate('GET', `/accounts/${accountId}`);
  await page.getByRole('button', { name: 'Edit…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Discount').fill('8');
  await change({ discountPercent: '9.00', name: 'Acme Games Ltd' });
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await dialog.getByText('Someone changed this to “9” while the form was open.').waitFor();
  equal((await read()).discountPercent, '9');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const { discountPercent, name } = await read();
  deepEqual({ discountPercent, name }, { discountPercent: '8', name: 'Acme Games Ltd' });
});

test(
  'the secret of a new client is shown once, works, and is nowhere in the page afterwards',
  NEEDS_BROWSER,
  async (t) => {
    const { accountId } = await h.seed.reseller();
    const { page, context, expectQuiet } = await visit(t, `/accounts/${accountId}?tab=clients`);
    await page.getByRole('button', { name: 'New client…' }).click();
    await page.getByLabel('Name').fill('Web shop');
    await page.getByRole('button', { name: 'Create client' }).click();
    await waitForText(page, 'Copy it now');
    const [clientId = '', clientSecret = ''] = await page
      .getByRole('dialog')
      .locator('code')
      .allTextContents();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy both for an env file' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    const lines = `CLIENT_ID=${clientId}\nCLIENT_SECRET=${clientSecret}\n`;
    equal(await page.evaluate(() => navigator.clipboard.readText()), lines);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download env file' }).click();
    const file = await saving;
    equal(file.suggestedFilename(), 'keyport.env');
    equal(await readFile(await file.path(), 'utf8'), lines);
    await expectAccessible(page);
    await expectFits(page);
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    equal((await fetch(`${h.url}/oauth/token`, { method: 'POST', body: form })).status, 200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('cell', { name: 'Web shop' }).waitFor();
    const kept = await page.evaluate(() => document.body.innerHTML + JSON.stringify({ ...sessionStorage }));
    ok(!kept.includes(clientSecret));
    expectQuiet();
  },
);

test(
  'the log finds a rejected request by its code and shows both bodies; a client becomes read-only',
  NEEDS_BROWSER,
  async (t) => {
    const { accountId, token, clientId } = await h.seed.reseller();
    const key = '6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10';
    const headers = { 'idempotency-key': key };
    await h.call('POST', '/export/v1/orders', { token, headers, body: { items: [] } });
    await h.call('GET', '/export/v1/products/10000000099999', { token });
    const { page, expectQuiet } = await visit(t, `/accounts/${accountId}?tab=requests`);
    await page.getByRole('button', { name: 'GET /export/v1/products/10000000099999' }).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Error code' }).click();
    await page.keyboard.type('validation-error');
    await page.keyboard.press('Enter');
    await page.getByText('GET /export/v1/products/10000000099999').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'POST /export/v1/orders' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByText(key).waitFor();
    match((await panel.locator('pre').allTextContents()).join('\n'), /"items": \[\].*must/s);
    await panel.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('tab', { name: 'Clients' }).click();
    await page.getByRole('button', { name: `More actions besides “New secret: ${clientId}”` }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menuitem', { name: `Make read-only: ${clientId}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Make read-only' }).click();
    await page.getByRole('cell', { name: 'Read-only' }).waitFor();
    const [client] = await h.operate('GET', `/accounts/${accountId}/clients`);
    equal(client.access, 'read-only');
    expectQuiet();
  },
);

/** The labels of the fields that are marked as wrong. */
function invalidFields(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]')].map(
      (field) => field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? '',
    ),
  );
}

test('an error is shown at its field, once, before anything is sent', NEEDS_BROWSER, async (t) => {
  const { accountId } = await h.seed.reseller();
  const { page, expectQuiet } = await visit(t, `/accounts/${accountId}`);
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
  await page.getByLabel('Warn below, in EUR').fill('1,234.50');
  await page.getByLabel('Units per UTC day').fill('12');
  await page.getByLabel('Discount in percent').fill('2,5');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Account changed').waitFor();
  const { limits, balanceLowThreshold, discountPercent } = await h.operate('GET', `/accounts/${accountId}`);
  deepEqual([limits.dailySpendMax, balanceLowThreshold, discountPercent], ['1234.56', '1234.50', '2.50']);
  expectQuiet();
});

test(
  'a problem that the service finds is shown at its field, in the words of the form, until the field changes',
  NEEDS_BROWSER,
  async (t) => {
    const { accountId } = await h.seed.reseller();
    const { page, expectQuiet } = await visit(t, `/accounts/${accountId}`);
    await page.getByRole('button', { name: 'Edit…' }).click();
    const name = page.getByLabel('Name', { exact: true });
    // The form does not know invisible characters; the service does.
    await name.fill('\u200b');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const problem = page.getByText(
      'This must be text of 1 to 500 characters, not only blanks; it has U+200B at position 1.',
    );
    await problem.waitFor();
    equal(await problem.count(), 1);
    deepEqual(await invalidFields(page), ['Name']);
    equal(await name.evaluate((field) => field === document.activeElement), true);
    equal(await page.getByText('body.name').count(), 0);
    await expectAccessible(page);
    await name.fill('Acme Games');
    await problem.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Account changed').last().waitFor();
    expectQuiet(/400/);
  },
);
