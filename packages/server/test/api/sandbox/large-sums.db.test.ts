/** A7. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { type ApiResponse, manual } from '../../support/harness.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();

const BALANCE_MAX = '99999999999.99';

test('accounts and all operator reads work after the largest balance was received and spent a thousand times', async () => {
  const { accountId, token, order, get } = await h.seed.reseller();
  await insertTurnover(accountId, 1_000, BALANCE_MAX);
  const { offerId } = await h.seed.listing({ price: BALANCE_MAX, stock: 3 });
  const change = async () =>
    equal(
      (await h.call('PATCH', '/sandbox/v1/account', { token, body: { balance: BALANCE_MAX } })).status,
      200,
    );
  const succeed = ({ status, body }: ApiResponse) => {
    ok(status < 300, JSON.stringify(body));
    return body;
  };
  await change();
  succeed(await order(manual(offerId, { maxPrice: BALANCE_MAX })));
  await change();
  const { id } = succeed(await order(manual(offerId, { maxPrice: BALANCE_MAX }))).data;
  succeed(await h.call('POST', `/sandbox/v1/orders/${id}/refund`, { token, body: { reason: 'x' } }));
  equal(succeed(await get('/account')).data.balance, BALANCE_MAX);

  await h.service.foldSums();
  const read = async (path: string) => succeed(await h.admin('GET', path));
  const { summary } = await read(`/accounts/${accountId}/statement`);
  deepEqual(summary.sums, {
    deposit: '99999999999990.00',
    charge: '-199999999999.98',
    refund: BALANCE_MAX,
    adjustment: '199999999999.98',
    payout: '-99999999999990.00',
  });
  const day = new Date().toISOString().slice(0, 10);
  for (const path of [
    '/attention',
    `/summary?from=${day}T00:00:00Z&to=${day}T23:00:00Z`,
    '/books',
    '/books/statements',
    `/books/daily?from=${day}&to=${day}`,
    `/books/sellers?from=${day}&to=${day}`,
  ])
    await read(path);
});

/** Each of the `count` deposits is followed by a payout of the same amount. */
async function insertTurnover(accountId: string, count: number, amount: string): Promise<void> {
  const client = await h.database.connect();
  const cents = amount.replace('.', '');
  try {
    await client.query(
      `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
        prepaid_balance_after_minor, reference, created_at, line, deposit_sum_minor, charge_sum_minor, refund_sum_minor,
        adjustment_sum_minor, payout_sum_minor)
      SELECT step.kind, CASE step.kind WHEN 'deposit' THEN cash.id ELSE prepaid.id END,
        CASE step.kind WHEN 'deposit' THEN prepaid.id ELSE cash.id END, $3::bigint, $1, step.balance * $3::bigint, 'r' || place,
        clock_timestamp(), 2 * place - 1 + half, place * $3::bigint, 0, 0, 0, - (place - 1 + half) * $3::bigint
      FROM generate_series(1, $2::integer) AS round (place),
        (VALUES ('deposit', 0, 1), ('payout', 1, 0)) AS step (kind, half, balance),
        ledger_account AS cash, ledger_account AS prepaid
      WHERE cash.kind = 'cash' AND prepaid.account_id = $1 ORDER BY place, half`,
      [accountId, count, cents],
    );
    await client.query(
      `UPDATE account SET statement_line = 2 * $2, deposit_sum_minor = $2 * $3::bigint, payout_sum_minor = - $2 * $3::bigint,
        statement_at = (SELECT max(created_at) FROM ledger_transfer WHERE account_id = $1) WHERE id = $1`,
      [accountId, count, cents],
    );
  } finally {
    client.release();
  }
}
