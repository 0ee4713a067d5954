/** Entries must never contain a product key or a secret. Each waits for the sealer in audit_unsealed. */
import type { AuditAction } from '@keyport/contract/operators/audit-actions';
import { execute, onlyValue } from '../db/rows.ts';
import type { Tx } from '../db/schema.ts';

export type AuditRecord = {
  readonly clientId: string;
  readonly role?: string | undefined;
  readonly address?: string | undefined;
  readonly action: AuditAction;
  readonly accountId?: string | null;
  readonly orderId?: string | null;
  readonly traceId?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
};

/** The caller of these actions receives a secret of a client, or a link that signs in as an operator. */
const CREDENTIAL_ACTIONS: ReadonlySet<AuditAction> = new Set([
  'client.create',
  'client.secret',
  'operator.create',
  'operator.invite',
  'operator.reset-credentials',
]);

export async function insertAudit(tx: Tx, record: AuditRecord): Promise<number> {
  const { clientId, action, accountId = null, data = {} } = record;
  const holdable = data['clientId'] ?? data['id'];
  if (CREDENTIAL_ACTIONS.has(action) && accountId === null && holdable !== undefined)
    await execute(tx)`
      INSERT INTO credential_holder (id, holder) VALUES (${String(holdable)}, ${clientId}) ON CONFLICT DO NOTHING`;
  return onlyValue<{ id: number }>(tx)`
    WITH entry AS (
      INSERT INTO audit_entry (client_id, role, address, action, account_id, order_id, trace_id, data)
      VALUES (${clientId}, ${record.role ?? null}, ${record.address ?? null}, ${action}, ${accountId}, ${record.orderId ?? null},
        ${record.traceId ?? null}, ${JSON.stringify(data)}::jsonb)
      RETURNING id
    )
    INSERT INTO audit_unsealed (audit_entry_id) SELECT id FROM entry RETURNING audit_entry_id AS id`;
}

export async function insertAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void> {
  await execute(tx)`
    WITH entry AS (
      INSERT INTO audit_entry (client_id, role, address, action, account_id, order_id, trace_id, data)
      SELECT client_id, role, address, action, account_id, order_id, trace_id, data FROM unnest(
        ${records.map(({ clientId }) => clientId)}::text[],
        ${records.map(({ role }) => role ?? null)}::text[],
        ${records.map(({ address }) => address ?? null)}::text[],
        ${records.map(({ action }) => action)}::text[],
        ${records.map(({ accountId }) => accountId ?? null)}::uuid[],
        ${records.map(({ orderId }) => orderId ?? null)}::bigint[],
        ${records.map(({ traceId }) => traceId ?? null)}::text[],
        ${records.map(({ data }) => JSON.stringify(data ?? {}))}::jsonb[]
      ) WITH ORDINALITY AS record (client_id, role, address, action, account_id, order_id, trace_id, data, place)
      ORDER BY place RETURNING id
    )
    INSERT INTO audit_unsealed (audit_entry_id) SELECT id FROM entry`;
}
