/**
 * The statements of a group commit. Their texts are fixed: a batch of any size travels as arrays. Locks are taken in
 * one order everywhere: idempotency keys (try-locks), accounts by id, offers by id, the catalogue clock last. The
 * units of a locked offer need no lock of their own.
 */
import { must } from '@keyport/core/assert';
import type { IdempotencyRecord } from '@keyport/core/idempotency';
import type { OfferState } from '@keyport/core/offer-selection';
import type { AccountState, PlacedOrder, PlaceOrder, ProductState } from '@keyport/core/place-order';
import type { Transaction } from 'kysely';
import { plainArray, prepareStatement, type Session } from '../db/prepared.ts';
import { declareColumns } from '../db/row-columns.ts';
import type { Schema } from '../db/schema.ts';

type Tx = Transaction<Schema>;

/** The operation part of an idempotency record's scope (A37). */
const OPERATION = 'createOrder';

export type KeyReference = { readonly accountId: string; readonly idempotencyKey: string };

export type LockedKeys = {
  /** The database's clock when the transaction began, microseconds since the epoch. */
  readonly nowMicros: number;
  /** One per key, in their order: false when a concurrent duplicate of the request is in flight on another node. */
  readonly isLocked: readonly boolean[];
  /** One fresh number of the shared sequence per key. */
  readonly serials: readonly number[];
};

/** True when this transaction holds the key's lock, which it then keeps until it ends. */
const LOCK_KEY = `pg_try_advisory_xact_lock(hashtextextended(request.account_id || '/' || request.key, 0))`;

const LOCK_KEYS = prepareStatement<{ now: number; locked: boolean; serial: number }>(
  'lock_idempotency_keys',
  `SELECT (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint AS now, ${LOCK_KEY} AS locked,
      nextval('order_serial_seq') AS serial
    FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS request (account_id, key, place)
    ORDER BY request.place`,
);

/**
 * Takes a transaction-scoped advisory lock per key without waiting (A40). A separate statement from reading the
 * records: a record that was committed while the lock was being taken must be visible afterwards.
 */
export async function lockIdempotencyKeys(
  session: Session,
  keys: readonly KeyReference[],
): Promise<LockedKeys> {
  const rows = await LOCK_KEYS.send(session, keyColumns(keys));
  return {
    nowMicros: rows[0]?.now ?? 0,
    isLocked: rows.map((row) => row.locked),
    serials: rows.map((row) => row.serial),
  };
}

function keyColumns(keys: readonly KeyReference[]): string[] {
  return [plainArray(keys.map((key) => key.accountId)), plainArray(keys.map((key) => key.idempotencyKey))];
}

// OFFSET 0 keeps the order: two nodes that wait for the same keys must not wait for each other.
const WAIT_FOR_KEYS = prepareStatement<Record<string, never>>(
  'wait_for_idempotency_keys',
  `SELECT pg_advisory_xact_lock(hash) FROM (
    SELECT hashtextextended(request.account_id || '/' || request.key, 0) AS hash
    FROM unnest($1::uuid[], $2::uuid[]) AS request (account_id, key)
    ORDER BY hash OFFSET 0
  ) AS ordered`,
);

/** Waits for transactions with these keys that are still committing: a lock is free once its transaction has ended. */
export async function waitForIdempotencyKeys(tx: Tx, keys: readonly KeyReference[]): Promise<void> {
  await WAIT_FOR_KEYS.execute(tx, keyColumns(keys));
}

type RecordRow = {
  fingerprint: string;
  status: number | null;
  body: string | null;
  finished: number | null;
};

const RECORD_COLUMNS = `record.fingerprint, record.status, record.body,
  (extract(epoch FROM record.finished_at) * 1000000)::bigint AS finished`;

