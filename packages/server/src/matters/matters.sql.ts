/** The one list of what is wrong or waits for an operator. Incidents and notices are two reads of it. A362, A590. */
import { INCIDENT_KINDS } from '@keyport/contract/operators/summary';
import { execute, onlyValue } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { isRunningLow, LAST_SOLD } from '../sums/scarce-offers.sql.ts';
import { DISABLED_BY } from '../webhooks/endpoints/change-endpoint.ts';

/** For a row of webhook_endpoint: its deliveries fail, or the service disabled it. */
export const IS_IN_TROUBLE = sql`deleted_at IS NULL AND CASE WHEN disabled_reason IS NULL
  THEN failing_since IS NOT NULL ELSE NOT starts_with(disabled_reason, ${DISABLED_BY}) END`;

export const ARE_INCIDENTS = sql`kind IN (${sql.join(INCIDENT_KINDS.map(sql.constant))})`;

/** After this time, matters of stopped imports and lost nodes end. */
const FORGOTTEN_AFTER = sql`interval '1 day'`;
/** Nodes that stop normally delete their row. */
const NODE_LOST_AFTER = sql`interval '2 minutes'`;
/** Incidents are kept as the history of the installation; what only waited for an operator, for a month. */
const KEPT = sql`CASE WHEN ${ARE_INCIDENTS} THEN interval '400 days' ELSE interval '30 days' END`;
const toAmount = (column: string) => sql.raw(`to_char(${column} / 100.0, 'FM999999999999990.00')`);

/** Per kind; the next round continues. */
const BEGUN_MAX = 200;
const ENDED_MAX = 1_000;

type BrokenInvariant = { readonly id: string; readonly title: string };

export type Judged = {
  readonly lowStockUnits: number;
  readonly brokenInvariants: readonly BrokenInvariant[];
};

/**
 * `tailOf`: the end of the WHERE clause for a kind. Responses of mail servers are left out: they may contain an address,
 * which not all operators may read. Indexes: order_status_ix, scarce_offer_sold_ix,
 * gateway_payment_open_ix, import_run_pkey.
 */
