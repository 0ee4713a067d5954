/**
 * Records the responses to orders and compares them with the database: acknowledged orders exist once,
 * rejected ones do not, no key was handed out twice, and balances match. R25, R26.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Db } from '../../src/db/schema.ts';
import { sql } from '../../src/db/sql.ts';
import type { ApiResponse, Harness, Reseller } from './harness.ts';
import { readStatement } from './statement.ts';

type Placement = {
  readonly reseller: Reseller;
  readonly key: string;
  readonly response: ApiResponse;
};

export type StoredOrder = {
  id: string;
  account: string;
  key: string;
  status: string;
  total: string;
  discount: string;
  offer: string;
  price: string;
  quantity: number;
  isWithinMaxPrice: boolean;
};

export function createOrderRecorder(h: Harness) {
  const placements: Placement[] = [];
  const codesByOrder = new Map<string, readonly string[]>();

  async function order(reseller: Reseller, item: unknown, key: string = randomUUID()): Promise<ApiResponse> {
    const response = await reseller.order(item, key);
    placements.push({ reseller, key, response });
    return response;
  }

  /** Every request of these resellers must be recorded here. */
  async function assertConsistent(): Promise<void> {
    const orders = await listOrders(h.database.db, [
      ...new Set(placements.map(({ reseller }) => reseller.accountId)),
    ]);
    const acknowledged = new Map<string, string>();
    const created = new Set<string>();
    for (const { reseller, key, response } of placements) {
      if (response.status >= 400) continue;
      const scope = `${reseller.accountId}/${key}`;
      const { id } = response.body.data;
      equal(acknowledged.get(scope) ?? id, id, 'every response to a key names one order');
      ok(response.status === 200 || !created.has(scope), 'one 201 for each key');
      acknowledged.set(scope, id);
      if (response.status === 201) created.add(scope);
      deepEqual(toAmounts(orders.get(id)), {
        account: reseller.accountId,
        key,
        ...amountsInResponse(response),
      });
    }
    equal(orders.size, acknowledged.size, 'there is an order for each acknowledged key, and no other');
    ok([...orders.values()].every((stored) => stored.isWithinMaxPrice));
    await assertBalances(orders);
  }

  /** Asserts that balances are the deposits, less one charge per order, plus refunds. */
  async function assertBalances(orders: ReadonlyMap<string, StoredOrder>): Promise<void> {
    for (const reseller of new Set(placements.map((one) => one.reseller.accountId))) {
      const { lines } = await readStatement(h, reseller, { itemsPerPage: '100' });
      const charges = lines.filter(({ kind }) => kind === 'charge');
      const charged = new Map(charges.map(({ orderId, amount }) => [orderId, amount]));
      const paid = [...orders.values()].filter(({ account, total, status }) => {
        return (
          account === reseller && total !== '0.00' && status !== 'pending_payment' && status !== 'canceled'
        );
      });
      const isPrepaid = lines.some(({ kind }) => kind === 'deposit');
      if (isPrepaid) {
        equal(charges.length, paid.length, 'every paid order is charged once');
        for (const { id, total } of paid) equal(charged.get(id), `-${total}`);
      }
      const sum = lines.reduce((total, { amount }) => total + cents(amount), 0);
      const { balance } = await h.operate('GET', `/accounts/${reseller}`);
      equal(cents(balance), sum, 'the balance is the sum of the statement');
    }
  }

  /**
   * Reads the codes of every acknowledged order that can be read, and asserts that none was handed out twice.
   */
  async function readCodes(): Promise<string[]> {
    for (const { reseller, response } of placements) {
      if (response.status >= 400 || codesByOrder.has(response.body.data.id)) continue;
      const { id } = response.body.data;
      // The node that placed the order may be gone.
      const keys = await reseller.at(h.url).get(`/orders/${id}/keys`);
      if (keys.status !== 200) continue;
      const [item] = keys.body.data;
      codesByOrder.set(
        id,
        item.keys.map((key: { code: string }) => key.code),
      );
    }
    const codes = [...codesByOrder.values()].flat();
    equal(new Set(codes).size, codes.length, 'no code was handed out twice');
    return codes;
  }

  return { placements, order, assertConsistent, readCodes };
}

export function tally(responses: readonly ApiResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of responses) {
    const outcome = status < 400 ? String(status) : body.error.code;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

export async function listOrders(db: Db, accountIds: readonly string[]): Promise<Map<string, StoredOrder>> {
  const { rows } = await sql<StoredOrder>`
    SELECT "order".id::text, account_id AS account, idempotency_key AS key, status,
      to_char(total_price_minor / 100.0, 'FM999999999990.00') AS total,
      to_char(discount_minor / 100.0, 'FM999999999990.00') AS discount,
      item.offer_id AS offer, to_char(item.unit_price_minor / 100.0, 'FM999999999990.00') AS price,
      item.quantity_ordered AS quantity, item.unit_price_minor <= item.max_price_minor AS "isWithinMaxPrice"
    FROM "order" JOIN order_item AS item ON item.order_id = "order".id
    WHERE account_id = ANY(${accountIds}::uuid[])
      AND NOT EXISTS (SELECT FROM gateway_payment WHERE order_id = "order".id AND response_status <> 201)`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export function toAmounts(stored: StoredOrder | undefined) {
  ok(stored !== undefined, 'an acknowledged order exists');
  const { account, key, total, discount, offer, price, quantity } = stored;
  return { account, key, total, discount, offer, price, quantity };
}

export function amountsInResponse({ body }: Pick<ApiResponse, 'body'>) {
  const { totalPrice, discount, transactions } = body.data;
  const [item] = transactions[0].items;
  const { offer, price, quantity } = item;
  return { total: totalPrice, discount, offer: offer.id, price, quantity: quantity.ordered };
}

export function cents(amount: string): number {
  return Math.round(Number(amount) * 100);
}
