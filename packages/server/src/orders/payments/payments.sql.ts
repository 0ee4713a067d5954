/** A claim postpones its rows, so only one node has them until it settles them or dies. */

import type { Payment } from '@keyport/contract/orders/operator-orders';
import { ACCOUNT_WORDS } from '../../accounts/accounts.sql.ts';
import { type List, textKey, timeKey } from '../../db/keyset.sql.ts';
import { allRows, allValues, execute, firstValue, hasRows } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { matchesUuid, matchesWords } from '../../db/search.sql.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { deriveMicros } from '../../db/timestamps.ts';
import type { Refund } from '../../payments/gateway.ts';
import { PAYMENT_TIMEOUT_MINUTES } from '../placement/placement.sql.ts';

/** Earlier verdicts do not count once the provider has taken money. */
export type FinalVerdict =
  | { readonly status: 'paid' | 'amount_mismatch'; readonly reference: string }
  | { readonly status: 'declined' | 'abandoned' };

export async function closeGatewayPayment(tx: Tx, orderId: string, verdict: FinalVerdict): Promise<boolean> {
  const isPayment = verdict.status === 'paid' || verdict.status === 'amount_mismatch';
  const closed = await execute(tx)`
    UPDATE gateway_payment SET state = ${verdict.status},
      reference = coalesce(${isPayment ? verdict.reference : null}, reference)
    WHERE order_id = ${orderId}::bigint AND state NOT IN ('paid', 'amount_mismatch')
      AND (state = 'open' OR ${isPayment})`;
  return closed > 0;
}

/** For orders whose request charged nothing, unless the worker has queried the payment. */
export async function abandonUncharged(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await execute(tx)`
    UPDATE gateway_payment SET state = 'abandoned'
    WHERE order_id = ANY (${[...orderIds]}::bigint[]) AND state = 'open' AND checks = 0`;
}

/** After a hold: restarts the time limit, and makes due the query that the order's age postponed. */
export async function restartGatewayPayment(tx: Tx, orderId: string): Promise<void> {
  await execute(tx)`
    UPDATE gateway_payment SET expires_at = statement_timestamp() + ${PAYMENT_TIMEOUT_MINUTES} * interval '1 minute',
      next_check_at = least(next_check_at, statement_timestamp())
    WHERE order_id = ${orderId}::bigint AND state = 'open'`;
}

type NewGatewayRefund = {
  readonly orderId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly isBooked: boolean;
};

export async function insertGatewayRefund(tx: Tx, refund: NewGatewayRefund): Promise<void> {
  const { orderId, amountMinor, currency, isBooked } = refund;
  await execute(tx)`
    INSERT INTO gateway_refund (order_id, amount_minor, currency, is_booked)
    VALUES (${orderId}::bigint, ${amountMinor}, ${currency}, ${isBooked})`;
}

export type OpenPayment = {
  readonly orderId: string;
  readonly customer: string;
  readonly amountMinor: number;
  /** The process that placed the order ended early. */
  readonly isUnanswered: boolean;
  /** The order still waits after its time limit. */
  readonly isExpired: boolean;
  /** The order was given up long ago. */
  readonly isForgotten: boolean;
};

/** The provider may charge an order after it was given up (A77). */
const LATE_PAYMENT_HOURS = 24;
/** The next query comes after a tenth of the order's age, in whole seconds (A100). */
const AGE_PER_CHECK = 10;
/** Postpones by `againInMs` or more, but not beyond the reservation's end. Index: gateway_payment_open_ix. */
export function claimOpenPayments(
  tx: Tx,
  options: { readonly limit: number; readonly againInMs: number },
): Promise<OpenPayment[]> {
  return allRows<OpenPayment>(tx)`
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
      WHEN expires_at > statement_timestamp()
        THEN statement_timestamp() + least(pause, expires_at - statement_timestamp())
      -- Settling it now may fail, and its units should already be back on sale.
      ELSE statement_timestamp() + ${options.againInMs} * interval '1 millisecond' END
    FROM again
    WHERE gateway_payment.order_id = again.order_id
    RETURNING gateway_payment.order_id::text AS "orderId", customer, amount_minor AS "amountMinor",
      response_status IS NULL AND again.status = 'pending_payment' AS "isUnanswered",
      expires_at <= statement_timestamp() AND again.status IN ('pending', 'pending_payment') AS "isExpired",
      expires_at + ${LATE_PAYMENT_HOURS} * interval '1 hour' <= statement_timestamp()
        AND again.status IN ('canceled', 'closed') AS "isForgotten"`;
}