const FIND_RECORDS = prepareStatement<RecordRow | { fingerprint: null }>(
  'find_idempotency_records',
  `SELECT record.* FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS request (account_id, key, place)
    LEFT JOIN LATERAL (
      SELECT ${RECORD_COLUMNS} FROM idempotency_record AS record
      WHERE record.account_id = request.account_id AND record.operation = '${OPERATION}'
        AND record.idempotency_key = request.key
      LIMIT 1
    ) AS record ON true
    ORDER BY request.place`,
);

/** One per key, in their order, by primary key; undefined where there is none. */
export async function findIdempotencyRecords(
  tx: Tx,
  keys: readonly KeyReference[],
): Promise<readonly (IdempotencyRecord | undefined)[]> {
  const rows = await FIND_RECORDS.execute(tx, keyColumns(keys));
  return rows.map((row) => (row.fingerprint === null ? undefined : viewRecord(row)));
}

function viewRecord(row: RecordRow): IdempotencyRecord {
  return { fingerprint: row.fingerprint, status: row.status, body: row.body, finishedAtMicros: row.finished };
}

export type LoadedAccount = AccountState & {
  /** The UTC day and hour of the sums: whole days and hours since the epoch. */
  readonly spendDay: number;
  readonly orderHour: number;
  /** Its ledger account of kind prepaid. */
  readonly ledgerAccountId: number;
  /** Who the payment provider charges; null without a gateway. */
  readonly gatewayCustomer: string | null;
};

type AccountRow = {
  id: string;
  account_status: AccountState['status'];
  payment_method: AccountState['paymentMethod'];
  gateway_customer: string | null;
  discount_basis_points: number;
  hold_orders: boolean;
  seller_id: string | null;
  order_value_max_minor: number | null;
  daily_spend_max_minor: number | null;
  daily_units_max: number | null;
  balance_minor: number;
  spend_day: number;
  day_spend_minor: number;
  day_units: number;
  created: number;
  order_hour: number;
  hour_orders: number;
  ledger_account_id: number;
};

/** A request has a record, or an account, or neither while a concurrent duplicate of it is in flight elsewhere. */
type RequestRow = { place: number } & (RecordRow | { fingerprint: null }) & (AccountRow | { id: null });

// Lateral with LIMIT, here and below: rows are then looked up, and locked, in the order of the parameters whatever the
// statistics of the tables say.
const LOAD_REQUESTS = prepareStatement<RequestRow>(
  'load_requests',
  `SELECT request.place, record.*, account.*
    FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS request (account_id, key, place)
    LEFT JOIN LATERAL (
      SELECT ${RECORD_COLUMNS} FROM idempotency_record AS record
      WHERE record.account_id = request.account_id AND record.operation = '${OPERATION}'
        AND record.idempotency_key = request.key
      LIMIT 1
    ) AS record ON true
    LEFT JOIN LATERAL (
      SELECT account.id, account.status AS account_status, payment_method, gateway_customer, discount_basis_points,
        hold_orders, seller_id, order_value_max_minor, daily_spend_max_minor, daily_units_max, balance_minor,
        spend_day - date '1970-01-01' AS spend_day, day_spend_minor, day_units,
        (extract(epoch FROM created_at) * 1000000)::bigint AS created,
        (extract(epoch FROM order_hour) / 3600)::integer AS order_hour, hour_orders,
        (SELECT id FROM ledger_account
          WHERE kind = 'prepaid' AND account_id = request.account_id AND currency = 'EUR') AS ledger_account_id
      FROM account
      WHERE account.id = request.account_id AND record.fingerprint IS NULL AND ${LOCK_KEY}
      LIMIT 1
      FOR NO KEY UPDATE
    ) AS account ON true`,
);

export type LoadedRequests = {
  /** One per key, in their order; undefined for a new one. */
  readonly records: readonly (IdempotencyRecord | undefined)[];
  /** Of the new requests whose key this transaction has locked; locked, by id. */
  readonly accounts: readonly LoadedAccount[];
};

