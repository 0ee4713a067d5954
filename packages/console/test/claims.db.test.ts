import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { manual, startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { openConsole } from './support/console.ts';

const h = await startHarness(wholeFile, { KEYPORT_APPROVAL_ABOVE: '25.00' });
const { visit } = openConsole(h);
const { offerId } = await h.seed.listing({ stock: 60, product: { name: 'Star Harbour' } });
const reseller = await h.seed.reseller({ balance: '1000.00', account: { name: 'Northwind Keys' } });

async function claim(quantity = 1, reason = 'already-used') {
  const { id: orderId, transactions } = (await reseller.order(manual(offerId, { quantity }))).body.data;
  const { keys } = (await reseller.get(`/orders/${orderId}/keys`)).body.data[0];
  const codes = keys.map(({ code }: { code: string }) => code);
  const body = { itemId: transactions[0].items[0].id, codes, reason, message: 'It does not work.' };
  const { data } = (
    await h.call('POST', `/export/v1/orders/${orderId}/claims`, {
      token: reseller.token,
      body,
      headers: { 'idempotency-key': randomUUID() },
    })
  ).body;
  return { id: String(data.id), orderId: String(orderId) };
}

const toOutcomes = async (id: string): Promise<string[]> =>
  (await h.operate('GET', `/claims/${id}`)).keys.map((key: { outcome: string }) => key.outcome);

test('three claims are decided by keyboard alone, from the first screen', NEEDS_BROWSER, async (t) => {
  const claims = [await claim(), await claim(), await claim(2)];
  const { page, expectQuiet } = await visit(t, '/', { role: 'support' });
  await page.getByText('3 claims to decide').waitFor();
  const decisions = [
    [[], 'Keys delivered'],
    [['ArrowRight'], 'To the reseller'],
    // The second key is replaced as the dialog proposes.
    [['ArrowRight', 'ArrowRight'], 'Keys delivered'],
  ] as const;
  for (const [index, [keys, effect]] of decisions.entries()) {
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    const rows = page.getByRole('row').filter({ hasText: 'Northwind Keys' });
    await page.waitForFunction(
      (count) => document.querySelectorAll('tbody tr').length === count,
      claims.length - index,
    );
    await rows.first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Decide…' }).waitFor();
    await page.getByText('It does not work.').waitFor();
    await page.keyboard.press('d');
    const dialog = page.getByRole('dialog', { name: 'Decide the claim: Key already used' });
    await dialog.getByRole('radio', { name: 'Replace' }).first().focus();
    for (const key of keys) await page.keyboard.press(key);
    await dialog.getByText(effect).waitFor();
    // The dialog does not send while its preview is stale.
    await dialog.locator('.preview[data-stale="false"]').waitFor();
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('Claim decided').first().waitFor();
  }
  deepEqual(await toOutcomes(claims[0]?.id ?? ''), ['replaced']);
  deepEqual(await toOutcomes(claims[1]?.id ?? ''), ['refunded']);
  deepEqual(await toOutcomes(claims[2]?.id ?? ''), ['rejected', 'replaced']);
  expectQuiet();
});

test('a refund above the limit waits for another operator', NEEDS_BROWSER, async (t) => {
  const { id } = await claim(3);
  const { page, expectQuiet } = await visit(t, `/claims/${id}`, { role: 'support' });
  await page.getByRole('button', { name: 'Decide…' }).click();
  const dialog = page.getByRole('dialog');
  for (const index of [0, 1, 2]) await dialog.getByRole('radio', { name: 'Refund' }).nth(index).check();
  await dialog.getByLabel('Message to the reseller').fill('Sorry.');
  await dialog.getByRole('button', { name: 'Request approval' }).click();
  await dialog.waitFor({ state: 'detached' });
  equal((await h.operate('GET', `/claims/${id}`)).status, 'open');
  expectQuiet();
});

test(
  'several claims are decided at once, and those that cannot be stay selected',
  NEEDS_BROWSER,
  async (t) => {
    const [first, second, withdrawn] = [await claim(), await claim(), await claim()];
    const { page, go, expectQuiet } = await visit(t, `/claims?sel=${first.id},${second.id},${withdrawn.id}`);
    await page.locator('.bulk').getByRole('button', { name: 'Decide…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Reject' }).check();
    await dialog.getByLabel('Type 3 to confirm').fill('3');
    await dialog.locator('.preview[data-stale="false"]').waitFor();
    await h.operate('POST', `/claims/${withdrawn.id}/decide`, {
      decisions: [{ keyId: '1', decision: 'reject' }],
    });
    await dialog.getByRole('button', { name: 'Reject the keys of 3 claims' }).click();
    await dialog.getByRole('alert').getByText(withdrawn.id.slice(0, 12)).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 row selected').waitFor();
    deepEqual(await toOutcomes(first.id), ['rejected']);
    deepEqual(await toOutcomes(second.id), ['rejected']);

    const [one, next] = [await claim(), await claim()];
    await go(`/claims/${one.id}`);
    await page.getByRole('button', { name: 'Next' }).waitFor();
    await page.keyboard.press('j');
    await page.waitForURL(`**/claims/${next.id}`);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.waitForURL(`**/claims/${one.id}`);
    // The decision that fails is a conflict.
    expectQuiet(/409|412/);
  },
);

test(
  'a decision that came too late says so, although the page no longer has its form',
  NEEDS_BROWSER,
  async (t) => {
    const { id } = await claim();
    const { page } = await visit(t, `/claims/${id}`);
    await page.getByRole('button', { name: 'Decide…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Keys delivered').waitFor();
    // The page does not learn of the decision before the click.
    const clicked = Promise.withResolvers<void>();
    await page.route(`**/claims/${id}`, async (route) => {
      await clicked.promise;
      await route.continue();
    });
    const [{ id: keyId }] = (await h.operate('GET', `/claims/${id}`)).keys;
    await h.operate('POST', `/claims/${id}/decide`, { decisions: [{ keyId, decision: 'refund' }] });
    await dialog
      .getByRole('button', { name: /^Decide|^Replace|^Submit/ })
      .last()
      .click();
    clicked.resolve();
    await page.getByText('The claim is decided; only an open claim can be decided.').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('The claim is decided; only an open claim can be decided.').waitFor();
  },
);

test('a viewer can read claims but not decide them', NEEDS_BROWSER, async (t) => {
  const { id } = await claim();
  const { page, expectQuiet } = await visit(t, `/claims/${id}`, { role: 'viewer' });
  await page.getByText('It does not work.').waitFor();
  equal(await page.getByRole('button', { name: 'Decide…' }).count(), 0);
  expectQuiet();
});
