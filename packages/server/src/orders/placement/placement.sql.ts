/**
 * Statements have fixed texts; arrays hold batches of any size. Locks are always taken in this order:
 * idempotency keys (try-locks), accounts by id, offers by id, the catalogue clock last.
 */
import type { OfferState } from '@keyport/core/orders/offer-selection';
import type { PlacedOrder, PlaceOrder, ProductState } from '@keyport/core/orders/place-order';
import { placedHeldFrom, placedQuantities } from '@keyport/core/orders/placed-order';
import { binaryArray } from '../../db/engines/binary-array.ts';
import { prepareStatement, type Session } from '../../db/engines/prepared.ts';
import { declareColumns } from '../../db/row-columns.ts';
import {
  CONTINUE_ACCOUNT,
  endColumns,
  insertTransfersText,
  type NewTransfer,
  TRANSFERS,
} from '../../ledger/transfers.sql.ts';
import type { Charge } from '../../payments/gateway.ts';
import { TERM_COLUMNS, TERM_NAMES } from '../order-terms.sql.ts';
import { HAS_LOCK, type KeyReference, keyColumns, type LoadedAccount } from './idempotency-records.sql.ts';

type StockRow = Pick<ProductState, 'checkoutClass'> & {
  readonly productId: string;
  readonly productName: string;
} & (OfferState | { readonly id: null });

// A request with a duplicate in flight elsewhere waits for no lock (A40). LATERAL with LIMIT locks rows in
// the order of the parameters. A product is loaded even if it has no offer, to reject an excluded one (A30).
const LOAD_STOCK = prepareStatement<StockRow>(
  'load_stock',
  `WITH wanted AS MATERIALIZED (
      SELECT DISTINCT offer_id, product_id
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[]) AS request (account_id, key, offer_id, product_id)
      WHERE ${HAS_LOCK}
    ), target AS (
      SELECT DISTINCT id FROM (
        SELECT offer_id AS id FROM wanted WHERE offer_id IS NOT NULL
        UNION ALL
        SELECT of_product.id FROM wanted CROSS JOIN LATERAL (
          SELECT offer.id FROM offer WHERE offer.product_id = wanted.product_id OFFSET 0
        ) AS of_product
      ) AS named
      ORDER BY id
    )
    SELECT product.id::text AS "productId", product.name AS "productName", product.checkout_class AS "checkoutClass",
      offer.id, offer.seller_id AS "sellerId", seller.name AS "sellerName", offer.price_minor AS "priceMinor",
      offer.status = 'active' AS "isActive", offer.next_unit AS "nextUnit", offer.available_text AS "availableText",
      offer.available_image AS "availableImage"
    FROM target
    CROSS JOIN LATERAL (SELECT * FROM offer WHERE offer.id = target.id LIMIT 1 FOR NO KEY UPDATE) AS offer
    CROSS JOIN LATERAL (SELECT * FROM product WHERE product.id = offer.product_id LIMIT 1) AS product
    CROSS JOIN LATERAL (SELECT * FROM seller WHERE seller.id = offer.seller_id LIMIT 1) AS seller
    UNION ALL
    SELECT product.id::text, product.name, product.checkout_class, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM wanted
    CROSS JOIN LATERAL (SELECT * FROM product WHERE product.id = wanted.product_id LIMIT 1) AS product`,
);

/**
 * Locks the named offers and every offer of the named products, in the order of their ids.
 * Index: offer_product_ix.
 */
export async function loadStock(session: Session, commands: readonly PlaceOrder[]) {
  const rows = await LOAD_STOCK.send(session, [
    ...keyColumns(commands),
    binaryArray(
      'uuid',
      commands.map(({ line }) => (line.kind === 'manual' ? line.offerId : null)),
    ),
    binaryArray(
      'bigint',
      commands.map(({ line }) => (line.kind === 'auto' ? line.productId : null)),
    ),
  ]);
  const products = new Map<string, ProductState>();
  const offers: OfferState[] = [];
  for (const row of rows) {
    const { productId: id, productName: name, checkoutClass } = row;
    products.set(id, { id, name, checkoutClass });
    if (row.id !== null) offers.push(row);
  }
  return { offers, products };
}

