/**
 * The statements of a group commit. Their texts are fixed: a batch of any size travels as arrays. Locks are taken in
 * one order everywhere: idempotency keys (try-locks), accounts by id, offers by id, the catalogue clock last. The
 * units of a locked offer need no lock of their own.
 */
import type { IdempotencyRecord } from '@keyport/core/idempotency';
import type { OfferState } from '@keyport/core/offer-selection';
import type { AccountState, PlacedOrder, ProductState } from '@keyport/core/place-order';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { timestampOf } from '../db/moments.ts';
import type { Schema } from '../db/schema.ts';

type Tx = Transaction<Schema>;

/** The operation part of an idempotency record's scope (A37). */
const OPERATION = 'createOrder';

export type KeyReference = { readonly accountId: string; readonly idempotencyKey: string };

export type LockedKeys = {
  /** The database's clock, microseconds since the epoch. */
  readonly nowMicros: number;
  /** One per key, in their order: false when a twin of the request is in flight on another node. */
  readonly isLocked: readonly boolean[];
  /** One fresh number of the shared sequence per key. */
  readonly serials: readonly number[];
};

/**
 * Takes a transaction-scoped advisory lock per key without waiting (A40). A separate statement from reading the
 * records: a record that was committed while the lock was being taken must be visible afterwards.
 */
export async function lockIdempotencyKeys(tx: Tx, keys: readonly KeyReference[]): Promise<LockedKeys> {
  const { rows } = await sql<{ now: number; locked: boolean; serial: number }>`
    SELECT (extract(epoch FROM statement_timestamp()) * 1000000)::bigint AS now,
      pg_try_advisory_xact_lock(hashtextextended(request.account_id || '/' || request.key, 0)) AS locked,
      nextval('order_serial_seq') AS serial
    FROM unnest(${keys.map((key) => key.accountId)}::text[], ${keys.map((key) => key.idempotencyKey)}::text[])
      WITH ORDINALITY AS request (account_id, key, place)
    ORDER BY request.place`.execute(tx);
  return {
    nowMicros: rows[0]?.now ?? 0,
    isLocked: rows.map((row) => row.locked),
    serials: rows.map((row) => row.serial),
  };
}

