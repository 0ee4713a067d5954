/** R23, A7. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { runTransaction } from '../../../src/db/transaction.ts';
import { loadHouseAccounts } from '../../../src/ledger/house-accounts.sql.ts';
import { bookTransfers } from '../../../src/ledger/transfers.sql.ts';
import { startHarness } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

const deposit = (accountId: string, amount: unknown, reference: unknown) =>
  h.admin('POST', `/accounts/${accountId}/deposits`, { amount, reference });
const toBalance = async (accountId: string) => (await h.operate('GET', `/accounts/${accountId}`)).balance;

test('a reference books once: a retry returns the first deposit, and a different amount is a conflict', async () => {
  const [one, other] = [await h.seed.reseller(), await h.seed.reseller()];
  const first = await deposit(one.accountId, '12.5', 'bank-1');
  equal(first.status, 201);
  const { kind, amount, balance, reference } = first.body.data;
  deepEqual([kind, amount, balance, reference], ['deposit', '12.50', '12.50', 'bank-1']);
  const again = await deposit(one.accountId, '12.50', 'bank-1');
  deepEqual([again.status, again.body.data], [200, first.body.data]);
  const conflict = await deposit(one.accountId, '12.51', 'bank-1');
  deepEqual([conflict.status, conflict.body.error.data], [409, { amount: '12.50' }]);
  equal(await toBalance(one.accountId), '12.50');
  equal((await deposit(other.accountId, '1.00', 'bank-1')).status, 201, 'the reference of another account');
});

test.each(['deposits', 'payouts', 'adjustments'])(
  'a reference has one spelling, so that %s of texts that look the same are booked once',
  async (bookings) => {
    const { accountId } = await h.seed.reseller({ balance: '10.00' });
    const more = bookings === 'adjustments' ? { direction: 'credit', reason: 'Test' } : {};
    const book = async (reference: string) =>
      (await h.admin('POST', `/accounts/${accountId}/${bookings}`, { amount: '1.00', reference, ...more }))
        .status;
    equal(await book('Mö x'), 201);
    for (const other of [
      ...[
        'Mö x ',
        ' Mö x',
        'Mö x\u200b',
        'M\u00adö x',
        'Mö\u00a0x',
        'Mo\u0308 x',
        'Mö  x',
        'Mö\tx',
        'Mö x\n',
      ],
      ...[' ', '\u200b', '\u3164', 'Mö x\ufe0f', 'Mö\u2028x', '\ufeffMö x'],
    ]) {
      equal(await book(other), 400, JSON.stringify(other));
    }
    equal(await book('Mö x'), 200);
  },
);

test('409: a deposit into a closed account', async () => {
  const { accountId } = await h.seed.reseller();
  await h.operate('PATCH', `/accounts/${accountId}`, { status: 'closed' });
  const { status, body } = await deposit(accountId, '1.00', 'late');
  deepEqual([status, body.error.code], [409, 'conflict']);
});

test('409: a deposit beyond the largest exact balance', async (t) => {
  const own = await startHarness(t);
  const { accountId } = await own.seed.reseller();
  const amountMinor = Number.MAX_SAFE_INTEGER - 100;
  const transfer = { kind: 'deposit', from: 'cash', to: 'prepaid', amountMinor } as const;
  await runTransaction(own.database, {}, async (tx) => {
    const all = [{ ...transfer, prepaidBalanceAfterMinor: amountMinor }];
    await bookTransfers(tx, accountId, all, await loadHouseAccounts(tx), { reference: 'much' });
    await sql`UPDATE account SET balance_minor = ${amountMinor} WHERE id = ${accountId}`.execute(tx);
  });
  const send = (amount: string) =>
    own.admin('POST', `/accounts/${accountId}/deposits`, { amount, reference: 'more' });
  const { status, body } = await send('1.01');
  deepEqual([status, body.error.code], [409, 'conflict']);
  equal((await send('1')).body.data.balance, '90071992547409.91');
});
