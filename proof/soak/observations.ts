/**
 * What responses said about orders, and whether the database agrees: every order that was acknowledged,
 * once, with its amount, and no other; no code handed out twice; every balance what the responses add up to.
 */
import { Client } from 'pg';
import { cents } from '../../packages/server/test/support/order-recorder.ts';
import { DEPOSIT } from './shop.ts';

export type ObservedOrder = { readonly id: string; readonly accountId: string; readonly totalMinor: number };

export type Observations = {
  /** By Idempotency-Key: what was acknowledged, or that it was rejected, or that its outcome is unknown. */
  readonly orders: Map<string, ObservedOrder | 'rejected' | 'unknown'>;
  /** The order that each code was handed out for. */
  readonly codes: Map<string, string>;
  /** What was wrong at sight: a response that contradicts an earlier one. */
  readonly contradictions: string[];
};

export function createObservations(): Observations {
  return { orders: new Map(), codes: new Map(), contradictions: [] };
}

export function recordOrder(observations: Observations, key: string, order: ObservedOrder): void {
  const before = observations.orders.get(key);
  if (before === 'rejected') observations.contradictions.push(`${key} was rejected and is order ${order.id}`);
  else if (typeof before === 'object' && before.id !== order.id)
    observations.contradictions.push(`${key} is order ${before.id} and ${order.id}`);
  observations.orders.set(key, order);
}

export function recordRejection(observations: Observations, key: string): void {
  const before = observations.orders.get(key);
  if (typeof before === 'object')
    observations.contradictions.push(`${key} is order ${before.id} and was rejected`);
  observations.orders.set(key, 'rejected');
}

export function recordCodes(observations: Observations, orderId: string, codes: readonly string[]): void {
  for (const code of codes) {
    const before = observations.codes.get(code);
    if (before !== undefined && before !== orderId)
      observations.contradictions.push(`a code was handed out for ${before} and ${orderId}`);
    observations.codes.set(code, orderId);
  }
}

/** Every contradiction between responses and what is stored; requests whose outcome is unknown are settled before. */
export async function compareWithDatabase(
  observations: Observations,
  databaseUrl: string,
): Promise<string[]> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const problems = [...observations.contradictions];
    const { rows: orders } = await database.query(
      'SELECT id::text, account_id AS "accountId", idempotency_key AS key, total_price_minor::int AS "totalMinor", status FROM "order"',
    );
    const spent = new Map<string, number>();
    const stored = new Set<string>();
    for (const { id, accountId, key, totalMinor, status } of orders) {
      const known = observations.orders.get(key);
      if (stored.has(key)) problems.push(`${key} has two orders`);
      stored.add(key);
      if (typeof known !== 'object') problems.push(`order ${id} is stored, and its response was: ${known}`);
      else if (known.id !== id || known.accountId !== accountId || known.totalMinor !== totalMinor)
        problems.push(`order ${id} differs from its response: ${JSON.stringify(known)}`);
      if (status !== 'complete') problems.push(`order ${id} is ${status}`);
      spent.set(accountId, (spent.get(accountId) ?? 0) + totalMinor);
    }
    for (const [key, known] of observations.orders) {
      if (known === 'unknown') problems.push(`the outcome of ${key} is unknown`);
      if (typeof known === 'object' && !stored.has(key))
        problems.push(`order ${known.id} was acknowledged and is lost`);
    }
    const { rows: accounts } = await database.query(
      'SELECT id, balance_minor::bigint::text AS "balanceMinor" FROM account',
    );
    for (const { id, balanceMinor } of accounts) {
      const expected = cents(DEPOSIT) - (spent.get(id) ?? 0);
      if (Number(balanceMinor) !== expected)
        problems.push(`account ${id} has ${balanceMinor}, not ${expected}`);
    }
    return problems;
  } finally {
    await database.end();
  }
}
