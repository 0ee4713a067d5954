import type { IncidentKind } from '@keyport/contract/operators/summary';
import type { TimeRange } from '@keyport/http/validation/query';
import { type List, numberKey, timeKey } from '../db/keyset.sql.ts';
import { allRows, execute } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { microsOf, timestampOf } from '../db/timestamps.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { DISABLED_BY } from '../webhooks/endpoints/change-endpoint.ts';

/** For a row of webhook_endpoint. Index: webhook_endpoint_trouble_ix. */
export const IS_DISABLED_BY_SERVICE = sql`
  disabled_reason IS NOT NULL AND deleted_at IS NULL AND NOT starts_with(disabled_reason, ${DISABLED_BY})`;

const FAULTS_MAX = 200;
/** After this time, incidents of stopped imports and lost nodes end. */
const FORGOTTEN_AFTER = sql`interval '1 day'`;
/** Nodes that stop normally delete their row. */
const NODE_LOST_AFTER = sql`interval '2 minutes'`;
const KEPT = sql`interval '400 days'`;

export type Fault = {
  readonly kind: IncidentKind;
  readonly subject: string;
  readonly title: string;
  readonly accountId: string | null;
};

/**
 * Omits responses of mail servers: they may contain an address, which not all operators may read. Indexes:
 * gateway_payment_open_ix, webhook_endpoint_trouble_ix, import_run_pkey.
 */
export function listFaults(tx: Tx): Promise<Fault[]> {
  const limit = sql`LIMIT ${FAULTS_MAX}`;
  return allRows<Fault>(tx)`
    (SELECT 'payment' AS kind, order_id::text AS subject, order_id::text AS title, account_id AS "accountId"
      FROM gateway_payment JOIN "order" ON "order".id = order_id
      WHERE state = 'open' AND expires_at < statement_timestamp() ${limit})
    UNION ALL
    (SELECT 'endpoint', id, url, account_id FROM webhook_endpoint
      WHERE failing_since IS NOT NULL AND deleted_at IS NULL AND disabled_reason IS NULL ${limit})
    UNION ALL
    (SELECT 'endpoint', id, url, account_id FROM webhook_endpoint
      WHERE ${IS_DISABLED_BY_SERVICE} ${limit})
    UNION ALL
    (SELECT 'import', number::text, kind || coalesce(': ' || file_name, ''), NULL::uuid
      FROM (SELECT * FROM import_run ORDER BY number DESC ${limit}) AS latest
      WHERE NOT is_completed AND NOT dry_run AND held_until < statement_timestamp()
        AND held_until > statement_timestamp() - ${FORGOTTEN_AFTER})
    UNION ALL
    (SELECT 'node', node_id::text, node_id::text || ', ' || version, NULL::uuid FROM master_key_holder
      WHERE seen_at BETWEEN statement_timestamp() - ${FORGOTTEN_AFTER} AND statement_timestamp() - ${NODE_LOST_AFTER})
    UNION ALL
    (SELECT 'notification', owner || '/' || channel, concat(operator.name, ', ', channel, ': ',
        coalesce('SMTP ' || substring(error FROM ': ([45][0-9]{2})(?:[ -]|$)'), 'could not be sent')), NULL::uuid
      FROM notification_channel JOIN operator ON operator.id = owner
      WHERE failing_since IS NOT NULL AND disabled_at IS NULL ${limit})`;
}

/** Indexes: incident_open_uq, incident_began_ix. */
export async function recordFaults(tx: Tx, faults: readonly Fault[]): Promise<void> {
  const current = sql`jsonb_to_recordset(${JSON.stringify(faults)}::jsonb)
    AS current (kind text, subject text, title text, "accountId" uuid)`;
  await execute(tx)`
    UPDATE incident SET ended_at = statement_timestamp()
    WHERE ended_at IS NULL AND (kind, subject) NOT IN (SELECT current.kind, current.subject
      FROM ${current})`;
  await execute(tx)`
    INSERT INTO incident (kind, subject, title, account_id)
    SELECT DISTINCT ON (current.kind, current.subject) current.kind, current.subject, current.title, current."accountId"
    FROM ${current}
    WHERE NOT EXISTS (SELECT FROM incident AS open
      WHERE open.kind = current.kind AND open.subject = current.subject AND open.ended_at IS NULL)
    ON CONFLICT DO NOTHING`;
  await execute(tx)`
    DELETE FROM incident WHERE began_at < statement_timestamp() - ${KEPT}
      AND ended_at IS NOT NULL`;
}

/** Index: incident_began_ix. */
export function incidentsList(
  { kind, open, sort }: OperationRequest<'listIncidents'>['query'],
  { fromMicros, toMicros }: TimeRange,
): List {
  const filters: Sql[] = [];
  if (kind !== undefined) filters.push(sql`kind = ${kind}`);
  if (open !== undefined) filters.push(sql`(ended_at IS NULL) = ${open === 'true'}`);
  if (fromMicros !== undefined)
    filters.push(sql`coalesce(ended_at, 'infinity') >= ${timestampOf(fromMicros)}`);
  return {
    from: sql`incident`,
    alias: 'incident',
    key: [timeKey('incident.began_at'), numberKey('incident.id')],
    isDescending: sort !== 'beganAt',
    scanned: toMicros === undefined ? [] : [sql`incident.began_at <= ${timestampOf(toMicros)}`],
    filters,
  };
}

export type IncidentRow = Fault & {
  readonly id: number;
  readonly beganMicros: number;
  readonly endedMicros: number | null;
};

export function loadIncidents(db: Db, ids: readonly string[]): Promise<IncidentRow[]> {
  return allRows<IncidentRow>(db)`
    SELECT id, kind, subject, title, account_id AS "accountId", ${microsOf('began_at')} AS "beganMicros",
      ${microsOf('ended_at')} AS "endedMicros"
    FROM incident WHERE id = ANY (${[...ids]}::bigint[])`;
}