const findCurrent = (
  { lowStockUnits, brokenInvariants }: Judged,
  tailOf: (kind: string, subject: string) => Sql,
) => sql`
  (SELECT 'held-order' AS kind, "order".id::text AS subject, account_id,
    concat_ws(', ', "order".id, account.name, currency || ' ' || ${toAmount('total_price_minor')}) AS title
  FROM "order" JOIN account ON account.id = account_id WHERE "order".status = 'held' AND origin = 'export-api'
    ${tailOf("'held-order'", '"order".id::text')})
  UNION ALL
  (SELECT 'approval', approval.id::text, account.id,
    concat_ws(', ', account.name, CASE operation
      WHEN 'createDeposit' THEN 'deposit' WHEN 'createPayout' THEN 'payout' WHEN 'createAdjustment' THEN 'correction'
      ELSE 'refund' END || ' of EUR ' || ${toAmount('amount_minor')}, 'requested by ' || coalesce(person.name, requested_by))
  FROM approval JOIN account ON account.id = approval.account_id LEFT JOIN person ON person.id = requested_by
  WHERE approval.status = 'pending'
    ${tailOf("'approval'", 'approval.id::text')})
  UNION ALL
  (SELECT 'claim', claim.id, account_id, concat_ws(', ', order_id, account.name, CASE reason
      WHEN 'invalid' THEN 'invalid key' WHEN 'already-used' THEN 'key already used' ELSE replace(reason, '-', ' ') END)
  FROM claim JOIN account ON account.id = account_id WHERE claim.status = 'open' ${tailOf("'claim'", 'claim.id')})
  UNION ALL
  (SELECT 'low-stock', offer.id::text, NULL,
    concat_ws(', ', product.name, seller.name, CASE available_text + available_image
      WHEN 0 THEN 'sold out' ELSE available_text + available_image || ' left' END)
  FROM (${LAST_SOLD}) AS recent
    JOIN offer ON offer.id = offer_id JOIN product ON product.id = product_id JOIN seller ON seller.id = seller_id
  WHERE ${isRunningLow(lowStockUnits)}
    ${tailOf("'low-stock'", 'offer.id::text')})
  UNION ALL
  (SELECT 'invariant', broken.id, NULL, broken.id || ': ' || broken.title
  FROM jsonb_to_recordset(${JSON.stringify(brokenInvariants)}::jsonb) AS broken (id text, title text)
  WHERE true ${tailOf("'invariant'", 'broken.id')})
  UNION ALL
  (SELECT 'payment', order_id::text, account_id, order_id::text
  FROM gateway_payment JOIN "order" ON "order".id = order_id
  WHERE state = 'open' AND expires_at < statement_timestamp() ${tailOf("'payment'", 'order_id::text')})
  UNION ALL
  (SELECT 'endpoint', endpoint.id, account_id, url FROM webhook_endpoint AS endpoint
  WHERE ${IS_IN_TROUBLE} ${tailOf("'endpoint'", 'endpoint.id')})
  UNION ALL
  (SELECT 'import', number::text, NULL, kind || coalesce(': ' || file_name, '')
  FROM (SELECT * FROM import_run ORDER BY number DESC LIMIT ${BEGUN_MAX}) AS latest
  WHERE NOT is_completed AND NOT dry_run AND held_until < statement_timestamp()
    AND held_until > statement_timestamp() - ${FORGOTTEN_AFTER} ${tailOf("'import'", 'number::text')})
  UNION ALL
  (SELECT 'node', node_id::text, NULL, node_id::text || ', ' || version FROM master_key_holder
  WHERE seen_at BETWEEN statement_timestamp() - ${FORGOTTEN_AFTER} AND statement_timestamp() - ${NODE_LOST_AFTER}
    ${tailOf("'node'", 'node_id::text')})
  UNION ALL
  (SELECT 'notification', owner || '/' || channel, NULL, concat(person.name, ', ', channel, ': ',
      coalesce('SMTP ' || substring(error FROM ': ([45][0-9]{2})(?:[ -]|$)'), 'could not be sent'))
  FROM notification_channel JOIN person ON person.id = owner
  WHERE failing_since IS NOT NULL AND disabled_at IS NULL ${tailOf("'notification'", "owner || '/' || channel")})`;

/**
 * Ends the matters that are over, and begins new ones. One node at a time, so ids have the order of commits. Index:
 * matter_open_uq.
 */
export async function recordMatters(tx: Tx, judged: Judged): Promise<void> {
  const isLocked = await onlyValue<{ locked: boolean }>(tx)`
    SELECT pg_try_advisory_xact_lock(hashtextextended('keyport/matters', 0)) AS locked`;
  if (!isLocked) return;
  await execute(tx)`
    UPDATE matter SET ended_at = statement_timestamp() WHERE id IN (
      SELECT id FROM matter AS open WHERE open.ended_at IS NULL AND NOT EXISTS (
        SELECT FROM (${findCurrent(judged, () => sql``)}) AS current
        WHERE current.kind = open.kind AND current.subject = open.subject)
      LIMIT ${ENDED_MAX})`;
  const isNew = (kind: string, subject: string) => sql`AND NOT EXISTS (
    SELECT FROM matter AS open
    WHERE open.kind = ${sql.raw(kind)} AND open.subject = ${sql.raw(subject)} AND open.ended_at IS NULL)
    LIMIT ${BEGUN_MAX}`;
  await execute(tx)`
    INSERT INTO matter (kind, subject, account_id, title)
    SELECT kind, subject, account_id, title FROM (${findCurrent(judged, isNew)}) AS begun`;
}

export async function forgetMatters(tx: Tx): Promise<void> {
  await execute(tx)`
    DELETE FROM matter WHERE id IN (
      SELECT id FROM matter WHERE began_at < statement_timestamp() - interval '30 days'
        AND ended_at < statement_timestamp() - ${KEPT} LIMIT ${ENDED_MAX})`;
}
