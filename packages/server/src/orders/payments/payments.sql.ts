/**
 * Charges to look up and refunds to report at the payment provider, one row per order and per refund. The rows are claimed by one
 * node at a time: a claim puts the row off, so that a node that dies with it loses nothing.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/schema.ts';
import type { Refund } from '../../payments/gateway.ts';
import { RESERVATION_MINUTES } from '../placement/placement.sql.ts';

/** The provider's last word. That it took money counts whatever it said before. */
export type FinalVerdict =
  | { readonly status: 'paid' | 'amount_mismatch'; readonly reference: string }
  | { readonly status: 'declined' | 'abandoned' };

/** Returns whether this was news. */
export async function closeGatewayPayment(tx: Tx, orderId: string, word: FinalVerdict): Promise<boolean> {
  const isPayment = word.status === 'paid' || word.status === 'amount_mismatch';
  const { numAffectedRows } = await sql`
    UPDATE gateway_payment SET state = ${word.status},
      reference = coalesce(${isPayment ? word.reference : null}, reference)
    WHERE order_id = ${orderId}::bigint AND state NOT IN ('paid', 'amount_mismatch')
      AND (state = 'open' OR ${isPayment})`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Stops queries about orders whose own requests alone called the provider, and charged nothing. */
export async function closeUnaskedPayments(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE gateway_payment SET state = 'abandoned'
    WHERE order_id = ANY (${[...orderIds]}::bigint[]) AND state = 'open' AND checks = 0`.execute(tx);
}

/**
 * A released order waits for its payment again, with the full time. Its query is due immediately: while it
 * was held, its age postponed the next one, perhaps beyond the new end.
 */
export async function restartGatewayPayment(tx: Tx, orderId: string): Promise<void> {
  await sql`
    UPDATE gateway_payment SET expires_at = statement_timestamp() + ${RESERVATION_MINUTES} * interval '1 minute',
      next_check_at = least(next_check_at, statement_timestamp())
    WHERE order_id = ${orderId}::bigint AND state = 'open'`.execute(tx);
}

export type NewGatewayRefund = {
  readonly orderId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** False for money that the books never had: the provider took it without a request. */
  readonly isBooked: boolean;
};

export async function insertGatewayRefund(tx: Tx, refund: NewGatewayRefund): Promise<void> {
  await sql`
    INSERT INTO gateway_refund (order_id, amount_minor, currency, is_booked)
    VALUES (${refund.orderId}::bigint, ${refund.amountMinor}, ${refund.currency}, ${refund.isBooked})`.execute(
    tx,
  );
}

export type OpenPayment = {
  readonly orderId: string;
  readonly customer: string;
  readonly amountMinor: number;
  /**
   * The process that placed the order ended before it had the provider's response: no other caller will wait
   * for it.
   */
  readonly isUnanswered: boolean;
  /** The order still waits, and its time is over. */
  readonly isExpired: boolean;
  /** The order was given up so long ago that the provider need not be asked any more. */
  readonly isForgotten: boolean;
};

/**
 * How long the worker queries the provider about an order that was given up: it may have charged after all
 * (A77).
 */
const LATE_PAYMENT_HOURS = 24;

/**
 * The older an order, the rarer its queries: the next one comes after a tenth of its age, in whole seconds
 * (A100).
 */
const AGE_PER_CHECK = 10;

/** Until when a reservation and a late payment are waited for, less what the clock may be ahead (A221). */
const RESERVATION_NOW = sql`(statement_timestamp() - clock_lead(${RESERVATION_MINUTES} * interval '1 minute'))`;
const LATE_NOW = sql`(statement_timestamp()
  - clock_lead(${RESERVATION_MINUTES} * interval '1 minute' + ${LATE_PAYMENT_HOURS} * interval '1 hour'))`;

/**
 * Payments whose query is due. Each is postponed by `againInMs` or more, so that no other node queries
 * concurrently, but not beyond the end of its reservation, and by no more than that after it. Index:
 * gateway_payment_open_ix.
 */
export async function claimOpenPayments(
  tx: Tx,
  options: { readonly limit: number; readonly againInMs: number },
): Promise<OpenPayment[]> {
  const { rows } = await sql<OpenPayment>`
    WITH due AS (
      SELECT order_id FROM gateway_payment
      WHERE state = 'open' AND next_check_at <= statement_timestamp()
      ORDER BY next_check_at LIMIT ${options.limit}
      FOR UPDATE SKIP LOCKED
    ), again AS (
      SELECT order_id, created_at, status, greatest(${options.againInMs} * interval '1 millisecond',
        floor(extract(epoch FROM statement_timestamp() - created_at) / ${AGE_PER_CHECK}) * interval '1 second') AS pause
      FROM due JOIN "order" ON "order".id = due.order_id
    )
    UPDATE gateway_payment
    SET checks = checks + 1, next_check_at = CASE
      WHEN status NOT IN ('pending', 'pending_payment') THEN statement_timestamp() + pause
      WHEN expires_at > ${RESERVATION_NOW}
        THEN statement_timestamp() + least(pause, expires_at - ${RESERVATION_NOW})
      -- Settling it now may fail, and its units are overdue.
      ELSE statement_timestamp() + ${options.againInMs} * interval '1 millisecond' END
    FROM again
    WHERE gateway_payment.order_id = again.order_id
    RETURNING gateway_payment.order_id::text AS "orderId", customer, amount_minor AS "amountMinor",
      response_status IS NULL AND again.status = 'pending_payment' AS "isUnanswered",
      expires_at <= ${RESERVATION_NOW} AND again.status IN ('pending', 'pending_payment') AS "isExpired",
      expires_at + ${LATE_PAYMENT_HOURS} * interval '1 hour' <= ${LATE_NOW}
        AND again.status IN ('canceled', 'closed') AS "isForgotten"`.execute(tx);
  return rows;
}

/** Orders that wait for their payment although their time is over for so long. Index: gateway_payment_waiting_ix. */
export async function listOverdueOrders(
  tx: Tx,
  { overdueMs, limit }: { readonly overdueMs: number; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT order_id::text AS id FROM gateway_payment JOIN "order" ON "order".id = gateway_payment.order_id
    WHERE gateway_payment.state = 'open' AND "order".status IN ('pending', 'pending_payment')
      AND expires_at <= ${RESERVATION_NOW} - ${overdueMs} * interval '1 millisecond'
    ORDER BY expires_at LIMIT ${limit}`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * After the clock went back: what was to happen at a moment that it had nearly reached would have to wait until it comes
 * there again. Open payments and refunds are due now, and no reservation lasts longer than a whole one from now.
 */
export async function makeOpenPaymentsDue(tx: Tx): Promise<void> {
  await sql`
    UPDATE gateway_payment SET next_check_at = least(next_check_at, statement_timestamp()),
      expires_at = least(expires_at, statement_timestamp() + ${RESERVATION_MINUTES} * interval '1 minute')
    WHERE state = 'open'`.execute(tx);
  await sql`
    UPDATE gateway_refund SET next_attempt_at = least(next_attempt_at, statement_timestamp())
    WHERE state = 'open'`.execute(tx);
}

export type DueRefund = Refund & { readonly attempts: number };

/** The pause after a refund that the provider did not confirm doubles from this on. */
const REFUND_PAUSE_SECONDS = 15;
const REFUND_PAUSE_HOURS_MAX = 1;
const REFUND_DOUBLINGS_MAX = 10;

/** How long a completed refund may still fail; it is queried once a day (A211). */
const REFUND_CHECKED_DAYS = 30;

const CHECK_RETRY_MINUTES = 5;

/**
 * Refunds that are due to be reported to the provider, or were given (`done`) and are due to be checked; each is put off (A101,
 * A211). Index: gateway_refund_due_ix.
 */
export async function claimRefunds(
  tx: Tx,
  { state, limit }: { readonly state: 'open' | 'done'; readonly limit: number },
): Promise<DueRefund[]> {
  const { rows } = await sql<DueRefund>`
    WITH due AS (
      SELECT id FROM gateway_refund WHERE state = ${state} AND next_attempt_at <= statement_timestamp()
      ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE gateway_refund SET attempts = attempts + 1, next_attempt_at = CASE
      WHEN state = 'open' THEN statement_timestamp() + least(${REFUND_PAUSE_HOURS_MAX} * interval '1 hour',
        ${REFUND_PAUSE_SECONDS} * interval '1 second' * 2 ^ least(attempts, ${REFUND_DOUBLINGS_MAX}))
      WHEN done_at > statement_timestamp() - ${REFUND_CHECKED_DAYS} * interval '1 day'
        THEN statement_timestamp() + interval '1 day'
      ELSE 'infinity' END
    FROM due WHERE gateway_refund.id = due.id
    RETURNING gateway_refund.id::text AS "refundId", order_id::text AS "orderId",
      (SELECT reference FROM gateway_payment AS payment WHERE payment.order_id = gateway_refund.order_id),
      amount_minor AS "amountMinor", currency, attempts`.execute(tx);
  return rows;
}

export async function finishRefund(tx: Tx, refundId: string): Promise<void> {
  await sql`
    UPDATE gateway_refund SET state = 'done', done_at = statement_timestamp(),
      next_attempt_at = statement_timestamp() + interval '1 day'
    WHERE id = ${refundId}::bigint AND state = 'open'`.execute(tx);
}

/** The provider was not asked: the check does not wait for the next day. */
export async function retryCheckSoon(tx: Tx, refundId: string): Promise<void> {
  await sql`
    UPDATE gateway_refund
    SET next_attempt_at = statement_timestamp() + ${CHECK_RETRY_MINUTES} * interval '1 minute'
    WHERE id = ${refundId}::bigint AND state = 'done'`.execute(tx);
}

/** It is reported again at once, and then as often as any other. */
export async function reopenRefund(tx: Tx, refundId: string): Promise<void> {
  await sql`
    UPDATE gateway_refund SET state = 'open', attempts = 0, done_at = NULL, next_attempt_at = statement_timestamp()
    WHERE id = ${refundId}::bigint AND state = 'done'`.execute(tx);
}

export type BookedPayment = {
  readonly orderId: string;
  readonly state: 'open' | 'paid' | 'declined' | 'abandoned' | 'amount_mismatch';
  readonly reference: string | null;
  /** Minor units, of whichever currency it was taken in: what was or is to be refunded through the provider. */
  readonly refundedMinor: number;
};

/** The payments of these orders. Index: gateway_refund_order_ix. */
export async function listBookedPayments(db: Db, orderIds: readonly string[]): Promise<BookedPayment[]> {
  const { rows } = await sql<BookedPayment>`
    SELECT order_id::text AS "orderId", state, reference, (SELECT coalesce(sum(refund.amount_minor), 0)
      FROM gateway_refund AS refund WHERE refund.order_id = payment.order_id)::bigint AS "refundedMinor"
    FROM gateway_payment AS payment WHERE order_id = ANY (${[...orderIds]}::bigint[])`.execute(db);
  return rows;
}

/** When the newest order was placed, seconds since 1970; undefined without one. Index: order_created_ix. */
export async function findNewestOrderSeconds(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM created_at)::bigint AS seconds FROM "order" ORDER BY created_at DESC LIMIT 1`.execute(
    db,
  );
  return rows[0]?.seconds;
}
