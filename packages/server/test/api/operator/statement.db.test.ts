/** A62, A87. The reference adds up all bookings. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { TRANSFER_KINDS, type TransferKind } from '@keyport/core/ledger';
import { parseMinor } from '@keyport/core/money';
import fc from 'fast-check';
import { test } from 'vitest';
import { auto } from '../../support/harness.ts';
import { fetchCsv, parseStatementCsv, readStatement } from '../../support/statement.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const { productId } = await h.seed.listing({ price: '3.01', stock: 900 });

const get = (accountId: string, query = '') => h.admin('GET', `/accounts/${accountId}/statement${query}`);
const post = (accountId: string, what: string, body: unknown) =>
  h.admin('POST', `/accounts/${accountId}/${what}`, body);

function cents(amount: string): number {
  match(amount, /^-?(0|[1-9][0-9]*)\.[0-9]{2}$/);
  const minor = parseMinor(amount.replace('-', ''));
  ok(minor !== undefined);
  return amount.startsWith('-') ? -minor : minor;
}

type Booked = { readonly kind: TransferKind; readonly changeMinor: number };

const SIGNS: Readonly<Record<string, number>> = { deposits: 1, credit: 1, debit: -1, payouts: -1 };

type Step =
  | { readonly what: 'deposits' | 'credit' | 'debit' | 'payouts'; readonly amountMinor: number }
  | { readonly what: 'order'; readonly quantity: number }
  | { readonly what: 'refund'; readonly choice: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    what: fc.constantFrom('deposits', 'credit', 'debit', 'payouts'),
    amountMinor: fc.integer({ min: 1, max: 2_000 }),
  }),
  fc.record({ what: fc.constant('order'), quantity: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ what: fc.constant('refund'), choice: fc.nat({ max: 20 }) }),
);

async function take(steps: readonly Step[]): Promise<{ accountId: string; booked: Booked[] }> {
  const reseller = await h.seed.reseller();
  const { accountId } = reseller;
  const booked: Booked[] = [];
  const open: { id: string; totalMinor: number }[] = [];
  for (const each of steps) {
    if (each.what === 'order') {
      const response = await reseller.order(auto(productId, { quantity: each.quantity }));
      if (response.status !== 201) continue;
      const totalMinor = cents(response.body.data.totalPrice);
      open.push({ id: response.body.data.id, totalMinor });
      booked.push({ kind: 'charge', changeMinor: -totalMinor });
    } else if (each.what === 'refund') {
      const [order] = open.splice(each.choice % Math.max(open.length, 1), 1);
      if (order === undefined) continue;
      await h.operate('POST', `/orders/${order.id}/refund`, { reason: 'does not work' });
      booked.push({ kind: 'refund', changeMinor: order.totalMinor });
    } else {
      const { what, amountMinor } = each;
      const isAdjustment = what === 'credit' || what === 'debit';
      const response = await post(accountId, isAdjustment ? 'adjustments' : what, {
        amount: (amountMinor / 100).toFixed(2),
        reference: randomUUID(),
        ...(isAdjustment ? { direction: what, reason: '=why, "so"' } : {}),
      });
      ok([201, 409].includes(response.status), JSON.stringify(response.body));
      const kind = isAdjustment ? 'adjustment' : what === 'deposits' ? 'deposit' : 'payout';
      if (response.status === 201) booked.push({ kind, changeMinor: amountMinor * (SIGNS[what] ?? 0) });
    }
  }
  return { accountId, booked };
}

const computeSum = (booked: readonly Booked[]) =>
  booked.reduce((sum, { changeMinor }) => sum + changeMinor, 0);

test('lines, balances, sums and the CSV file match a reference for any bookings and range', async () => {
  const place = fc.nat({ max: 1_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      place,
      place,
      async (steps, one, other) => {
        const { accountId, booked } = await take(steps);
        const whole = await readStatement(h, accountId);
        let balanceMinor = 0;
        const expected = booked.map(({ kind, changeMinor }, index) => {
          balanceMinor += changeMinor;
          return { number: index + 1, kind, amountMinor: changeMinor, balanceMinor };
        });
        deepEqual(
          whole.lines.map(({ number, kind, amount, balance }) => ({
            number,
            kind,
            amountMinor: cents(amount),
            balanceMinor: cents(balance),
          })),
          expected,
        );
        const times = whole.lines.map(({ createdAt }) => createdAt);
        deepEqual(times, times.toSorted(), 'times never go back');

        const [from, to] = [times[one % (times.length + 1)], times[other % (times.length + 1)]].toSorted();
        const query = {
          ...(from === undefined ? {} : { createdAtFrom: from }),
          ...(to === undefined ? {} : { createdAtTo: to }),
        };
        const isInside = (time: string) =>
          (from === undefined || time >= from) && (to === undefined || time <= to);
        const range = await readStatement(h, accountId, query);
        deepEqual(
          range.lines,
          whole.lines.filter(({ createdAt }) => isInside(createdAt)),
        );
        const before = booked.filter((_, index) => from !== undefined && (times[index] ?? '') < from);
        const inside = booked.filter((_, index) => isInside(times[index] ?? ''));
        const { summary } = range;
        equal(cents(summary.openingBalance), computeSum(before));
        equal(cents(summary.closingBalance), computeSum(before) + computeSum(inside));
        for (const kind of TRANSFER_KINDS) {
          equal(cents(summary.sums[kind]), computeSum(inside.filter((each) => each.kind === kind)), kind);
        }
        const csv = await fetchCsv(h, accountId, query);
        deepEqual(parseStatementCsv(await csv.text()), {
          opening: summary.openingBalance,
          closing: summary.closingBalance,
          lines: range.lines,
        });
      },
    ),
    { numRuns: 20 },
  );
});

test('concurrent bookings and orders leave no gap in numbers, balances and times', async () => {
  const reseller = await h.seed.reseller({ balance: '100.00' });
  await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      if (index % 3 === 0) return reseller.order(auto(productId));
      if (index % 3 === 1) return h.seed.deposit(reseller.accountId, '1.00');
      return post(reseller.accountId, 'payouts', { amount: '0.50', reference: `out-${index}` });
    }),
  );
  const { lines } = await readStatement(h, reseller.accountId);
  equal(lines.length, 61);
  lines.forEach((line, index) => {
    const last = lines[index - 1];
    equal(line.number, index + 1);
    equal(cents(line.balance), cents(last?.balance ?? '0.00') + cents(line.amount));
    ok(line.createdAt >= (last?.createdAt ?? ''));
  });
});

test('newest first is the same statement in reverse, page by page', async () => {
  const { accountId } = await h.seed.reseller();
  for (let index = 0; index < 13; index++) await h.seed.deposit(accountId, '1.00');
  const { lines } = await readStatement(h, accountId);
  const pages = [];
  for (const page of [1, 2, 3]) {
    const { body } = await get(accountId, `?sort=DESC&itemsPerPage=10&page=${page}`);
    equal(body.meta.totalResults, 13);
    pages.push(body.data);
  }
  deepEqual(
    pages.map(({ length }) => length),
    [10, 3, 0],
  );
  deepEqual(pages.flat(), lines.toReversed());
});

test('an account without movements has an empty statement, even as CSV', async () => {
  const { accountId } = await h.seed.reseller();
  const { body } = await get(accountId, '?createdAtTo=2000-01-01T00:00:00Z');
  deepEqual([body.data, body.meta.totalResults], [[], 0]);
  deepEqual(body.summary, {
    currency: 'EUR',
    createdAtFrom: null,
    createdAtTo: '2000-01-01T00:00:00.000000Z',
    openingBalance: '0.00',
    closingBalance: '0.00',
    sums: { deposit: '0.00', charge: '0.00', refund: '0.00', adjustment: '0.00', payout: '0.00' },
  });
  const csv = await fetchCsv(h, accountId, { createdAtFrom: '2026-01-01T00:00:00Z' });
  equal(
    await csv.text(),
    'number,id,createdAt,kind,amount,balance,orderId,reference,reason\r\n' +
      ',,2026-01-01T00:00:00.000000Z,opening,,0.00,,,\r\n,,,closing,,0.00,,,\r\n',
  );
});

test('a CSV file has a media type, a name, and every text exactly; for spreadsheets, no formula', async () => {
  const { accountId } = await h.seed.reseller();
  await post(accountId, 'deposits', { amount: '1', reference: '=HYPERLINK("http://x","y")' });
  const csv = await fetchCsv(h, accountId);
  deepEqual(
    [csv.status, csv.headers.get('content-type'), csv.headers.get('content-disposition')],
    [200, 'text/csv; charset=utf-8; header=present', `attachment; filename="statement-${accountId}.csv"`],
  );
  match(csv.headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/);
  match(await csv.text(), /,1\.00,1\.00,,"=HYPERLINK\(""http:\/\/x"",""y""\)",\r\n/);
  const forPeople = await fetchCsv(h, accountId, { format: 'spreadsheet' });
  match(await forPeople.text(), /,1\.00,1\.00,,"'=HYPERLINK\(""http:\/\/x"",""y""\)",\r\n/);
});

test('a CSV file longer than one batch has every line once, in order, whatever the page', async () => {
  const { accountId } = await h.seed.reseller();
  await insertDeposits(accountId, 1_203);
  const csv = await fetchCsv(h, accountId, { page: '2', itemsPerPage: '10' });
  const { lines, closing } = parseStatementCsv(await csv.text());
  deepEqual(
    lines.map(({ number }) => number),
    Array.from({ length: 1_203 }, (_, index) => index + 1),
  );
  equal(closing, '12.03');
  const last = await get(accountId, '?page=121&itemsPerPage=10');
  deepEqual(
    last.body.data.map(({ number, balance }: { number: number; balance: string }) => [number, balance]),
    [
      [1201, '12.01'],
      [1202, '12.02'],
      [1203, '12.03'],
    ],
  );
  deepEqual(
    [last.body.meta.totalResults, last.body.meta.hasNext, last.body.summary.sums.deposit],
    [1203, false, '12.03'],
  );
  deepEqual((await get(accountId, '?page=100000&itemsPerPage=100')).body.data, []);
});

test('404 is JSON even if the client requests CSV', async () => {
  const response = await fetchCsv(h, randomUUID());
  const body = (await response.json()) as { error: { code: string } };
  deepEqual([response.status, body.error.code], [404, 'not-found']);
});

/** Inserts deposits of a cent, one per second until now. Requests would take too long. */
async function insertDeposits(accountId: string, count: number): Promise<void> {
  const client = await h.database.connect();
  try {
    await client.query(
      `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
        prepaid_balance_after_minor, reference, created_at, line, deposit_sum_minor, charge_sum_minor, refund_sum_minor,
        adjustment_sum_minor, payout_sum_minor)
      SELECT 'deposit', cash.id, prepaid.id, 1, prepaid.account_id, place, 'r' || place,
        clock_timestamp() - ($2 - place) * interval '1 second', place, place, 0, 0, 0, 0
      FROM generate_series(1, $2::integer) AS place, ledger_account AS cash, ledger_account AS prepaid
      WHERE cash.kind = 'cash' AND prepaid.account_id = $1 ORDER BY place`,
      [accountId, count],
    );
    await client.query(
      `UPDATE account SET balance_minor = $2, deposit_sum_minor = $2, statement_line = $2,
        statement_at = (SELECT max(created_at) FROM ledger_transfer WHERE account_id = $1) WHERE id = $1`,
      [accountId, count],
    );
  } finally {
    client.release();
  }
}
