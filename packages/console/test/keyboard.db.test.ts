/** Runs every flow that moves money or stock without a mouse. */
import { deepEqual, equal } from 'node:assert/strict';
import { type TestContext, test } from 'vitest';
import { NEEDS_BROWSER } from '../../server/test/support/browser.ts';
import { auto, startHarness } from '../../server/test/support/harness.ts';
import { wholeFile } from '../../server/test/support/vitest.ts';
import { openConsole } from './support/console.ts';
import { type Keyboard, toKeyboard } from './support/keyboard.ts';

const h = await startHarness(wholeFile, {
  KEYPORT_APPROVAL_ABOVE: '200.00',
  KEYPORT_GATEWAY_TIMEOUT_MS: '20',
});
const { visit } = openConsole(h);

async function seedAccount(options: { balance?: string; account?: Record<string, unknown> } = {}) {
  return h.seed.reseller({ balance: '900.00', ...options });
}

async function seedOrder(quantity: number, account: Record<string, unknown> = {}) {
  const { productId } = await h.seed.listing({ stock: 5, product: { name: 'Star Harbour' } });
  const reseller = await seedAccount({ account });
  const { body } = await reseller.order(auto(productId, { quantity }));
  const id: string = body.data?.id ?? body.error.data.orderId;
  return { id, accountId: reseller.accountId, read: () => h.operate('GET', `/orders/${id}`) };
}

const toBalance = async (accountId: string) => (await h.operate('GET', `/accounts/${accountId}`)).balance;

type Flow = (keys: Keyboard, open: (path: string) => Promise<void>, t: TestContext) => Promise<void>;