/** The records of the keys, and the accounts of those that have none yet, which are locked in the order of their ids. */
export async function loadRequests(session: Session, keys: readonly KeyReference[]): Promise<LoadedRequests> {
  const byAccount = keys.map((key, index) => ({ ...key, index })).sort(compareAccounts);
  const rows = await LOAD_REQUESTS.send(session, keyColumns(byAccount));
  const records: (IdempotencyRecord | undefined)[] = keys.map(() => undefined);
  const accounts = new Map<string, LoadedAccount>();
  for (const row of rows) {
    const { index } = must(byAccount[row.place - 1], 'a row is about one of the keys');
    if (row.fingerprint !== null) records[index] = viewRecord(row);
    if (row.id !== null) accounts.set(row.id, viewAccount(row));
  }
  return { records, accounts: [...accounts.values()] };
}

const LOAD_DAY_SUMS = prepareStatement<{ id: string; spend: number; units: number }>(
  'load_day_sums',
  `SELECT account.id, coalesce(sum(placed.spend), 0)::bigint AS spend, coalesce(sum(placed.units), 0)::integer AS units
    FROM unnest($1::uuid[]) AS account (id)
    LEFT JOIN LATERAL (
      SELECT total_price_minor AS spend,
        (SELECT sum(quantity_ordered) FROM order_item WHERE order_id = "order".id) AS units
      FROM "order"
      WHERE account_id = account.id AND created_at >= to_timestamp($2::integer * 86400::bigint)
        AND created_at < to_timestamp(($2::integer + 1) * 86400::bigint)
        AND spend_day IS NULL AND origin = 'export-api' AND status <> 'canceled' AND NOT image_refunded
      UNION ALL
      SELECT total_price_minor,
        (SELECT sum(quantity_ordered) FROM order_item WHERE order_id = "order".id)
      FROM "order"
      WHERE account_id = account.id AND spend_day = date '1970-01-01' + $2::integer
        AND status <> 'canceled' AND NOT image_refunded
    ) AS placed ON true
    GROUP BY account.id`,
);

/**
 * What locked accounts begin a day with, by id: nothing, unless they have counted on it before because the clock went back
 * or was ahead. Once a day for each account. Index: order_history_ix, order_spend_day_ix.
 */
export async function loadDaySums(
  session: Session,
  accounts: readonly LoadedAccount[],
  day: number,
): Promise<Map<string, Pick<LoadedAccount, 'spendDay' | 'daySpendMinor' | 'dayUnits'>>> {
  const rows = await LOAD_DAY_SUMS.send(session, [plainArray(accounts.map(({ id }) => id)), day]);
  return new Map(
    rows.map(({ id, spend, units }) => [id, { spendDay: day, daySpendMinor: spend, dayUnits: units }]),
  );
}

function compareAccounts(left: KeyReference, right: KeyReference): number {
  return left.accountId < right.accountId ? -1 : Number(left.accountId > right.accountId);
}

function viewAccount(row: AccountRow): LoadedAccount {
  return {
    id: row.id,
    status: row.account_status,
    paymentMethod: row.payment_method,
    gatewayCustomer: row.gateway_customer,
    discountBasisPoints: row.discount_basis_points,
    holdOrders: row.hold_orders,
    sellerId: row.seller_id,
    orderValueMaxMinor: row.order_value_max_minor,
    dailySpendMaxMinor: row.daily_spend_max_minor,
    dailyUnitsMax: row.daily_units_max,
    balanceMinor: row.balance_minor,
    spendDay: row.spend_day,
    daySpendMinor: row.day_spend_minor,
    dayUnits: row.day_units,
    createdAtMicros: row.created,
    orderHour: row.order_hour,
    hourOrders: row.hour_orders,
    ledgerAccountId: row.ledger_account_id,
  };
}

type StockRow = {
  product_id: string;
  product_name: string;
  checkout_class: ProductState['checkoutClass'];
} & (OfferRow | { id: null });

type OfferRow = {
  id: string;
  seller_id: string;
  seller_name: string;
  price_minor: number;
  is_active: boolean;
  available_text: number;
  available_image: number;
};

