/** Lock order: endpoints, deliveries, queues by endpoint. */
import type { WebhookAttempt } from '@keyport/contract/webhooks/webhooks';
import type { EventType } from '@keyport/core/events';
import type { Wrapped } from '../../custody/envelope.ts';
import { allRows, allValues, execute, onlyRow, onlyValue } from '../../db/rows.ts';
import type { Db, Tx } from '../../db/schema.ts';
import { sql } from '../../db/sql.ts';

const LEASE = sql.raw(`interval '4 seconds'`);
/** A315. */
const FAILING_MAX = sql.raw(`5 * interval '1 day'`);
const GONE_REASON = 'It returned 410 Gone.';

const IS_FREE = sql`
  deleted_at IS NULL AND disabled_reason IS NULL AND due_at <= statement_timestamp() AND NOT EXISTS (
    -- A later statement may have prolonged the lease, so up to twice its length is valid. A longer one means that
    -- the clock stepped back.
    SELECT FROM webhook_node WHERE id = queue.holder
      AND alive_until BETWEEN statement_timestamp() AND statement_timestamp() + 2 * ${LEASE})`;

export function hasFreeEndpoints(db: Db): Promise<boolean> {
  return onlyValue<{ hasFree: boolean }>(db)`
    SELECT EXISTS (
      SELECT FROM webhook_queue AS queue JOIN webhook_endpoint ON number = queue.endpoint WHERE ${IS_FREE}
    ) AS "hasFree"`;
}

/** Claims in a second statement: the snapshot of the first does not show a node that claimed in between. */
export async function claimEndpoints(tx: Tx, holder: string, limit: number): Promise<number[]> {
  const locked = await allRows<{ endpoint: number }>(tx)`
    SELECT queue.endpoint FROM webhook_queue AS queue JOIN webhook_endpoint ON number = queue.endpoint
    WHERE ${IS_FREE}
    ORDER BY queue.endpoint LIMIT ${limit} FOR NO KEY UPDATE OF queue SKIP LOCKED`;
  return allValues<{ endpoint: number }>(tx)`
    UPDATE webhook_queue AS queue SET holder = ${holder}::uuid FROM webhook_endpoint
    WHERE queue.endpoint = ANY (${locked.map(({ endpoint }) => endpoint)}::bigint[]) AND number = queue.endpoint AND ${IS_FREE}
    RETURNING queue.endpoint`;
}

type Lease = { readonly held: readonly number[]; readonly nodeCount: number };

/** `held`: the endpoints that the node still holds; `nodeCount`: the nodes that send. */
export function prolongLease(db: Db, holder: string, endpoints: readonly number[]): Promise<Lease> {
  return onlyRow<Lease>(db)`
    WITH alive AS (
      INSERT INTO webhook_node (id, alive_until) VALUES (${holder}::uuid, statement_timestamp() + ${LEASE})
      ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until
    )
    SELECT coalesce((
        SELECT json_agg(endpoint) FROM webhook_queue
        WHERE endpoint = ANY (${[...endpoints]}::bigint[]) AND holder = ${holder}::uuid
      ), '[]') AS held,
      -- The snapshot lacks the row that this statement writes.
      1 + (SELECT count(*) FROM webhook_node
        WHERE id <> ${holder}::uuid AND alive_until > statement_timestamp()) AS "nodeCount"`;
}

export async function deleteNode(db: Db, holder: string): Promise<void> {
  await execute(db)`
    DELETE FROM webhook_node
    WHERE id = ${holder}::uuid OR alive_until < statement_timestamp() - interval '1 hour'`;
}

export async function lockQueues(tx: Tx, holder: string, endpoints: readonly number[]): Promise<void> {
  await execute(tx)`
    SELECT FROM webhook_queue WHERE endpoint = ANY (${[...endpoints]}::bigint[]) AND holder = ${holder}::uuid
    ORDER BY endpoint FOR NO KEY UPDATE`;
}