export type NewRejection = KeyReference & {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
};

/** How long an order that waits for its payment keeps its units (R13). */
export const PAYMENT_TIMEOUT_MINUTES = 30;

/** `accounts`: after the batch. */
export type NewBatch = {
  readonly rejections: readonly NewRejection[];
  readonly orders: readonly NewOrder[];
  readonly transfers: readonly NewTransfer[];
  readonly accounts: readonly LoadedAccount[];
  readonly offers: readonly ChangedOffer[];
};

type NewOrder = PlacedOrder & {
  /** The day to whose limits the order counts, if it is not the day of creation. */
  readonly spendDay: number | null;
};

type ChangedOffer = Pick<OfferState, 'id' | 'nextUnit'> & { readonly firstUnit: number };

const REJECTIONS = declareColumns<NewRejection>({
  account_id: ['uuid', (rejection) => rejection.accountId],
  key: ['uuid', (rejection) => rejection.idempotencyKey],
  fingerprint: ['text', (rejection) => rejection.fingerprint],
  status: ['smallint', (rejection) => rejection.status],
  body: ['text', (rejection) => rejection.body],
});

const toQuantities = ({ status, command }: PlacedOrder) => placedQuantities(status, command.line.quantity);

const ORDERS = declareColumns<NewOrder>({
  id: ['bigint', (order) => order.id],
  account_id: ['uuid', (order) => order.command.accountId],
  key: ['uuid', (order) => order.command.idempotencyKey],
  trace_id: ['uuid', (order) => order.command.traceId],
  is_auto: ['boolean', (order) => order.command.line.kind === 'auto'],
  status: ['text', (order) => order.status],
  held_from: ['text', (order) => placedHeldFrom(order.status)],
  hold_reason: ['text', (order) => order.holdReason],
  payment_method: ['text', (order) => order.paymentMethod],
  max_price: ['bigint', (order) => order.command.line.maxPriceMinor],
  first_unit: ['integer', (order) => order.firstUnit],
  ordered: ['smallint', (order) => toQuantities(order).ordered],
  invoiced: ['smallint', (order) => toQuantities(order).invoiced],
  shipped: ['smallint', (order) => toQuantities(order).shipped],
  refunded: ['smallint', (order) => toQuantities(order).refunded],
  spend_day: ['integer', (order) => order.spendDay],
  ...TERM_COLUMNS,
});

const ACCOUNTS = declareColumns<LoadedAccount>({
  id: ['uuid', (account) => account.id],
  balance: ['bigint', (account) => account.balanceMinor],
  spend: ['bigint', (account) => account.daySpendMinor],
  units: ['integer', (account) => account.dayUnits],
  hour_orders: ['integer', (account) => account.hourOrders],
  day: ['integer', (account) => account.spendDay],
  hour: ['integer', (account) => account.orderHour],
  at: ['bigint', (account) => account.statementEnd.atMicros],
  ...endColumns<LoadedAccount>((account) => account.statementEnd),
});

const OFFERS = declareColumns<ChangedOffer>({
  id: ['uuid', (offer) => offer.id],
  first_unit: ['integer', (offer) => offer.firstUnit],
  next_unit: ['integer', (offer) => offer.nextUnit],
});

/** Numbers of the first parameters, in the order of `insertBatch`. */
const FIRST_ORDER = 1 + REJECTIONS.count;
const FIRST_ACCOUNT = FIRST_ORDER + ORDERS.count;
const FIRST_OFFER = FIRST_ACCOUNT + ACCOUNTS.count;
const FIRST_TRANSFER = FIRST_OFFER + OFFERS.count;