// Repeats and concurrent duplicates lock nothing here either. A product is answered without its offers too: an excluded one is rejected
// as excluded whether it has offers or not (A30).
const LOAD_STOCK = prepareStatement<StockRow>(
  'load_stock',
  `WITH wanted AS MATERIALIZED (
      SELECT DISTINCT offer_id, product_id
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[]) AS request (account_id, key, offer_id, product_id)
      LEFT JOIN LATERAL (
        SELECT true AS found FROM idempotency_record AS record
        WHERE record.account_id = request.account_id AND record.operation = '${OPERATION}'
          AND record.idempotency_key = request.key
        LIMIT 1
      ) AS record ON true
      WHERE record.found IS NULL AND ${LOCK_KEY}
    ), target AS (
      SELECT offer_id AS id FROM wanted WHERE offer_id IS NOT NULL
      UNION
      SELECT of_product.id FROM wanted CROSS JOIN LATERAL (
        SELECT offer.id FROM offer WHERE offer.product_id = wanted.product_id OFFSET 0
      ) AS of_product
      ORDER BY id
    )
    SELECT product.id::text AS product_id, product.name AS product_name, product.checkout_class, offer.id,
      offer.seller_id, seller.name AS seller_name, offer.price_minor, offer.status = 'active' AS is_active,
      offer.available_text, offer.available_image
    FROM target
    CROSS JOIN LATERAL (SELECT * FROM offer WHERE offer.id = target.id LIMIT 1 FOR NO KEY UPDATE) AS offer
    CROSS JOIN LATERAL (SELECT * FROM product WHERE product.id = offer.product_id LIMIT 1) AS product
    CROSS JOIN LATERAL (SELECT * FROM seller WHERE seller.id = offer.seller_id LIMIT 1) AS seller
    UNION ALL
    SELECT product.id::text, product.name, product.checkout_class, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM wanted
    CROSS JOIN LATERAL (SELECT * FROM product WHERE product.id = wanted.product_id LIMIT 1) AS product`,
);

export type LoadedStock = {
  readonly offers: readonly OfferState[];
  readonly products: readonly ProductState[];
};

/**
 * The offers that the new requests name, and every offer of the products that they name: locked in the order of their
 * ids. Index: offer_product_ix.
 */
export async function loadStock(session: Session, commands: readonly PlaceOrder[]): Promise<LoadedStock> {
  const rows = await LOAD_STOCK.send(session, [
    ...keyColumns(commands),
    plainArray(commands.map(({ line }) => (line.kind === 'manual' ? line.offerId : null))),
    plainArray(commands.map(({ line }) => (line.kind === 'auto' ? line.productId : null))),
  ]);
  const products = new Map<string, ProductState>();
  const offers: OfferState[] = [];
  for (const row of rows) {
    const productId = row.product_id;
    products.set(productId, { id: productId, name: row.product_name, checkoutClass: row.checkout_class });
    if (row.id === null) continue;
    offers.push({
      id: row.id,
      productId,
      sellerId: row.seller_id,
      sellerName: row.seller_name,
      priceMinor: row.price_minor,
      isActive: row.is_active,
      availableText: row.available_text,
      availableImage: row.available_image,
    });
  }
  return { offers, products: [...products.values()] };
}

export type NewRecord = KeyReference & {
  readonly fingerprint: string;
  /** Null while a gateway payment is open. */
  readonly status: number | null;
  readonly body: string | null;
  readonly orderId: string | null;
};

/** How long the units of an order that waits for its payment stay reserved (R13). */
export const RESERVATION_MINUTES = 30;

export type UnitRequest = {
  readonly itemId: string;
  readonly offerId: string;
  readonly quantity: number;
  readonly state: 'sold' | 'reserved';
  /** Units that wait for a payment go back to stock when it does not come. */
  readonly expires: boolean;
};

export type NewTransfer = {
  readonly kind: string;
  readonly fromLedgerAccountId: number;
  readonly toLedgerAccountId: number;
  readonly amountMinor: number;
  readonly accountId: string;
  readonly prepaidBalanceAfterMinor: number | null;
  readonly orderId: string;
};

