/**
 * The baseline of orders: one transaction per order, in plain SQL with prepared statements. It does the work
 * of a placement on the same tables, but without a token, validation, HTTP, daily sums, or a wait for the
 * catalogue clock at commit.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { Client, type ClientBase } from 'pg';
import type { LoadResult } from '../load.ts';
import { quantiles } from '../quantiles.ts';

export type Baseline = {
  readonly connect: () => Promise<{ client: ClientBase; close: () => Promise<void> | void }>;
  readonly connections: number;
  readonly accountIds: readonly string[];
  readonly offerIds: readonly string[];
};

export function connectTo(databaseUrl: string): Baseline['connect'] {
  return async () => {
    const client = new Client({ connectionString: databaseUrl });
    client.on('error', () => {});
    await client.connect();
    return { client, close: () => client.end() };
  };
}

type Run = (name: string, text: string, values: unknown[]) => Promise<Record<string, unknown>>;

export function runOneByOne(baseline: Baseline, durationMs: number): Promise<LoadResult> {
  return runTransactions(baseline, durationMs, (client) => {
    const run: Run = async (name, text, values) => (await client.query({ name, text, values })).rows[0];
    return placeOne(run, pick(baseline.accountIds), pick(baseline.offerIds));
  });
}

export async function runTransactions(
  { connect, connections }: Pick<Baseline, 'connect' | 'connections'>,
  durationMs: number,
  work: (client: ClientBase) => Promise<unknown>,
): Promise<LoadResult> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const { client, close } = await connect();
      while (performance.now() < endsAt) {
        const sentAt = performance.now();
        await client.query('BEGIN');
        await work(client);
        await client.query('COMMIT');
        latencies.push(performance.now() - sentAt);
      }
      await close();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const quantile = quantiles(latencies);
  return {
    requestsPerSecond: latencies.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    statuses: { 201: latencies.length },
  };
}

function pick(ids: readonly string[]): string {
  return ids[randomInt(ids.length)] ?? '';
}

async function placeOne(run: Run, accountId: string, offerId: string): Promise<void> {
  const key = randomUUID();
  const id = String(1_000_000_000_000_000 + randomInt(2 ** 40));
  const account = await run(
    'account',
    `SELECT balance_minor, ledger_account.id AS ledger_id FROM account
      JOIN ledger_account ON ledger_account.account_id = account.id WHERE account.id = $1 FOR NO KEY UPDATE OF account`,
    [accountId],
  );
  await run(
    'rejected',
    'SELECT status, body FROM rejected_order WHERE account_id = $1 AND idempotency_key = $2',
    [accountId, key],
  );
  const offer = await run(
    'offer',
    `SELECT offer.product_id, product.name, seller.name AS seller_name, price_minor, next_unit, available_text
      FROM offer JOIN product ON product.id = product_id JOIN seller ON seller.id = seller_id
      WHERE offer.id = $1 FOR NO KEY UPDATE OF offer`,
    [offerId],
  );
  if (Number(offer['available_text']) < 1) throw new Error('the benchmark ran out of stock; seed more');
  const price = Number(offer['price_minor']);
  await run(
    'order',
    `INSERT INTO "order" (id, account_id, status, created_at, completed_at, currency, discount_minor, total_price_minor,
      payment_method, origin, idempotency_key, is_auto, offer_id, product_name, seller_name, unit_price_minor,
      max_price_minor, first_unit, quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded)
      VALUES ($1, $2, 'complete', now(), now(), 'EUR', 0, $3, 'balance', 'export-api', $4, false, $5, $6, $7, $3, 10000,
        $8, 1, 1, 1, 0) ON CONFLICT (account_id, idempotency_key) DO NOTHING`,
    [id, accountId, price, key, offerId, offer['name'], offer['seller_name'], offer['next_unit']],
  );
  await run(
    'transfer',
    `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
      prepaid_balance_after_minor, order_id, created_at, line, deposit_sum_minor, charge_sum_minor, refund_sum_minor,
      adjustment_sum_minor, payout_sum_minor)
      SELECT 'charge', $1, (SELECT id FROM ledger_account WHERE kind = 'sales'), $2, $3, $4, $5,
        greatest(now(), statement_at), statement_line + 1, deposit_sum_minor, charge_sum_minor - $2, refund_sum_minor,
        adjustment_sum_minor, payout_sum_minor
      FROM account WHERE id = $3`,
    [account['ledger_id'], price, accountId, Number(account['balance_minor']) - price, id],
  );
  await run(
    'balance',
    `UPDATE account SET balance_minor = balance_minor - $2, statement_line = statement_line + 1,
      statement_at = greatest(now(), statement_at), charge_sum_minor = charge_sum_minor - $2 WHERE id = $1`,
    [accountId, price],
  );
  await run('stock', 'UPDATE offer SET next_unit = next_unit + 1 WHERE id = $1', [offerId]);
  // A random time in the past, since connections must not share a stamp; for Keyport the clock prevents that.
  await run(
    'stamp',
    `UPDATE product_stamp SET stamp = clock_timestamp() - random() * interval '300 days' WHERE product_id = $1`,
    [offer['product_id']],
  );
}
