/**
 * The queue is webhook_delivery: a delivery is due at next_attempt_at, unless a node has claimed it. Lock order:
 * endpoints, deliveries.
 */
import type { WebhookAttempt } from '@keyport/contract/webhooks/webhooks';
import type { Wrapped } from '../../custody/envelope.ts';
import { allRows, execute, onlyRow, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';
import type { Events } from '../../events/feature.ts';
import { ENDPOINT_MAX, type Share } from './send-caps.ts';

type EventRow = Parameters<Events['view']>[0][number];

/** Longer than a delivery takes (`CLAIM_USABLE_MS` and the sender's timeout), so that two nodes never send it together. */
const CLAIM = sql.raw(`interval '20 seconds'`);
/** A node begins to send within this time after it claims. */
export const CLAIM_USABLE_MS = 4_000;

const IS_DUE = sql`NOT is_delivered AND next_attempt_at <= statement_timestamp()
  AND (claimed_until IS NULL OR claimed_until < statement_timestamp())`;
const IS_ENABLED = sql`deleted_at IS NULL AND disabled_reason IS NULL`;

export type Target = {
  readonly number: number;
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly isFailing: boolean;
  /** The current one first. */
  readonly secrets: readonly (Omit<Wrapped, 'wrapped'> & { readonly id: string; readonly wrapped: string })[];
};

const TARGET = sql`number, id, url, types, failing_since IS NOT NULL AS "isFailing", (
  SELECT json_agg(json_build_object('id', secret.id, 'wrapped', encode(wrapped, 'base64'),
    'masterKeyId', master_key_id) ORDER BY expires_at DESC NULLS FIRST)
  FROM webhook_secret AS secret
  WHERE secret.endpoint = number AND (expires_at IS NULL OR expires_at > statement_timestamp())
) AS secrets`;

/** Index: webhook_endpoint_account_ix. */
export function listTargets(db: Db, accountId: string): Promise<Target[]> {
  return allRows<Target>(db)`
    SELECT ${TARGET} FROM webhook_endpoint WHERE account_id = ${accountId}::uuid AND ${IS_ENABLED} ORDER BY number`;
}

export type DueTarget = Target & { readonly due: number };

/** Omits the `full` ones. The one that has waited longest comes first. Index: webhook_delivery_open_ix. */
export function listDueTargets(db: Db, full: readonly number[]): Promise<DueTarget[]> {
  return allRows<DueTarget>(db)`
    SELECT ${TARGET}, due FROM webhook_endpoint
    CROSS JOIN LATERAL (
      SELECT count(*) AS due, min(next_attempt_at) AS since FROM (
        SELECT next_attempt_at FROM webhook_delivery WHERE webhook_delivery.endpoint = number AND ${IS_DUE}
        ORDER BY next_attempt_at LIMIT ${sql.constant(ENDPOINT_MAX)}
      ) AS first
    ) AS waiting
    WHERE ${IS_ENABLED} AND number <> ALL (${[...full]}::bigint[]) AND due > 0 ORDER BY since`;
}

export type ClaimedDelivery = {
  readonly endpoint: number;
  readonly tries: number;
  /** As PostgreSQL writes it; requeuing changes it. */
  readonly dueAt: string;
  readonly event: EventRow;
};

/** Oldest first. Skips deliveries that another node is claiming. Indexes: webhook_delivery_open_ix, event_pkey. */
export async function claimDeliveries(db: Db, shares: readonly Share[]): Promise<ClaimedDelivery[]> {
  const rows = await allRows<EventRow & Omit<ClaimedDelivery, 'event'>>(db)`
    WITH due AS MATERIALIZED (
      SELECT due.endpoint, event_id FROM unnest(${shares.map(({ endpoint }) => endpoint)}::bigint[],
        ${shares.map(({ count }) => count)}::int[]) AS share (endpoint, count)
      CROSS JOIN LATERAL (
        -- With an unknown limit, the planner would expect a tenth of the table and sort it.
        SELECT * FROM (
          SELECT endpoint, event_id FROM webhook_delivery
          WHERE webhook_delivery.endpoint = share.endpoint AND ${IS_DUE}
          ORDER BY next_attempt_at LIMIT ${sql.constant(ENDPOINT_MAX)} FOR NO KEY UPDATE SKIP LOCKED
        ) AS first LIMIT share.count
      ) AS due
    ), claimed AS (
      UPDATE webhook_delivery AS delivery SET claimed_until = statement_timestamp() + ${CLAIM} FROM due
      WHERE delivery.endpoint = due.endpoint AND delivery.event_id = due.event_id
      RETURNING delivery.*
    )
    SELECT claimed.endpoint, claimed.tries, next_attempt_at AS "dueAt", event.id::text, type,
      account_id AS "accountId", order_id::text AS "orderId", data
    FROM claimed JOIN event ON event.id = claimed.event_id ORDER BY next_attempt_at, event.id`;
  return rows.map(({ endpoint, tries, dueAt, ...event }) => ({ endpoint, tries, dueAt, event }));
}

export type Attempted = Pick<ClaimedDelivery, 'endpoint' | 'dueAt'> & {
  readonly eventId: string;
  readonly attempt: WebhookAttempt;
  readonly isDelivered: boolean;
  readonly retryInMs: number | undefined;
};

/** Keeps the last 20 attempts, and ends the claims. A delivery requeued during its attempt stays due. */
export async function recordAttempts(tx: Tx, attempted: readonly Attempted[]): Promise<void> {
  await execute(tx)`
    UPDATE webhook_delivery AS delivery SET claimed_until = NULL,
      attempts = CASE WHEN jsonb_array_length(attempts) >= 20 THEN attempts - 0 ELSE coalesce(attempts, '[]') END
        || result.attempt,
      tries = CASE WHEN next_attempt_at = due_at THEN delivery.tries + 1 ELSE delivery.tries END,
      is_delivered = CASE WHEN next_attempt_at = due_at THEN result.is_delivered ELSE delivery.is_delivered END,
      next_attempt_at = CASE WHEN next_attempt_at = due_at
        THEN statement_timestamp() + result.retry_in_ms * interval '1 millisecond' ELSE next_attempt_at END
    FROM unnest(
      ${attempted.map(({ endpoint }) => endpoint)}::bigint[],
      ${attempted.map(({ eventId }) => eventId)}::bigint[],
      ${attempted.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${attempted.map(({ attempt }) => JSON.stringify(attempt))}::jsonb[],
      ${attempted.map(({ isDelivered }) => isDelivered)}::boolean[],
      ${attempted.map(({ retryInMs }) => retryInMs ?? null)}::bigint[]
    ) AS result (endpoint, event_id, due_at, attempt, is_delivered, retry_in_ms)
    WHERE delivery.endpoint = result.endpoint AND delivery.event_id = result.event_id`;
}

/** The result of one round for an endpoint. */
export type Outcome = {
  readonly endpoint: number;
  readonly isDelivered: boolean;
  /** Null without a failed retry: after days without events, a first failure proves little. */
  readonly error: string | null;
  /** The URL that returned 410. */
  readonly goneUrl: string | null;
  /** The URL that accepted a `webhook.test`, so that its receiver wants the events. A316. */
  readonly testedUrl: string | null;
};

/** A315. */
const FAILING_MAX = sql.raw(`5 * interval '1 day'`);
export const GONE_REASON = 'It returned 410 Gone.';

export type NotedEndpoint = { readonly id: string; readonly disabledReason: string | null };

/** Returns the endpoints that changed. A success wins over failures of the same round. */
export function noteOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<NotedEndpoint[]> {
  return allRows<NotedEndpoint>(tx)`
    WITH outcome AS MATERIALIZED (
      SELECT number, is_delivered, tested,
        CASE WHEN gone = url THEN ${GONE_REASON}
          WHEN is_dead AND NOT is_delivered THEN 'Every attempt failed for 5 days; the last: ' || error END AS reason
      FROM unnest(${outcomes.map(({ endpoint }) => endpoint)}::bigint[],
        ${outcomes.map(({ isDelivered }) => isDelivered)}::boolean[],
        ${outcomes.map(({ error }) => error)}::text[], ${outcomes.map(({ goneUrl }) => goneUrl)}::text[],
        ${outcomes.map(({ testedUrl }) => testedUrl)}::text[]) AS result (endpoint, is_delivered, error, gone, tested)
      JOIN webhook_endpoint ON number = endpoint
      CROSS JOIN LATERAL (SELECT failing_since < statement_timestamp() - ${FAILING_MAX}) AS age (is_dead)
      WHERE disabled_reason IS NULL
        AND (is_delivered = (failing_since IS NOT NULL) OR is_dead OR gone = url OR tested = url)
      ORDER BY number FOR NO KEY UPDATE OF webhook_endpoint
    )
    UPDATE webhook_endpoint AS endpoint SET
      failing_since = CASE WHEN is_delivered THEN NULL ELSE coalesce(failing_since, statement_timestamp()) END,
      tested_url = CASE WHEN tested = url THEN tested ELSE tested_url END,
      disabled_reason = reason,
      disabled_at = CASE WHEN reason IS NULL THEN disabled_at ELSE statement_timestamp() END
    FROM outcome WHERE endpoint.number = outcome.number
    RETURNING id, disabled_reason AS "disabledReason"`;
}

/**
 * For how long the oldest due delivery has waited while no node sends it. Omits endpoints that fail. Index:
 * webhook_delivery_open_ix.
 */
export function loadLagSeconds(db: Db): Promise<number> {
  return onlyValue<{ lag: number }>(db)`
    SELECT coalesce(extract(epoch FROM statement_timestamp() - min(next_attempt_at)), 0)::float8 AS lag
    FROM webhook_endpoint CROSS JOIN LATERAL (
      SELECT next_attempt_at, is_delivered, claimed_until FROM webhook_delivery
      WHERE webhook_delivery.endpoint = number AND NOT is_delivered AND next_attempt_at IS NOT NULL
      ORDER BY next_attempt_at LIMIT 1
    ) AS first WHERE ${IS_ENABLED} AND failing_since IS NULL AND ${IS_DUE}`;
}

export function countEndpoints(db: Db): Promise<Record<'enabled' | 'failing' | 'disabled', number>> {
  return onlyRow<Record<'enabled' | 'failing' | 'disabled', number>>(db)`
    SELECT count(*) FILTER (WHERE disabled_reason IS NULL) AS enabled,
      count(*) FILTER (WHERE disabled_reason IS NULL AND failing_since IS NOT NULL) AS failing,
      count(*) FILTER (WHERE disabled_reason IS NOT NULL) AS disabled
    FROM webhook_endpoint WHERE deleted_at IS NULL`;
}
