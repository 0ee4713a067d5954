/** A61. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

type Body = Readonly<Record<string, unknown>>;

const post = (accountId: string, what: string, body: Body) =>
  h.admin('POST', `/accounts/${accountId}/${what}`, body);
const adjust = (accountId: string, body: Body) =>
  post(accountId, 'adjustments', { reference: 'case-1', reason: 'Counted twice', ...body });
const payOut = (accountId: string, amount: unknown, reference: unknown = 'out-1') =>
  post(accountId, 'payouts', { amount, reference });
const toBalance = async (accountId: string) => (await h.operate('GET', `/accounts/${accountId}`)).balance;

test('201: a credit adds, a debit subtracts, and the statement shows both with their reasons', async () => {
  const { accountId } = await h.seed.reseller({ balance: '10.00' });
  const credit = await adjust(accountId, { direction: 'credit', amount: '2.5' });
  const debit = await adjust(accountId, {
    direction: 'debit',
    amount: '12.50',
    reference: 'case-2',
    reason: 'Not ours',
  });
  deepEqual([credit.status, debit.status], [201, 201]);
  const lines = await h.operate('GET', `/accounts/${accountId}/statement`);
  deepEqual(lines.slice(1), [credit.body.data, debit.body.data]);
  deepEqual(
    lines.slice(1).map((line: Body) => {
      const { id: _id, createdAt: _createdAt, ...rest } = line;
      return rest;
    }),
    [
      {
        number: 2,
        kind: 'adjustment',
        amount: '2.50',
        balance: '12.50',
        reference: 'case-1',
        reason: 'Counted twice',
      },
      {
        number: 3,
        kind: 'adjustment',
        amount: '-12.50',
        balance: '0.00',
        reference: 'case-2',
        reason: 'Not ours',
      },
    ],
  );
});

test('200: the same reference returns the first booking; 409 if anything differs', async () => {
  const { accountId } = await h.seed.reseller({ balance: '10.00' });
  const first = await adjust(accountId, { direction: 'debit', amount: '4' });
  const again = await adjust(accountId, { direction: 'debit', amount: '4.00' });
  deepEqual([again.status, again.body.data], [200, first.body.data]);
  for (const other of [{ direction: 'credit' }, { amount: '4.01' }, { reason: 'Another' }]) {
    const response = await adjust(accountId, { direction: 'debit', amount: '4', ...other });
    deepEqual([response.status, response.body.error.data], [409, { amount: '-4.00' }]);
  }
  const paid = await payOut(accountId, '1.00', 'case-1');
  equal(paid.status, 201, 'each kind of booking has its own references');
  deepEqual((await payOut(accountId, '1', 'case-1')).body.data, paid.body.data);
  const otherAmount = await payOut(accountId, '2', 'case-1');
  deepEqual([otherAmount.status, otherAmount.body.error.data], [409, { amount: '-1.00' }]);
  equal(await toBalance(accountId), '5.00');
});

test('ten concurrent requests with one reference make one booking', async () => {
  const { accountId } = await h.seed.reseller({ balance: '10.00' });
  const send = [
    () => payOut(accountId, '3'),
    () => adjust(accountId, { direction: 'debit', amount: '3' }),
    () => post(accountId, 'deposits', { amount: '3', reference: 'bank-1' }),
  ];
  for (const each of send) {
    const responses = await Promise.all(Array.from({ length: 10 }, each));
    deepEqual(responses.map(({ status }) => status).sort(), [...Array(9).fill(200), 201]);
  }
  equal(await toBalance(accountId), '7.00');
});

test('409: a payout or debit above the balance books nothing, and the whole balance can be paid out', async () => {
  const { accountId } = await h.seed.reseller({ balance: '10.00' });
  for (const response of [
    await payOut(accountId, '10.01'),
    await adjust(accountId, { direction: 'debit', amount: '10.01' }),
  ]) {
    deepEqual([response.status, response.body.error.data], [409, { balance: '10.00' }]);
    match(response.body.error.message, /holds 10\.00 EUR/);
  }
  equal((await payOut(accountId, '10.00')).body.data.balance, '0.00');
});

test('concurrent payouts never overdraw the balance', async () => {
  const { accountId } = await h.seed.reseller({ balance: '10.00' });
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) => payOut(accountId, '3', `o${index}`)),
  );
  deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 201, 409, 409, 409, 409, 409]);
  equal(await toBalance(accountId), '1.00');
});

test('an account must be emptied before it is closed, and a late refund can be paid out but not credited', async () => {
  const reseller = await h.seed.reseller({ balance: '30.00' });
  const { accountId } = reseller;
  const { productId } = await h.seed.listing({ price: '10.00' });
  const orderId = (await reseller.order(auto(productId))).body.data.id;
  const close = () => h.admin('PATCH', `/accounts/${accountId}`, { status: 'closed' });
  const refused = await close();
  deepEqual([refused.status, refused.body.error.data], [409, { balance: '20.00' }]);
  match(refused.body.error.message, /payout/);
  await h.operate('PATCH', `/accounts/${accountId}`, { status: 'suspended' });
  equal((await payOut(accountId, '20.00')).status, 201);
  equal((await close()).status, 200);
  equal((await payOut(accountId, '20.00')).status, 200, 'a retry still gets its response');
  await h.operate('POST', `/orders/${orderId}/refund`, { reason: 'does not work' });
  const credit = await adjust(accountId, { direction: 'credit', amount: '1' });
  deepEqual([credit.status, credit.body.error.code], [409, 'conflict']);
  equal((await payOut(accountId, '10.00', 'out-2')).status, 201);
  equal(await toBalance(accountId), '0.00');
});

test('the audit log has every booking once, and a retry adds no entry', async () => {
  const { accountId } = await h.seed.reseller({ balance: '10.00' });
  await adjust(accountId, { direction: 'debit', amount: '4' });
  await adjust(accountId, { direction: 'debit', amount: '4' });
  await payOut(accountId, '6');
  const entries = await h.operate('GET', '/audit?itemsPerPage=10');
  const own = entries.filter((entry: Body) => entry['accountId'] === accountId).slice(0, 2);
  deepEqual(
    own.map(({ action, data: { transferId: _id, ...data } }: { action: string; data: Body }) => ({
      action,
      ...data,
    })),
    [
      { action: 'payout.create', amount: '-6.00', reference: 'out-1' },
      { action: 'adjustment.create', amount: '-4.00', reference: 'case-1', reason: 'Counted twice' },
    ],
  );
});
