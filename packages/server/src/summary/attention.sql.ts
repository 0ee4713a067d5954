/** Each statement reads a partial index or a small table. A362. */
import type { Attention } from '@keyport/contract/operators/summary';
import { onlyRow } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { deriveMicros } from '../db/timestamps.ts';
import { IS_IN_TROUBLE } from '../matters/matters.sql.ts';
import { isRunningLow, LAST_SOLD } from '../sums/scarce-offers.sql.ts';

const LISTED_MAX = 20;

export type WaitingRow = {
  readonly count: number;
  /** Digits: may be too large for a number. */
  readonly amountMinor: string;
  readonly oldestMicros: number | null;
};

/** Index: order_status_ix. */
export function countHeldOrders(tx: Tx): Promise<WaitingRow> {
  return onlyRow<WaitingRow>(tx)`
    SELECT count(*) AS count, coalesce(sum(total_price_minor), 0)::text AS "amountMinor",
      ${deriveMicros('min(created_at)')} AS "oldestMicros"
    FROM "order" WHERE status = 'held' AND origin = 'export-api'`;
}

/** Index: gateway_payment_open_ix. */
export function countOpenPayments(tx: Tx): Promise<WaitingRow & { readonly overdue: number }> {
  return onlyRow<WaitingRow & { overdue: number }>(tx)`
    SELECT count(*) AS count, coalesce(sum(amount_minor), 0)::text AS "amountMinor",
      ${deriveMicros('min(created_at)')} AS "oldestMicros",
      count(*) FILTER (WHERE expires_at < statement_timestamp()) AS overdue
    FROM gateway_payment JOIN "order" ON "order".id = order_id WHERE state = 'open'`;
}

export function countOpenClaims(tx: Tx): Promise<Omit<WaitingRow, 'amountMinor'>> {
  return onlyRow<Omit<WaitingRow, 'amountMinor'>>(tx)`
    SELECT count(*) AS count, ${deriveMicros('min(created_at)')} AS "oldestMicros"
    FROM claim WHERE status = 'open'`;
}

/** Index: gateway_refund_due_ix. */
export function countOpenRefunds(tx: Tx): Promise<WaitingRow> {
  return onlyRow<WaitingRow>(tx)`
    SELECT count(*) AS count, coalesce(sum(amount_minor) FILTER (WHERE currency = 'EUR'), 0)::text AS "amountMinor",
      ${deriveMicros('min(created_at)')} AS "oldestMicros"
    FROM gateway_refund WHERE state = 'open'`;
}

type ScarceOffer = Omit<Attention['stock']['offers'][number], 'soldAt'> & { readonly soldMicros: number };

type Scarcity = {
  readonly soldOut: number;
  readonly low: number;
  readonly offers: readonly ScarceOffer[];
};

/** Indexes: the primary keys. */
export function loadScarcity(tx: Tx, unitsMax: number): Promise<Scarcity> {
  return onlyRow<Scarcity>(tx)`
    WITH recent AS MATERIALIZED (${LAST_SOLD}), scarce AS MATERIALIZED (
      SELECT offer.id, product_id, seller_id, available_text + available_image AS units, sold_at
      FROM recent JOIN offer ON offer.id = offer_id
      WHERE ${isRunningLow(unitsMax)}
    ), shown AS (
      SELECT * FROM scarce ORDER BY units, sold_at DESC, id LIMIT ${LISTED_MAX}
    )
    SELECT (SELECT count(*) FROM scarce WHERE units = 0) AS "soldOut", (SELECT count(*) FROM scarce WHERE units > 0) AS low,
      (SELECT coalesce(json_agg(json_build_object('offerId', shown.id, 'productId', product_id::text, 'productName', product.name,
          'sellerId', seller_id, 'sellerName', seller.name, 'units', units, 'soldMicros', ${deriveMicros('sold_at')})
          ORDER BY units, sold_at DESC, shown.id), '[]')
        FROM shown JOIN product ON product.id = product_id
          JOIN seller ON seller.id = seller_id) AS offers`;
}

type FailingEndpoint = Omit<Attention['endpoints']['items'][number], 'failingSince'> & {
  readonly failingSinceMicros: number | null;
};

type FailingEndpoints = {
  readonly failing: number;
  readonly disabled: number;
  readonly items: readonly FailingEndpoint[];
};

export function loadFailingEndpoints(tx: Tx): Promise<FailingEndpoints> {
  return onlyRow<FailingEndpoints>(tx)`
    WITH failing AS MATERIALIZED (
      SELECT id, account_id, url, failing_since, disabled_reason FROM webhook_endpoint
      WHERE ${IS_IN_TROUBLE}
    ), shown AS (
      SELECT * FROM failing ORDER BY failing_since NULLS LAST, id LIMIT ${LISTED_MAX}
    )
    SELECT (SELECT count(*) FROM failing WHERE disabled_reason IS NULL) AS failing,
      (SELECT count(*) FROM failing WHERE disabled_reason IS NOT NULL) AS disabled,
      (SELECT coalesce(json_agg(json_build_object('id', shown.id, 'accountId', account_id, 'accountName', account.name, 'url', url,
          'failingSinceMicros', ${deriveMicros('failing_since')}, 'disabledReason', disabled_reason)
          ORDER BY failing_since NULLS LAST, shown.id), '[]')
        FROM shown JOIN account ON account.id = account_id) AS items`;
}