/** Books the transfers in their order, so that ids follow the running balance. */
export async function insertTransfers(tx: Tx, transfers: readonly NewTransfer[]): Promise<void> {
  await INSERT_TRANSFERS.execute(tx, TRANSFERS.arrays(transfers));
}

const TRANSFERS = declareColumns<NewTransfer>({
  kind: ['word', (transfer) => transfer.kind],
  from_id: ['bigint', (transfer) => transfer.fromLedgerAccountId],
  to_id: ['bigint', (transfer) => transfer.toLedgerAccountId],
  amount: ['bigint', (transfer) => transfer.amountMinor],
  account_id: ['uuid', (transfer) => transfer.accountId],
  balance_after: ['bigint', (transfer) => transfer.prepaidBalanceAfterMinor],
  order_id: ['bigint', (transfer) => transfer.orderId],
});

function insertTransfersText(first: number, now: string): string {
  return `INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
      prepaid_balance_after_minor, order_id, created_at)
    SELECT kind, from_id, to_id, amount, account_id, balance_after, order_id, ${now}
    FROM ${TRANSFERS.unnestInOrder(first, 'transfer')}
    ORDER BY place`;
}

const INSERT_TRANSFERS = prepareStatement<never>(
  'insert_transfers',
  insertTransfersText(1, 'statement_timestamp()'),
);

/** Everything that a batch writes but its stamps. */
export type NewBatch = {
  readonly records: readonly NewRecord[];
  readonly orders: readonly PlacedOrder[];
  /** Who the status log names. */
  readonly actor: string;
  readonly units: readonly UnitRequest[];
  readonly transfers: readonly NewTransfer[];
  /** As the batch leaves them. */
  readonly accounts: readonly LoadedAccount[];
  readonly offers: readonly OfferState[];
};

const RECORDS = declareColumns<NewRecord>({
  account_id: ['uuid', (record) => record.accountId],
  key: ['uuid', (record) => record.idempotencyKey],
  fingerprint: ['text', (record) => record.fingerprint],
  status: ['smallint', (record) => record.status],
  body: ['text', (record) => record.body],
  order_id: ['bigint', (record) => record.orderId],
});

const ORDERS = declareColumns<PlacedOrder>({
  id: ['bigint', (order) => order.id],
  item_id: ['bigint', (order) => order.itemId],
  account_id: ['uuid', (order) => order.command.accountId],
  key: ['uuid', (order) => order.command.idempotencyKey],
  status: ['word', (order) => order.status],
  held_from: ['word', (order) => order.heldFrom],
  discount: ['bigint', (order) => order.price.discountMinor],
  total: ['bigint', (order) => order.price.totalPriceMinor],
  payment_method: ['word', (order) => order.paymentMethod],
  image_refunded: ['boolean', (order) => order.isImageRefunded],
  via: ['text', (order) => order.path.slice(0, -1).join(',')],
  reason: ['text', (order) => order.reason],
  offer_id: ['uuid', (order) => order.offer.id],
  product_id: ['bigint', (order) => order.offer.productId],
  product_name: ['text', (order) => order.product.name],
  seller_id: ['uuid', (order) => order.offer.sellerId],
  seller_name: ['text', (order) => order.offer.sellerName],
  price: ['bigint', (order) => order.offer.priceMinor],
  max_price: ['bigint', (order) => order.command.line.maxPriceMinor],
  ordered: ['integer', (order) => order.command.line.quantity],
  invoiced: ['integer', (order) => order.quantityInvoiced],
  shipped: ['integer', (order) => order.quantityShipped],
  refunded: ['integer', (order) => order.quantityRefunded],
});

const UNITS = declareColumns<UnitRequest>({
  item_id: ['bigint', (line) => line.itemId],
  offer_id: ['uuid', (line) => line.offerId],
  quantity: ['integer', (line) => line.quantity],
  state: ['word', (line) => line.state],
  expires: ['boolean', (line) => line.expires],
});

