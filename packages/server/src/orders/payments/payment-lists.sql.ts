/** Payments that are not settled: charges whose outcome is open, and refunds that the provider has not confirmed. */
import type { OrderStatus } from '@keyport/core/orders/order-status';
import { type RawBuilder, sql } from 'kysely';
import { type List, textKey, timeKey } from '../../db/keyset.sql.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { matchesUuid, matchesWords } from '../../db/search.sql.ts';
import { microsOf } from '../../db/timestamps.ts';

export type PaymentKind = 'charge' | 'refund';

export type PaymentFilter = {
  readonly query?: string | undefined;
  readonly kind?: PaymentKind | undefined;
  readonly accountId?: string | undefined;
};

/** Indexes: gateway_payment_open_ix, gateway_refund_due_ix. All open payments are read. */
export function paymentsList({ query, kind, accountId }: PaymentFilter, isDescending: boolean): List {
  const scanned: RawBuilder<unknown>[] = [];
  if (kind !== undefined) scanned.push(sql`open_payment.kind = ${kind}`);
  if (accountId !== undefined) scanned.push(sql`open_payment.account_id = ${accountId}::uuid`);
  return {
    from: sql`open_payment`,
    alias: 'open_payment',
    key: [timeKey('open_payment.created_at'), textKey(sql`open_payment.id COLLATE "C"`)],
    isDescending,
    scanned,
    filters: query === undefined ? [] : [matchesPayment(query.trim())],
  };
}

function matchesPayment(query: string): RawBuilder<unknown> {
  const ofAccount = matchesUuid(sql`open_payment.account_id`, query);
  const words = matchesWords(
    sql`search_words(account.name || ' ' || coalesce(account.gateway_customer, ''))`,
    query,
  );
  return sql`(${query} IN (open_payment.id, open_payment.order_id::text, open_payment.reference)
    OR ${ofAccount ?? sql`false`}
    OR EXISTS (SELECT FROM account WHERE account.id = open_payment.account_id AND ${words}))`;
}

export type PaymentRow = {
  readonly id: string;
  readonly kind: PaymentKind;
  readonly orderId: string;
  readonly orderStatus: OrderStatus;
  readonly accountId: string;
  readonly accountName: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly createdAtMicros: number;
  readonly expiresAtMicros: number | null;
  readonly attempts: number;
  readonly nextAttemptAtMicros: number;
  readonly providerState: string | null;
  readonly lastError: string | null;
  readonly reference: string | null;
};

export async function loadPayments(db: Db, ids: readonly string[]): Promise<PaymentRow[]> {
  const { rows } = await sql<PaymentRow>`
    SELECT payment.id, kind, order_id::text AS "orderId", order_status AS "orderStatus", account_id AS "accountId",
      account.name AS "accountName", amount_minor AS "amountMinor", currency,
      ${microsOf('payment.created_at')} AS "createdAtMicros", ${microsOf('expires_at')} AS "expiresAtMicros", attempts,
      ${microsOf('next_attempt_at')} AS "nextAttemptAtMicros", provider_state AS "providerState", last_error AS "lastError",
      reference
    FROM open_payment AS payment JOIN account ON account.id = account_id
    WHERE payment.id = ANY (${[...ids]}::text[])`.execute(db);
  return rows;
}

/** The next round of the worker takes it. False: it is not open. */
export async function makePaymentDue(tx: Tx, kind: PaymentKind, id: string): Promise<boolean> {
  const { numAffectedRows } =
    kind === 'charge'
      ? await sql`
          UPDATE gateway_payment SET next_check_at = least(next_check_at, statement_timestamp())
          WHERE order_id = ${id}::bigint AND state = 'open'`.execute(tx)
      : await sql`
          UPDATE gateway_refund SET next_attempt_at = least(next_attempt_at, statement_timestamp())
          WHERE id = ${id}::bigint AND state = 'open'`.execute(tx);
  return numAffectedRows === 1n;
}

export async function hasPayment(db: Db, kind: PaymentKind, id: string): Promise<boolean> {
  const { rows } =
    kind === 'charge'
      ? await sql`SELECT FROM gateway_payment WHERE order_id = ${id}::bigint`.execute(db)
      : await sql`SELECT FROM gateway_refund WHERE id = ${id}::bigint`.execute(db);
  return rows.length > 0;
}

/** The outcome of an attempt that settled nothing. */
export type AttemptNote = { readonly providerState: string; readonly lastError: string | null };

/** Writes only what is new: a provider that is down says the same of every payment. */
export async function noteAttempt(db: Db, kind: PaymentKind, id: string, note: AttemptNote): Promise<void> {
  const { providerState, lastError } = note;
  const [table, key] =
    kind === 'charge' ? (['gateway_payment', 'order_id'] as const) : (['gateway_refund', 'id'] as const);
  await sql`
    UPDATE ${sql.table(table)} SET provider_state = ${providerState}, last_error = ${lastError}
    WHERE ${sql.ref(key)} = ${id}::bigint AND state = 'open'
      AND (provider_state, last_error) IS DISTINCT FROM (${providerState}, ${lastError}::text)`.execute(db);
}
