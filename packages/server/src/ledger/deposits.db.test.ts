import { deepEqual, equal, partialDeepStrictEqual, rejects } from 'node:assert/strict';
import { chargeTransfer } from '@keyport/core/ledger';
import { sql } from 'kysely';
import { test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { operatorOn } from '../../test/support/operator.ts';
import { wholeFile } from '../../test/support/vitest.ts';
import { runTransaction } from '../db/transaction.ts';
import { loadHouseAccounts } from './house-accounts.sql.ts';
import { bookTransfers } from './transfers.sql.ts';

const database = await testDatabase(wholeFile);
const { call, notifications } = operatorOn(database);

test('the same reference again returns the first deposit with 200, in any spelling of the amount', async () => {
  const params = { accountId: await createAccount() };
  notifications.length = 0;
  const first = await call('createDeposit', { params, body: { amount: '10', reference: 'bank 1' } });
  const again = await call('createDeposit', { params, body: { amount: '10.00', reference: 'bank 1' } });
  equal(first.status, 201);
  equal(again.status, 200);
  deepEqual(again.data, first.data);
  partialDeepStrictEqual(first.data, {
    number: 1,
    kind: 'deposit',
    amount: '10.00',
    balance: '10.00',
    reference: 'bank 1',
  });
  deepEqual(notifications, [`account ${params.accountId}`]);
  equal(await balanceOf(params.accountId), '10.00');
});

test('a statement shows balance changes as the reseller sees them, oldest first and in pages', async () => {
  const params = { accountId: await createAccount() };
  for (const [index, amount] of ['20', '30'].entries()) {
    await call('createDeposit', { params, body: { amount, reference: `s${index}` } });
  }
  // The gateway charge does not change the balance.
  const house = await loadHouseAccounts(database.kysely);
  const charges = [chargeTransfer('balance', 999, 5000), chargeTransfer('gateway', 999, 4001)];
  await runTransaction(database, {}, (tx) =>
    bookTransfers(tx, params.accountId, charges, house, { orderId: '9007199254740999' }),
  );
  const { data, meta } = await call('getStatement', { params, query: { page: 1, itemsPerPage: 10 } });
  deepEqual(
    data.map(({ id: _id, createdAt: _createdAt, ...line }) => line),
    [
      { number: 1, kind: 'deposit', amount: '20.00', balance: '20.00', reference: 's0' },
      { number: 2, kind: 'deposit', amount: '30.00', balance: '50.00', reference: 's1' },
      { number: 3, kind: 'charge', amount: '-9.99', balance: '40.01', orderId: '9007199254740999' },
    ],
  );
  equal(meta?.totalResults, 3);
  deepEqual((await call('getStatement', { params, query: { page: 2, itemsPerPage: 10 } })).data, []);
});

test('rejects a deposit into a closed account, and one beyond the largest exact balance', async () => {
  const closed = { accountId: await createAccount() };
  await call('updateAccount', { params: closed, body: { status: 'closed' } });
  const body = { amount: '1', reference: 'late' };
  await rejects(call('createDeposit', { params: closed, body }), { code: 'conflict' });

  const rich = { accountId: await createAccount() };
  await sql`UPDATE account SET balance_minor = ${Number.MAX_SAFE_INTEGER - 100} WHERE id = ${rich.accountId}`.execute(
    database.kysely,
  );
  await rejects(call('createDeposit', { params: rich, body: { amount: '1.01', reference: 'much' } }), {
    code: 'conflict',
  });
  const last = await call('createDeposit', { params: rich, body: { amount: '1', reference: 'much' } });
  partialDeepStrictEqual(last.data, { balance: '90071992547409.91' });
});

async function createAccount(): Promise<string> {
  const { data } = await call('createAccount', { body: { name: 'Depositor', paymentMethod: 'balance' } });
  return data.id;
}

async function balanceOf(accountId: string): Promise<string> {
  return (await call('getAccount', { params: { accountId } })).data.balance;
}