const FLOWS: Readonly<Record<string, Flow>> = {
  async 'an order is found and one of its three units refunded'(keys, open) {
    const order = await seedOrder(3);
    await open('/');
    // Caps Lock makes it a capital letter.
    await keys.press('Control+K');
    await keys.choose('Search or jump to');
    await keys.type(order.id);
    await keys.see(`Order ${order.id}`);
    await keys.press('Enter');
    await keys.seeButton('Refund…');
    await keys.press('f');
    await keys.chooseFirst('checkbox');
    await keys.press('Space');
    await keys.choose('go back to stock');
    await keys.press('ArrowDown');
    await keys.fill('Reason', 'It was never read');
    await keys.submit('Refund €10.00');
    await keys.see('€10.00 refunded');
    const [{ items }] = (await order.read()).transactions;
    equal(items[0].quantity.refunded, 1);
  },
  async 'a held order is released from the list'(keys, open) {
    const order = await seedOrder(1, { holdOrders: true });
    await open(`/orders?status=held&accountId=${order.accountId}`);
    await keys.openRow();
    await keys.seeButton('Release…');
    await keys.press('r');
    await keys.fill('Reason', 'Checked');
    await keys.submit('Release order');
    await keys.see('Order released');
    equal((await order.read()).status, 'complete');
  },
  async 'two orders are refunded together'(keys, open) {
    const { productId } = await h.seed.listing({ price: '10.00', stock: 5 });
    const reseller = await seedAccount();
    for (const quantity of [1, 2]) await reseller.order(auto(productId, { quantity }));
    await open(`/orders?accountId=${reseller.accountId}`);
    await keys.selectRows(2);
    await keys.see('2 rows selected');
    await keys.press('f');
    await keys.fill('Type 30.00 to confirm', '30.00');
    await keys.fill('Reason', 'The publisher withdrew it');
    await keys.submit('Refund €30.00');
    await keys.see('2 orders refunded');
    equal(await toBalance(reseller.accountId), '900.00');
  },
  async 'an order that waits for its payment is canceled'(keys, open) {
    const order = await seedOrder(1, { paymentMethod: 'gateway', gatewayCustomer: 'sim_error' });
    await open(`/orders/${order.id}`);
    await keys.act('Cancel order…');
    await keys.fill('Reason', 'The reseller asked');
    await keys.submit('Cancel order');
    await keys.see('Order canceled');
    equal((await order.read()).status, 'canceled');
  },
  async 'a key is replaced'(keys, open) {
    const order = await seedOrder(1);
    await open(`/orders/${order.id}`);
    await keys.act(/^Replace key/);
    await keys.fill('Reason', 'Used before');
    await keys.submit('Replace key');
    await keys.see('Key replaced.');
    equal((await h.operate('GET', `/orders/${order.id}/keys`)).length, 2);
  },
  async 'a deposit is booked'(keys, open) {
    const { accountId } = await seedAccount();
    await open(`/accounts/${accountId}`);
    await keys.act('Deposit…');
    await keys.fill('Amount in EUR', '20.50');
    await keys.fill('Reference', 'bank-7');
    await keys.submit('Deposit €20.50');
    await keys.see('€20.50 deposited');
    equal(await toBalance(accountId), '920.50');
  },
  async 'a balance is corrected'(keys, open) {
    const { accountId } = await seedAccount();
    await open(`/accounts/${accountId}`);
    await keys.act('Correct balance…');
    await keys.choose('Add to the balance');
    await keys.press('ArrowDown');
    await keys.fill('Amount in EUR', '100');
    await keys.fill('Reference', 'wrong-7');
    await keys.fill('Reason', 'Booked twice');
    await keys.submit('Correct by €100.00');
    await keys.see('Balance corrected by €100.00');
    equal(await toBalance(accountId), '800.00');
  },
  async 'a payout is requested, and approved by another person'(keys, open, t) {
    const { accountId } = await seedAccount();
    await open(`/accounts/${accountId}`);
    await keys.act('Pay out…');
    await keys.fill('Amount in EUR', '600');
    await keys.fill('Reference', 'out-7');
    await keys.fill('Type 600.00 to confirm', '600.00');
    await keys.submit('Request approval of €600.00');
    await keys.see('Approval of €600.00 requested');
    equal(await toBalance(accountId), '900.00');
    const other = await visit(t, '/approvals');
    const approving = toKeyboard(other.page);
    await approving.openRow();
    await approving.see('out-7');
    await other.page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    await approving.act('Approve…');
    await approving.fill('Type 600.00 to confirm', '600.00');
    await approving.fill('Reason', 'Agreed with Grace');
    await approving.submit('Pay out €600.00');
    await approving.see('Approved: Payout €600.00');
    equal(await toBalance(accountId), '300.00');
  },
  async 'keys are withdrawn'(keys, open) {
    const { offerId } = await h.seed.listing({ stock: 5 });
    await open(`/catalogue/offers/${offerId}`);
    await keys.act('Withdraw keys…');
    await keys.fill('How many', '2');
    await keys.fill('Reason', 'The publisher blocked them');
    await keys.submit('Withdraw 2 keys');
    await keys.see('2 keys withdrawn');
    equal((await h.operate('GET', `/offers/${offerId}`)).quantity, 3);
  },
  async 'prices of two offers are lowered'(keys, open) {
    const sellerId = await h.seed.seller();
    const cheap = await h.seed.listing({ price: '10.10', sellerId });
    const dear = await h.seed.listing({ price: '20.00', sellerId });
    await open(`/catalogue/offers?sellerId=${sellerId}`);
    await keys.selectRows(2);
    await keys.see('2 rows selected');
    await keys.press('c');
    await keys.fill('Percent', '-2.5');
    await keys.fill('Reason', 'Sale');
    await keys.fill('Type 2 to confirm', '2');
    await keys.submit('Change 2 offers');
    await keys.see('2 offers changed');
    const toPrice = async (offerId: string) => (await h.operate('GET', `/offers/${offerId}`)).price;
    deepEqual([await toPrice(cheap.offerId), await toPrice(dear.offerId)], ['9.85', '19.50']);
  },
  async 'keys are added'(keys, open) {
    const { offerId } = await h.seed.listing({ stock: 1 });
    await open(`/catalogue/offers/${offerId}`);
    await keys.act('Add keys…');
    await keys.fill('Keys, one per line', 'KEYS-0001\nKEYS-0002');
    await keys.submit('Add 2 keys');
    await keys.see('2 keys added');
    equal((await h.operate('GET', `/offers/${offerId}`)).quantity, 3);
  },
  async 'a price is changed, and the offer paused'(keys, open) {
    const { offerId } = await h.seed.listing({ price: '10.00' });
    await open(`/catalogue/offers/${offerId}`);
    await keys.act('Change price…');
    await keys.fill('New price in EUR', '12,30');
    await keys.submit('Change price');
    await keys.see('Price changed to €12.30');
    await keys.act('Pause…');
    await keys.submit('Pause');
    await keys.see('Offer paused');
    const { price, status } = await h.operate('GET', `/offers/${offerId}`);
    deepEqual([price, status], ['12.30', 'paused']);
  },
  async 'a price list is imported'(keys, open) {
    const { productId, offerId, sellerId } = await h.seed.listing({ price: '10.00', stock: 2 });
    const list = `ID,Product,Seller ID,Preis\n${offerId},${productId},${sellerId},"12,30"\n`;
    await open('/imports');
    const file = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(list) };
    await keys.chooseFile('Drop a file here', file);
    await keys.see('12,30');
    await keys.expectFocus();
    await keys.act('Check the file');
    await keys.see('1 line would change something');
    await keys.act('Import 1 line');
    await keys.see('1 line imported');
    await keys.expectFocus();
    equal((await h.operate('GET', `/offers/${offerId}`)).price, '12.30');
  },
};

test.for(Object.entries(FLOWS))('%s by keyboard alone', NEEDS_BROWSER, async ([, flow], t) => {
  const { page, go, expectQuiet } = await visit(t, '/');
  await flow(toKeyboard(page), go, t);
  expectQuiet();
});