/** Orders that wait long after their time limit. Index: gateway_payment_open_ix. */
export function listOverdueOrders(
  tx: Tx,
  { overdueMs, limit }: { readonly overdueMs: number; readonly limit: number },
): Promise<string[]> {
  return allValues<{ id: string }>(tx)`
    SELECT order_id::text AS id FROM gateway_payment JOIN "order" ON "order".id = gateway_payment.order_id
    WHERE gateway_payment.state = 'open' AND "order".status IN ('pending', 'pending_payment')
      AND expires_at <= statement_timestamp() - ${overdueMs} * interval '1 millisecond'
    ORDER BY expires_at LIMIT ${limit}`;
}

export type DueRefund = Refund & { readonly attempts: number };

/** Doubles with each unconfirmed attempt. */
const REFUND_PAUSE_SECONDS = 15;
const REFUND_PAUSE_HOURS_MAX = 1;
const REFUND_DOUBLINGS_MAX = 10;
/** A completed refund may still fail (A101). */
const REFUND_CHECKED_DAYS = 30;
const CHECK_RETRY_MINUTES = 5;

/** Claims refunds to report (`open`) or check (`done`) (A101). Index: gateway_refund_due_ix. */
export function claimRefunds(
  tx: Tx,
  { state, limit }: { readonly state: 'open' | 'done'; readonly limit: number },
): Promise<DueRefund[]> {
  return allRows<DueRefund>(tx)`
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
      amount_minor AS "amountMinor", currency, attempts`;
}

export async function finishRefund(tx: Tx, refundId: string): Promise<void> {
  await execute(tx)`
    UPDATE gateway_refund SET state = 'done', done_at = statement_timestamp(),
      next_attempt_at = statement_timestamp() + interval '1 day'
    WHERE id = ${refundId}::bigint AND state = 'open'`;
}

export async function retryCheckSoon(tx: Tx, refundId: string): Promise<void> {
  await execute(tx)`
    UPDATE gateway_refund
    SET next_attempt_at = statement_timestamp() + ${CHECK_RETRY_MINUTES} * interval '1 minute'
    WHERE id = ${refundId}::bigint AND state = 'done'`;
}

export async function reopenRefund(tx: Tx, refundId: string): Promise<void> {
  await execute(tx)`
    UPDATE gateway_refund SET state = 'open', attempts = 0, done_at = NULL, next_attempt_at = statement_timestamp()
    WHERE id = ${refundId}::bigint AND state = 'done'`;
}

export type BookedPayment = {
  readonly orderId: string;
  readonly state: 'open' | 'paid' | 'declined' | 'abandoned' | 'amount_mismatch';
  readonly reference: string | null;
  /** In the payment's currency. */
  readonly refundedMinor: number;
};

/** Index: gateway_refund_order_ix. */
export function listBookedPayments(db: Db, orderIds: readonly string[]): Promise<BookedPayment[]> {
  return allRows<BookedPayment>(db)`
    SELECT order_id::text AS "orderId", state, reference, (SELECT coalesce(sum(refund.amount_minor), 0)
      FROM gateway_refund AS refund WHERE refund.order_id = payment.order_id)::bigint AS "refundedMinor"
    FROM gateway_payment AS payment WHERE order_id = ANY (${[...orderIds]}::bigint[])`;
}

/** Index: order_created_ix. */
export function findNewestOrderSeconds(db: Db): Promise<number | undefined> {
  return firstValue<{ seconds: number }>(db)`
    SELECT extract(epoch FROM created_at)::bigint AS seconds FROM "order"
    ORDER BY created_at DESC LIMIT 1`;
}

export type PaymentKind = Payment['kind'];

export type PaymentFilter = {
  readonly query?: string | undefined;
  readonly kind?: PaymentKind | undefined;
  readonly accountId?: string | undefined;
};