/** Waits for a twin that is still committing: getting the lock proves that its transaction has ended. */
export async function waitForIdempotencyKey(tx: Tx, key: KeyReference): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key.accountId}::text || '/' || ${key.idempotencyKey}::text, 0))`.execute(
    tx,
  );
}

/** The records of these keys, by primary key; keys without one are left out. */
export async function listIdempotencyRecords(
  tx: Tx,
  keys: readonly KeyReference[],
): Promise<(IdempotencyRecord & KeyReference)[]> {
  const { rows } = await sql<{
    account_id: string;
    idempotency_key: string;
    fingerprint: string;
    status: number | null;
    body: string | null;
    finished: number | null;
  }>`
    SELECT record.account_id, record.idempotency_key, record.fingerprint, record.status, record.body,
      (extract(epoch FROM record.finished_at) * 1000000)::bigint AS finished
    FROM unnest(${keys.map((key) => key.accountId)}::uuid[], ${keys.map((key) => key.idempotencyKey)}::uuid[])
      AS request (account_id, key)
    JOIN idempotency_record record ON record.account_id = request.account_id
      AND record.operation = ${OPERATION} AND record.idempotency_key = request.key`.execute(tx);
  return rows.map((row) => ({
    accountId: row.account_id,
    idempotencyKey: row.idempotency_key,
    fingerprint: row.fingerprint,
    status: row.status,
    body: row.body,
    finishedAtMicros: row.finished,
  }));
}

export type LoadedAccount = AccountState & {
  /** Its ledger account of kind prepaid. */
  readonly ledgerAccountId: number;
  /** Who the payment provider charges; null without a gateway. */
  readonly gatewayCustomer: string | null;
};

/** Locks the accounts by id. `day` is the UTC day of the batch: what was used on another day counts as nothing. */
export async function lockAccounts(
  tx: Tx,
  accountIds: readonly string[],
  day: string,
): Promise<LoadedAccount[]> {
  const { rows } = await sql<{
    id: string;
    status: AccountState['status'];
    payment_method: AccountState['paymentMethod'];
    gateway_customer: string | null;
    discount_basis_points: number;
    hold_orders: boolean;
    seller_id: string | null;
    order_value_max_minor: number | null;
    daily_spend_max_minor: number | null;
    daily_units_max: number | null;
    balance_minor: number;
    day_spend_minor: number;
    day_units: number;
    created: number;
    hour_orders: number;
    ledger_account_id: number;
  }>`
    SELECT account.id, account.status, payment_method, gateway_customer, discount_basis_points, hold_orders, seller_id,
      order_value_max_minor, daily_spend_max_minor, daily_units_max, balance_minor,
      CASE WHEN spend_day = ${day}::date THEN day_spend_minor ELSE 0 END AS day_spend_minor,
      CASE WHEN spend_day = ${day}::date THEN day_units ELSE 0 END AS day_units,
      (extract(epoch FROM created_at) * 1000000)::bigint AS created,
      CASE WHEN order_hour = date_trunc('hour', transaction_timestamp(), 'UTC') THEN hour_orders ELSE 0 END AS hour_orders,
      ledger_account.id AS ledger_account_id
    FROM account JOIN ledger_account ON ledger_account.account_id = account.id AND ledger_account.kind = 'prepaid'
    WHERE account.id = ANY(${accountIds}::uuid[])
    ORDER BY account.id
    FOR NO KEY UPDATE OF account`.execute(tx);
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    paymentMethod: row.payment_method,
    gatewayCustomer: row.gateway_customer,
    discountBasisPoints: row.discount_basis_points,
    holdOrders: row.hold_orders,
    sellerId: row.seller_id,
    orderValueMaxMinor: row.order_value_max_minor,
    dailySpendMaxMinor: row.daily_spend_max_minor,
    dailyUnitsMax: row.daily_units_max,
    balanceMinor: row.balance_minor,
    daySpendMinor: row.day_spend_minor,
    dayUnits: row.day_units,
    createdAtMicros: row.created,
    hourOrders: row.hour_orders,
    ledgerAccountId: row.ledger_account_id,
  }));
}

/** Locks the named offers and every offer of the named products, by id. Index: offer_product_ix. */
export async function lockOffers(
  tx: Tx,
  wanted: { readonly offerIds: readonly string[]; readonly productIds: readonly string[] },
): Promise<{ offers: OfferState[]; products: ProductState[] }> {
  const { rows } = await sql<{
    id: string;
    product_id: string;
    product_name: string;
    checkout_class: ProductState['checkoutClass'];
    seller_id: string;
    seller_name: string;
    price_minor: number;
    is_active: boolean;
    available_text: number;
    available_image: number;
  }>`
    SELECT offer.id, offer.product_id::text, product.name AS product_name, product.checkout_class,
      offer.seller_id, seller.name AS seller_name, offer.price_minor, offer.status = 'active' AS is_active,
      offer.available_text, offer.available_image
    FROM offer
    JOIN product ON product.id = offer.product_id
    JOIN seller ON seller.id = offer.seller_id
    WHERE offer.id = ANY(${wanted.offerIds}::uuid[]) OR offer.product_id = ANY(${wanted.productIds}::bigint[])
    ORDER BY offer.id
    FOR NO KEY UPDATE OF offer`.execute(tx);
  const products = new Map<string, ProductState>();
  const offers = rows.map((row) => {
    products.set(row.product_id, {
      id: row.product_id,
      name: row.product_name,
      checkoutClass: row.checkout_class,
    });
    return {
      id: row.id,
      productId: row.product_id,
      sellerId: row.seller_id,
      sellerName: row.seller_name,
      priceMinor: row.price_minor,
      isActive: row.is_active,
      availableText: row.available_text,
      availableImage: row.available_image,
    };
  });
  return { offers, products: [...products.values()] };
}

/** Products by id, whether they have offers or not: an excluded one is refused as excluded either way (A30). */
export async function listProducts(tx: Tx, productIds: readonly string[]): Promise<ProductState[]> {
  const { rows } = await sql<{ id: string; name: string; checkout_class: ProductState['checkoutClass'] }>`
    SELECT id::text, name, checkout_class FROM product WHERE id = ANY(${productIds}::bigint[])`.execute(tx);
  return rows.map((row) => ({ id: row.id, name: row.name, checkoutClass: row.checkout_class }));
}

export type NewRecord = KeyReference & {
  readonly fingerprint: string;
  /** Null while a gateway payment is open. */
  readonly status: number | null;
  readonly body: string | null;
  readonly orderId: string | null;
};

/** How long the units of an order that waits for its payment stay reserved (decisions section 4). */
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
export async function insertTransfers(
  tx: Tx,
  transfers: readonly NewTransfer[],
  nowMicros: number,
): Promise<void> {
  await transferInsert(transfers, timestampOf(nowMicros)).execute(tx);
}

function transferInsert(transfers: readonly NewTransfer[], now: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    INSERT INTO ledger_transfer (kind, from_ledger_account_id, to_ledger_account_id, amount_minor, account_id,
      prepaid_balance_after_minor, order_id, created_at)
    SELECT kind, from_id, to_id, amount, account_id, balance_after, order_id, ${now}
    FROM unnest(
      ${transfers.map((transfer) => transfer.kind)}::text[],
      ${transfers.map((transfer) => transfer.fromLedgerAccountId)}::bigint[],
      ${transfers.map((transfer) => transfer.toLedgerAccountId)}::bigint[],
      ${transfers.map((transfer) => transfer.amountMinor)}::bigint[],
      ${transfers.map((transfer) => transfer.accountId)}::uuid[],
      ${transfers.map((transfer) => transfer.prepaidBalanceAfterMinor)}::bigint[],
      ${transfers.map((transfer) => transfer.orderId)}::bigint[]
    ) WITH ORDINALITY AS transfer (kind, from_id, to_id, amount, account_id, balance_after, order_id, place)
    ORDER BY place`;
}