const ACCOUNTS = declareColumns<LoadedAccount>({
  id: ['uuid', (account) => account.id],
  balance: ['bigint', (account) => account.balanceMinor],
  spend: ['bigint', (account) => account.daySpendMinor],
  units: ['integer', (account) => account.dayUnits],
  hour_orders: ['integer', (account) => account.hourOrders],
  day: ['integer', (account) => account.spendDay],
  hour: ['integer', (account) => account.orderHour],
});

const OFFERS = declareColumns<OfferState>({
  id: ['uuid', (offer) => offer.id],
  available_text: ['integer', (offer) => offer.availableText],
  available_image: ['integer', (offer) => offer.availableImage],
});

/** Numbers of the first parameters of INSERT_BATCH, in the order of `insertBatch`. */
const FIRST_ORDER = 1 + RECORDS.count;
const ACTOR = FIRST_ORDER + ORDERS.count;
const FIRST_UNIT = ACTOR + 1;
const RESERVATION = FIRST_UNIT + UNITS.count;
const FIRST_ACCOUNT = RESERVATION + 1;
const FIRST_OFFER = FIRST_ACCOUNT + ACCOUNTS.count;
const FIRST_TRANSFER = FIRST_OFFER + OFFERS.count;

const INSERT_BATCH = prepareStatement<never>(
  'insert_batch',
  `WITH new_record AS (
      INSERT INTO idempotency_record
        (account_id, operation, idempotency_key, fingerprint, status, body, order_id, created_at, finished_at)
      SELECT account_id, '${OPERATION}', key, fingerprint, status, body, order_id, transaction_timestamp(),
        CASE WHEN status IS NOT NULL THEN transaction_timestamp() END
      FROM ${RECORDS.unnest(1, 'record')}
    ), placed AS (
      SELECT * FROM ${ORDERS.unnest(FIRST_ORDER, 'row')}
    ), new_order AS (
      INSERT INTO "order" (id, account_id, status, held_from, created_at, completed_at, currency, discount_minor,
        total_price_minor, payment_method, origin, idempotency_key, image_refunded, spend_day)
      SELECT id, account_id, status, held_from, transaction_timestamp(),
        CASE WHEN status = 'complete' THEN transaction_timestamp() END, 'EUR', discount, total,
        payment_method, 'export-api', key, image_refunded, nullif(spend_day, transaction_timestamp()::date)
      FROM placed
      JOIN (SELECT id AS account_id, date '1970-01-01' + day AS spend_day
        FROM ${ACCOUNTS.unnest(FIRST_ACCOUNT, 'changed', ['id', 'day'])}) AS changed USING (account_id)
    ), new_item AS (
      INSERT INTO order_item (id, order_id, offer_id, product_id, product_name, seller_id, seller_name, unit_price_minor,
        max_price_minor, quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded)
      SELECT item_id, id, offer_id, product_id, product_name, seller_id, seller_name, price, max_price, ordered, invoiced,
        shipped, refunded
      FROM placed
    ), new_log AS (
      INSERT INTO order_status_log (order_id, from_status, via, to_status, at, actor, reason)
      SELECT id, NULL, string_to_array(via, ','), status, transaction_timestamp(), $${ACTOR}, reason FROM placed
    ), line AS (
      SELECT item_id, offer_id, quantity, state, expires,
        sum(quantity) OVER (PARTITION BY offer_id ORDER BY item_id) - quantity AS taken_before
      FROM ${UNITS.unnest(FIRST_UNIT, 'line')}
    ), unit AS (
      SELECT free.id, line.item_id, line.state, line.expires
      FROM line CROSS JOIN LATERAL (
        SELECT offer_id, kind, id
        FROM stock_key
        WHERE (offer_id, kind, id) > (line.offer_id, 'text', 0) AND state = 'available'
        ORDER BY offer_id, kind, id
        OFFSET line.taken_before LIMIT line.quantity
      ) AS free
      WHERE free.offer_id = line.offer_id AND free.kind = 'text'
    ), taken AS (
      UPDATE stock_key
      SET state = unit.state, order_item_id = unit.item_id, reserved_until =
        CASE WHEN unit.expires THEN statement_timestamp() + $${RESERVATION}::integer * interval '1 minute' END
      FROM unit
      WHERE stock_key.id = unit.id
      RETURNING 1
    ), changed_account AS (
      UPDATE account SET balance_minor = changed.balance,
        spend_day = date '1970-01-01' + changed.day, day_spend_minor = changed.spend, day_units = changed.units,
        order_hour = to_timestamp(changed.hour * 3600::bigint), hour_orders = changed.hour_orders
      FROM ${ACCOUNTS.unnest(FIRST_ACCOUNT, 'changed')}
      WHERE account.id = changed.id
      RETURNING 1
    ), changed_offer AS (
      UPDATE offer SET available_text = changed.available_text, available_image = changed.available_image
      FROM ${OFFERS.unnest(FIRST_OFFER, 'changed')}
      WHERE offer.id = changed.id
      RETURNING 1
    ), new_transfer AS (
      ${insertTransfersText(FIRST_TRANSFER, 'transaction_timestamp()')}
    )
    SELECT must_equal('units taken', (SELECT count(*) FROM taken), (SELECT sum(quantity) FROM line)::bigint),
      must_equal('accounts changed', (SELECT count(*) FROM changed_account), cardinality($${FIRST_ACCOUNT})),
      must_equal('offers changed', (SELECT count(*) FROM changed_offer), cardinality($${FIRST_OFFER}))`,
);