/** Reads all open payments. Indexes: gateway_payment_open_ix, gateway_refund_due_ix. */
export function paymentsList({ query, kind, accountId }: PaymentFilter, isDescending: boolean): List {
  const scanned: Sql[] = [];
  if (kind !== undefined) scanned.push(sql`open_payment.kind = ${kind}`);
  if (accountId !== undefined) scanned.push(sql`open_payment.account_id = ${accountId}::uuid`);
  return {
    from: sql`open_payment`,
    alias: 'open_payment',
    amount: {
      minor: sql`open_payment.amount_minor`,
      currency: sql`open_payment.currency`,
      decimals: sql`2`,
    },
    key: [timeKey('open_payment.created_at'), textKey(sql`open_payment.id COLLATE "C"`)],
    isDescending,
    scanned,
    filters: query === undefined ? [] : [matchesPayment(query.trim())],
  };
}

function matchesPayment(query: string): Sql {
  const ofAccount = matchesUuid(sql`open_payment.account_id`, query);
  const words = matchesWords(ACCOUNT_WORDS.words, query);
  return sql`(${query} IN (open_payment.id, open_payment.order_id::text, open_payment.reference)
    OR ${ofAccount ?? sql`false`}
    OR EXISTS (SELECT FROM account WHERE account.id = open_payment.account_id AND ${words}))`;
}

type Shown = 'amount' | 'createdAt' | 'expiresAt' | 'nextAttemptAt';
export type PaymentRow = Omit<Payment, Shown> & {
  readonly amountMinor: number;
  readonly createdAtMicros: number;
  readonly expiresAtMicros: number | null;
  readonly nextAttemptAtMicros: number;
};

export function loadPayments(db: Db, ids: readonly string[]): Promise<PaymentRow[]> {
  return allRows<PaymentRow>(db)`
    SELECT payment.id, kind, order_id::text AS "orderId", order_status AS "orderStatus", account_id AS "accountId",
      account.name AS "accountName", amount_minor AS "amountMinor", currency,
      ${deriveMicros('payment.created_at')} AS "createdAtMicros", ${deriveMicros('expires_at')} AS "expiresAtMicros", attempts,
      ${deriveMicros('next_attempt_at')} AS "nextAttemptAtMicros", provider_state AS "providerState", last_error AS "lastError",
      reference
    FROM open_payment AS payment JOIN account ON account.id = account_id
    WHERE payment.id = ANY (${[...ids]}::text[])`;
}

const TABLES = {
  charge: {
    table: sql.identifier('gateway_payment'),
    key: sql.identifier('order_id'),
    dueAt: sql.identifier('next_check_at'),
  },
  refund: {
    table: sql.identifier('gateway_refund'),
    key: sql.identifier('id'),
    dueAt: sql.identifier('next_attempt_at'),
  },
} as const;

/** Returns false if the payment is not open. */
export async function makePaymentDue(tx: Tx, kind: PaymentKind, id: string): Promise<boolean> {
  const { table, key, dueAt } = TABLES[kind];
  const changed = await execute(tx)`
    UPDATE ${table} SET ${dueAt} = least(${dueAt}, statement_timestamp())
    WHERE ${key} = ${id}::bigint AND state = 'open'`;
  return changed > 0;
}

export function hasPayment(db: Db, kind: PaymentKind, id: string): Promise<boolean> {
  const { table, key } = TABLES[kind];
  return hasRows(db)`SELECT FROM ${table} WHERE ${key} = ${id}::bigint`;
}

/** For an attempt that settled nothing. */
export type AttemptNote = { readonly providerState: string; readonly lastError: string | null };

/** Writes only changes: a provider that is down fails every attempt alike. */
export async function noteAttempt(db: Db, kind: PaymentKind, id: string, note: AttemptNote): Promise<void> {
  const { providerState, lastError } = note;
  const { table, key } = TABLES[kind];
  await execute(db)`
    UPDATE ${table} SET provider_state = ${providerState}, last_error = ${lastError}
    WHERE ${key} = ${id}::bigint AND state = 'open'
      AND (provider_state, last_error) IS DISTINCT FROM (${providerState}, ${lastError}::text)`;
}