/** Everything that a batch writes but its stamps. */
export type NewBatch = {
  readonly nowMicros: number;
  /** UTC day of the batch, for the daily sums. */
  readonly day: string;
  readonly records: readonly NewRecord[];
  readonly orders: readonly PlacedOrder[];
  /** Who the status log names. */
  readonly actor: string;
  readonly units: readonly UnitRequest[];
  readonly transfers: readonly NewTransfer[];
  /** As the batch leaves them. */
  readonly accounts: readonly AccountState[];
  readonly offers: readonly OfferState[];
};

/** How many rows each part hit, for the caller to compare with what it decided on. */
export type SavedBatch = { readonly units: number; readonly accounts: number; readonly offers: number };

/**
 * Writes a whole batch with one statement, because round trips are what a lone order waits for: the outcome of every
 * request that reached checkout (A39), orders with items and the first row of their status logs, their units (oldest
 * first; the offers are locked, so nobody else takes units of theirs), transfers in their order, so that ids follow the
 * running balance, and the balances and stock that are left. Index: stock_key_available_ix.
 */
export async function insertBatch(tx: Tx, batch: NewBatch): Promise<SavedBatch> {
  const { records, orders, units, transfers, accounts, offers } = batch;
  const { rows } = await sql<SavedBatch>`
    WITH moment AS (
      SELECT to_timestamp(0) + ${batch.nowMicros}::bigint * interval '1 microsecond' AS now
    ), new_record AS (
      INSERT INTO idempotency_record
        (account_id, operation, idempotency_key, fingerprint, status, body, order_id, created_at, finished_at)
      SELECT account_id, ${OPERATION}, key, fingerprint, status, body, order_id, moment.now,
        CASE WHEN status IS NULL THEN NULL ELSE moment.now END
      FROM moment, unnest(
        ${records.map((record) => record.accountId)}::uuid[],
        ${records.map((record) => record.idempotencyKey)}::uuid[],
        ${records.map((record) => record.fingerprint)}::text[],
        ${records.map((record) => record.status)}::smallint[],
        ${records.map((record) => record.body)}::text[],
        ${records.map((record) => record.orderId)}::bigint[]
      ) AS record (account_id, key, fingerprint, status, body, order_id)
    ), placed AS (
      SELECT * FROM moment, unnest(
        ${orders.map((order) => order.id)}::bigint[],
        ${orders.map((order) => order.itemId)}::bigint[],
        ${orders.map((order) => order.command.accountId)}::uuid[],
        ${orders.map((order) => order.command.idempotencyKey)}::uuid[],
        ${orders.map((order) => order.status)}::text[],
        ${orders.map((order) => order.heldFrom)}::text[],
        ${orders.map((order) => order.price.discountMinor)}::bigint[],
        ${orders.map((order) => order.price.totalPriceMinor)}::bigint[],
        ${orders.map((order) => order.paymentMethod)}::text[],
        ${orders.map((order) => order.isImageRefunded)}::boolean[],
        ${orders.map((order) => order.path.slice(0, -1).join(','))}::text[],
        ${orders.map((order) => order.reason)}::text[],
        ${orders.map((order) => order.offer.id)}::uuid[],
        ${orders.map((order) => order.offer.productId)}::bigint[],
        ${orders.map((order) => order.product.name)}::text[],
        ${orders.map((order) => order.offer.sellerId)}::uuid[],
        ${orders.map((order) => order.offer.sellerName)}::text[],
        ${orders.map((order) => order.offer.priceMinor)}::bigint[],
        ${orders.map((order) => order.command.line.maxPriceMinor)}::bigint[],
        ${orders.map((order) => order.command.line.quantity)}::integer[],
        ${orders.map((order) => order.quantityInvoiced)}::integer[],
        ${orders.map((order) => order.quantityShipped)}::integer[],
        ${orders.map((order) => order.quantityRefunded)}::integer[]
      ) AS row (id, item_id, account_id, key, status, held_from, discount, total, payment_method, image_refunded, via,
        reason, offer_id, product_id, product_name, seller_id, seller_name, price, max_price, ordered, invoiced, shipped,
        refunded)
    ), new_order AS (
      INSERT INTO "order" (id, account_id, status, held_from, created_at, completed_at, currency, discount_minor,
        total_price_minor, payment_method, origin, idempotency_key, image_refunded)
      SELECT id, account_id, status, held_from, now, CASE WHEN status = 'complete' THEN now END, 'EUR', discount, total,
        payment_method, 'export-api', key, image_refunded
      FROM placed
    ), new_item AS (
      INSERT INTO order_item (id, order_id, offer_id, product_id, product_name, seller_id, seller_name, unit_price_minor,
        max_price_minor, quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded)
      SELECT item_id, id, offer_id, product_id, product_name, seller_id, seller_name, price, max_price, ordered, invoiced,
        shipped, refunded
      FROM placed
    ), new_log AS (
      INSERT INTO order_status_log (order_id, from_status, via, to_status, at, actor, reason)
      SELECT id, NULL, string_to_array(via, ','), status, now, ${batch.actor}, reason FROM placed
    ), line AS (
      SELECT item_id, offer_id, quantity, state, expires,
        sum(quantity) OVER (PARTITION BY offer_id ORDER BY item_id) - quantity AS taken_before
      FROM unnest(
        ${units.map((line) => line.itemId)}::bigint[],
        ${units.map((line) => line.offerId)}::uuid[],
        ${units.map((line) => line.quantity)}::integer[],
        ${units.map((line) => line.state)}::text[],
        ${units.map((line) => line.expires)}::boolean[]
      ) AS line (item_id, offer_id, quantity, state, expires)
    ), need AS (
      SELECT offer_id, sum(quantity) AS quantity FROM line GROUP BY offer_id
    ), unit AS (
      SELECT need.offer_id, free.id, free.place
      FROM need CROSS JOIN LATERAL (
        SELECT id, row_number() OVER (ORDER BY id) AS place
        FROM stock_key
        WHERE offer_id = need.offer_id AND kind = 'text' AND state = 'available'
        ORDER BY id
        LIMIT need.quantity
      ) AS free
    ), taken AS (
      UPDATE stock_key
      SET state = line.state, order_item_id = line.item_id, reserved_until =
        CASE WHEN line.expires THEN statement_timestamp() + ${RESERVATION_MINUTES} * interval '1 minute' END
      FROM unit JOIN line ON line.offer_id = unit.offer_id
        AND unit.place > line.taken_before AND unit.place <= line.taken_before + line.quantity
      WHERE stock_key.id = unit.id
      RETURNING 1
    ), new_transfer AS (
      ${transferInsert(transfers, sql`(SELECT now FROM moment)`)}
    ), changed_account AS (
      UPDATE account SET balance_minor = changed.balance, spend_day = ${batch.day}::date,
        day_spend_minor = changed.spend, day_units = changed.units,
        order_hour = date_trunc('hour', transaction_timestamp(), 'UTC'), hour_orders = changed.hour_orders
      FROM unnest(
        ${accounts.map((account) => account.id)}::uuid[],
        ${accounts.map((account) => account.balanceMinor)}::bigint[],
        ${accounts.map((account) => account.daySpendMinor)}::bigint[],
        ${accounts.map((account) => account.dayUnits)}::integer[],
        ${accounts.map((account) => account.hourOrders)}::integer[]
      ) AS changed (id, balance, spend, units, hour_orders)
      WHERE account.id = changed.id
      RETURNING 1
    ), changed_offer AS (
      UPDATE offer SET available_text = changed.available_text, available_image = changed.available_image
      FROM unnest(
        ${offers.map((offer) => offer.id)}::uuid[],
        ${offers.map((offer) => offer.availableText)}::integer[],
        ${offers.map((offer) => offer.availableImage)}::integer[]
      ) AS changed (id, available_text, available_image)
      WHERE offer.id = changed.id
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM taken) AS units, (SELECT count(*) FROM changed_account) AS accounts,
      (SELECT count(*) FROM changed_offer) AS offers`.execute(tx);
  const [saved] = rows;
  if (saved === undefined) throw new Error('SELECT gave no row');
  return saved;
}

export type NewGatewayPayment = {
  readonly orderId: string;
  readonly customer: string;
  readonly amountMinor: number;
  /** Why the order is held once it is paid. */
  readonly holdReason: string | null;
};

/** Remembers, in the order's own transaction, what the provider has to be asked for. */
export async function insertGatewayPayments(
  tx: Tx,
  payments: readonly NewGatewayPayment[],
  options: { readonly firstCheckMs: number },
): Promise<void> {
  await sql`
    INSERT INTO gateway_payment (order_id, customer, amount_minor, state, expires_at, next_check_at, hold_reason)
    SELECT order_id, customer, amount, 'open', statement_timestamp() + ${RESERVATION_MINUTES} * interval '1 minute',
      statement_timestamp() + ${options.firstCheckMs} * interval '1 millisecond', hold_reason
    FROM unnest(
      ${payments.map((payment) => payment.orderId)}::bigint[],
      ${payments.map((payment) => payment.customer)}::text[],
      ${payments.map((payment) => payment.amountMinor)}::bigint[],
      ${payments.map((payment) => payment.holdReason)}::text[]
    ) AS payment (order_id, customer, amount, hold_reason)`.execute(tx);
}
