/** A62. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { auto, startHarness } from '../../support/harness.ts';
import { readList } from '../../support/lists.ts';
import { readStatement } from '../../support/statement.ts';
import { wholeFile } from '../../support/vitest.ts';

const h = await startHarness(wholeFile);

type CsvRecord = Readonly<Record<string, string>>;

async function csv(query = '', token = h.operatorToken): Promise<CsvRecord[]> {
  const response = await fetch(`${h.url}/admin/v1/books/statements${query}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
  });
  equal(response.status, 200);
  match(response.headers.get('content-disposition') ?? '', /filename="statements\.csv"/);
  return parse(await response.text(), { columns: true, record_delimiter: '\r\n' });
}

const { productId } = await h.seed.listing({ price: '3.00', stock: 20 });
const zebra = await h.seed.reseller({ balance: '50.00', account: { name: 'Zebra' } });
const acme = await h.seed.reseller({ balance: '20.00', account: { name: '=Acme, "Inc"' } });
const idle = await h.seed.reseller({ account: { name: 'Idle' } });
await acme.order(auto(productId, { quantity: 2 }));
const [, { createdAt: from }] = (await readStatement(h, acme.accountId)).lines as [
  unknown,
  { createdAt: string },
];
await h.operate('POST', `/accounts/${zebra.accountId}/payouts`, { amount: '8.00', reference: 'out-1' });
const { lines: ofZebra } = await readStatement(h, zebra.accountId);
const to = ofZebra.at(-1)?.createdAt ?? '';
await h.seed.deposit(idle.accountId, '1.00');

test('200: each account is listed once, by name, with the balances and sums of its own statement', async () => {
  for (const range of [{}, { createdAtFrom: from, createdAtTo: to }]) {
    const query = 'createdAtFrom' in range ? `?from=${from}&to=${to}` : '';
    const listed = await readList(h, `/books/statements${query}`);
    const expected = [];
    for (const [account, accountName] of [
      [acme, '=Acme, "Inc"'],
      [idle, 'Idle'],
      [zebra, 'Zebra'],
    ] as const) {
      const { accountId } = account;
      const { summary } = await readStatement(h, accountId, range);
      expected.push({ accountId, accountName, ...summary });
    }
    deepEqual(listed, expected);
  }
  deepEqual(
    (await readList(h, '/books/statements?query=zeb')).map(({ accountName }) => accountName),
    ['Zebra'],
  );
});

test('200: the CSV file has every account’s lines between its balances, and the total at the end', async () => {
  const records = await csv();
  const shown = records.map(({ accountName, number, kind, amount, balance }) =>
    [accountName, number, kind, amount, balance].join(' '),
  );
  deepEqual(shown, [
    'Zebra  opening  0.00',
    'Zebra 1 deposit 50.00 50.00',
    'Zebra 2 payout -8.00 42.00',
    'Zebra  closing  42.00',
    `=Acme, "Inc"  opening  0.00`,
    `=Acme, "Inc" 1 deposit 20.00 20.00`,
    `=Acme, "Inc" 2 charge -6.00 14.00`,
    `=Acme, "Inc"  closing  14.00`,
    'Idle  opening  0.00',
    'Idle 1 deposit 1.00 1.00',
    'Idle  closing  1.00',
    '  total 57.00 57.00',
  ]);
  deepEqual(
    records
      .filter(({ accountId, number }) => accountId === zebra.accountId && number !== '')
      .map(({ id }) => id),
    ofZebra.map(({ id }) => id),
  );
});

test('200: the file of a range has the balances at its ends and leaves out accounts without lines and balance', async () => {
  const shown = (await csv(`?from=${from}&to=${to}`)).map(
    ({ accountName, kind, amount, balance, createdAt }) =>
      [accountName, kind, amount, balance, createdAt === from || createdAt === to].join(' '),
  );
  deepEqual(shown, [
    'Zebra opening  50.00 true',
    'Zebra payout -8.00 42.00 true',
    'Zebra closing  42.00 true',
    `=Acme, "Inc" opening  20.00 true`,
    `=Acme, "Inc" charge -6.00 14.00 true`,
    `=Acme, "Inc" closing  14.00 true`,
    ' total -14.00 56.00 false',
  ]);
  deepEqual(
    (await csv('?query=acme&to=2020-01-01T00:00:00Z')).map(({ kind, balance }) => [kind, balance]),
    [['total', '0.00']],
  );
});

test('200: the file has all accounts, even if they need more than one batch', async () => {
  await sql`
    WITH made AS (
      INSERT INTO account (id, name, status, payment_method)
      SELECT gen_random_uuid(), 'Many ' || n, 'active', 'balance' FROM generate_series(1, 205) AS n RETURNING id
    )
    INSERT INTO ledger_account (kind, account_id) SELECT 'prepaid', id FROM made`.execute(h.database.db);
  const listed = await readList(h, '/books/statements?query=many', 100);
  equal(listed.length, 205);
  for (const { accountId } of [listed[0], listed[100], listed[204]]) await h.seed.deposit(accountId, '0.50');
  const records = await csv('?query=many');
  deepEqual(
    records.map(({ kind }) => kind),
    [...Array(3).fill(['opening', 'deposit', 'closing']), 'total'].flat(),
  );
  equal(records.at(-1)?.['balance'], '1.50');
});