/** After `lockQueues`, to see deliveries committed during the wait. Index: webhook_delivery_due_ix. */
export async function releaseQueues(tx: Tx, holder: string, endpoints: readonly number[]): Promise<void> {
  await execute(tx)`
    UPDATE webhook_queue AS queue SET holder = NULL, due_at = (
      SELECT min(next_attempt_at) FROM webhook_delivery
      WHERE webhook_delivery.endpoint = queue.endpoint AND next_attempt_at IS NOT NULL)
    WHERE endpoint = ANY (${[...endpoints]}::bigint[]) AND holder = ${holder}::uuid`;
}

export type HeldEndpoint = {
  readonly number: number;
  readonly url: string;
  readonly types: readonly string[];
  /** The current one first. */
  readonly secrets: readonly (Wrapped & { readonly id: string })[];
};

/** Omits deleted and disabled endpoints. */
export async function listHeldEndpoints(db: Db, endpoints: readonly number[]): Promise<HeldEndpoint[]> {
  const rows = await allRows<
    Omit<HeldEndpoint, 'secrets'> & {
      readonly secrets: readonly { id: string; wrapped: string; masterKeyId: string | null }[];
    }
  >(db)`
    SELECT number, url, types, (
      SELECT json_agg(json_build_object('id', secret.id, 'wrapped', encode(wrapped, 'base64'),
        'masterKeyId', master_key_id) ORDER BY expires_at DESC NULLS FIRST)
      FROM webhook_secret AS secret
      WHERE endpoint = number AND (expires_at IS NULL OR expires_at > statement_timestamp())
    ) AS secrets
    FROM webhook_endpoint
    WHERE number = ANY (${[...endpoints]}::bigint[])
    AND deleted_at IS NULL AND disabled_reason IS NULL`;
  return rows.map(({ secrets, ...row }) => ({
    ...row,
    secrets: secrets.map(({ wrapped, ...secret }) => ({
      ...secret,
      wrapped: Buffer.from(wrapped, 'base64'),
    })),
  }));
}

type EventRow = {
  readonly id: string;
  readonly type: EventType;
  readonly accountId: string;
  readonly orderId: string | null;
  readonly data: unknown;
};

export type DueDelivery = {
  readonly endpoint: number;
  readonly tries: number;
  /** As PostgreSQL writes it; requeuing changes it. */
  readonly dueAt: string;
  readonly event: EventRow;
};

const DUE_MAX = 64;

/** Oldest first, at most `limit` of each endpoint. Indexes: webhook_delivery_due_ix, event_pkey. */
export async function listDue(
  db: Db,
  wanted: readonly { readonly endpoint: number; readonly limit: number }[],
): Promise<DueDelivery[]> {
  const rows = await allRows<EventRow & Omit<DueDelivery, 'event'>>(db)`
    SELECT due.endpoint, due.tries, next_attempt_at AS "dueAt", event.id::text, type, account_id AS "accountId",
      order_id::text AS "orderId", data
    FROM unnest(${wanted.map(({ endpoint }) => endpoint)}::bigint[], ${wanted.map(({ limit }) => limit)}::int[])
      AS wanted (endpoint, count)
    CROSS JOIN LATERAL (
      -- With an unknown limit, the planner would expect a tenth of the table and sort it.
      SELECT * FROM (
        SELECT endpoint, event_id, tries, next_attempt_at FROM webhook_delivery
        WHERE webhook_delivery.endpoint = wanted.endpoint AND next_attempt_at <= statement_timestamp()
        ORDER BY next_attempt_at LIMIT ${sql.constant(DUE_MAX)}
      ) AS first LIMIT wanted.count
    ) AS due
    CROSS JOIN LATERAL (SELECT * FROM event WHERE event.id = due.event_id OFFSET 0) AS event`;
  return rows.map(({ endpoint, tries, dueAt, ...event }) => ({ endpoint, tries, dueAt, event }));
}

export type Attempted = Pick<DueDelivery, 'endpoint' | 'dueAt'> & {
  readonly eventId: string;
  readonly attempt: WebhookAttempt;
  readonly isDelivered: boolean;
  readonly retryInMs: number | undefined;
};

