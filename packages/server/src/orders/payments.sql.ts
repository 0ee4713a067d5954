/**
 * What the payment provider still has to be asked or told, one row per order and per refund. The rows are claimed by one
 * node at a time: a claim puts the row off, so that a node that dies with it loses nothing.
 */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { RESERVATION_MINUTES } from './placement.sql.ts';

type Tx = Transaction<Schema>;

/** The provider's last word. That it took money counts whatever it said before. */
export type LastWord =
  | { readonly status: 'paid' | 'mispaid'; readonly reference: string }
  | { readonly status: 'declined' | 'abandoned' };

/** Returns whether this was news. */
export async function closeGatewayPayment(tx: Tx, orderId: string, word: LastWord): Promise<boolean> {
  const isPayment = word.status === 'paid' || word.status === 'mispaid';
  const { numAffectedRows } = await sql`
    UPDATE gateway_payment SET state = ${word.status},
      reference = coalesce(${isPayment ? word.reference : null}, reference)
    WHERE order_id = ${orderId}::bigint AND state NOT IN ('paid', 'mispaid')
      AND (state = 'open' OR ${isPayment})`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Stops asking about an order for which nobody but its own request, which charged nothing, has asked the provider. */
export async function closeUnaskedPayment(tx: Tx, orderId: string): Promise<void> {
  await sql`
    UPDATE gateway_payment SET state = 'abandoned'
    WHERE order_id = ${orderId}::bigint AND state = 'open' AND checks = 0`.execute(tx);
}

/**
 * A released order waits for its payment again, with the full time. It is asked about at once: while it was held the next
 * question was put off by its age, which may be beyond the new end.
 */
export async function restartGatewayPayment(tx: Tx, orderId: string): Promise<void> {
  await sql`
    UPDATE gateway_payment SET expires_at = statement_timestamp() + ${RESERVATION_MINUTES} * interval '1 minute',
      next_check_at = least(next_check_at, statement_timestamp())
    WHERE order_id = ${orderId}::bigint AND state = 'open'`.execute(tx);
}

export type NewGatewayRefund = {
  readonly orderId: string;
  /** Minor units of `currency`. */
  readonly amountMinor: number;
  readonly currency: string;
  /** False for money that the books never had: the provider took it without being asked for it. */
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
  /** The process that placed the order ended before it had the provider's answer: nobody else will ask for it. */
  readonly isUnanswered: boolean;
  /** The order still waits, and its time is over. */
  readonly isExpired: boolean;
  /** The order was given up so long ago that the provider need not be asked any more. */
  readonly isForgotten: boolean;
};

/** For how long a provider is asked about an order that was given up: it may have charged after all (A77). */
const LATE_PAYMENT_HOURS = 24;

/** The older an order, the more seldom it is asked about: after a tenth of its age, in whole seconds (A100). */
const AGE_PER_CHECK = 10;

/**
 * Payments that are due to be asked about; each is put off by `againInMs` or more, so that no other node asks at the same
 * time, but not beyond the end of its reservation, and by no more than that once it is over. Index: gateway_payment_open_ix.
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
      WHEN expires_at > statement_timestamp() THEN least(statement_timestamp() + pause, expires_at)
      -- Settling it now may fail, and its units are overdue.
      ELSE statement_timestamp() + ${options.againInMs} * interval '1 millisecond' END
    FROM again
    WHERE gateway_payment.order_id = again.order_id
    RETURNING gateway_payment.order_id::text AS "orderId", customer, amount_minor AS "amountMinor",
      EXISTS (SELECT FROM idempotency_record AS record
        WHERE record.order_id = again.order_id AND record.status IS NULL)
        AND again.status = 'pending_payment' AS "isUnanswered",
      expires_at <= statement_timestamp() AND again.status IN ('pending', 'pending_payment') AS "isExpired",
      expires_at + ${LATE_PAYMENT_HOURS} * interval '1 hour' <= statement_timestamp()
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
      AND expires_at <= statement_timestamp() - ${overdueMs} * interval '1 millisecond'
    ORDER BY expires_at LIMIT ${limit}`.execute(tx);
  return rows.map((row) => row.id);
}

export type OpenRefund = {
  readonly refundId: string;
  readonly orderId: string;
  /** The provider's id of the payment; null when it was paid before ids were kept. */
  readonly reference: string | null;
  /** Minor units of `currency`. */
  readonly amountMinor: number;
  readonly currency: string;
  /** This one included. */
  readonly attempts: number;
};

/** The pause after a refund that the provider did not confirm doubles from this on. */
const REFUND_PAUSE_SECONDS = 15;
const REFUND_PAUSE_HOURS_MAX = 1;
const REFUND_DOUBLINGS_MAX = 10;

/** Refunds that are due to be told to the provider; each is put off (A101). Index: gateway_refund_due_ix. */
export async function claimOpenRefunds(tx: Tx, limit: number): Promise<OpenRefund[]> {
  const { rows } = await sql<OpenRefund>`
    WITH due AS (
      SELECT id FROM gateway_refund WHERE state = 'open' AND next_attempt_at <= statement_timestamp()
      ORDER BY next_attempt_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE gateway_refund SET attempts = attempts + 1, next_attempt_at = statement_timestamp() + least(
      ${REFUND_PAUSE_HOURS_MAX} * interval '1 hour',
      ${REFUND_PAUSE_SECONDS} * interval '1 second' * 2 ^ least(attempts, ${REFUND_DOUBLINGS_MAX}))
    FROM due WHERE gateway_refund.id = due.id
    RETURNING gateway_refund.id::text AS "refundId", order_id::text AS "orderId",
      (SELECT reference FROM gateway_payment AS payment WHERE payment.order_id = gateway_refund.order_id),
      amount_minor AS "amountMinor", currency, attempts`.execute(tx);
  return rows;
}

export async function finishRefund(tx: Tx, refundId: string): Promise<void> {
  await sql`UPDATE gateway_refund SET state = 'done' WHERE id = ${refundId}::bigint`.execute(tx);
}
