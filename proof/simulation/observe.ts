/** The stored and the expected state in one comparable form. */
import { isDeepStrictEqual } from 'node:util';
import type { FaultyEngine } from './faulty-engine.ts';
import { type Model, type ModelOrder, toDay } from './model.ts';

type Fields = Record<string, unknown>;
export type State = Record<'accounts' | 'offers' | 'stock' | 'counts' | 'orders' | 'records', Fields>;

/** The model cannot predict stamps; it expects only that they increase. */
export type Observed = State & { readonly stamps: Fields };

const MICROS = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;

// $1: the UTC day; $2 and $3: accounts and Idempotency-Keys of the orders and records to read, null for all.
const STATE = `
  WITH wanted AS (
    SELECT account_id, idempotency_key FROM unnest($2::uuid[], $3::uuid[]) AS wanted (account_id, idempotency_key)
    UNION SELECT account_id, idempotency_key FROM rejected_order WHERE $2 IS NULL
    UNION SELECT account_id, idempotency_key FROM "order" WHERE $2 IS NULL
  )
  SELECT json_build_object(
    'accounts', (SELECT json_object_agg(id, json_build_array(status, balance_minor,
        CASE WHEN spend_day = $1::date THEN day_spend_minor ELSE 0 END,
        CASE WHEN spend_day = $1::date THEN day_units ELSE 0 END)) FROM account),
    'offers', (SELECT json_object_agg(id, json_build_array(price_minor, status, next_unit, available_text,
        available_image)) FROM offer),
    'stock', (SELECT json_object_agg(name, units) FROM (
        SELECT offer_id || ' ' || kind || ' ' || state AS name, count(*) AS units FROM unit GROUP BY 1) AS kept),
    'stamps', (SELECT json_object_agg(product_id, ${MICROS('stamp')}) FROM stamped_product),
    'counts', json_build_object(
        'orders', (SELECT count(*) FROM "order"),
        'records', (SELECT count(*) FROM "order") + (SELECT count(*) FROM rejected_order),
        'transfers', (SELECT count(*) FROM ledger_transfer),
        'audits', (SELECT count(*) FROM audit_entry),
        'reveals', (SELECT count(*) FROM key_reveal)),
    'orders', (SELECT coalesce(json_object_agg(account_id || ' ' || idempotency_key, json_build_object(
        'id', "order".id::text, 'status', status, 'heldFrom', held_from,
        'path', concat_ws(' ', coalesce(log.placed, status), log.path), 'isRisky', hold_reason IS NOT NULL,
        'created', ${MICROS('created_at')}, 'completed', ${MICROS('completed_at')},
        'discount', discount_minor, 'total', total_price_minor, 'method', payment_method,
        'isImageRefunded', image_refunded, 'firstUnit', first_unit,
        'item', json_build_array(offer_id, unit_price_minor, quantity_ordered, quantity_invoiced, quantity_shipped,
          quantity_refunded),
        'units', json_build_array(unit.reserved, unit.sold, unit.paid_back), 'money', json_build_array(charged, given),
        'payment', (SELECT json_build_array(state, ${MICROS('expires_at')}, ${MICROS('next_check_at')})
          FROM gateway_payment WHERE order_id = "order".id),
        'reports', (SELECT coalesce(json_agg(json_build_array(amount_minor, state = 'done') ORDER BY id), '[]')
          FROM gateway_refund WHERE order_id = "order".id))), '{}')
      FROM wanted JOIN "order" USING (account_id, idempotency_key)
      CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE state = 'reserved') AS reserved,
          count(*) FILTER (WHERE state = 'sold') AS sold, count(refunded_at) AS paid_back
        FROM unit WHERE unit.offer_id = "order".offer_id AND unit.order_id = "order".id) AS unit
      CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor) FILTER (WHERE kind = 'charge'), 0) AS charged,
          coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'), 0) AS given
        FROM ledger_transfer WHERE order_id = "order".id) AS money
      CROSS JOIN LATERAL (SELECT (array_agg(from_status ORDER BY id))[1] AS placed,
          string_agg(array_to_string(via || to_status, ' '), ' ' ORDER BY id) AS path
        FROM order_status_log WHERE order_id = "order".id) AS log),
    'records', (SELECT coalesce(json_object_agg(account_id || ' ' || idempotency_key,
        json_build_array(record.status, ${MICROS('answered_at')}, is_order)), '{}')
      FROM wanted JOIN (
        SELECT account_id, idempotency_key, CASE WHEN order_id IS NULL THEN 201 ELSE response_status END AS status,
          CASE WHEN order_id IS NULL THEN created_at ELSE answered_at END AS answered_at, true AS is_order
        FROM "order" LEFT JOIN gateway_payment ON order_id = id
        UNION ALL SELECT account_id, idempotency_key, status, rejected_at, false FROM rejected_order
      ) AS record USING (account_id, idempotency_key))
  )::text AS state`;