/**
 * Sends a whole batch as one statement: the outcome of every request that reached checkout (A39), orders with items and
 * the first row of their status logs, their units (oldest first; the offers are locked, so no other transaction takes units of
 * theirs), the balances and stock that are left, and transfers in their order, so that ids follow the running balance.
 * Fails when a row that the decision counted on does not exist. Index: stock_key_available_ix.
 */
export function insertBatch(session: Session, batch: NewBatch): Promise<unknown> {
  const { records, orders, units, transfers, accounts, offers } = batch;
  return INSERT_BATCH.send(session, [
    ...RECORDS.arrays(records),
    ...ORDERS.arrays(orders),
    batch.actor,
    ...UNITS.arrays(units),
    RESERVATION_MINUTES,
    ...ACCOUNTS.arrays(accounts),
    ...OFFERS.arrays(offers),
    ...TRANSFERS.arrays(transfers),
  ]);
}

export type NewGatewayPayment = {
  readonly orderId: string;
  readonly customer: string;
  readonly amountMinor: number;
  /** Why the order is held once it is paid. */
  readonly holdReason: string | null;
};

const INSERT_GATEWAY_PAYMENTS = prepareStatement<never>(
  'insert_gateway_payments',
  `INSERT INTO gateway_payment (order_id, customer, amount_minor, state, expires_at, next_check_at, hold_reason)
    SELECT order_id, customer, amount, 'open', statement_timestamp() + $1::integer * interval '1 minute',
      statement_timestamp() + $2::integer * interval '1 millisecond', hold_reason
    FROM unnest($3::bigint[], $4::text[], $5::bigint[], $6::text[])
      AS payment (order_id, customer, amount, hold_reason)`,
);

/** Remembers, in the order's own transaction, what the provider has to be asked for. */
export function insertGatewayPayments(
  session: Session,
  payments: readonly NewGatewayPayment[],
  options: { readonly firstCheckMs: number },
): Promise<unknown> {
  return INSERT_GATEWAY_PAYMENTS.send(session, [
    RESERVATION_MINUTES,
    options.firstCheckMs,
    payments.map((payment) => payment.orderId),
    payments.map((payment) => payment.customer),
    payments.map((payment) => payment.amountMinor),
    payments.map((payment) => payment.holdReason),
  ]);
}