const INSERT_BATCH = prepareStatement<never>(
  'insert_batch',
  `WITH new_rejection AS (
      INSERT INTO rejected_order (account_id, idempotency_key, fingerprint, status, body, rejected_at)
      SELECT account_id, key, fingerprint, status, body, transaction_timestamp()
      FROM ${REJECTIONS.unnest(1, 'rejection')}
    ), new_order AS (
      INSERT INTO "order" (id, account_id, status, held_from, hold_reason, created_at, completed_at, currency,
        payment_method, origin, idempotency_key, trace_id, is_auto, image_refunded, spend_day, max_price_minor, first_unit,
        quantity_ordered, quantity_invoiced, quantity_shipped, quantity_refunded, ${TERM_NAMES})
      SELECT id, account_id, status, held_from, hold_reason, transaction_timestamp(),
        CASE WHEN status = 'complete' THEN transaction_timestamp() END, 'EUR', payment_method, 'export-api', key, trace_id,
        is_auto, status = 'closed', date '1970-01-01' + spend_day, max_price, first_unit, ordered, invoiced, shipped,
        refunded, ${TERM_NAMES}
      FROM ${ORDERS.unnest(FIRST_ORDER, 'placed')}
    ), changed_account AS (
      UPDATE account SET balance_minor = changed.balance,
        spend_day = date '1970-01-01' + changed.day, day_spend_minor = changed.spend, day_units = changed.units,
        order_hour = to_timestamp(changed.hour * 3600::bigint), hour_orders = changed.hour_orders,
        ${CONTINUE_ACCOUNT}
      FROM ${ACCOUNTS.unnest(FIRST_ACCOUNT, 'changed')}
      WHERE account.id = changed.id
      RETURNING account.id
    ), changed_offer AS (
      UPDATE offer SET next_unit = changed.next_unit
      FROM ${OFFERS.unnest(FIRST_OFFER, 'changed')}
      WHERE offer.id = changed.id AND offer.next_unit = changed.first_unit
      RETURNING offer.id
    ), new_transfer AS (
      ${insertTransfersText(FIRST_TRANSFER)}
    )
    SELECT must_equal('accounts changed', (SELECT count(*) FROM changed_account), cardinality($${FIRST_ACCOUNT})),
      must_equal('offers changed', (SELECT count(*) FROM changed_offer), cardinality($${FIRST_OFFER}))`,
);

/** Fails if a row on which the decision depends has changed. */
export async function insertBatch(session: Session, batch: NewBatch): Promise<void> {
  const { rejections, orders, transfers, accounts, offers } = batch;
  await INSERT_BATCH.send(session, [
    ...REJECTIONS.arrays(rejections),
    ...ORDERS.arrays(orders),
    ...ACCOUNTS.arrays(accounts),
    ...OFFERS.arrays(offers),
    ...TRANSFERS.arrays(transfers),
  ]);
}

const INSERT_GATEWAY_PAYMENTS = prepareStatement<never>(
  'insert_gateway_payments',
  `INSERT INTO gateway_payment (order_id, customer, amount_minor, state, expires_at, next_check_at)
    SELECT order_id, customer, amount, 'open', statement_timestamp() + $1::integer * interval '1 minute',
      statement_timestamp() + $2::integer * interval '1 millisecond'
    FROM unnest($3::bigint[], $4::text[], $5::bigint[]) AS payment (order_id, customer, amount)`,
);

export function insertGatewayPayments(
  session: Session,
  payments: readonly Charge[],
  options: { readonly firstCheckMs: number },
): Promise<unknown> {
  return INSERT_GATEWAY_PAYMENTS.send(session, [
    PAYMENT_TIMEOUT_MINUTES,
    options.firstCheckMs,
    payments.map(({ orderId }) => orderId),
    payments.map(({ customer }) => customer),
    payments.map(({ amountMinor }) => amountMinor),
  ]);
}