/** Reads the orders and records with these `keys`, or all of them. */
export async function observe(
  engine: FaultyEngine,
  nowMicros: number,
  keys?: readonly string[],
): Promise<Observed> {
  const accounts = keys?.map((key) => key.split(' ')[0]) ?? null;
  const idempotencyKeys = keys?.map((key) => key.split(' ')[1]) ?? null;
  const [row] = await engine.look<{ state: string }>(STATE, [toDay(nowMicros), accounts, idempotencyKeys]);
  return JSON.parse(row?.state ?? '{}');
}

/** The service chooses order ids: the model learns them from responses. */
export function expectedState(model: Model, keys?: readonly string[]): State {
  const wanted = keys ?? [...new Set([...model.responses.keys(), ...model.orders.keys()])];
  const orders = wanted.flatMap((key) => model.orders.get(key) ?? []);
  const records = wanted.filter((key) => model.hasRecord(key));
  return {
    accounts: Object.fromEntries(
      model.accounts.map((one) => [one.id, [one.status, one.balanceMinor, ...model.usedToday(one)]]),
    ),
    offers: Object.fromEntries(
      model.offers.map(({ id, priceMinor, isActive, nextUnit, availableText, availableImage }) => [
        id,
        [priceMinor, isActive ? 'active' : 'paused', nextUnit, availableText, availableImage],
      ]),
    ),
    stock: expectedStock(model),
    counts: { orders: model.orders.size, records: model.recordCount, ...model.counts },
    orders: Object.fromEntries(orders.map((order) => [order.key, expectedOrder(order)])),
    records: Object.fromEntries(
      records.map((key) => {
        const finishedAt = model.finishedAt(key) ?? null;
        const status = finishedAt === null ? null : (model.responses.get(key)?.status ?? null);
        return [key, [status, finishedAt, model.orders.has(key)]];
      }),
    ),
  };
}

function expectedStock(model: Model): Fields {
  const stock = new Map<string, number>();
  const add = (offerId: string, what: string, units: number) => {
    const name = `${offerId} ${what}`;
    if (units > 0) stock.set(name, (stock.get(name) ?? 0) + units);
  };
  for (const offer of model.offers) {
    add(offer.id, 'text available', offer.availableText);
    add(offer.id, 'image available', offer.availableImage);
    add(offer.id, 'text withdrawn', model.withdrawn.get(`${offer.id} text`) ?? 0);
    add(offer.id, 'image withdrawn', model.withdrawn.get(`${offer.id} image`) ?? 0);
  }
  for (const order of model.orders.values()) {
    add(order.offerId, 'text reserved', order.reserved);
    add(order.offerId, 'text sold', order.sold);
  }
  return Object.fromEntries(stock);
}

function expectedOrder(order: ModelOrder): Fields {
  const { payment } = order;
  return {
    id: order.id,
    status: order.status,
    heldFrom: order.heldFrom,
    path: order.path.join(' '),
    isRisky: order.isRisky,
    created: order.createdAt,
    completed: order.completedAt,
    discount: order.discount,
    total: order.total,
    method: order.method,
    isImageRefunded: order.isImageRefunded,
    firstUnit: order.firstUnit,
    item: [
      order.offerId,
      order.unitPrice,
      order.line.quantity,
      order.invoiced,
      order.shipped,
      order.refunded,
    ],
    units: [order.reserved, order.sold, order.paidBack],
    money: [order.charged, order.given],
    payment: payment === null ? null : [payment.state, payment.expiresAt, payment.askAt],
    reports: order.reports.map(({ amount, isDone }) => [amount, isDone]),
  };
}

export function learnIds(model: Model, state: State): void {
  for (const [key, found] of Object.entries(state.orders)) {
    const order = model.orders.get(key);
    if (order !== undefined && typeof found === 'object' && found !== null && 'id' in found)
      order.id ??= String(found.id);
  }
}

export function compare(expected: State, observed: State): string[] {
  return Object.keys(expected).flatMap((part) => {
    const [left, right] = [expected[part as keyof State], observed[part as keyof State] ?? {}];
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...names]
      .filter((name) => !isDeepStrictEqual(left[name], right[name]))
      .map(
        (name) =>
          `${part} ${name}: expected ${JSON.stringify(left[name])}, found ${JSON.stringify(right[name])}`,
      );
  });
}
