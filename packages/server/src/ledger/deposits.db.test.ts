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

test('the same reference again answers the first deposit with 200, in any spelling of the amount', async () => {
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

test('the same reference with another amount is a conflict, and belongs to one account only', async () => {
  const params = { accountId: await createAccount() };
  await call('createDeposit', { params, body: { amount: '10', reference: 'bank 2' } });
  await rejects(call('createDeposit', { params, body: { amount: '11', reference: 'bank 2' } }), {
    code: 'conflict',
    data: { amount: '10.00' },
  });
  const other = { accountId: await createAccount() };
  const body = { amount: '11', reference: 'bank 2' };
  equal((await call('createDeposit', { params: other, body })).status, 201);
});

test('ten deposits with one reference at once book one', async () => {
  const params = { accountId: await createAccount() };
  const body = { amount: '3.33', reference: 'concurrent' };
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => call('createDeposit', { params, body })),
  );
  deepEqual(replies.map(({ status }) => status).toSorted(), [...Array(9).fill(200), 201]);
  equal(new Set(replies.map(({ data }) => data.id)).size, 1);
  equal(await balanceOf(params.accountId), '3.33');
});

test('deposits at once lose none: the balance is the sum of the transfers, and the statement adds up', async () => {
  const params = { accountId: await createAccount() };
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      call('createDeposit', { params, body: { amount: `${index + 1}.01`, reference: `r${index}` } }),
    ),
  );
  equal(await balanceOf(params.accountId), '78.12');
  const { data: lines, meta } = await call('getStatement', { params });
  equal(meta?.totalResults, 12);
  let balanceMinor = 0;
  for (const { amount, balance } of lines) {
    balanceMinor += Math.round(Number(amount) * 100);
    equal(Math.round(Number(balance) * 100), balanceMinor);
  }
  const { rows } = await sql`
    SELECT a.id FROM account a LEFT JOIN ledger_account l ON l.account_id = a.id
    LEFT JOIN ledger_entry e ON e.ledger_account_id = l.id
    GROUP BY a.id, a.balance_minor HAVING a.balance_minor <> coalesce(sum(e.amount_minor), 0)`.execute(
    database.kysely,
  );
  deepEqual(rows, []);
});

test('a statement shows what moved the balance, seen from the reseller, oldest first and page by page', async () => {
  const params = { accountId: await createAccount() };
  for (const [index, amount] of ['20', '30'].entries()) {
    await call('createDeposit', { params, body: { amount, reference: `s${index}` } });
  }
  // A charge from the balance, and one from the gateway, which does not touch it.
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

test('a closed account takes no deposit, and no deposit makes a balance that cannot be counted exactly', async () => {
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
