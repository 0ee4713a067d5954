/** R25, R26. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { type ApiResponse, manual } from '../../../packages/server/test/support/harness.ts';
import type { Scenario } from '../scenario.ts';
import { cutEverywhere, postgresIsMissing } from './cuts.ts';
import type { WireMessage } from './cuts-framing.ts';
import { type Command, openOffer, type Place, persist, type Subject } from './cuts-lane.ts';

const PRICE_MINOR = 100;
const DEPOSIT_MINOR = 100_000_00;

const ORDER: Subject = {
  opens: opensOrder,
  uses: preparesOrder,
  connections: ['first', 'later'],
  prepare: openShop,
};

/** The first order prepares its statements and sums the account's orders of the day. */
export const cutFirstOrders: Scenario = {
  name: 'cut-first-orders',
  promise:
    'the first order on a connection, cut off at any message of its transaction in any way and retried with its key, is placed exactly once',
  count: 1,
  obstacle: postgresIsMissing,
  run: (run) => cutEverywhere(run, { ...ORDER, connections: ['first'], prepare: openShopWithoutDaySums }),
};

export const cutLaterOrders: Scenario = {
  name: 'cut-later-orders',
  promise:
    'a later order on a connection, cut off at any message of its transaction in any way and retried with its key, is placed exactly once',
  count: 1,
  obstacle: postgresIsMissing,
  run: (run) => cutEverywhere(run, { ...ORDER, connections: ['later'] }),
};

/** The BEGIN of an order's transaction: no other BEGIN sets both this timeout and `plan_cache_mode`. */
export function opensOrder({ type, bytes }: WireMessage): boolean {
  return (
    type === 'Q' &&
    ['BEGIN', 'statement_timeout = 3000', 'plan_cache_mode'].every((text) => bytes.includes(text))
  );
}

/** The last statement that the first order of a connection prepares. */
export function preparesOrder({ type, bytes }: WireMessage): boolean {
  return type === 'P' && bytes.includes('log_sold');
}

/** Each order is its account's first of the day. */
async function openShopWithoutDaySums(place: Place): Promise<Command> {
  const order = await openShop(place);
  return async (onFirstResponse) => {
    await place.admin.query('UPDATE account SET spend_day = spend_day - 1');
    return order(onFirstResponse);
  };
}

async function openShop(place: Place): Promise<Command> {
  const { h, admin, actionCountMax: stock } = place;
  const reseller = await h.seed.reseller({ balance: (DEPOSIT_MINOR / 100).toFixed(2) });
  const { offerId } = await openOffer(place, PRICE_MINOR, stock);
  const item = manual(offerId);
  let orderCount = 0;

  return async (onFirstResponse) => {
    const key = randomUUID();
    const responses = await persist(() => reseller.order(item, key), onFirstResponse);
    orderCount += 1;
    const repeated = await persist(() => reseller.order(item, key));
    const orderId = assertSameOrder([...responses, ...repeated]);
    const { accountId } = reseller;
    await assertBooks(admin, { accountId, offerId, key, orderId, stock, orderCount });
    return responses.map(({ status }) => status);
  };
}

/** At most one 201, every success is the same order, and the last retry is a replay. */
function assertSameOrder(responses: readonly ApiResponse[]): string {
  const successes = responses.filter(({ status }) => status < 400);
  const [first] = successes;
  const last = responses.at(-1);
  assert.ok(first !== undefined && last !== undefined, JSON.stringify(responses.at(-1)?.body));
  assert.ok(successes.every(({ status }) => status === 200 || status === 201));
  assert.ok(successes.filter(({ status }) => status === 201).length <= 1, 'one 201 for a key');
  for (const response of successes) assert.deepEqual(response.body.data, first.body.data);
  assert.equal(last.status, 200);
  assert.equal(last.headers.get('idempotent-replayed'), 'true');
  return first.body.data.id;
}

type Books = {
  readonly accountId: string;
  readonly offerId: string;
  readonly key: string;
  readonly orderId: string;
  readonly stock: number;
  readonly orderCount: number;
};

async function assertBooks(admin: Client, books: Books): Promise<void> {
  const { rows } = await admin.query(
    `SELECT
      (SELECT json_agg(id::text) FROM "order" WHERE account_id = $1 AND idempotency_key = $2) AS "ordersOfKey",
      (SELECT count(*)::int FROM rejected_order WHERE account_id = $1 AND idempotency_key = $2) AS "rejectionsOfKey",
      (SELECT json_agg(amount_minor) FROM ledger_transfer WHERE kind = 'charge' AND order_id = $3) AS "chargesOfOrder",
      (SELECT count(*)::int FROM unit WHERE offer_id = $4 AND state = 'sold' AND order_id = $3) AS "unitsOfOrder",
      (SELECT count(*)::int FROM "order" WHERE account_id = $1) AS orders,
      (SELECT count(*)::int FROM ledger_transfer WHERE account_id = $1 AND kind = 'charge') AS charges,
      (SELECT count(*)::int FROM unit WHERE offer_id = $4 AND state = 'sold') AS sold,
      (SELECT count(*)::int FROM unit WHERE offer_id = $4 AND state = 'available') AS available,
      (SELECT available_text FROM offer WHERE id = $4) AS "availableOfOffer",
      (SELECT next_unit - 1 FROM offer WHERE id = $4) AS "numberedOfOffer",
      (SELECT balance_minor::int FROM account WHERE id = $1) AS "balanceMinor"`,
    [books.accountId, books.key, books.orderId, books.offerId],
  );
  const { orderId, orderCount, stock } = books;
  assert.deepEqual(rows[0], {
    ordersOfKey: [orderId],
    rejectionsOfKey: 0,
    chargesOfOrder: [PRICE_MINOR],
    unitsOfOrder: 1,
    orders: orderCount,
    charges: orderCount,
    sold: orderCount,
    available: stock - orderCount,
    availableOfOffer: stock - orderCount,
    numberedOfOffer: orderCount,
    balanceMinor: DEPOSIT_MINOR - orderCount * PRICE_MINOR,
  });
}
