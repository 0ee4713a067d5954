import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { manual, startHarness } from '../../server/test/support/harness.ts';
import { someEmail } from '../../server/test/support/person.ts';
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

const person = (name: string) =>
  h.operate('POST', '/operators', { name, email: someEmail(), role: 'support' });

test('a note mentions a person by keyboard, and its author withdraws it', NEEDS_BROWSER, async (t) => {
  const grace = await person('Grace Hopper');
  await person('Grace');
  const { page, expectQuiet } = await visit(t, `/orders/${orderId}`);
  await page.getByRole('heading', { name: 'Notes', exact: true }).waitFor();
  const field = page.getByLabel('Add a note');
  await field.focus();
  await page.keyboard.type('The licence is missing, @hop');
  await page.getByRole('option', { name: 'Grace Hopper' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.keyboard.type('writes to them.');
  equal(await field.inputValue(), 'The licence is missing, @Grace Hopper writes to them.');
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
    notes.map(({ text, mentioned }: { text: string; mentioned: string[] }) => [text, mentioned]),
    [
      ['Another one.', []],
      ['The licence is missing, @Grace Hopper writes to them.', [grace.id]],
    ],
  );
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole('button', { name: 'Withdraw the note by Ada: Another one.' }).click();
  await page.getByRole('heading', { name: 'Notes (1)' }).waitFor();
  expectQuiet();
});

test('a note with a product key is rejected, and its field keeps the text', NEEDS_BROWSER, async (t) => {
  const { keys } = (await reseller.get(`/orders/${orderId}/keys`)).body.data[0];
  const { page } = await visit(t, `/accounts/${reseller.accountId}`);
  const field = page.getByLabel('Add a note');
  await field.fill(`It is ${keys[0].code}.`);
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByText('Contains a product key; write only its last characters.').waitFor();
  equal(await field.inputValue(), `It is ${keys[0].code}.`);
  await field.fill('It is the first one.');
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByRole('listitem').filter({ hasText: 'It is the first one.' }).waitFor();
});

test('Home shows the notes that mention the operator since the last visit', NEEDS_BROWSER, async (t) => {
  const { page, go, expectQuiet } = await visit(t, '/', { role: 'viewer' });
  const { data } = await page.evaluate(async () => (await fetch('session')).json());
  const body = { subject: `order:${orderId}`, text: 'Look, @Ada.', mentioned: [data.operator.id] };
  await h.operate('POST', '/notes', body);
  await page.evaluate(() =>
    localStorage.setItem('keyport-visit', JSON.stringify({ seenAt: '2026-01-01T00:00:00.000Z' })),
  );
  await go('/');
  await page.getByRole('link', { name: 'mentioned you in a note on an order' }).click();
  await page.getByText('Look, @Ada.').waitFor();
  equal(await page.getByLabel('Add a note').count(), 0);
  expectQuiet();
});

test(
  'held orders and claims are taken with a keystroke, and Home leads to them',
  NEEDS_BROWSER,
  async (t) => {
    const grace = await person('Grace Hopper');
    const careful = await h.seed.reseller({
      balance: '100.00',
      account: { name: 'Slow Games', holdOrders: true },
    });
    for (const _ of [1, 2]) await careful.order(manual(offerId));
    const { page, go, expectQuiet } = await visit(t, '/held');
    const control = page.locator('.held-head').getByLabel('Assignee');
    const none = /match this filter|matches this filter/;
    await control.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('m');
    await page.getByRole('status').getByText('Assigned to you').waitFor();
    await page.getByText('1 of 2').waitFor();
    await page.getByRole('search').getByLabel('Assignee').selectOption('me');
    await page.getByText('1 of 1').waitFor();
    await control.selectOption(grace.id);
    await page.getByText(none).waitFor();
    await go('/held?assignee=none');
    await page.getByText('1 of 1').waitFor();
    await control.waitFor();
    await page.keyboard.press('m');
    await page.getByText(none).waitFor();

    const { keys } = (await reseller.get(`/orders/${orderId}/keys`)).body.data[0];
    const [{ items }] = (await reseller.get(`/orders/${orderId}`)).body.data.transactions;
    const claim = { itemId: items[0].id, codes: [keys[0].code], reason: 'invalid' };
    const { status } = await h.call('POST', `/export/v1/orders/${orderId}/claims`, {
      token: reseller.token,
      body: claim,
      headers: { 'idempotency-key': randomUUID() },
    });
    equal(status, 201);
    await go('/claims');
    await page.getByRole('button', { name: /^Take clm_/ }).waitFor();
    await expectAccessible(page);
    await expectFits(page);
    await page.keyboard.press('j');
    await page.keyboard.press('m');
    await page.getByRole('button', { name: /^Take clm_/ }).waitFor({ state: 'detached' });
    await go('/');
    const line = page.getByRole('listitem').filter({ hasText: 'Assigned to you' });
    await line.getByRole('link', { name: '1 claim to decide' }).waitFor();
    await line.getByRole('link', { name: '1 order held' }).click();
    await page.getByText('1 of 1').waitFor();
    expectQuiet();
  },
);

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