/** Keeps the last 20 attempts. A delivery requeued during its attempt stays due. */
export async function recordAttempts(tx: Tx, attempted: readonly Attempted[]): Promise<void> {
  await execute(tx)`
    UPDATE webhook_delivery AS delivery SET
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

export async function noteSuccesses(tx: Tx, endpoints: readonly number[]): Promise<void> {
  await execute(tx)`
    UPDATE webhook_queue SET failing_since = NULL
    FROM (SELECT endpoint FROM webhook_queue
      WHERE endpoint = ANY (${[...endpoints]}::bigint[]) AND failing_since IS NOT NULL
      ORDER BY endpoint FOR NO KEY UPDATE) AS recovered
    WHERE webhook_queue.endpoint = recovered.endpoint`;
}

export async function noteFailures(tx: Tx, endpoints: readonly number[]): Promise<void> {
  await execute(tx)`
    UPDATE webhook_queue SET failing_since = statement_timestamp()
    FROM (SELECT endpoint FROM webhook_queue
      WHERE endpoint = ANY (${[...endpoints]}::bigint[]) AND failing_since IS NULL
      ORDER BY endpoint FOR NO KEY UPDATE) AS failing
    WHERE webhook_queue.endpoint = failing.endpoint`;
}

export type Failure = { readonly endpoint: number; readonly error: string };

export function disableFailing(tx: Tx, failures: readonly Failure[]): Promise<string[]> {
  return allValues<{ id: string }>(tx)`
    UPDATE webhook_endpoint SET disabled_at = statement_timestamp(),
      disabled_reason = 'Every attempt failed for 5 days; the last: ' || failure.error
    FROM unnest(${failures.map(({ endpoint }) => endpoint)}::bigint[],
      ${failures.map(({ error }) => error)}::text[]) AS failure (endpoint, error)
    JOIN webhook_queue USING (endpoint)
    WHERE number = failure.endpoint AND disabled_reason IS NULL
      AND failing_since < statement_timestamp() - ${FAILING_MAX}
    RETURNING id`;
}

export function disableGone(
  tx: Tx,
  gone: readonly { readonly endpoint: number; readonly url: string }[],
): Promise<string[]> {
  return allValues<{ id: string }>(tx)`
    UPDATE webhook_endpoint SET disabled_at = statement_timestamp(), disabled_reason = ${GONE_REASON}
    FROM unnest(${gone.map(({ endpoint }) => endpoint)}::bigint[], ${gone.map(({ url }) => url)}::text[])
      AS gone (endpoint, url)
    WHERE number = gone.endpoint AND webhook_endpoint.url = gone.url AND disabled_reason IS NULL
    RETURNING id`;
}

/** A successful test shows that the receiver wants the events. A492. */
export async function noteTested(
  tx: Tx,
  tested: readonly { readonly endpoint: number; readonly url: string }[],
): Promise<void> {
  await execute(tx)`
    UPDATE webhook_endpoint SET tested_url = tested.url
    FROM unnest(${tested.map(({ endpoint }) => endpoint)}::bigint[], ${tested.map(({ url }) => url)}::text[])
      AS tested (endpoint, url)
    WHERE number = tested.endpoint AND webhook_endpoint.url = tested.url`;
}

export function countEndpoints(db: Db): Promise<Record<'enabled' | 'failing' | 'disabled', number>> {
  return onlyRow<Record<'enabled' | 'failing' | 'disabled', number>>(db)`
    SELECT count(*) FILTER (WHERE disabled_reason IS NULL) AS enabled,
      count(*) FILTER (WHERE disabled_reason IS NULL AND failing_since IS NOT NULL) AS failing,
      count(*) FILTER (WHERE disabled_reason IS NOT NULL) AS disabled
    FROM webhook_endpoint JOIN webhook_queue ON endpoint = number WHERE deleted_at IS NULL`;
}
