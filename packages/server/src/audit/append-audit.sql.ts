/** Entries must never contain a product key or a secret. */
import type { AuditAction } from '@keyport/contract/operators/audit';
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

export function insertAudit(tx: Tx, record: AuditRecord): Promise<number> {
  return onlyValue<{ id: number }>(tx)`
    INSERT INTO audit_entry (client_id, role, address, action, account_id, order_id, trace_id, data)
    VALUES (${record.clientId}, ${record.role ?? null}, ${record.address ?? null}, ${record.action}, ${record.accountId ?? null}, ${record.orderId ?? null},
      ${record.traceId ?? null}, ${JSON.stringify(record.data ?? {})}::jsonb)
    RETURNING id`;
}

export async function insertAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void> {
  await execute(tx)`
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
    ORDER BY place`;
}
